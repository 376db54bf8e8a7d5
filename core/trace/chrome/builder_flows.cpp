// The part of Builder that pairs the ends of flows.
#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/trace/chrome/builder.h"
#include "core/trace/chrome/kinds.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/ranks.h"
#include "core/trace/sort_runs.h"

namespace warpwalk::trace {

void Builder::flow(const RawEvent& event) {
  FlowEnd end{};
  if (!read_time(event, end.time)) return;
  // Ascend writes ids of 19 digits; parse_integer() is exact for all of them.
  const auto id = event.id.type == RawValue::Type::number ? parse_integer(event.id.text.text) : std::nullopt;
  end.byte_offset = event_offset_;
  end.id = id.value_or(0);
  end.text_id = id ? 0 : text(event.id);
  end.category = text(event.category);
  end.start = event.phase == 's';
  end.launch = is_launch_flow(trace_.text(end.category));
  if (event.pid.type == RawValue::Type::string) end.pid = text(event.pid);
  // A launch flow is only checked for having both ends, so its track and name are not needed.
  if (!end.launch) {
    end.links = links_launch(trace_.text(end.category));
    end.name = end.links ? end.category : text(event.name);  // the legacy profiler indents one of the two names
    end.track = track_of(event, false);
  }
  flow_ends_.push_back(end);
}

void Builder::pair_flows() {
  if (flow_ends_.empty()) return;
  // A flow's ends share rank, category, name and id. Starts sort before finishes, earliest first.
  const Ranks ranks(trace_);
  std::map<StringId, std::vector<const FlowEnd*>> by_category;
  for (std::size_t i = 0; i < flow_ends_.size(); ++i) {
    FlowEnd& end = flow_ends_[i];
    if (ranks.merged()) end.rank = ranks.of_pid(end.pid);
    by_category[end.category].push_back(&end);
  }
  const auto key = [](const FlowEnd& e) { return std::tie(e.category, e.id, e.text_id, e.name, e.rank); };
  std::vector<const FlowEnd*> unmatched, repeated;
  const FlowEnd* start = nullptr;
  const auto pair = [&](const FlowEnd& end) {
    const bool same = start != nullptr && key(*start) == key(end);
    if (end.start) {
      if (same)
        repeated.push_back(&end);
      else
        start = &end;
    } else if (!same) {
      unmatched.push_back(&end);
    } else if (end.links) {
      link_launch(*start, end);
    } else if (!end.launch) {
      trace_.flows.push_back({start->time, end.time, end.name, end.category, start->track, end.track});
    }
  };
  for (auto& [category, ends] : by_category) {
    sort_runs(std::span(ends), [](const FlowEnd* a, const FlowEnd* b) {
      return std::tie(a->id, a->text_id, a->name, a->rank, b->start, a->time, a->byte_offset) <
             std::tie(b->id, b->text_id, b->name, b->rank, a->start, b->time, b->byte_offset);
    });
    for (const FlowEnd* const end : ends) pair(*end);
  }
  remove_explained(unmatched);
  const auto note = [&](const std::vector<const FlowEnd*>& which, ProblemKind kind, std::string_view what) {
    if (which.empty()) return;
    const FlowEnd& first = **std::min_element(
        which.begin(), which.end(), [](const FlowEnd* a, const FlowEnd* b) { return a->byte_offset < b->byte_offset; });
    const std::string id = first.text_id != 0 ? excerpt(trace_.text(first.text_id)) : std::to_string(first.id);
    if (problems_.count(kind, first.byte_offset, which.size()))
      problems_.rows().back().message =
          fmt::format("flow {} ({}) at byte {} {}", id, excerpt(trace_.text(first.category)), first.byte_offset, what);
  };
  note(unmatched, ProblemKind::unmatched_flow, "ends but never starts; it is not drawn");
  note(repeated, ProblemKind::duplicate_flow, "starts a second time; the first start is kept");
  flow_ends_.clear();
}

// Records the launch of GPU work that only a flow links to its op: a call of 0 ns at the start of the flow, named after
// the flow's category, with a correlation that the file does not use. Without such work, the flow stays an arrow.
void Builder::link_launch(const FlowEnd& start, const FlowEnd& end) {
  const UnlinkedWork wanted = {end.track, end.time, 0};
  auto work = std::lower_bound(unlinked_.begin(), unlinked_.end(), wanted);
  const auto correlation_of = [&](SliceId s) -> std::int64_t& {
    const std::uint32_t detail = trace_.slices.detail[s];
    return trace_.slices.kind[s] == SliceKind::kernel ? trace_.kernels[detail].correlation
                                                      : trace_.transfers[detail].correlation;
  };
  const auto is_wanted = [&] { return work != unlinked_.end() && work->track == end.track && work->start == end.time; };
  while (is_wanted() && correlation_of(work->slice) != absent) ++work;
  if (last_correlation_ == absent) {
    last_correlation_ = 0;
    const auto look = [&](const auto& details) {
      for (std::size_t i = 0; i < details.size(); ++i)
        last_correlation_ = std::max(last_correlation_, details[i].correlation);
    };
    look(trace_.calls);
    look(trace_.kernels);
    look(trace_.transfers);
  }
  if (!is_wanted() || trace_.tracks[start.track].gpu || last_correlation_ == std::numeric_limits<std::int64_t>::max()) {
    trace_.flows.push_back({start.time, end.time, end.name, end.category, start.track, end.track});
    return;
  }
  CallDetail call;
  call.correlation = correlation_of(work->slice) = ++last_correlation_;
  trace_.calls.push_back(call);
  Slices& rows = trace_.slices;
  rows.start.push_back(start.time);
  rows.duration.push_back(0);
  rows.name.push_back(start.category);
  rows.extra.push_back(0);
  rows.track.push_back(start.track);
  rows.detail.push_back(static_cast<std::uint32_t>(trace_.calls.size() - 1));
  rows.kind.push_back(SliceKind::runtime);
}

// Healthy files have ends without starts, and these are no damage:
// - The profiler ends a launch flow at every call and at all GPU work with a correlation, also at calls that start no
//   work and at work that was launched before the window. If an event of the file has the flow's id as its correlation,
//   the correlation says whether it has a launch.
// - A flow from a forward op that ran before the window to its backward op: no op that starts before the end has the
//   sequence number of the op at the end.
void Builder::remove_explained(std::vector<const FlowEnd*>& unmatched) const {
  if (unmatched.empty()) return;
  // Launch flows whose id is not found as a correlation.
  std::unordered_set<std::int64_t> unknown;
  for (const FlowEnd* const end : unmatched)
    if (end->launch && end->text_id == 0) unknown.insert(end->id);
  const auto look = [&](const auto& details) {
    for (std::size_t i = 0; i < details.size() && !unknown.empty(); ++i) unknown.erase(details[i].correlation);
  };
  look(trace_.calls);
  look(trace_.kernels);
  look(trace_.transfers);
  look(trace_.syncs);

  const Slices& rows = trace_.slices;
  using Place = std::pair<TrackId, std::int64_t>;
  std::map<Place, std::int64_t> sequences;           // of the backward op at each end
  std::map<std::int64_t, std::int64_t> first_start;  // of the ops with each of these numbers
  for (const FlowEnd* const end : unmatched)
    if (trace_.text(end->category) == "fwdbwd") sequences.emplace(Place(end->track, end->time), absent);
  const auto sequence_of = [&](SliceId s) {
    return rows.kind[s] == SliceKind::op ? trace_.ops[rows.detail[s]].sequence : absent;
  };
  for (SliceId s = 0; s < rows.size() && !sequences.empty(); ++s)
    if (const std::int64_t sequence = sequence_of(s); sequence >= 0)
      if (const auto place = sequences.find({rows.track[s], rows.start[s]}); place != sequences.end()) {
        place->second = sequence;
        first_start.emplace(sequence, rows.start[s]);
      }
  for (SliceId s = 0; s < rows.size() && !first_start.empty(); ++s)
    if (const auto found = first_start.find(sequence_of(s)); found != first_start.end())
      found->second = std::min(found->second, rows.start[s]);

  std::erase_if(unmatched, [&](const FlowEnd* end) {
    if (end->launch) return end->text_id == 0 && !unknown.contains(end->id);
    if (end->links) {
      const auto work = std::lower_bound(unlinked_.begin(), unlinked_.end(), UnlinkedWork{end->track, end->time, 0});
      return work != unlinked_.end() && work->track == end->track && work->start == end->time;
    }
    const auto place = sequences.find({end->track, end->time});
    return place != sequences.end() && place->second != absent && first_start.at(place->second) >= end->time;
  });
}

}  // namespace warpwalk::trace
