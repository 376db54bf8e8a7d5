#include "core/analysis/kernels/kernel_category.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace warpwalk::analysis {
namespace {

WorkCategory category_of_rule(WorkRule rule) {
  switch (rule) {
    case WorkRule::product:
    case WorkRule::batched_product:
    case WorkRule::vector_product:
    case WorkRule::linear: return WorkCategory::gemm;
    case WorkRule::convolution:
    case WorkRule::convolution_backward: return WorkCategory::convolution;
    case WorkRule::attention:
    case WorkRule::attention_causal:
    case WorkRule::attention_backward:
    case WorkRule::attention_backward_causal: return WorkCategory::attention;
    case WorkRule::elementwise:
    case WorkRule::arithmetic:
    case WorkRule::dropout:
    case WorkRule::fill: return WorkCategory::elementwise;
    case WorkRule::softmax: return WorkCategory::reduction;
    case WorkRule::normalisation: return WorkCategory::normalisation;
    case WorkRule::lookup: return WorkCategory::indexing;
    case WorkRule::copy: return WorkCategory::layout;
    case WorkRule::none:
    case WorkRule::recorded: break;
  }
  return WorkCategory::other;
}

// The category that XLA's profiler gives an op: "hlo_category": "convolution fusion".
WorkCategory category_of_xla(std::string_view fields) {
  constexpr std::string_view field = "\"hlo_category\": \"";
  const std::size_t at = fields.find(field);
  if (at == std::string_view::npos) return WorkCategory::other;
  fields.remove_prefix(at + field.size());
  return category_of_hlo(fields.substr(0, fields.find('"')));
}

void add_known(std::optional<double>& sum, const std::optional<double>& amount) {
  if (amount) sum = sum.value_or(0) + *amount;
}

}  // namespace

WorkCategory category_of_kernel(std::string_view kernel_name, WorkRule rule) {
  const WorkCategory named = category_of_name(kernel_name);
  return named == WorkCategory::other ? category_of_rule(rule) : named;
}

WorkCategory WorkCategories::of(SliceId work, const WorkAmount& amount) {
  if (trace_.slices.kind[work] != trace::SliceKind::kernel) return WorkCategory::copy;
  if (communication_.is(work)) return WorkCategory::communication;
  const auto [place, is_new] = named_.try_emplace(trace_.slices.name[work]);
  if (is_new) place->second = category_of_name(trace_.name(work));
  if (place->second == WorkCategory::other && trace_.slices.extra[work] != 0)
    if (const WorkCategory given = category_of_xla(trace_.text(trace_.slices.extra[work]));
        given != WorkCategory::other)
      return given;
  return place->second == WorkCategory::other ? category_of_rule(amount.rule) : place->second;
}

std::vector<CategorySum> category_sums(const trace::Trace& trace) {
  const trace::Slices& rows = trace.slices;
  WorkCategories categories(trace);
  std::array<CategorySum, work_categories> sums;
  for (const trace::Track& track : trace.tracks)
    for (SliceId s = track.first; track.gpu && s < track.last; ++s) {
      if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
      const WorkAmount amount = categories.amounts().of(s);
      const WorkCategory category = categories.of(s, amount);
      CategorySum& sum = sums[static_cast<std::size_t>(category)];
      sum.category = category;
      sum.time += rows.duration[s];
      ++sum.launches;
      add_known(sum.flops, amount.flops);
      add_known(sum.bytes, amount.bytes);
    }
  std::vector<CategorySum> all;
  std::ranges::copy_if(sums, std::back_inserter(all), [](const CategorySum& sum) { return sum.launches > 0; });
  std::ranges::stable_sort(all, std::ranges::greater{}, &CategorySum::time);
  return all;
}

}  // namespace warpwalk::analysis
