#include "core/analysis/time/launch_rate.h"

#include <algorithm>

namespace warpwalk::analysis {

std::size_t LaunchRate::busiest() const {
  return static_cast<std::size_t>(std::ranges::max_element(launches) - launches.begin());
}

LaunchRate launch_rate(const trace::Trace& trace, std::size_t count) {
  const auto& rows = trace.slices;
  LaunchRate all;
  const auto stretches = static_cast<std::int64_t>(count);
  all.from = trace.begin_ns;
  all.width = std::max<std::int64_t>(1, (trace.end_ns - trace.begin_ns + stretches - 1) / stretches);
  all.launches.resize(count);
  const auto stretch = [&](std::int64_t time) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>((time - all.from) / all.width, 0, stretches - 1));
  };
  std::vector<std::int64_t> partial(count, 0), whole(count + 1, 0);  // ns; changes of the number of waiting pieces
  trace::SliceId last = trace::no_slice;
  for (const auto& [launch, work] : trace.launched) {
    const std::int64_t called = std::max(all.from, rows.start[launch]), began = rows.start[work];
    if (launch != last) {
      ++all.total;
      ++all.launches[stretch(called)];
      last = launch;
    }
    if (began <= called || rows.duration[work] <= 0) continue;
    const std::size_t first = stretch(called), end = stretch(began);
    const auto begin_of = [&](std::size_t i) { return all.from + static_cast<std::int64_t>(i) * all.width; };
    if (first == end) {
      partial[first] += began - called;
      continue;
    }
    partial[first] += begin_of(first + 1) - called;
    partial[end] += began - begin_of(end);
    ++whole[first + 1];
    --whole[end];
  }
  std::int64_t waiting = 0;
  for (std::size_t i = 0; i < count; ++i) {
    waiting += whole[i];
    all.queued.push_back(static_cast<double>(waiting) +
                         static_cast<double>(partial[i]) / static_cast<double>(all.width));
  }
  return all;
}

}  // namespace warpwalk::analysis
