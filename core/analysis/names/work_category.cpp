#include "core/analysis/names/work_category.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/analysis/names/stand_in.h"

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
    CategoryWord{"__amd_rocclr_fillbuffer", WorkCategory::copy},
    CategoryWord{"__amd_rocclr_copybuffer", WorkCategory::copy},
    CategoryWord{"nchwtonhwc", WorkCategory::layout},
    CategoryWord{"nhwctonchw", WorkCategory::layout},
    CategoryWord{"nchw2cnhw", WorkCategory::layout},  // MIOpen
    CategoryWord{"cnhw2nchw", WorkCategory::layout},
    CategoryWord{"batched_transpose", WorkCategory::layout},
    CategoryWord{"direct_copy", WorkCategory::layout},
    CategoryWord{"copy_kernel", WorkCategory::layout},
    CategoryWord{"catarray", WorkCategory::layout},
    CategoryWord{"permute", WorkCategory::layout},
    CategoryWord{"reorder", WorkCategory::layout},  // oneDNN
    CategoryWord{"gradgammabeta", WorkCategory::normalisation},
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
    CategoryWord{"sdpa", WorkCategory::attention},             // oneDNN
    CategoryWord{"bwd_kernel_fuse", WorkCategory::attention},  // Triton, for AMD
    CategoryWord{"attention", WorkCategory::attention},
    CategoryWord{"attn", WorkCategory::attention},
    CategoryWord{"fprop", WorkCategory::convolution},
    CategoryWord{"dgrad", WorkCategory::convolution},
    CategoryWord{"wgrad", WorkCategory::convolution},
    CategoryWord{"scudnn", WorkCategory::convolution},
    CategoryWord{"winograd", WorkCategory::convolution},
    CategoryWord{"igemm_", WorkCategory::convolution},
    CategoryWord{"bwd_weight", WorkCategory::convolution},  // Composable Kernel
    CategoryWord{"bwd_data", WorkCategory::convolution},
    CategoryWord{"asmconv", WorkCategory::convolution},   // MIOpen
    CategoryWord{"gen_conv", WorkCategory::convolution},  // oneDNN
    CategoryWord{"conv_", WorkCategory::convolution},
    CategoryWord{"conv2d", WorkCategory::convolution},
    CategoryWord{"convolution", WorkCategory::convolution},
    CategoryWord{"gemm", WorkCategory::gemm},
    CategoryWord{"gemv", WorkCategory::gemm},
    CategoryWord{"cijk_", WorkCategory::gemm},  // Tensile: rocBLAS, hipBLASLt
    CategoryWord{"hipblaslt", WorkCategory::gemm},
    CategoryWord{"nvjet", WorkCategory::gemm},
    CategoryWord{"bmm_", WorkCategory::gemm},
    CategoryWord{"matmul", WorkCategory::gemm},
    CategoryWord{"splitkreduce", WorkCategory::gemm},
    CategoryWord{"triton_tem", WorkCategory::gemm},
    CategoryWord{"embedding", WorkCategory::indexing},
    CategoryWord{"compute_grad_weight", WorkCategory::indexing},
    CategoryWord{"reshape_and_cache", WorkCategory::indexing},
    CategoryWord{"indexselect", WorkCategory::indexing},
    CategoryWord{"index_", WorkCategory::indexing},
    CategoryWord{"indexing", WorkCategory::indexing},
    CategoryWord{"gather", WorkCategory::indexing},
    CategoryWord{"scatter", WorkCategory::indexing},
    CategoryWord{"softmax", WorkCategory::reduction},
    CategoryWord{"max_pool", WorkCategory::reduction},
    CategoryWord{"avg_pool", WorkCategory::reduction},
    CategoryWord{"reduce_", WorkCategory::reduction},
    CategoryWord{"reducekernel", WorkCategory::reduction},  // XPU
    CategoryWord{"topk", WorkCategory::reduction},
    CategoryWord{"sort", WorkCategory::reduction},
    CategoryWord{"scan", WorkCategory::reduction},
    CategoryWord{"elementwise", WorkCategory::elementwise},
    CategoryWord{"subtensorop", WorkCategory::elementwise},  // MIOpen
    CategoryWord{"multi_tensor_apply", WorkCategory::elementwise},
    CategoryWord{"act_and_mul", WorkCategory::elementwise},
    CategoryWord{"rotary", WorkCategory::elementwise},
    CategoryWord{"dropout", WorkCategory::elementwise},
    CategoryWord{"distribution_", WorkCategory::elementwise},
};

