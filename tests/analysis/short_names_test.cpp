#include "core/analysis/names/short_names.h"

#include <map>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

TEST(Names, AKernelIsCalledByItsFunction) {
  EXPECT_EQ(
      kernel_function_name("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                           "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)"),
      "vectorized_elementwise_kernel");
  EXPECT_EQ(short_kernel_name("vecadd(float const*, float const*, float*, int)"), "vecadd");
  EXPECT_EQ(
      short_kernel_name("void gemmSN_TN_kernel<float, 128, 16, 2, 4, 6, 10, true>(cublasGemmSmallNParams<float>)"),
      "gemmSN_TN_kernel");
}

TEST(Names, KernelsOfOneTemplateAreToldApartByTheirOperation) {
  EXPECT_EQ(short_kernel_name("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                              "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)"),
            "FillFunctor · vectorized_elementwise_kernel");
  EXPECT_EQ(short_kernel_name("void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, "
                              "float, float, at::native::binary_internal::MulFunctor<float> >, std::array<char*, 2ul> "
                              ">(int, std::array<char*, 2ul>)"),
            "MulFunctor · vectorized_elementwise_kernel");
  EXPECT_EQ(
      short_kernel_name(
          "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::launch_clamp_scalar("
          "at::TensorIteratorBase&, c10::Scalar)::{lambda()#1}::operator()() const::{lambda(float)#1}, "
          "std::array<char*, 2ul> >(int, std::array<char*, 2ul>)"),
      "launch_clamp_scalar · vectorized_elementwise_kernel");
  EXPECT_EQ(short_kernel_name(
                "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, float, "
                "at::native::(anonymous namespace)::threshold_kernel_impl<float>(at::TensorIteratorBase&, float, "
                "float)::{lambda(float, float)#1}>, std::array<char*, 3ul> >(int, std::array<char*, 3ul>)"),
            "threshold_kernel_impl · vectorized_elementwise_kernel");
  EXPECT_EQ(
      short_kernel_name("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
                        "at::native::func_wrapper_t<float, at::native::sum_functor<float, float, "
                        "float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, "
                        "4, 4> >(at::native::ReduceOp<float>)"),
      "sum_functor · reduce_kernel<512, 1>");
  EXPECT_EQ(
      short_kernel_name(
          "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
          "namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::BinaryOpScalarFunctor<float, 1, 1, "
          "0>, std::multiplies<float>, float>(at::native::(anonymous namespace)::TensorListMetadata<1>)"),
      "multiplies, BinaryOpScalarFunctor · multi_tensor_apply_kernel");
}

TEST(Names, AWrapperIsCalledByTheKernelInsideIt) {
  EXPECT_EQ(short_kernel_name("void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_nn_align1>("
                              "cutlass_80_simt_sgemm_64x64_8x5_nn_align1::Params)"),
            "cutlass_80_simt_sgemm_64x64_8x5_nn_align1");
  EXPECT_EQ(short_kernel_name("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int> "
                              "> >(cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int> >::Params)"),
            "GemmUniversal");
}

TEST(Names, AMangledNameIsRead) {
  EXPECT_EQ(short_kernel_name("_ZN7cutlass7Kernel2I41cutlass_80_simt_sgemm_64x64_8x5_nn_align1EEvNT_6ParamsE"),
            "cutlass_80_simt_sgemm_64x64_8x5_nn_align1");
  EXPECT_EQ(short_kernel_name("_Z6vecaddPKfS0_Pfi"), "vecadd");
  EXPECT_EQ(short_kernel_name("_Znonsense"), "_Znonsense");
}

// All kernels of the recorded walks: two different ones of a walk never have the same label on screen, even cut.
TEST(Names, NoTwoKernelsOfAWalkLookTheSame) {
  std::size_t names = 0;
  for (const std::string_view walk : {"relu_matmul", "two_streams", "mlp_train", "h200_pytorch_training_step"}) {
    const trace::Trace& trace = sample(walk);
    std::map<std::string, std::string> shown;
    for (const trace::SliceId kernel : trace.kernel_order) {
      const std::string name(trace.name(kernel));
      // Instances that differ only in truth values and types may share a label.
      const auto [at, is_new] = shown.emplace(shortened(short_kernel_name(name), 28), name);
      names += is_new;
      if (at->second != name) {
        EXPECT_EQ(kernel_function_name(at->second), kernel_function_name(name));
        EXPECT_THAT(name, ::testing::HasSubstr("splitKreduce_kernel")) << at->first << ":\n" << at->second;
      }
    }
  }
  EXPECT_GT(names, 20u);
}

