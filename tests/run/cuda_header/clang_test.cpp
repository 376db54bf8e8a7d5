// CUDA C++ that clang compiles with the headers in assets/cuda: what it computes, its lines, and its errors.
#include "core/platform/toolchain/clang.h"

#include <numeric>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/run/cuda_header/clang_run.h"

namespace warpwalk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ClangCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!clang_is_installed()) GTEST_SKIP() << "clang with the NVPTX back end is not installed";
  }
};

TEST(ClangTarget, IsTheHighestThatTheGpuAndTheCompilerKnow) {
  const auto target = [](int major, std::string_view capability) {
    const platform::ClangTarget t = platform::clang_target(major, capability);
    return t.architecture + " " + t.ptx_feature;
  };
  EXPECT_EQ(target(14, "9.0"), "sm_86 ptx75");
  EXPECT_EQ(target(14, "7.5"), "sm_75 ptx75");
  EXPECT_EQ(target(16, "8.9"), "sm_89 ptx78");
  EXPECT_EQ(target(19, "9.0"), "sm_90a ptx85");
  EXPECT_EQ(target(19, "10.0"), "sm_90 ptx85");
  EXPECT_EQ(target(30, "8.0"), "sm_80 ptx86");
}

TEST(ClangMessages, NamesThatTheHeaderLacksAreExplained) {
  EXPECT_EQ(platform::explain_missing_names("k.cu:2:16: error: use of undeclared identifier '__tex2D'\n"
                                            "k.cu:3:1: error: use of undeclared identifier 'x'\n"
                                            "k.cu:1:10: fatal error: 'cub/cub.cuh' file not found\n"),
            "k.cu:2:16: error: `__tex2D`: not in warpwalk's own CUDA header; install NVRTC (libnvrtc.so) or nvcc to "
            "compile it\n"
            "k.cu:3:1: error: use of undeclared identifier 'x'\n"
            "k.cu:1:10: fatal error: `cub/cub.cuh`: not in warpwalk's own CUDA header; install NVRTC (libnvrtc.so) or "
            "nvcc to compile it\n");
}

TEST_F(ClangCuda, ErrorsHaveLineAndColumn) {
  EXPECT_THAT(compile_errors("extern \"C\" __global__ void k() {\n  int a = wrong;\n  __nothing();\n}\n"),
              ElementsAre("line 2, column 11: use of undeclared identifier 'wrong'",
                          "line 3, column 3: `__nothing`: not in warpwalk's own CUDA header; install NVRTC "
                          "(libnvrtc.so) or nvcc to compile it"));
  EXPECT_THAT(compile_errors("#include <cub/cub.cuh>\n"), ElementsAre(HasSubstr("line 1, column 10: `cub/cub.cuh`")));
}

TEST_F(ClangCuda, TheReportNamesTheCompilerAndFindingsHaveLines) {
  const auto ran = run::run_draft(cuda_draft("extern \"C\" __global__ void k(int* y) {\n"
                                             "  const int i = threadIdx.x;\n"
                                             "  y[max(i, 3)] = i;\n"
                                             "  atomicAdd(y + 5000, 1);\n}\n",
                                             "kernel k\ngrid 1\nblock 32\ny: i32[32] 0\n"),
                                  clang_options());
  ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const run::DraftRun>>(ran));
  const run::DraftRun& run = *std::get<0>(ran);
  EXPECT_EQ(run.loaded.code, "ptx");
  EXPECT_THAT(run.loaded.notes, ElementsAre(HasSubstr("by clang")));
  ASSERT_FALSE(run.findings.empty());
  EXPECT_TRUE(std::ranges::any_of(run.findings, [](const run::Diagnostic& d) { return d.line == 4; }));
}

TEST_F(ClangCuda, WarpsBlocksAndAtomics) {
  const auto ran = run_with_clang(R"(
__device__ int counter;
extern "C" __global__ void k(int* y) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int v = threadIdx.x;
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(&sum, v);
  __syncthreads();
  const unsigned even = __ballot_sync(~0u, threadIdx.x % 2 == 0);
  const int all = __syncthreads_count(threadIdx.x < 10);
  unsigned short s = 7;
  if (threadIdx.x == 0) {
    y[0] = sum, y[1] = even, y[2] = all, y[3] = __popc(even), y[4] = __brev(1), y[5] = __clz(255), y[6] = __ffs(8);
    y[7] = __byte_perm(0x03020100, 0x07060504, 0x6420), y[8] = __dp4a(0x01020304, 0x01010101, 5);
    y[9] = atomicCAS(&counter, 0, 9) + atomicMax(&counter, 12) + counter, y[10] = __vadd4(0x01ff0203, 0x01010101);
    y[11] = make_int4(1, 2, 3, 4).w, y[12] = __funnelshift_l(0x80000000u, 1, 1), y[13] = __float_as_int(1.0f);
    y[14] = __match_any_sync(__activemask(), 3), y[15] = blockDim.x;
  }
}
)",
                                  "kernel k\ngrid 1\nblock 64\ny: i32[16] 0\n");
  ASSERT_TRUE(ran);
  EXPECT_THAT(elements<int>(*ran, "y"), ElementsAre(2016, 0x55555555, 10, 16, static_cast<int>(0x80000000u), 24, 4,
                                                    0x06040200, 15, 21, 0x02000304, 4, 3, 0x3f800000, 1, 64));
}

