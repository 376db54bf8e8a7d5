#include "core/analysis/names/stand_in.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpwalk::analysis {
namespace {

using Words = std::string_view;

constexpr std::array<std::pair<Words, Words>, 8> stood_in = {{{"cublasLt", "cuBLASLt"},
                                                              {"cublaslt", "cuBLASLt"},
                                                              {"cublas", "cuBLAS"},
                                                              {"cudnn", "cuDNN"},
                                                              {"cufft", "cuFFT"},
                                                              {"cusparse", "cuSPARSE"},
                                                              {"cusolver", "cuSOLVER"},
                                                              {"curand", "cuRAND"}}};

constexpr std::array<std::pair<Words, WorkCategory>, 25> stand_in_words = {{{"normaliz", WorkCategory::normalisation},
                                                                            {"pool", WorkCategory::reduction},
                                                                            {"sum_", WorkCategory::reduction},
                                                                            {"dot", WorkCategory::reduction},
                                                                            {"norm", WorkCategory::reduction},
                                                                            {"absolute", WorkCategory::reduction},
                                                                            {"index_of", WorkCategory::reduction},
                                                                            {"bias_gradient", WorkCategory::reduction},
                                                                            {"copy", WorkCategory::layout},
                                                                            {"swap", WorkCategory::layout},
                                                                            {"transpose", WorkCategory::layout},
                                                                            {"_times_", WorkCategory::gemm},
                                                                            {"product", WorkCategory::gemm},
                                                                            {"rank_", WorkCategory::gemm},
                                                                            {"symmetric", WorkCategory::gemm},
                                                                            {"triangular_multiply", WorkCategory::gemm},
                                                                            {"scale", WorkCategory::elementwise},
                                                                            {"add_scaled", WorkCategory::elementwise},
                                                                            {"rotate", WorkCategory::elementwise},
                                                                            {"activat", WorkCategory::elementwise},
                                                                            {"tensor_op", WorkCategory::elementwise},
                                                                            {"add_tensor", WorkCategory::elementwise},
                                                                            {"multiply_", WorkCategory::elementwise},
                                                                            {"chirp", WorkCategory::elementwise},
                                                                            {"random", WorkCategory::elementwise}}};

/// Double-precision products are on tensor cores, too.
constexpr std::array tensor_types = {Words("f16"), Words("bf16"), Words("tf32"),
                                     Words("f8"),  Words("s8"),   Words("f64")};

/// The name below the namespace stand_in: "cublas::scale<float>(float*)", or "6cublas5scaleIfEE..." if it is mangled.
Words below_stand_in(Words name) {
  for (const Words start : {Words("stand_in::"), Words("8stand_in")})
    if (const std::size_t at = name.find(start); at != Words::npos) return name.substr(at + start.size());
  return {};
}

bool has_part(Words name, Words part) { return name.find(part) != Words::npos; }

}  // namespace

std::string_view stood_in_library(std::string_view kernel_name) {
  Words below = below_stand_in(kernel_name);
  below.remove_prefix(std::min(below.find_first_not_of("0123456789"), below.size()));
  for (const auto& [space, library] : stood_in)
    if (below.starts_with(space)) return library;
  return {};
}

WorkCategory category_of_stand_in(std::string_view lower_name) {
  const Words below = below_stand_in(lower_name);
  for (const auto& [word, category] : stand_in_words)
    if (has_part(below, word)) return category;
  return WorkCategory::other;
}

StandInUnit unit_of_stand_in(std::string_view lower_name) {
  const Words below = below_stand_in(lower_name);
  const bool convolution = has_part(below, "convolution_");
  if (!convolution && !has_part(below, "gemm_")) return {};
  StandInUnit unit{.product = true};
  if (has_part(below, "_direct")) return unit;
  // The type is in the name of a matrix product, and the first argument of a convolution's template.
  const Words start = convolution ? Words("<") : Words("gemm_");
  const std::size_t at = below.find(start);
  Words type = at == Words::npos ? Words() : below.substr(at + start.size());
  if (const std::size_t space = type.substr(0, type.find_first_of(",>")).rfind(':');
      convolution && space != Words::npos)
    type.remove_prefix(space + 1);
  unit.tensor = std::ranges::any_of(tensor_types, [&](Words known) { return type.starts_with(known); });
  return unit;
}

}  // namespace warpwalk::analysis
