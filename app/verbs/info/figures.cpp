#include "app/verbs/info/figures.h"

#include <algorithm>
#include <set>

#include "core/analysis/slices.h"
#include "core/trace/link.h"

namespace warpwalk::verbs {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

// As many as the lab "overview" shows.
constexpr std::size_t most_names = 64;
constexpr std::size_t most_rows = 24;
constexpr std::size_t most_lines = 16;
constexpr std::size_t most_step_rows = 0;  // `info` shows none

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
  if (!idle_) idle_ = analysis::idle_reports(trace(), paths());
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

const analysis::PathFinder& InfoFigures::paths() {
  if (paths_ == nullptr) paths_ = std::make_unique<const analysis::PathFinder>(trace());
  return *paths_;
}

const analysis::CodePlaces& InfoFigures::places() {
  if (places_ == nullptr) places_ = std::make_unique<const analysis::CodePlaces>(trace());
  return *places_;
}

const analysis::IdleReport* InfoFigures::main_gpu() {
  return idle().empty() ? nullptr : &*std::ranges::max_element(idle(), {}, &analysis::IdleReport::kernels);
}

const PathFigures& InfoFigures::path() {
  if (path_) return *path_;
  const analysis::CriticalPath whole = paths().whole();
  path_ = {whole.time, analysis::path_rows(trace(), whole, most_rows),
           analysis::longest_path_rows(trace(), whole, most_rows), analysis::path_names(trace(), whole, most_names)};
  return *path_;
}

const std::vector<analysis::IdleLine>& InfoFigures::idle_lines() {
  if (idle_lines_) return *idle_lines_;
  const analysis::IdleReport* const gpu = main_gpu();
  idle_lines_ = gpu == nullptr ? std::vector<analysis::IdleLine>()
                               : analysis::idle_lines(trace(), places(), gpu->parts, most_lines);
  return *idle_lines_;
}

const analysis::TrainingSteps& InfoFigures::steps() {
  if (!steps_) steps_ = analysis::training_steps(trace(), main_gpu(), paths(), most_step_rows);
  return *steps_;
}

const analysis::RankReport* InfoFigures::ranks() {
  if (!ranks_) ranks_ = analysis::merged_report(trace(), loaded_.file);
  return ranks_->get();
}

}  // namespace warpwalk::verbs
