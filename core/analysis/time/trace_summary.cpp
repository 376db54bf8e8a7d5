#include "core/analysis/time/trace_summary.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warpwalk::analysis {

std::int64_t TraceSummary::kernel_time() const {
  std::int64_t sum = 0;
  for (const Kernel& one : kernels) sum += one.total;
  return sum;
}

bool compares_steps(const TraceSummary& a, const TraceSummary& b) {
  return a.steps > 0 && b.steps > 0 && a.steps != b.steps;
}

TraceSummary per_step(TraceSummary summary) {
  const auto steps = static_cast<std::int64_t>(summary.steps);
  if (steps == 0) return summary;
  const auto divide = [&](std::int64_t& time) { time = (time + steps / 2) / steps; };
  const auto divide_count = [&](std::size_t& count) {
    if (count > 0) count = std::max<std::size_t>(1, (count + summary.steps / 2) / summary.steps);
  };
  for (std::int64_t* const time : {&summary.computing, &summary.communicating, &summary.copying}) divide(*time);
  for (std::int64_t& time : summary.idle) divide(time);
  for (std::size_t& count : summary.gaps) divide_count(count);
  for (TraceSummary::Kernel& kernel : summary.kernels) {
    divide(kernel.total);
    divide_count(kernel.count);
  }
  summary.span = std::accumulate(summary.idle.begin(), summary.idle.end(),
                                 summary.computing + summary.communicating + summary.copying);
  return summary;
}

TraceChange::How TraceChange::how() const {
  if (kind == Kind::kernel && count_before == 0) return How::fresh;
  if (kind == Kind::kernel && count_after == 0) return How::gone;
  if (kind == Kind::kernel && count_before != count_after) return count_after > count_before ? How::more : How::fewer;
  return after > before ? How::slower : after < before ? How::faster : How::same;
}

std::vector<TraceChange> changes_between(const TraceSummary& before, const TraceSummary& after) {
  std::vector<TraceChange> all;
  // Both lists are ordered by name.
  auto a = before.kernels.begin();
  auto b = after.kernels.begin();
  while (a != before.kernels.end() || b != after.kernels.end()) {
    TraceChange& change = all.emplace_back();
    const bool from_a = b == after.kernels.end() || (a != before.kernels.end() && a->name <= b->name);
    const bool from_b = a == before.kernels.end() || (b != after.kernels.end() && b->name <= a->name);
    change.name = from_a ? a->name : b->name;
    if (from_a) {
      change.count_before = a->count;
      change.before = a->total;
      ++a;
    }
    if (from_b) {
      change.count_after = b->count;
      change.after = b->total;
      ++b;
    }
  }
  const auto add = [&](TraceChange::Kind kind, IdleCause cause, std::int64_t was, std::int64_t is) {
    all.push_back({kind, cause, {}, 0, 0, was, is});
  };
  add(TraceChange::Kind::overlap, IdleCause::unknown, before.overlap(), after.overlap());
  add(TraceChange::Kind::copying, IdleCause::unknown, before.copying, after.copying);
  for (std::size_t i = 0; i < idle_causes; ++i) {
    add(TraceChange::Kind::idle, static_cast<IdleCause>(i), before.idle[i], after.idle[i]);
    all.back().count_before = before.gaps[i];
    all.back().count_after = after.gaps[i];
  }
  std::erase_if(all, [](const TraceChange& one) { return one.delta() == 0 && one.count_before == one.count_after; });
  std::ranges::stable_sort(
      all, [](const TraceChange& x, const TraceChange& y) { return std::abs(x.delta()) > std::abs(y.delta()); });
  return all;
}

bool same_figures(const TraceSummary& before, const TraceSummary& after) {
  return before.span == after.span && before.length == after.length && before.launches == after.launches &&
         before.steps == after.steps && changes_between(before, after).empty();
}

}  // namespace warpwalk::analysis
