#include "core/trace/tracks.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

struct ProcessKey {
  bool gpu;
  bool is_text;
  std::int64_t number;
  std::string_view text;
  auto operator<=>(const ProcessKey&) const = default;
};

struct TrackKey {
  ProcessKey process;
  bool is_text;
  std::int64_t number;
  std::string_view text;
  TrackId id;
  bool same_name(const TrackKey& o) const { return process == o.process && is_text == o.is_text && text == o.text; }
  auto operator<=>(const TrackKey&) const = default;
};

TrackKey key_of(const Trace& trace, TrackId id) {
  const Track& track = trace.tracks[id];
  const auto number = [&](StringId text, bool is_text) {
    return is_text ? absent : parse_integer(trace.text(text)).value_or(absent);
  };
  return {{track.gpu, track.pid_is_text, number(track.pid, track.pid_is_text), trace.text(track.pid)},
          track.tid_is_text,
          number(track.tid, track.tid_is_text),
          trace.text(track.tid),
          id};
}

template <class Visit>
void for_each_track_id(Trace& trace, Visit visit) {
  const auto all = [&](auto& column) {
    for (std::size_t i = 0; i < column.size(); ++i) visit(column[i]);
  };
  all(trace.slices.track);
  const auto members = [&](auto& column, auto... member) {
    for (std::size_t i = 0; i < column.size(); ++i) (visit(column[i].*member), ...);
  };
  members(trace.memory, &MemoryEvent::track);
  members(trace.instants, &Instant::track);
  members(trace.counters, &Counter::track);
  members(trace.flows, &Flow::from_track, &Flow::to_track);
}

template <class Value>
void fill_in(Value& into, const Value& from, const Value& nothing) {
  if (into == nothing) into = from;
}

void adopt_thread(Track& into, const Track& from) {
  fill_in(into.name, from.name, StringId{0});
  fill_in(into.sort_index, from.sort_index, absent);
}

void adopt_process(Track& into, const Track& from) {
  fill_in(into.process_name, from.process_name, StringId{0});
  fill_in(into.process_labels, from.process_labels, StringId{0});
  fill_in(into.process_sort_index, from.process_sort_index, absent);
}

// Device and stream from the first GPU work on the track that has them.
std::pair<std::int64_t, std::int64_t> device_and_stream(const Trace& trace, const Track& track) {
  std::pair found(absent, absent);
  for (SliceId s = track.first; s < track.last; ++s) {
    const std::uint32_t detail = trace.slices.detail[s];
    const SliceKind kind = trace.slices.kind[s];
    if (!is_gpu_work(kind)) continue;
    const bool kernel = kind == SliceKind::kernel;
    fill_in(found.first, kernel ? trace.kernels[detail].device : trace.transfers[detail].device, absent);
    fill_in(found.second, kernel ? trace.kernels[detail].stream : trace.transfers[detail].stream, absent);
    if (found.first != absent && found.second != absent) break;
  }
  return found;
}

std::int64_t number_in(std::string_view text) {
  if (text.starts_with("stream ")) text.remove_prefix(7);  // the spelling of PyTorch 1.8 and 1.9
  return parse_integer(text).value_or(absent);
}

}  // namespace

void order_tracks(Trace& trace) {
  std::vector<bool> used(trace.tracks.size());
  for_each_track_id(trace, [&](TrackId& id) { used[id] = true; });
  std::vector<TrackKey> keys;
  for (TrackId id = 0; id < trace.tracks.size(); ++id)
    if (used[id]) keys.push_back(key_of(trace, id));
  std::sort(keys.begin(), keys.end());

  std::vector<Track> sorted;
  std::vector<TrackId> new_ids(trace.tracks.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Track& track = trace.tracks[keys[i].id];
    if (i != 0 && keys[i].same_name(keys[i - 1])) {
      adopt_thread(sorted.back(), track);
      adopt_process(sorted.back(), track);
    } else {
      sorted.push_back(track);
    }
    new_ids[keys[i].id] = static_cast<TrackId>(sorted.size() - 1);
  }
  const auto same_process = [](const Track& a, const Track& b) {
    return std::tie(a.gpu, a.pid_is_text, a.pid) == std::tie(b.gpu, b.pid_is_text, b.pid);
  };
  for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
    while (last < sorted.size() && same_process(sorted[first], sorted[last])) ++last;
    Track whole = sorted[first];
    for (std::size_t i = first; i < last; ++i) adopt_process(whole, sorted[i]);
    for (std::size_t i = first; i < last; ++i) {
      sorted[i].process_name = whole.process_name;
      sorted[i].process_labels = whole.process_labels;
      sorted[i].process_sort_index = whole.process_sort_index;
    }
  }
  trace.tracks = std::move(sorted);
  for_each_track_id(trace, [&](TrackId& id) { id = new_ids[id]; });
}

void set_stream_ids(Trace& trace) {
  std::map<std::pair<StringId, bool>, std::int64_t> of_process;  // the device of a process's work
  for (Track& track : trace.tracks) {
    track.device = track.stream = absent;
    if (!track.gpu) continue;
    const auto [device, stream] = device_and_stream(trace, track);
    track.device = device;
    track.stream = stream != absent ? stream : number_in(trace.text(track.tid));
    if (device != absent) of_process.try_emplace({track.pid, track.pid_is_text}, device);
  }
  for (Track& track : trace.tracks) {
    if (!track.gpu || track.device != absent) continue;
    const auto found = of_process.find({track.pid, track.pid_is_text});
    track.device = found != of_process.end() ? found->second : number_in(trace.text(track.pid));
  }
}

}  // namespace warpwalk::trace
