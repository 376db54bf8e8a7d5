#include "core/analysis/time/idle_lines.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/analysis/time/gpu_breakdown.h"
#include "core/trace/link.h"
#include "core/trace/stream_overlap.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

bool is_explained(IdleCause cause) { return cause != IdleCause::unknown && cause != IdleCause::unrecorded; }

// Adds up times by line.
class LineSums {
 public:
  LineSums(const Trace& trace, const CodePlaces& places) : trace_(trace), places_(places) {}

  void add(SliceId slice, trace::TrackId thread, std::int64_t from, std::int64_t time, IdleCause cause) {
    slice = shown(slice, thread, from);
    add(key_of(slice), slice, time, cause);
  }
  void add(std::uint64_t key, SliceId slice, std::int64_t time, IdleCause cause) { add(line(key), slice, time, cause); }

  // The slice that a part is shown by: itself, else the range around it.
  SliceId shown(SliceId slice, trace::TrackId thread, std::int64_t from) const {
    return slice == no_slice && thread != PathSegment::no_track ? range_at(thread, from) : slice;
  }
  // Slices of one line have one key: the name of the frame, else that of the slice itself.
  std::uint64_t key_of(SliceId slice) const {
    if (slice == no_slice) return 0;
    const SliceId frame = places_.frame_of(slice);
    return frame != no_slice ? std::uint64_t{trace_.slices.name[frame]} + 1
                             : (std::uint64_t{trace_.slices.name[slice]} + 1) << 32;
  }

  std::vector<IdleLine> take(std::size_t limit) const {
    std::vector<const Line*> order;
    for (const auto& [key, line] : lines_) order.push_back(&line);
    std::ranges::sort(order, [](const Line* a, const Line* b) {
      return a->time != b->time ? a->time > b->time : a->slice < b->slice;
    });
    if (order.size() > limit) order.resize(limit);
    std::vector<IdleLine> all;
    for (const Line* const line : order) {
      const auto most = std::ranges::max_element(line->causes) - line->causes.begin();
      all.push_back({text_of(line->slice), line->slice, line->time, static_cast<IdleCause>(most)});
    }
    return all;
  }

 protected:
  struct Line {
    std::int64_t time = 0, longest = 0;
    std::array<std::int64_t, idle_causes> causes{};
    SliceId slice = no_slice;
  };

  // Stays where it is.
  Line& line(std::uint64_t key) { return lines_[key]; }
  static void add(Line& line, SliceId slice, std::int64_t time, IdleCause cause) {
    line.time += time;
    line.causes[static_cast<std::size_t>(cause)] += time;
    if (time > line.longest) {
      line.longest = time;
      line.slice = slice;
    }
  }

 private:
  std::string text_of(SliceId slice) const {
    if (slice == no_slice) return {};
    std::string line = places_.line_text(slice);
    return line.empty() ? label_of(trace_, slice) : line;
  }

  // The innermost range that the program named around a moment in which nothing else is recorded.
  SliceId range_at(trace::TrackId thread, std::int64_t moment) const {
    const auto& rows = trace_.slices;
    const Reaching reaching = reaching_into(trace_, trace_.tracks[thread], moment + 1);
    SliceId found = no_slice;
    for (const SliceId s : reaching.before)
      if (rows.kind[s] == SliceKind::annotation) found = s;
    return found;
  }

  const Trace& trace_;
  const CodePlaces& places_;
  std::unordered_map<std::uint64_t, Line> lines_;
};

}  // namespace

class IdleLineSums::Lines : public LineSums {
 public:
  using LineSums::LineSums;

  // The same as add(), for parts close to each other: most are of a slice that came shortly before.
  void add_part(const IdlePart& part) {
    if (part.seen_in == no_slice) {
      add(part.seen_in, part.thread, part.from, part.length(), part.cause);
      return;
    }
    Known& known = known_[part.seen_in % known_.size()];
    if (known.slice != part.seen_in) known = {part.seen_in, &line(key_of(part.seen_in))};
    add(*known.line, part.seen_in, part.length(), part.cause);
  }

 private:
  struct Known {
    SliceId slice = no_slice;
    Line* line = nullptr;
  };
  std::array<Known, 256> known_;
};

IdleLineSums::IdleLineSums(const Trace& trace, const CodePlaces& places)
    : lines_(std::make_unique<Lines>(trace, places)) {}
IdleLineSums::~IdleLineSums() = default;

void IdleLineSums::add(std::span<const IdlePart> parts) {
  for (const IdlePart& part : parts)
    if (is_explained(part.cause)) lines_->add_part(part);
}

std::vector<IdleLine> IdleLineSums::longest(std::size_t limit) const { return lines_->take(limit); }

std::vector<IdleLine> idle_lines(const Trace& trace, const CodePlaces& places, std::span<const IdlePart> parts,
                                 std::size_t limit) {
  IdleLineSums lines(trace, places);
  lines.add(parts);
  return lines.longest(limit);
}

IdleLines idle_lines_and_culprit(const Trace& trace, const CodePlaces& places, const IdleReport& report,
                                 std::size_t limit) {
  const IdleVerdict verdict = report.cause();
  LineSums lines(trace, places), guilty(trace, places);
  for (const IdlePart& part : report.parts) {
    if (!is_explained(part.cause)) continue;
    const SliceId slice = lines.shown(part.seen_in, part.thread, part.from);
    const std::uint64_t key = lines.key_of(slice);
    lines.add(key, slice, part.length(), part.cause);
    if (counts_for(verdict, part.cause)) guilty.add(key, slice, part.length(), part.cause);
  }
  if (verdict == IdleVerdict::copy_bound)
    for (const ExposedWork& work : exposed_work(trace, report.device, WorkClass::memory))
      guilty.add(work.slice, PathSegment::no_track, work.from, work.time, IdleCause::copy);
  if (verdict == IdleVerdict::communicating)
    for (const ExposedWork& work : exposed_work(trace, report.device, WorkClass::communication))
      guilty.add(work.slice, PathSegment::no_track, work.from, work.time, IdleCause::communication);
  const std::vector<IdleLine> first = guilty.take(1);
  return {lines.take(limit), first.empty() ? IdleLine{} : first.front()};
}

IdleLine culprit_of(const Trace& trace, const CodePlaces& places, const IdleReport& report) {
  return idle_lines_and_culprit(trace, places, report, 0).culprit;
}

std::vector<std::string_view> slowing_options(const Trace& trace) {
  if (is_typed(trace)) return {};
  const auto on = [&](std::string_view option) {
    return std::ranges::any_of(trace.metadata, [&](const auto& entry) {
      const std::string_view value = trace.text(entry.second);
      return trace.text(entry.first) == option && (value == "1" || value == "true" || value == "\"1\"");
    });
  };
  // Its recorder reads Python's stack itself (instrumentation/inject/python_lines.h), in a microsecond per line.
  const bool on_simulated_gpu = std::ranges::any_of(trace.metadata, [&](const auto& entry) {
    return trace.text(entry.first) == "warpwalk_recording" &&
           trace.text(entry.second).find("\"simulated_on\"") != std::string_view::npos;
  });
  std::vector<std::string_view> found;
  if (on("with_stack") || (!trace.python.empty() && !on_simulated_gpu)) found.push_back("with_stack");
  if (on("profile_memory") || !trace.memory.empty()) found.push_back("profile_memory");
  if (on("with_modules")) found.push_back("with_modules");
  return found;
}

}  // namespace warpwalk::analysis
