// The part of TraceBuilder about what only the program's own profiler knows: Python frames, and the tensors of ops.
#include <charconv>
#include <optional>

#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {
namespace {

std::optional<std::uint32_t> number_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return number;
}

}  // namespace

void TraceBuilder::add_profile(const trace::Trace& profile) {
  const auto copied = [&](trace::StringId id) { return text(profile.text(id)); };
  const auto time_of = [&](std::int64_t time) {
    return since_base(static_cast<std::uint64_t>(profile.base_time_ns + time));
  };
  // Threads of the recorded process; torch.profiler identifies them by the system's numbers, as the recorder does.
  std::vector<std::optional<trace::TrackId>> tracks;
  for (const trace::Track& track : profile.tracks) {
    const auto pid = number_of(profile.text(track.pid)), tid = number_of(profile.text(track.tid));
    const bool ours = !track.gpu && !track.pid_is_text && !track.tid_is_text && pid == pid_ && tid;
    tracks.push_back(ours ? std::optional(thread_track(*tid)) : std::nullopt);
  }
  for (trace::SliceId s = 0; s < profile.slices.size(); ++s) {
    const std::optional<trace::TrackId> track = tracks[profile.slices.track[s]];
    const trace::SliceKind kind = profile.slices.kind[s];
    std::size_t detail = 0;
    if (!track) continue;
    if (kind == trace::SliceKind::python) {
      detail = trace_.python.size();
      trace_.python.push_back(profile.python[profile.slices.detail[s]]);
    } else if (kind == trace::SliceKind::op || kind == trace::SliceKind::annotation) {
      detail = trace_.ops.size();
      trace::OpDetail op = profile.ops[profile.slices.detail[s]];
      for (trace::StringId* const id : {&op.input_dims, &op.input_strides, &op.input_types, &op.concrete_inputs,
                                        &op.call_stack, &op.module_hierarchy})
        *id = copied(*id);
      op.external_id = op.dispatch = trace::absent;  // numbers of the other file
      trace_.ops.push_back(op);
    } else {
      continue;
    }
    trace::Slices& rows = trace_.slices;
    rows.start.push_back(time_of(profile.slices.start[s]));
    rows.duration.push_back(profile.slices.duration[s]);
    rows.name.push_back(copied(profile.slices.name[s]));
    rows.extra.push_back(copied(profile.slices.extra[s]));
    rows.track.push_back(*track);
    rows.detail.push_back(static_cast<std::uint32_t>(detail));
    rows.kind.push_back(kind);
  }
  for (std::size_t i = 0; i < profile.memory.size(); ++i) {
    trace::MemoryEvent event = profile.memory[i];
    const std::optional<trace::TrackId> track = tracks[event.track];
    if (!track) continue;
    event.time = time_of(event.time);
    event.track = *track;
    event.extra = copied(event.extra);
    trace_.memory.push_back(event);
  }
}

}  // namespace warpwalk::instrumentation