TEST(Names, PlainNamesStayWhole) {
  EXPECT_EQ(short_kernel_name("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_execute_kernel__5x_cublas"),
            "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_execute_kernel__5x_cublas");
  EXPECT_EQ(short_kernel_name("ampere_sgemm_128x64_tn"), "ampere_sgemm_128x64_tn");
  EXPECT_EQ(short_kernel_name(""), "");
}

TEST(Names, AnonymousNamespacesAreNamespaces) {
  EXPECT_EQ(short_kernel_name("void (anonymous namespace)::elementwise_kernel_with_index<int>(int, int)"),
            "elementwise_kernel_with_index");
  EXPECT_EQ(short_kernel_name("void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float>(float*)"),
            "cunn_SoftMaxForward");
  EXPECT_EQ(short_kernel_name("(anonymous namespace)::plain"), "plain");
}

TEST(Names, LambdasBelongToTheFunctionAroundThem) {
  EXPECT_EQ(short_kernel_name("void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::add("
                              "float)::{lambda(float)#1}>(int)::{lambda(int)#1}>(int)"),
            "add · elementwise_kernel");
  EXPECT_EQ(short_kernel_name("run(int)::{lambda(int)#1}::operator()(int) const"), "run");
}

TEST(Names, AnOperatorsSignsAreNoBrackets) {
  EXPECT_EQ(short_kernel_name("bool ns::operator< <float>(ns::a<float> const&)"), "operator<");
  EXPECT_EQ(short_kernel_name("void ns::Functor<int>::operator()(int) const"), "Functor");
}

TEST(Names, AReturnTypeWithBracketsIsNoName) {
  // cuBLAS has such kernels.
  EXPECT_EQ(short_kernel_name("std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, float, "
                              "float, float, false, true>(cublasGemvParamsEx<int>)"),
            "gemvx::kernel");
}

TEST(Names, NothingShortIsLeftEmpty) {
  EXPECT_EQ(short_kernel_name("<unknown>"), "<unknown>");
  EXPECT_EQ(short_kernel_name("ns::"), "ns::");
}

TEST(Names, AFrameLosesItsFoldersOnly) {
  EXPECT_EQ(short_frame_name("/usr/lib/python3/torch/nn/functional.py(1500): relu"), "functional.py(1500): relu");
  EXPECT_EQ(short_frame_name("torch/nn/functional.py(1500): a/b"), "functional.py(1500): a/b");
  EXPECT_EQ(short_frame_name("C:\\models\\net.py(3): forward"), "net.py(3): forward");
  EXPECT_EQ(short_frame_name("train.py(8): <module>"), "train.py(8): <module>");
  EXPECT_EQ(short_frame_name("nn.Module: Linear_0"), "nn.Module: Linear_0");
}

TEST(Names, BuiltInsSayThatTheyAre) {
  EXPECT_EQ(short_frame_name("<built-in function relu>"), "relu (built-in)");
  EXPECT_EQ(short_frame_name("<built-in method relu of type object at 0x7f00>"), "relu (built-in)");
}

TEST(Names, ShapesLeaveOutTheDirectionsTheyDoNotUse) {
  EXPECT_EQ(shape_text({300, 1, 1}), "300");
  EXPECT_EQ(shape_text({8, 16, 1}), "8 × 16");
  EXPECT_EQ(shape_text({8, 16, 2}), "8 × 16 × 2");
  EXPECT_EQ(shape_text({8, 1, 2}), "8 × 1 × 2");
  EXPECT_EQ(shape_text({1, 1, 1}), "1");
}

TEST(Names, ShorteningKeepsBothEndsAndWholeCharacters) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("sm80_xmma_gemm_f32", 10), "sm80_x…f32");
  EXPECT_EQ(shortened("µµµµµµµµ", 4), "µµ…µ");
  EXPECT_EQ(shortened("", 4), "");
  for (std::size_t limit = 3; limit < 12; ++limit) {
    const std::string text = shortened("µ×−…abcdefgh", limit);
    std::size_t characters = 0;
    for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
    EXPECT_EQ(characters, limit) << text;
  }
}

}  // namespace
}  // namespace warpwalk::analysis
