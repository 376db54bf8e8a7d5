#include "core/analysis/names/kernel_name.h"

#include <chrono>
#include <set>

#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

// The part of this text, or one without meaning.
NamePart part(const KernelName& name, std::string_view text) {
  for (const NamePart& part : name.parts)
    if (part.text == text) return part;
  ADD_FAILURE() << "no part " << text;
  return {};
}

std::string joined(const KernelName& name) {
  std::string out;
  for (const NamePart& part : name.parts) {
    EXPECT_EQ(part.at, out.size());
    EXPECT_FALSE(part.text.empty());
    out += part.text;
  }
  return out;
}

TEST(KernelName, ACublasNameIsTakenApart) {
  const KernelName name = read_kernel_name(
      "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_"
      "kernel__5x_cublas");
  EXPECT_EQ(part(name, "sm80").meaning, "sm");
  EXPECT_EQ(part(name, "sm80").value, "8.0");
  EXPECT_EQ(part(name, "f32f32").value, "f32");
  EXPECT_EQ(part(name, "nn").meaning, "transposes_nn");
  EXPECT_EQ(part(name, "stage3").value, "3");
  EXPECT_EQ(part(name, "ffma").meaning, "ffma");
  EXPECT_EQ(part(name, "cublas").meaning, "cublas");
  // Not certain, so not told.
  EXPECT_EQ(part(name, "_n_").meaning, "");
  EXPECT_EQ(part(name, "_execute_kernel__5x_").meaning, "");
  ASSERT_TRUE(name.tile);
  EXPECT_EQ(name.tile->m, 128);
  EXPECT_EQ(name.tile->n, 64);
  EXPECT_EQ(name.tile->k, 8);
  EXPECT_EQ(name.warps, 4);
}

TEST(KernelName, ACutlassNameInsideAWrapper) {
  const KernelName name = read_kernel_name(
      "void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_nn_align1>(cutlass_80_simt_sgemm_64x64_8x5_nn_"
      "align1::Params)");
  EXPECT_EQ(name.scope, "cutlass::");
  EXPECT_EQ(name.function, "Kernel2");
  EXPECT_EQ(name.template_arguments, std::vector<std::string>{"cutlass_80_simt_sgemm_64x64_8x5_nn_align1"});
  EXPECT_EQ(part(name, "80").value, "8.0");
  EXPECT_EQ(part(name, "sgemm").value, "float32");
  EXPECT_EQ(part(name, "8x5").value, "8, 5");
  EXPECT_EQ(name.tile->m, 64);
  EXPECT_EQ(name.tile->k, 8);
}

TEST(KernelName, AMangledNameIsReadAsItIsWritten) {
  const KernelName name =
      read_kernel_name("_ZN7cutlass7Kernel2I41cutlass_80_simt_sgemm_64x64_8x5_nn_align1EEvNT_6ParamsE");
  EXPECT_EQ(name.scope, "cutlass::");
  EXPECT_EQ(name.function, "Kernel2");
  EXPECT_EQ(part(name, "sgemm").value, "float32");
  EXPECT_EQ(joined(name),
            "void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_nn_align1>("
            "cutlass_80_simt_sgemm_64x64_8x5_nn_align1::Params)");
  EXPECT_EQ(plain_kernel_name("_Znonsense"), "_Znonsense");
  EXPECT_EQ(plain_kernel_name("vecadd"), "vecadd");
}

TEST(KernelName, TensorCoresAndBfloat16) {
  const KernelName name = read_kernel_name(
      "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_"
      "cublas");
  EXPECT_EQ(part(name, "bf16f32").value, "bf16, f32");
  EXPECT_EQ(part(name, "warpgroupsize1x1x1").value, "1 × 1 × 1");
  EXPECT_FALSE(name.warps);
  EXPECT_EQ(part(read_kernel_name("ampere_bf16_s16816gemm_bf16_128x64_nn"), "s16816gemm").value, "16 × 8 × 16");
  EXPECT_EQ(read_kernel_name("ampere_sgemm_128x64_nn").tile->n, 64);
}

