#include "core/trace/chrome/export_tracks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/trace/chrome/kinds.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/link.h"

namespace warpwalk::trace {
namespace {

// Viewers store pid and tid in 32 bits.
constexpr std::int64_t largest_id = std::numeric_limits<std::int32_t>::max();
// Far above the ids that operating systems assign.
constexpr std::int64_t first_made_up_id = 1'000'000'000;
constexpr std::size_t max_lanes = 256;

// The id as a number, if it is a number in canonical form.
std::optional<std::int64_t> canonical_number(std::string_view text, bool is_text) {
  const auto number = is_text ? std::nullopt : parse_integer(text);
  if (!number || std::to_string(*number) != text) return {};
  return number;
}

std::string quoted_json(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

// A pid or tid of the model, as JSON.
std::string id_json(std::string_view text, bool is_text) {
  if (is_text || !canonical_number(text, false)) return text.empty() && !is_text ? "null" : quoted_json(text);
  return std::string(text);
}

std::string metadata(std::string_view name, ExportTracks::Line line, std::string_view args) {
  return fmt::format(R"({{"ph": "M", "name": "{}", "pid": {}, "tid": {}, "args": {{{}}}}})", name, line.pid, line.tid,
                     args);
}

// One line of a track. Holds the end times of its open slices, outermost first.
class Lane {
 public:
  // Adds the slice to this line if it nests there. GPU work never nests inside other GPU work: it runs concurrently.
  bool take(std::int64_t start, std::int64_t end, bool is_work) {
    while (!open_.empty() && open_.back().end <= start) open_.pop_back();
    const bool in_work = !open_.empty() && open_.back().in_work;
    if (!open_.empty() && (open_.back().end < end || (is_work && in_work))) return false;
    open_.push_back({end, in_work || is_work});
    return true;
  }

 private:
  struct Open {
    std::int64_t end;
    bool in_work;  // this slice or an enclosing one is GPU work
  };
  std::vector<Open> open_;
};

}  // namespace

ExportTracks::ExportTracks(const Trace& trace)
    : trace_(trace), places_(trace.tracks.size()), next_number_(first_made_up_id) {
  for (const Track& track : trace.tracks) {
    for (const auto number : {canonical_number(trace.text(track.pid), track.pid_is_text),
                              canonical_number(trace.text(track.tid), track.tid_is_text)})
      if (number) used_ids_.push_back(*number);
  }
  std::sort(used_ids_.begin(), used_ids_.end());
  find_places();
  for (TrackId id = 0; id < trace.tracks.size(); ++id) find_lanes(id);
}

std::int64_t ExportTracks::unused_number() {
  while (std::binary_search(used_ids_.begin(), used_ids_.end(), next_number_)) ++next_number_;
  return next_number_++;
}

void ExportTracks::find_places() {
  std::vector<std::int64_t> pids;  // assigned so far, one per process
  for (TrackId id = 0; id < trace_.tracks.size(); ++id) {
    const Track& track = trace_.tracks[id];
    TrackPlacement& place = places_[id];
    const Track* const before = id == 0 ? nullptr : &trace_.tracks[id - 1];
    place.first_of_process = before == nullptr || before->pid != track.pid || before->gpu != track.gpu ||
                             before->pid_is_text != track.pid_is_text;
    Line line;
    if (place.first_of_process) {
      const auto pid = canonical_number(trace_.text(track.pid), track.pid_is_text);
      place.pid_changed =
          !pid || *pid < 0 || *pid > largest_id || std::find(pids.begin(), pids.end(), *pid) != pids.end();
      line.pid = place.pid_changed ? unused_number() : *pid;
      pids.push_back(line.pid);
    } else {
      place.pid_changed = places_[id - 1].pid_changed;
      line.pid = places_[id - 1].lines[0].pid;
    }
    const auto tid = canonical_number(trace_.text(track.tid), track.tid_is_text);
    const bool tid_is_other = !tid || *tid < 1 || *tid > largest_id;
    line.tid = tid_is_other ? unused_number() : *tid;
    place.lines.push_back(line);

    // The reader distinguishes streams from threads by the slice kinds.
    bool as_expected = track.first != track.last || !track.gpu;
    for (SliceId s = track.first; as_expected && s < track.last; ++s)
      as_expected = on_gpu(trace_.slices.kind[s]) == track.gpu;
    place.described = place.pid_changed || tid_is_other || !as_expected;
  }
}

void ExportTracks::find_lanes(TrackId id) {
  const Track& track = trace_.tracks[id];
  const Slices& rows = trace_.slices;
  std::vector<SliceId> order(track.last - track.first);
  std::iota(order.begin(), order.end(), track.first);
  // The order that viewers use. Only slices that are exported with changed times are out of order.
  std::ranges::stable_sort(order, {}, [&](SliceId s) {
    const Times times = times_of(s);
    return std::pair(times.start, -times.duration);
  });
  std::vector<Lane> lanes(1);
  for (const SliceId s : order) {
    const bool is_work = is_gpu_work(rows.kind[s]);
    const Times times = times_of(s);
    std::size_t lane = 0;
    while (lane < lanes.size() && !lanes[lane].take(times.start, times.start + times.duration, is_work)) {
      if (++lane == lanes.size() && lane < max_lanes) lanes.emplace_back();
    }
    if (lane != 0) lanes_.emplace(s, static_cast<std::uint32_t>(std::min(lane, lanes.size() - 1)));
  }
  std::vector<Line>& lines = places_[id].lines;
  while (lines.size() < lanes.size()) lines.push_back({lines[0].pid, unused_number()});
}

ExportTracks::Times ExportTracks::times_of(SliceId slice) const {
  const Slices& rows = trace_.slices;
  const Times own{rows.start[slice], rows.duration[slice], false};
  if (own.start != 0 || own.duration != 0) return own;
  if (is_call(rows.kind[slice])) return {0, 1, true};
  const SliceId launch = is_gpu_work(rows.kind[slice]) ? launch_of(trace_, slice) : no_slice;
  if (launch == no_slice) return own;
  const Times call = times_of(launch);
  return {call.start + call.duration, 1, true};
}

ExportTracks::Line ExportTracks::line_of(SliceId slice) const {
  const std::vector<Line>& lines = places_[trace_.slices.track[slice]].lines;
  if (lines.size() == 1) return lines[0];
  const auto lane = lanes_.find(slice);
  return lines[lane == lanes_.end() ? 0 : lane->second];
}

ExportTracks::Line ExportTracks::line_at(TrackId id, std::int64_t time) const {
  const Track& track = trace_.tracks[id];
  if (places_[id].lines.size() == 1) return places_[id].lines[0];
  SliceId low = track.first, high = track.last;
  while (low < high) {
    const SliceId middle = low + (high - low) / 2;
    if (trace_.slices.start[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low < track.last && trace_.slices.start[low] == time ? line_of(low) : places_[id].lines[0];
}

std::vector<std::string> ExportTracks::descriptions(TrackId id) const {
  const Track& track = trace_.tracks[id];
  const TrackPlacement& place = places_[id];
  const Line first = place.lines[0];
  const auto text = [&](StringId string) { return trace_.text(string); };
  const auto shown_id = [](std::string_view id_text) {
    return id_text.empty() ? std::string("(none)") : std::string(id_text);
  };
  std::vector<std::string> out;

  const std::string names =
      fmt::format(R"("pid": {}, "tid": {}, "gpu": {})", id_json(text(track.pid), track.pid_is_text),
                  id_json(text(track.tid), track.tid_is_text), track.gpu);
  if (place.described) {
    std::string args = names;
    const auto add_text = [&](std::string_view key, StringId value) {
      if (value != 0) args += fmt::format(R"(, "{}": {})", key, quoted_json(text(value)));
    };
    const auto add_number = [&](std::string_view key, std::int64_t value) {
      if (value != absent) args += fmt::format(R"(, "{}": {})", key, value);
    };
    add_text("name", track.name);
    add_number("sort_index", track.sort_index);
    add_text("process_name", track.process_name);
    add_text("process_labels", track.process_labels);
    add_number("process_sort_index", track.process_sort_index);
    out.push_back(metadata("warpwalk_track", first, args));
  }

  // A placeholder name is written only if a "warpwalk_track" event gives the original.
  if (place.first_of_process) {
    std::string name(text(track.process_name));
    if (name.empty() && place.pid_changed) name = shown_id(text(track.pid));
    if (!name.empty()) out.push_back(metadata("process_name", first, R"("name": )" + quoted_json(name)));
    if (track.process_labels != 0)
      out.push_back(metadata("process_labels", first, R"("labels": )" + quoted_json(text(track.process_labels))));
    if (track.process_sort_index != absent)
      out.push_back(
          metadata("process_sort_index", first, fmt::format(R"("sort_index": {})", track.process_sort_index)));
  }
  std::string name(text(track.name));
  if (name.empty() && place.described) name = shown_id(text(track.tid));
  if (!name.empty()) out.push_back(metadata("thread_name", first, R"("name": )" + quoted_json(name)));
  for (std::size_t lane = 0; lane < place.lines.size(); ++lane) {
    const Line line = place.lines[lane];
    if (lane != 0) {
      out.push_back(metadata("warpwalk_track", line, fmt::format(R"({}, "lane": {})", names, lane + 1)));
      const std::string shown = name.empty() ? shown_id(text(track.tid)) : name;
      out.push_back(
          metadata("thread_name", line, R"("name": )" + quoted_json(fmt::format("{} (line {})", shown, lane + 1))));
    }
    if (track.sort_index != absent)
      out.push_back(metadata("thread_sort_index", line, fmt::format(R"("sort_index": {})", track.sort_index)));
  }
  return out;
}

}  // namespace warpwalk::trace