// Ops of XLA ("HLO"), and the categories of its profiler.
constexpr std::array hlo_ops = {
    CategoryWord{"dot", WorkCategory::gemm},
    CategoryWord{"convolution", WorkCategory::convolution},
    CategoryWord{"convolution fusion", WorkCategory::convolution},
    CategoryWord{"reduce", WorkCategory::reduction},
    CategoryWord{"reduce-window", WorkCategory::reduction},
    CategoryWord{"input_reduce_fusion", WorkCategory::reduction},
    CategoryWord{"reduce fusion", WorkCategory::reduction},
    CategoryWord{"sort", WorkCategory::reduction},
    CategoryWord{"gather", WorkCategory::indexing},
    CategoryWord{"scatter", WorkCategory::indexing},
    CategoryWord{"scatter fusion", WorkCategory::indexing},
    CategoryWord{"dynamic-slice", WorkCategory::indexing},
    CategoryWord{"dynamic-update-slice", WorkCategory::indexing},
    CategoryWord{"copy", WorkCategory::layout},
    CategoryWord{"transpose", WorkCategory::layout},
    CategoryWord{"input_transpose_fusion", WorkCategory::layout},
    CategoryWord{"concatenate", WorkCategory::layout},
    CategoryWord{"concatenate_fusion", WorkCategory::layout},
    CategoryWord{"reshape", WorkCategory::layout},
    CategoryWord{"bitcast", WorkCategory::layout},
    CategoryWord{"slice", WorkCategory::layout},
    CategoryWord{"pad", WorkCategory::layout},
    CategoryWord{"reverse", WorkCategory::layout},
    CategoryWord{"data formatting", WorkCategory::layout},
    CategoryWord{"broadcast", WorkCategory::elementwise},
    CategoryWord{"iota", WorkCategory::elementwise},
    CategoryWord{"convert", WorkCategory::elementwise},
    CategoryWord{"add", WorkCategory::elementwise},
    CategoryWord{"subtract", WorkCategory::elementwise},
    CategoryWord{"multiply", WorkCategory::elementwise},
    CategoryWord{"divide", WorkCategory::elementwise},
    CategoryWord{"maximum", WorkCategory::elementwise},
    CategoryWord{"minimum", WorkCategory::elementwise},
    CategoryWord{"select", WorkCategory::elementwise},
    CategoryWord{"compare", WorkCategory::elementwise},
    CategoryWord{"exponential", WorkCategory::elementwise},
    CategoryWord{"tanh", WorkCategory::elementwise},
    CategoryWord{"rsqrt", WorkCategory::elementwise},
    CategoryWord{"loop fusion", WorkCategory::elementwise},
    CategoryWord{"non-fusion elementwise", WorkCategory::elementwise},
};

char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Parts of names of kernels, in lower case.
constexpr std::string_view communication_words[] = {
    "nccl",
    "msccl",
    "nvshmem",
    "cross_device_reduce",
    "multimem_",
    "one_shot_all_reduce",
    "two_shot_all_",
    "oneshotallreduce",
    "twoshotallreduce",
    "allreduce_fusion",
    "allreducekernel",
    "all_reduce_kernel",
    "all_gather_kernel",
    "reduce_scatter_kernel",
    "all_to_all_kernel",
    "quickreduce",
    "deep_ep",
    "onecclkernel",
    "hcom_",
    // XLA's ops.
    "all-reduce",
    "all-gather",
    "reduce-scatter",
    "all-to-all",
    "collective-permute",
    "collective-broadcast",
};

}  // namespace

std::string_view name_of(WorkCategory category) {
  static constexpr std::array<Words, work_categories> names = {
      "gemm",     "convolution", "attention",     "normalisation", "reduction", "elementwise",
      "indexing", "layout",      "communication", "copy",          "other"};
  return names[static_cast<std::size_t>(category)];
}

WorkCategory category_of_name(std::string_view kernel_name) {
  std::string name(kernel_name);
  std::ranges::transform(name, name.begin(), lower_of);
  if (const WorkCategory hlo = category_of_hlo(name); hlo != WorkCategory::other) return hlo;
  for (const CategoryWord& one : category_words)
    if (name.find(one.word) != std::string::npos) return one.category;
  return category_of_stand_in(name);
}

WorkCategory category_of_hlo(std::string_view name) {
  constexpr Words wrapped = "wrapped_", loop = "loop_", fusion = "fusion";
  if (name.starts_with(wrapped)) name.remove_prefix(wrapped.size());
  // Ops of one kind are numbered: "dot.3", "loop_add_fusion_12".
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end != Words::npos && end + 1 < name.size() && (name[end] == '.' || name[end] == '_')) name = name.substr(0, end);
  const auto op = std::ranges::find(hlo_ops, name, &CategoryWord::word);
  if (op != hlo_ops.end()) return op->category;
  return name.starts_with(loop) && name.ends_with(fusion) ? WorkCategory::elementwise : WorkCategory::other;
}

bool is_communication_name(std::string_view kernel) {
  const auto same = [](char a, char b) { return lower_of(a) == b; };
  return std::ranges::any_of(communication_words, [&](std::string_view part) {
    return std::search(kernel.begin(), kernel.end(), part.begin(), part.end(), same) != kernel.end();
  });
}

}  // namespace warpwalk::analysis
