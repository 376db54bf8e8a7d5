#include "app/verbs/info/figures.h"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <system_error>

#include "app/verbs/common/find_device.h"
#include "core/analysis/names/stand_in.h"
#include "core/analysis/predict/suggest.h"
#include "core/analysis/slices.h"
#include "core/compiled/open_compiled.h"
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
constexpr std::size_t most_gaps = 100;
constexpr std::size_t most_advice = 10;

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
  std::map<trace::StringId, std::uint64_t> named;  // kernels by name
  const auto& rows = trace.slices;
  for (SliceId s = 0; s < rows.size(); ++s) {
    const SliceKind kind = rows.kind[s];
    ++summary.by_kind[static_cast<std::size_t>(kind)];
    if (!trace::is_gpu_work(kind)) continue;
    streams.insert(rows.track[s]);
    seen.insert(trace.tracks[rows.track[s]].device);
    if (kind != SliceKind::kernel) continue;
    ++named[rows.name[s]];
    summary.linked_to_launch += trace::launch_of(trace, s) != trace::no_slice;
    summary.linked_to_op += trace::op_of(trace, s) != trace::no_slice;
  }
  for (const auto& [name, kernels] : named)
    if (const std::string_view library = analysis::stood_in_library(trace.text(name)); !library.empty())
      summary.stand_ins[std::string(library)] += kernels;
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

// The GPU on which kernels ran longest; null without timed work on a GPU.
const analysis::IdleReport* main_gpu(std::span<const analysis::IdleReport> gpus) {
  return gpus.empty() ? nullptr : &*std::ranges::max_element(gpus, {}, &analysis::IdleReport::kernels);
}

// `longest`: the longest first; of equal ones, the first to come.
void keep_if_long(std::vector<LongGap>& longest, std::int64_t device, const analysis::IdleGap& gap,
                  std::span<const analysis::IdlePart> parts) {
  if (longest.size() == most_gaps && gap.length() <= longest.back().gap.length()) return;
  if (longest.size() == most_gaps) longest.pop_back();
  const auto shorter = std::ranges::upper_bound(longest, gap.length(), std::ranges::greater{},
                                                [](const LongGap& one) { return one.gap.length(); });
  longest.insert(shorter, {device, gap, {parts.begin(), parts.end()}});
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

const std::vector<analysis::IdleReport>& InfoFigures::idle_sums() {
  read_gaps();
  return idle_ ? *idle_ : *idle_sums_;
}

const std::vector<LongGap>& InfoFigures::longest_gaps() {
  read_gaps();
  return *longest_gaps_;
}

const std::vector<analysis::IdleLine>& InfoFigures::idle_lines() {
  read_gaps();
  return idle_lines_;
}

const compiled::Compiled& InfoFigures::compiled() {
  if (compiled_) return *compiled_;
  compiled_.emplace();
  std::error_code error;
  const std::filesystem::path path = compiled_path_.empty() ? compiled::folder_of_walk(loaded_.file) : compiled_path_;
  if (!std::filesystem::exists(path, error)) return *compiled_;
  if (auto found = compiled::open_compiled(path); found && *found) compiled_ = std::move(**found);
  return *compiled_;
}

void InfoFigures::read_gaps() {
  if (longest_gaps_) return;
  longest_gaps_.emplace();
  step_ranges_ = analysis::step_ranges(trace());
  analysis::IdleLineSums lines(trace(), places());
  const analysis::IdleReport* main = nullptr;
  read_gaps([&](std::span<const analysis::IdleReport> gpus, std::size_t gpu, const analysis::IdleGap& gap,
                std::span<const analysis::IdlePart> parts) {
    keep_if_long(*longest_gaps_, gpus[gpu].device, gap, parts);
    if (main == nullptr) main = main_gpu(gpus);
    if (&gpus[gpu] != main) return;
    lines.add(parts);
    advice_sums().add(parts);
    step_ranges_.add_idle(parts);
  });
  idle_lines_ = lines.longest(most_lines);
  if (const analysis::IdleReport* const gpu = main_gpu(idle_sums())) advice_sums().begin_at(gpu->from);
}

void InfoFigures::read_gaps(const analysis::IdleGapReader& read) {
  if (!idle_) {
    idle_sums_ = analysis::idle_sums(trace(), paths(), read);
    return;
  }
  for (std::size_t gpu = 0; gpu < idle_->size(); ++gpu)
    for (const analysis::IdleGap& gap : (*idle_)[gpu].gaps) read(*idle_, gpu, gap, (*idle_)[gpu].parts_of(gap));
}

const PathFigures& InfoFigures::path() {
  if (path_) return *path_;
  read_gaps();  // AdviceSums takes them first
  const analysis::CriticalPath whole = paths().whole();
  advice_sums().add(whole);
  path_ = {whole.time, analysis::path_rows(trace(), whole, most_rows),
           analysis::longest_path_rows(trace(), whole, most_rows), analysis::path_names(trace(), whole, most_names)};
  return *path_;
}

const analysis::TrainingSteps& InfoFigures::steps() {
  if (!steps_) steps_ = analysis::training_steps(trace(), main_gpu(idle_sums()), step_ranges_, paths(), most_step_rows);
  return *steps_;
}

analysis::AdviceSums& InfoFigures::advice_sums() {
  if (!advice_sums_) advice_sums_.emplace(trace(), places());
  return *advice_sums_;
}

const std::vector<analysis::Advice>& InfoFigures::advice() {
  path();
  if (!advice_) advice_ = advice_sums().first(most_advice);
  return *advice_;
}

const std::vector<analysis::AdvicePrediction>& InfoFigures::predicted() {
  if (!predicted_)
    predicted_ = predicts_ ? analysis::predict_advice(trace(), advice(), described_devices())
                           : std::vector<analysis::AdvicePrediction>();
  return *predicted_;
}

const analysis::TraceComparison* InfoFigures::comparison() {
  if (!compared_) return nullptr;
  if (!comparison_) {
    const auto profile = analysis::work_profile(trace(), loaded_.file.filename().string());
    comparison_ = analysis::compare_profiles(profile, *compared_);
  }
  return &*comparison_;
}

const analysis::SnapshotSums* InfoFigures::snapshot() {
  if (!snapshot_) {
    snapshot_.emplace();
    if (const auto snapshot = trace::memory_snapshot(trace())) *snapshot_ = analysis::snapshot_sums(trace(), *snapshot);
  }
  return *snapshot_ ? &**snapshot_ : nullptr;
}

const analysis::RankReport* InfoFigures::ranks() {
  if (!ranks_) ranks_ = analysis::merged_report(trace(), loaded_.file);
  return ranks_->get();
}

}  // namespace warpwalk::verbs
