#include "app/verbs/info/figures.h"

#include <set>

#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::verbs {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

// A profiler that records cuda_sync events records the call too, under the same correlation number.
std::uint64_t synchronisations_in(const Trace& trace) {
  std::set<std::int64_t> recorded;
  for (const trace::SyncDetail& sync : trace.syncs) recorded.insert(sync.correlation);
  std::uint64_t count = trace.syncs.size();
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (!analysis::is_wait(trace, s)) continue;
    const std::int64_t correlation = trace.calls[trace.slices.detail[s]].correlation;
    count += correlation == trace::absent || !recorded.contains(correlation);
  }
  return count;
}

InfoSummary summary_of(const Trace& trace) {
  InfoSummary summary;
  summary.synchronisations = synchronisations_in(trace);
  std::set<trace::TrackId> streams;
  std::set<std::int64_t> seen;
  const auto& rows = trace.slices;
  for (SliceId s = 0; s < rows.size(); ++s) {
    const SliceKind kind = rows.kind[s];
    ++summary.by_kind[static_cast<std::size_t>(kind)];
    if (!trace::is_gpu_work(kind)) continue;
    streams.insert(rows.track[s]);
    seen.insert(trace.tracks[rows.track[s]].device);
    if (kind != SliceKind::kernel) continue;
    summary.linked_to_launch += trace::launch_of(trace, s) != trace::no_slice;
    summary.linked_to_op += trace::op_of(trace, s) != trace::no_slice;
  }
  SliceId last = trace::no_slice;
  for (const auto& [launch, work] : trace.launched) {
    if (rows.kind[work] != SliceKind::kernel || launch == last) continue;
    last = launch;
    ++summary.launches;
  }
  summary.streams = streams.size();
  summary.devices = trace.devices;
  for (const trace::Device& device : trace.devices) seen.erase(device.id);
  for (const std::int64_t id : seen)
    if (id != trace::absent) {
      trace::Device device;
      device.id = id;
      summary.devices.push_back(device);
    }
  return summary;
}

}  // namespace

const InfoSummary& InfoFigures::summary() {
  if (!summary_) summary_ = summary_of(trace());
  return *summary_;
}

const std::vector<analysis::IdleReport>& InfoFigures::idle() {
  if (!idle_) idle_ = analysis::idle_reports(trace());
  return *idle_;
}

const std::vector<analysis::GpuBreakdown>& InfoFigures::breakdowns() {
  if (!breakdowns_) breakdowns_ = analysis::gpu_breakdowns(trace());
  return *breakdowns_;
}

const analysis::Overview& InfoFigures::overview() {
  if (!overview_) overview_ = analysis::overview_of(trace());
  return *overview_;
}

const analysis::RankReport* InfoFigures::ranks() {
  if (!ranks_) ranks_ = analysis::merged_report(trace(), loaded_.file);
  return ranks_->get();
}

}  // namespace warpwalk::verbs
