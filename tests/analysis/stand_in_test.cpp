#include "core/analysis/names/stand_in.h"

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include "core/analysis/kernels/tensor_cores.h"
#include "core/analysis/names/kernel_name.h"
#include "core/analysis/names/work_category.h"

namespace warpwalk::analysis {
namespace {

TEST(StandIn, KernelsInTheNamespaceStandInNameTheirLibrary) {
  EXPECT_EQ(stood_in_library("stand_in::cublas::gemm_f32_64x64(stand_in::cublas::Product)"), "cuBLAS");
  EXPECT_EQ(stood_in_library("void stand_in::cudnn::convolution_forward<stand_in::cudnn::TF32>(float*)"), "cuDNN");
  EXPECT_EQ(stood_in_library("_ZN8stand_in6cublas5scaleIfEEvxT_PKS2_PS2_x"), "cuBLAS");
  EXPECT_EQ(stood_in_library("stand_in::cusolver::cholesky(int)"), "cuSOLVER");
  for (const std::string_view other :
       {"cublasLt::splitKreduce_kernel<32>", "stand_in::mine::f()", "in::cublas::f()", ""})
    EXPECT_EQ(stood_in_library(other), "") << other;
}

TEST(StandIn, TheirNamesSayWhatTheyAreFor) {
  const auto category = [](std::string_view name) { return name_of(category_of_name(name)); };
  EXPECT_EQ(category("stand_in::cublas::gemm_bf16_64x64(P)"), "gemm");
  EXPECT_EQ(category("void stand_in::cublas::gemv_rows<float>(int)"), "gemm");
  EXPECT_EQ(category("void stand_in::cublas::scale<float>(long long)"), "elementwise");
  EXPECT_EQ(category("void stand_in::cublas::dot<float>(long long)"), "reduction");
  EXPECT_EQ(category("void stand_in::cublas::sum_rows<float>(int)"), "reduction");
  EXPECT_EQ(category("void stand_in::cudnn::normalize_batch<stand_in::cudnn::F32>(int)"), "normalisation");
  EXPECT_EQ(category("void stand_in::cudnn::convolution_backward_filter<stand_in::cudnn::F16>(int)"), "convolution");
  EXPECT_EQ(category("void stand_in::cusparse::row_times_dense<float, float>(int)"), "gemm");
  EXPECT_EQ(category("void stand_in::cusolver::form_q<float>(int)"), "other");
  EXPECT_EQ(category("void mine::scale<float>(long long)"), "other") << "of another namespace";
}

TEST(StandIn, TheirProductsAreOnTensorCoresByType) {
  const auto use = [](std::string_view name) { return tensor_core_use(name).use; };
  for (const std::string_view name :
       {"stand_in::cublas::gemm_f16_64x64(P)", "stand_in::cublas::gemm_tf32_32x32(P)",
        "void stand_in::cudnn::convolution_forward<stand_in::cudnn::TF32>(int)", "stand_in::cublas::gemm_f64_32x32(P)"})
    EXPECT_EQ(use(name), TensorCoreUse::yes) << name;
  for (const std::string_view name : {"stand_in::cublas::gemm_f32_64x64(P)", "stand_in::cublas::gemm_c32_64x64(P)",
                                      "void stand_in::cudnn::convolution_forward<stand_in::cudnn::F32>(int)",
                                      "void stand_in::cudnn::convolution_forward_direct<stand_in::cudnn::F16>(int)"})
    EXPECT_EQ(use(name), TensorCoreUse::no) << name;
}

TEST(StandIn, TheNamespaceIsAPartOfTheNameWithAMeaning) {
  const KernelName name = read_kernel_name("void stand_in::cublas::scale<float>(long long, float*)");
  const auto part = std::ranges::find(name.parts, "stand_in", &NamePart::meaning);
  ASSERT_NE(part, name.parts.end());
  EXPECT_EQ(part->text, "stand_in::cublas::");
  EXPECT_EQ(part->value, "cuBLAS");
  const KernelName product = read_kernel_name("stand_in::cublas::gemm_f16_128x64(stand_in::cublas::Product)");
  ASSERT_TRUE(product.tile);
  EXPECT_EQ(product.tile->m, 128);
}

}  // namespace
}  // namespace warpwalk::analysis
