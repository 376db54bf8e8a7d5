#include "app/query/source.h"

#include <algorithm>

#include "core/analysis/names/short_names.h"
#include "core/analysis/walk.h"

namespace warpwalk::query {
namespace {

using trace::SliceKind;

template <class Wanted>
std::vector<SliceId> slices_by_start(const trace::Trace& trace, Wanted wanted) {
  std::vector<SliceId> found;
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (wanted(trace.slices.kind[s])) found.push_back(s);
  std::ranges::stable_sort(found, {}, [&](SliceId s) { return trace.slices.start[s]; });
  return found;
}

}  // namespace

const std::vector<SliceId>& Source::python() {
  if (!python_) python_ = slices_by_start(trace_, [](SliceKind kind) { return kind == SliceKind::python; });
  return *python_;
}

const std::vector<SliceId>& Source::annotations() {
  if (!annotations_)
    annotations_ = slices_by_start(
        trace_, [](SliceKind kind) { return kind == SliceKind::annotation || kind == SliceKind::gpu_annotation; });
  return *annotations_;
}

const std::vector<SliceId>& Source::copies() {
  if (!copies_)
    copies_ =
        slices_by_start(trace_, [](SliceKind kind) { return kind == SliceKind::memcpy || kind == SliceKind::memset; });
  return *copies_;
}

const std::vector<Source::Launch>& Source::launches() {
  if (launches_) return *launches_;
  launches_.emplace();
  std::size_t row = 0;
  for (const auto& [launch, work] : trace_.launched) {
    if (launches_->empty() || launches_->back().call != launch) launches_->push_back({launch, row, 0});
    ++launches_->back().count;
    ++row;
  }
  std::ranges::stable_sort(*launches_, {}, [&](const Launch& one) { return trace_.slices.start[one.call]; });
  return *launches_;
}

const std::vector<SliceId>& Source::op_around() {
  if (op_around_) return *op_around_;
  const auto& rows = trace_.slices;
  op_around_.emplace(rows.size(), no_slice);
  for (SliceId s = 0; s < rows.size(); ++s)  // a parent precedes its children
    if (rows.kind[s] == SliceKind::op)
      (*op_around_)[s] = s;
    else if (rows.parent[s] != no_slice)
      (*op_around_)[s] = (*op_around_)[rows.parent[s]];
  return *op_around_;
}

const std::vector<Source::OpWork>& Source::op_work() {
  if (op_work_) return *op_work_;
  const auto& rows = trace_.slices;
  const std::vector<SliceId>& op = op_around();
  op_work_.emplace(rows.size());
  for (SliceId s = 0; s < rows.size(); ++s) {
    const SliceId parent = rows.parent[s];
    const SliceId above = parent == no_slice ? no_slice : op[parent];
    const bool is_op = rows.kind[s] == SliceKind::op;
    const bool is_outer_call = trace::is_call(rows.kind[s]) && parent != no_slice && !trace::is_call(rows.kind[parent]);
    if (is_op) (*op_work_)[s].self_ns += rows.duration[s];
    if (above != no_slice && (is_op || is_outer_call)) (*op_work_)[above].self_ns -= rows.duration[s];
  }
  for (const auto& [launch, work] : trace_.launched) {
    if (op[launch] == no_slice) continue;
    OpWork& of = (*op_work_)[op[launch]];
    of.gpu_ns += rows.duration[work];
    ++(rows.kind[work] == SliceKind::kernel ? of.kernels : of.copies);
  }
  return *op_work_;
}

const std::vector<std::int64_t>& Source::gpu_time() {
  if (!gpu_time_) gpu_time_ = analysis::gpu_time_by_slice(trace_);
  return *gpu_time_;
}

const std::vector<analysis::IdleReport>& Source::idle() {
  if (!idle_) idle_ = analysis::idle_reports(trace_, paths());
  return *idle_;
}

const std::vector<Source::Gap>& Source::gaps() {
  if (gaps_) return *gaps_;
  gaps_.emplace();
  for (const analysis::IdleReport& report : idle())
    for (const analysis::IdleGap& gap : report.gaps) gaps_->push_back({report.device, gap});
  return *gaps_;
}

const std::vector<Source::GapPart>& Source::gap_parts() {
  if (gap_parts_) return *gap_parts_;
  gap_parts_.emplace();
  std::size_t row = 0;
  for (const analysis::IdleReport& report : idle())
    for (const analysis::IdleGap& gap : report.gaps) {
      for (const analysis::IdlePart& part : report.parts_of(gap)) gap_parts_->push_back({row, part});
      ++row;
    }
  return *gap_parts_;
}

const analysis::PathFinder& Source::paths() {
  if (!paths_) paths_.emplace(trace_);
  return *paths_;
}

const analysis::CriticalPath& Source::path() {
  if (!path_) path_ = paths().whole();
  return *path_;
}

const analysis::TrainingSteps& Source::steps() {
  if (steps_) return *steps_;
  const auto busiest = std::ranges::max_element(idle(), {}, &analysis::IdleReport::kernels);
  steps_ = analysis::training_steps(trace_, busiest == idle().end() ? nullptr : &*busiest, paths(), 0);
  return *steps_;
}

analysis::WorkCategories& Source::categories() {
  if (!categories_) categories_.emplace(trace_);
  return *categories_;
}

const analysis::Communication& Source::communication() {
  if (!communication_) communication_.emplace(trace_);
  return *communication_;
}

const analysis::CodePlaces& Source::places() {
  if (!places_) places_.emplace(trace_);
  return *places_;
}

std::string_view Source::short_name(trace::StringId name) {
  const auto [found, fresh] = short_names_.try_emplace(name);
  if (fresh) found->second = analysis::short_kernel_name(trace_.text(name));
  return found->second;
}

}  // namespace warpwalk::query