TEST(KernelName, AVectorizedKernelOfPyTorch) {
  const KernelName name = read_kernel_name(
      "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::launch_clamp_scalar("
      "at::TensorIteratorBase&, c10::Scalar)::{lambda()#1}::operator()() const::{lambda(float)#1}, std::array<char*, "
      "2ul> >(int, std::array<char*, 2ul>)");
  EXPECT_TRUE(name.balanced);
  EXPECT_EQ(name.scope, "at::native::");
  EXPECT_EQ(name.function, "vectorized_elementwise_kernel");
  ASSERT_EQ(name.template_arguments.size(), 3u);
  EXPECT_EQ(name.template_arguments[2], "std::array<char*, 2ul>");
  EXPECT_EQ(name.call_arguments.size(), 2u);
  EXPECT_EQ(name.vector_width, 4);
  EXPECT_EQ(part(name, "std::array<char*, 2ul>").value, "2");
}

TEST(KernelName, CopiesAndFills) {
  const KernelName copy = read_kernel_name("Memcpy HtoD (Pinned -> Device)");
  EXPECT_EQ(part(copy, "HtoD").meaning, "htod");
  EXPECT_EQ(part(copy, "Pinned").meaning, "pinned");
  EXPECT_EQ(part(copy, "Device").meaning, "device");
  EXPECT_EQ(part(read_kernel_name("Memset (Device)"), "Memset").meaning, "memset");
}

TEST(KernelName, EveryNameOfTheSamplesComesBackWhole) {
  std::set<std::string> names;
  for (const std::string_view sample_name : sample_names)
    for (const trace::SliceId kernel : sample(sample_name).kernel_order)
      names.emplace(sample(sample_name).name(kernel));
  EXPECT_GE(names.size(), 25u);
  for (const std::string& text : names) {
    const KernelName name = read_kernel_name(text);
    EXPECT_EQ(joined(name), text);
    EXPECT_TRUE(name.balanced) << text;
    EXPECT_GT(name.decoded(), 0u) << text;
    EXPECT_FALSE(name.function.empty()) << text;
    EXPECT_EQ(name.function.find_first_of("<>(), "),
              text.starts_with("Mem") ? name.function.find_first_of("<>(), ") : std::string::npos)
        << text;
  }
}

TEST(KernelName, HostileTextsAreKeptAndNotGuessed) {
  for (const std::string text : {"",
                                 " ",
                                 "<",
                                 ">",
                                 "((((",
                                 "))))",
                                 "void f<",
                                 "f<1, 2>(",
                                 "void f(int",
                                 "::",
                                 "a::",
                                 "::b",
                                 "operator()",
                                 "a::operator<<(int)",
                                 "f<a->b>(int)",
                                 "gemm",
                                 "_gemm_",
                                 "sm_gemm",
                                 "sm80_gemm_0x0x0_tilesize0x1x2_stage",
                                 "cutlass_gemm_8x5",
                                 "x_gemm_128x64x",
                                 "triton_",
                                 "triton_poi_",
                                 "triton_poi_fused_",
                                 "triton_poi_fused__1",
                                 "Memcpy ",
                                 "Memset",
                                 "\xff\xfe\x80 gemm_\xc3",
                                 "\xe6\xa0\xb8_gemm_\xe6\xa0\xb8_64x64_nn",
                                 "f<99999999999999999999>()",
                                 "gemm_tilesize99999999999999999999x1x1"}) {
    const KernelName name = read_kernel_name(text);
    EXPECT_EQ(joined(name), text);
    if (name.tile) {
      EXPECT_GT(name.tile->m * name.tile->n, 0) << text;
    }
  }
  EXPECT_FALSE(read_kernel_name("void f<").balanced);
  EXPECT_FALSE(read_kernel_name("f>").balanced);
  EXPECT_EQ(read_kernel_name("void f<4").decoded(), 0u);
  EXPECT_EQ(read_kernel_name("some_kernel_of_ours").decoded(), 0u);
}

TEST(KernelName, AHundredKilobytesTakeNoTime) {
  const auto start = std::chrono::steady_clock::now();
  for (const char c : {'<', '(', '_', 'x', ',', ':'}) {
    const std::string text(100'000, c);
    EXPECT_EQ(joined(read_kernel_name(text)), text);
    split_kernel_name(text);
    const std::string nested = "f" + std::string(8'000, '<') + std::string(8'000, '>');
    EXPECT_EQ(joined(read_kernel_name(nested)), nested);
  }
  std::string words = "gemm";
  for (int i = 0; i < 2000; ++i) words += "_64x64";
  EXPECT_EQ(joined(read_kernel_name(words)), words);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace warpwalk::analysis
