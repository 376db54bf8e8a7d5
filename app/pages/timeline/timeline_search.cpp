#include "app/pages/timeline/timeline_search.h"

#include <algorithm>
#include <utility>

#include "core/story/elements/walk.h"

namespace warpwalk::pages {
namespace {

char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

NameIndex::NameIndex(const trace::Trace& trace) : strings_(trace.strings.size()) {
  const trace::Slices& rows = trace.slices;
  std::vector<char> seen(strings_, 0);
  std::vector<std::pair<std::int64_t, trace::SliceId>> order;
  order.reserve(rows.size());
  for (trace::SliceId s = 0; s < rows.size(); ++s) {
    if (!story::has_time(trace, s)) continue;
    order.emplace_back(rows.start[s], s);
    if (std::exchange(seen[rows.name[s]], char{1}) != 0) continue;
    for (const char c : trace.name(s)) text_.push_back(lower_ascii(c));
    names_.push_back({rows.name[s], text_.size()});
  }
  std::ranges::sort(order);
  by_start_.reserve(order.size());
  for (const auto& [start, slice] : order) by_start_.push_back(slice);
}

std::vector<char> NameIndex::holding(std::string_view text) const {
  std::string wanted(text);
  std::ranges::transform(wanted, wanted.begin(), lower_ascii);
  std::vector<char> holds(strings_, 0);
  std::size_t begin = 0;
  for (const Name& name : names_) {
    holds[name.id] = std::string_view(text_).substr(begin, name.end - begin).find(wanted) != std::string_view::npos;
    begin = name.end;
  }
  return holds;
}

std::size_t SliceMatches::starting_at(const trace::Trace& trace, std::int64_t time) const {
  const auto found = std::ranges::partition_point(
      slices, [&](trace::SliceId s) { return trace.slices.start[s] - trace.begin_ns < time; });
  return static_cast<std::size_t>(found - slices.begin());
}

SliceMatches find_slices(const trace::Trace& trace, const NameIndex& names,
                         const std::vector<analysis::TimelineTrack>& tracks, std::string_view text) {
  SliceMatches matches;
  const std::vector<char> holds = names.holding(text);
  for (const trace::SliceId s : names.by_start())
    if (holds[trace.slices.name[s]] != 0) matches.slices.push_back(s);
  for (const analysis::TimelineTrack& track : tracks) {
    auto& lanes = matches.lanes.emplace_back(track.lanes.size());
    if (matches.slices.empty()) continue;
    for (std::size_t l = 0; l < track.lanes.size(); ++l)
      for (std::size_t i = 0; i < track.lanes[l].size(); ++i)
        if (holds[trace.slices.name[track.lanes[l].slice(i)]] != 0) lanes[l].push_back(static_cast<std::uint32_t>(i));
  }
  return matches;
}

bool any_between(const std::vector<std::uint32_t>& indices, std::size_t first, std::size_t last) {
  const auto found = std::ranges::lower_bound(indices, first);
  return found != indices.end() && *found < last;
}

}  // namespace warpwalk::pages
