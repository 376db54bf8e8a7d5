#include "core/analysis/time/gpu_breakdown.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/intervals.h"

namespace warpwalk::analysis {

WorkClass class_of(const Communication& communication, const trace::Trace& trace, trace::SliceId work) {
  if (trace.slices.kind[work] != trace::SliceKind::kernel) return WorkClass::memory;
  return communication.is(work) ? WorkClass::communication : WorkClass::compute;
}

std::vector<ExposedWork> exposed_work(const trace::Trace& trace, std::int64_t device, WorkClass of) {
  const auto& rows = trace.slices;
  const Communication communication(trace);
  std::vector<ExposedWork> all;
  std::vector<Interval> better;
  for (const trace::Track& track : trace.tracks)
    for (trace::SliceId s = track.first; track.gpu && track.device == device && s < track.last; ++s) {
      if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
      const WorkClass here = class_of(communication, trace, s);
      if (here == of)
        all.push_back({s, rows.start[s], 0});
      else if (here == WorkClass::compute || of == WorkClass::memory)
        better.push_back({rows.start[s], rows.end(s)});
    }
  better = united_intervals(std::move(better));
  std::ranges::stable_sort(all, {}, &ExposedWork::from);
  std::int64_t counted = all.empty() ? 0 : all.front().from;  // up to this time
  for (ExposedWork& work : all) {
    const std::int64_t from = std::max(work.from, counted), to = rows.end(work.slice);
    if (to <= from) continue;
    work.time = to - from - covered_by(better, from, to);
    counted = to;
  }
  std::erase_if(all, [](const ExposedWork& work) { return work.time == 0; });
  return all;
}

std::vector<GpuBreakdown> gpu_breakdowns(const trace::Trace& trace) {
  const auto& rows = trace.slices;
  const Communication communication(trace);
  std::map<std::int64_t, std::array<std::vector<Interval>, 3>> work;  // by device and class
  for (const trace::Track& track : trace.tracks)
    for (trace::SliceId s = track.first; track.gpu && s < track.last; ++s)
      if (trace::is_gpu_work(rows.kind[s]) && rows.duration[s] > 0)
        work[track.device][static_cast<std::size_t>(class_of(communication, trace, s))].push_back(
            {rows.start[s], rows.end(s)});
  std::vector<GpuBreakdown> all;
  for (auto& [device, classes] : work) {
    const std::vector<Interval> computing = united_intervals(classes[0]);
    const std::vector<Interval> communicating = united_intervals(classes[1]);
    std::vector<Interval> any;
    for (const std::vector<Interval>& one : classes) any.insert(any.end(), one.begin(), one.end());
    any = united_intervals(std::move(any));
    GpuBreakdown& here = all.emplace_back();
    here.device = device;
    here.from = any.front().from;
    here.to = any.back().to;
    here.idle = here.to - here.from - length_of_intervals(any);
    here.compute = length_of_intervals(computing);
    here.non_compute = length_of_intervals(any) - here.compute;
    here.communication = length_of_intervals(communicating);
    here.communication_alone = here.communication;
    for (const Interval& one : communicating) here.communication_alone -= covered_by(computing, one.from, one.to);
  }
  return all;
}

}  // namespace warpwalk::analysis
