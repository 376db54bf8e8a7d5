// What GPU work is for: names as libraries write them, and ops where the name says nothing.
#include "core/analysis/kernels/kernel_category.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

TEST(KernelCategory, IsToldByTheName) {
  const auto of = [](const char* name) { return name_of(category_of_name(name)); };
  for (const char* name : {"ampere_sgemm_32x32_sliced1x4_tn", "nvjet_tst_64x64_64x16_2x1_2cta_v_bz_bias_TNT",
                           "Cijk_Alik_Bljk_BBS_BH_MT16x16x64", "void cublasLt::splitKreduce_kernel<32, 16>"})
    EXPECT_EQ(of(name), "gemm") << name;
  for (const char* name : {"cudnn_infer_volta_scudnn_winograd_128x128_ldg1", "void cudnn::detail::dgrad_engine<float>",
                           "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32", "igemm_bwd_gtcx3_nhwc_bf16"})
    EXPECT_EQ(of(name), "convolution") << name;
  for (const char* name : {"void flash_fwd_kernel<Flash_fwd_kernel_traits<64>>", "fmhaSm100aKernel_QkvE4m3",
                           "paged_attention_ll4mi_QKV_mfma16_kernel"})
    EXPECT_EQ(of(name), "attention") << name;
  EXPECT_EQ(of("void at::native::bn_bw_1C11_kernel_new<float>"), "normalisation");
  EXPECT_EQ(of("void cunn_SoftMaxForward<4, c10::BFloat16>"), "reduction");
  EXPECT_EQ(of("void at::native::vectorized_elementwise_kernel<4, MulFunctor>"), "elementwise");
  EXPECT_EQ(of("void at::native::elementwise_kernel<128, 4, direct_copy_kernel_cuda>"), "layout");
  EXPECT_EQ(of("void cudnn::ops::nchwToNhwcKernel<float>"), "layout");
  // Inductor names the ops that it fused.
  EXPECT_EQ(of("triton_poi_fused_convolution_relu_3"), "elementwise");
  EXPECT_EQ(of("triton_poi_fused_bmm_0"), "elementwise");
  EXPECT_EQ(of("triton_red_fused_convolution_backward_2"), "reduction");
  EXPECT_EQ(of("triton_per_fused_native_layer_norm_0"), "normalisation");
  EXPECT_EQ(of("triton_tem_fused_mm_1"), "gemm");
  EXPECT_EQ(of("my_kernel"), "other");
}

TEST(KernelCategory, KnowsTheNamesOfOtherVendors) {
  const auto of = [](const char* name) { return name_of(category_of_name(name)); };
  // AMD: Tensile, Composable Kernel, MIOpen, the runtime.
  EXPECT_EQ(of("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT64x32x128_MI16x16x1_SN"), "gemm");
  EXPECT_EQ(of("_ZN2ck16tensor_operation6device37kernel_batched_gemm_xdlops_bwd_weightI"), "convolution");
  EXPECT_EQ(of("igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt64x64x16"), "convolution");
  EXPECT_EQ(of("SubTensorOpWithScalar1d"), "elementwise");
  EXPECT_EQ(of("_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePass"), "normalisation");
  EXPECT_EQ(of("__amd_rocclr_fillBufferAligned"), "copy");
  EXPECT_EQ(of("transpose_CNHW2NCHW_V2_2D_WG_off64"), "layout");
  EXPECT_EQ(of("bwd_kernel_fuse"), "attention");
  EXPECT_EQ(of("void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, __hip_bfloat16>"), "indexing");
  EXPECT_EQ(of("void at::native::(anonymous namespace)::max_pool_forward_nchw<c10::BFloat16>"), "reduction");
  // Intel: oneDNN and PyTorch's kernels for XPU.
  EXPECT_EQ(of("gemm_kernel"), "gemm");
  EXPECT_EQ(of("gen_conv"), "convolution");
  EXPECT_EQ(of("generic_reorder"), "layout");
  EXPECT_EQ(of("at::native::xpu::VectorizedElementwiseKernel<8, at::native::xpu::AddFunctor<float> >"), "elementwise");
  EXPECT_EQ(of("at::native::xpu::ReduceKernel<2, at::native::xpu::ReduceOp<float> >"), "reduction");
  // XLA
  EXPECT_EQ(of("dot.12"), "gemm");
  EXPECT_EQ(of("convolution.3"), "convolution");
  EXPECT_EQ(of("wrapped_transpose"), "layout");
  EXPECT_EQ(of("loop_add_multiply_fusion_5"), "elementwise");
  EXPECT_EQ(of("input_reduce_fusion"), "reduction");
  EXPECT_EQ(of("gemm_fusion_dot_3_0"), "gemm");
  EXPECT_EQ(of("fusion.7"), "other");
  EXPECT_EQ(of("address"), "other");
  EXPECT_TRUE(is_communication_name("all-reduce.1"));
  EXPECT_EQ(category_of_hlo("data formatting"), WorkCategory::layout);
}

TEST(KernelCategory, SumsAddUpToAllGpuWork) {
  const std::string product = R"("Input Dims": [[64, 10], [10, 1024]], "Input type": ["float", "float"])";
  const trace::Trace trace = SmallTrace()
                                 .op("aten::mm", 0, 20, product)
                                 .call("cudaLaunchKernel", 5, 1, 1)
                                 .kernel("my_kernel", 30, 10, 1)  // its op is a product
                                 .kernel("someone_elses", 50, 4, 0)
                                 .kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 60, 7, 0)
                                 .call("cudaMemcpyAsync", 21, 1, 2)
                                 .copy("Memcpy HtoD (Pinned -> Device)", 70, 5, 2)
                                 .read();
  std::map<std::string, CategorySum> sums;
  for (const CategorySum& sum : category_sums(trace)) sums[std::string(name_of(sum.category))] = sum;
  ASSERT_EQ(sums.size(), 4u);
  EXPECT_EQ(sums["gemm"].time, 10'000);
  EXPECT_EQ(sums["gemm"].launches, 1u);
  EXPECT_DOUBLE_EQ(sums["gemm"].flops.value_or(0), 1'310'720);  // 2 · 64 · 10 · 1,024
  EXPECT_EQ(sums["communication"].time, 7'000);
  EXPECT_FALSE(sums["communication"].flops);
  EXPECT_EQ(sums["copy"].time, 5'000);
  EXPECT_DOUBLE_EQ(sums["copy"].bytes.value_or(0), 4096);
  EXPECT_EQ(sums["other"].time, 4'000);
}

}  // namespace
}  // namespace warpwalk::analysis