// The other lanes pass a variable without a value, which is no reason to drop the condition.
TEST_F(ClangCuda, OneLaneTakesATicketForItsWarp) {
  const auto ran = run_with_clang(R"(
__device__ int take(int* counter) {
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
  int base;
  if (lane == leader) base = atomicAdd(counter, __popc(active));
  base = __shfl_sync(active, base, leader);
  return base + __popc(active & ((1u << lane) - 1));
}
extern "C" __global__ void k(int* y) {
  int row;
  if (threadIdx.x % 32 == 0) row = atomicAdd(y, 16);
  row = __shfl_sync(0xffffffffu, row, 0);
  if (threadIdx.x % 2 == 1) take(y + 1);
  if (threadIdx.x == 31) y[2] = row % 16;
}
)",
                                  "kernel k\ngrid 1\nblock 64\ny: i32[3] 0\n");
  ASSERT_TRUE(ran);
  EXPECT_THAT(elements<int>(*ran, "y"), ElementsAre(32, 32, 0));
}

// NVIDIA's documentation writes alignas() behind the qualifier, too.
TEST_F(ClangCuda, AlignasStandsAnywhere) {
  const auto ran = run_with_clang(R"(
constexpr int of_tile = 256;
#define OF_WORD 16
template <class T> struct alignas(2 * sizeof(T)) Pair { T a, b; };
struct alignas(OF_WORD) Four { float v[3]; };
extern "C" __global__ void k(int* y) {
  __shared__ char odd;
  __shared__ alignas(128) int tile[32];
  __shared__ alignas(OF_WORD) char word[4];
  alignas(of_tile) __shared__ int other[32];
  alignas(double) char local[8];
  odd = word[0] = tile[0] = other[0] = local[0] = threadIdx.x;
  y[0] = (unsigned long long)tile % 128 + (unsigned long long)word % 16 + (unsigned long long)other % 256;
  y[1] = alignof(Pair<double>), y[2] = sizeof(Four), y[3] = odd + word[0] + other[0] + local[0];
}
)",
                                  "kernel k\ngrid 1\nblock 1\ny: i32[4] 7\n");
  ASSERT_TRUE(ran);
  EXPECT_THAT(elements<int>(*ran, "y"), ElementsAre(0, 16, 16, 0));
}

TEST_F(ClangCuda, HalvesAndBfloat16) {
  const auto ran = run_with_clang(R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void k(float* y) {
  const __half2 a = __floats2half2_rn(1.5f, -2.0f), b = __float2half2_rn(0.25f);
  const __half2 c = __hfma2(a, b, a);
  y[0] = __low2float(c), y[1] = __high2float(c), y[2] = __half2float(hsqrt(__float2half(2.25f)));
  __nv_bfloat16 p = __float2bfloat16(3.0f), q = 0.5f;
  y[3] = __bfloat162float(p * q + p), y[4] = __half2float(__float2half_rz(1.0009f)), y[5] = p > q ? 1.0f : 0.0f;
  y[6] = __half2int_rd(__float2half(-1.5f)), y[7] = __half2float(__hmax(a.x, a.y));
}
)",
                                  "kernel k\ngrid 1\nblock 1\ny: f32[8] 0\n");
  ASSERT_TRUE(ran);
  EXPECT_THAT(elements<float>(*ran, "y"), ElementsAre(1.875f, -2.5f, 1.5f, 4.5f, 1.0f, 1.0f, -2.0f, 1.5f));
}

TEST_F(ClangCuda, CooperativeGroupsAndTensorCores) {
  const auto ran = run_with_clang(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>
namespace cg = cooperative_groups;
using namespace nvcuda;
extern "C" __global__ void k(float* y, float* z) {
  __shared__ __half a[256], b[256];
  for (int i = threadIdx.x; i < 256; i += 32) a[i] = i / 16 == i % 16 ? 2.0f : 0.0f, b[i] = i;
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> w;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(x, a, 16);
  wmma::load_matrix_sync(w, b, 16);
  wmma::mma_sync(sum, x, w, sum);
  wmma::store_matrix_sync(y, sum, 16, wmma::mem_row_major);
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  z[threadIdx.x] = cg::reduce(tile, (float)threadIdx.x, cg::plus<float>());
}
)",
                                  "kernel k\ngrid 1\nblock 32\ny: f32[256] 0\nz: f32[32] 0\n");
  ASSERT_TRUE(ran);
  const auto y = elements<float>(*ran, "y"), z = elements<float>(*ran, "z");
  for (int i = 0; i < 256; ++i) EXPECT_EQ(y[static_cast<std::size_t>(i)], 2.0f * static_cast<float>(i) + 1.0f) << i;
  EXPECT_EQ(z[0], 28.0f);
  EXPECT_EQ(z[31], 220.0f);
}

}  // namespace
}  // namespace warpwalk::testing
