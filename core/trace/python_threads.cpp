#include "core/trace/python_threads.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

namespace warpwalk::trace {
namespace {

constexpr std::uint32_t max_stacks = 1024;  // of one track; more, which only a damaged file has, stay together

// The number of each frame's stack, from 0; `frames` are slices of one track.
using StackNumbers = std::vector<std::uint32_t>;

const PythonDetail& python_detail(const Trace& trace, SliceId s) { return trace.python[trace.slices.detail[s]]; }

StackNumbers by_thread(const Trace& trace, const std::vector<SliceId>& frames) {
  std::map<std::int64_t, std::uint32_t> numbers;
  for (const SliceId s : frames)
    if (const std::int64_t thread = python_detail(trace, s).thread; thread != absent) numbers.emplace(thread, 0);
  std::uint32_t next = 0;
  for (auto& [thread, number] : numbers) number = next++;
  StackNumbers stacks;
  for (const SliceId s : frames) {
    const auto found = numbers.find(python_detail(trace, s).thread);
    stacks.push_back(found == numbers.end() ? 0 : found->second);
  }
  return stacks;
}

// The outermost caller of each frame, as an index in `frames`; -1 if the chain of parents is broken. Empty if ids are
// not unique.
std::vector<std::int64_t> roots_of(const Trace& trace, const std::vector<SliceId>& frames) {
  std::unordered_map<std::int64_t, std::int64_t> by_id;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::int64_t id = python_detail(trace, frames[i]).id;
    if (id != absent && !by_id.emplace(id, static_cast<std::int64_t>(i)).second) return {};
  }
  constexpr std::int64_t unknown = -2, broken = -1;
  std::vector<std::int64_t> roots(frames.size(), unknown);
  std::vector<std::size_t> chain;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    chain.clear();
    std::size_t at = i;
    while (roots[at] == unknown) {
      roots[at] = broken;  // until the end of the chain is known; a chain that comes back here is a circle
      chain.push_back(at);
      const PythonDetail& frame = python_detail(trace, frames[at]);
      if (frame.parent_id == absent) {
        if (frame.id != absent) roots[at] = static_cast<std::int64_t>(at);
        break;
      }
      const auto parent = by_id.find(frame.parent_id);
      if (parent == by_id.end()) break;
      at = static_cast<std::size_t>(parent->second);
    }
    for (const std::size_t one : chain) roots[one] = roots[at];
  }
  return roots;
}

StackNumbers by_parent(const Trace& trace, const std::vector<SliceId>& frames) {
  const std::vector<std::int64_t> roots = roots_of(trace, frames);
  StackNumbers stacks(frames.size(), 0);
  if (roots.empty()) return stacks;
  const Slices& rows = trace.slices;
  std::vector<std::int64_t> ends(frames.size());  // of the frames under each root
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ends[i] = std::max(ends[i], rows.end(frames[i]));
    if (roots[i] < 0) continue;
    std::int64_t& end = ends[static_cast<std::size_t>(roots[i])];
    end = std::max(end, rows.end(frames[i]));
    if (roots[i] == static_cast<std::int64_t>(i)) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(rows.start[frames[i]], -ends[i], python_detail(trace, frames[i]).id);
  });
  std::set<std::pair<std::int64_t, std::uint32_t>> open;  // end of the last root of each stack, and its number
  for (const std::size_t root : order) {
    std::uint32_t number = static_cast<std::uint32_t>(open.size());
    if (const auto first = open.begin(); first != open.end() && first->first <= rows.start[frames[root]]) {
      number = first->second;
      open.erase(first);
    } else if (number == max_stacks) {
      return StackNumbers(frames.size(), 0);
    }
    open.emplace(ends[root], number);
    stacks[root] = number;
  }
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (roots[i] >= 0) stacks[i] = stacks[static_cast<std::size_t>(roots[i])];
  return stacks;
}

bool is_thread_zero(const Trace& trace, const Track& track) {
  return !track.gpu && !track.tid_is_text && trace.text(track.tid) == "0";
}

// The tracks for the further stacks of `id`, by number; the first is `id` itself.
std::vector<TrackId> tracks_for(Trace& trace, TrackId id, std::uint32_t stacks) {
  std::vector<TrackId> tracks = {id};
  std::set<std::string_view> taken;
  for (const Track& track : trace.tracks)
    if (track.pid == trace.tracks[id].pid && track.tid_is_text) taken.insert(trace.text(track.tid));
  for (std::uint32_t number = 2; tracks.size() < stacks; ++number) {
    const std::string tid = fmt::format("0 #{}", number);
    if (taken.contains(tid)) continue;
    Track track = trace.tracks[id];
    track.tid = trace.strings.intern(tid);
    track.tid_is_text = true;
    tracks.push_back(static_cast<TrackId>(trace.tracks.size()));
    trace.tracks.push_back(track);
  }
  return tracks;
}

}  // namespace

bool split_python_threads(Trace& trace) {
  if (trace.python.empty()) return false;
  std::map<TrackId, std::vector<SliceId>> frames_of;
  for (TrackId id = 0; id < trace.tracks.size(); ++id)
    if (is_thread_zero(trace, trace.tracks[id])) frames_of.try_emplace(id);
  if (frames_of.empty()) return false;
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == SliceKind::python)
      if (const auto found = frames_of.find(trace.slices.track[s]); found != frames_of.end())
        found->second.push_back(s);
  bool any = false;
  for (const auto& [id, frames] : frames_of) {
    const bool has_threads =
        std::ranges::any_of(frames, [&](SliceId s) { return python_detail(trace, s).thread != absent; });
    const StackNumbers stacks = has_threads ? by_thread(trace, frames) : by_parent(trace, frames);
    const std::uint32_t last = stacks.empty() ? 0 : *std::ranges::max_element(stacks);
    if (last == 0 || last >= max_stacks) continue;
    any = true;
    const std::vector<TrackId> tracks = tracks_for(trace, id, last + 1);
    for (std::size_t i = 0; i < frames.size(); ++i) trace.slices.track[frames[i]] = tracks[stacks[i]];
  }
  return any;
}

}  // namespace warpwalk::trace
