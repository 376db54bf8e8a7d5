#include "core/analysis/kernels/kernel_category.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace warpwalk::analysis {
namespace {

using Words = std::string_view;

struct CategoryWord {
  Words word;
  WorkCategory category;
};

// The first word that a name has decides. The names of Inductor's kernels list the ops that were fused, but their
// beginning says what kind of kernel it is.
constexpr std::array category_words = {
    CategoryWord{"nchwtonhwc", WorkCategory::layout},
    CategoryWord{"nhwctonchw", WorkCategory::layout},
    CategoryWord{"batched_transpose", WorkCategory::layout},
    CategoryWord{"direct_copy", WorkCategory::layout},
    CategoryWord{"copy_kernel", WorkCategory::layout},
    CategoryWord{"catarray", WorkCategory::layout},
    CategoryWord{"permute", WorkCategory::layout},
    CategoryWord{"layer_norm", WorkCategory::normalisation},
    CategoryWord{"layernorm", WorkCategory::normalisation},
    CategoryWord{"rms_norm", WorkCategory::normalisation},
    CategoryWord{"rmsnorm", WorkCategory::normalisation},
    CategoryWord{"batch_norm", WorkCategory::normalisation},
    CategoryWord{"batchnorm", WorkCategory::normalisation},
    CategoryWord{"group_norm", WorkCategory::normalisation},
    CategoryWord{"groupnorm", WorkCategory::normalisation},
    CategoryWord{"bn_fw", WorkCategory::normalisation},
    CategoryWord{"bn_bw", WorkCategory::normalisation},
    CategoryWord{"triton_red", WorkCategory::reduction},
    CategoryWord{"triton_per", WorkCategory::reduction},
    CategoryWord{"triton_poi", WorkCategory::elementwise},
    CategoryWord{"flash_fwd", WorkCategory::attention},
    CategoryWord{"flash_bwd", WorkCategory::attention},
    CategoryWord{"fmha", WorkCategory::attention},
    CategoryWord{"attention", WorkCategory::attention},
    CategoryWord{"attn", WorkCategory::attention},
    CategoryWord{"fprop", WorkCategory::convolution},
    CategoryWord{"dgrad", WorkCategory::convolution},
    CategoryWord{"wgrad", WorkCategory::convolution},
    CategoryWord{"scudnn", WorkCategory::convolution},
    CategoryWord{"winograd", WorkCategory::convolution},
    CategoryWord{"igemm_", WorkCategory::convolution},
    CategoryWord{"conv_", WorkCategory::convolution},
    CategoryWord{"conv2d", WorkCategory::convolution},
    CategoryWord{"convolution", WorkCategory::convolution},
    CategoryWord{"gemm", WorkCategory::gemm},
    CategoryWord{"gemv", WorkCategory::gemm},
    CategoryWord{"cijk_", WorkCategory::gemm},
    CategoryWord{"nvjet", WorkCategory::gemm},
    CategoryWord{"bmm_", WorkCategory::gemm},
    CategoryWord{"matmul", WorkCategory::gemm},
    CategoryWord{"splitkreduce", WorkCategory::gemm},
    CategoryWord{"triton_tem", WorkCategory::gemm},
    CategoryWord{"embedding", WorkCategory::indexing},
    CategoryWord{"indexselect", WorkCategory::indexing},
    CategoryWord{"index_", WorkCategory::indexing},
    CategoryWord{"indexing", WorkCategory::indexing},
    CategoryWord{"gather", WorkCategory::indexing},
    CategoryWord{"scatter", WorkCategory::indexing},
    CategoryWord{"softmax", WorkCategory::reduction},
    CategoryWord{"reduce_", WorkCategory::reduction},
    CategoryWord{"topk", WorkCategory::reduction},
    CategoryWord{"sort", WorkCategory::reduction},
    CategoryWord{"scan", WorkCategory::reduction},
    CategoryWord{"elementwise", WorkCategory::elementwise},
    CategoryWord{"multi_tensor_apply", WorkCategory::elementwise},
    CategoryWord{"act_and_mul", WorkCategory::elementwise},
    CategoryWord{"rotary", WorkCategory::elementwise},
    CategoryWord{"dropout", WorkCategory::elementwise},
    CategoryWord{"distribution_", WorkCategory::elementwise},
};

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

void add_known(std::optional<double>& sum, const std::optional<double>& amount) {
  if (amount) sum = sum.value_or(0) + *amount;
}

}  // namespace

std::string_view name_of(WorkCategory category) {
  static constexpr std::array<Words, work_categories> names = {
      "gemm",     "convolution", "attention",     "normalisation", "reduction", "elementwise",
      "indexing", "layout",      "communication", "copy",          "other"};
  return names[static_cast<std::size_t>(category)];
}

WorkCategory category_of_name(std::string_view kernel_name) {
  std::string name(kernel_name);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const CategoryWord& one : category_words)
    if (name.find(one.word) != std::string::npos) return one.category;
  return WorkCategory::other;
}

WorkCategory category_of_kernel(std::string_view kernel_name, WorkRule rule) {
  const WorkCategory named = category_of_name(kernel_name);
  return named == WorkCategory::other ? category_of_rule(rule) : named;
}

WorkCategory WorkCategories::of(SliceId work, const WorkAmount& amount) {
  if (trace_.slices.kind[work] != trace::SliceKind::kernel) return WorkCategory::copy;
  if (communication_.is(work)) return WorkCategory::communication;
  const auto [place, is_new] = named_.try_emplace(trace_.slices.name[work]);
  if (is_new) place->second = category_of_name(trace_.name(work));
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
