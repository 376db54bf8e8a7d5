// `warpwalk compile` of a whole CUDA program, linked with a fake libcudart.
#include <fstream>

#include <gtest/gtest.h>

#include "core/platform/child_program.h"
#include "core/platform/temporary_folder.h"
#include "tests/run/cuda_header/clang_run.h"

namespace warpwalk::testing {
namespace {

class WholeProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!clang_is_installed()) GTEST_SKIP() << "clang with the NVPTX back end is not installed";
    setenv("WARPWALK_ASSETS", WARPWALK_SOURCE_DIR "/assets", 1);
    setenv("WARPWALK_CUDART", WARPWALK_FAKE_CUDART, 1);
  }
  platform::ChildRun run(std::vector<std::string> words) {
    const auto ran = platform::run_child(std::move(words));
    return ran ? *ran : platform::ChildRun{"not started", -1, 0, true, false};
  }
  std::string file(const char* name, const char* text) {
    const std::string path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  const platform::TemporaryFolder folder_;
};

TEST_F(WholeProgram, RegistersAndLaunches) {
  const std::string source = file("p.cu", R"(
#include <cstdio>
#include <vector>
#include "count.h"
__constant__ float table[4];
__device__ int counter;
extern "C" __global__ void triple(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 3 * p[i] + (int)table[i & 3] + counter;
}
int main() {
  std::vector<float> t(4, 1.0f);
  int* p = nullptr;
  if (cudaMalloc(&p, 40) != cudaSuccess) return 3;
  cudaMemcpyToSymbol(table, t.data(), sizeof table);
  triple<<<dim3(2, 3), 64, 128>>>(p, count());
  return cudaDeviceSynchronize() == cudaSuccess ? SUCCESS : 4;
}
)");
  file("count.h", "int count();\n");
  const std::string other = file("count.cpp", "int count() { return 10; }\n");
  const std::string program = folder_.path() / "p";
  const auto compiled = run({WARPWALK_PROGRAM, "compile", source, other, "-o", program, "-DSUCCESS=0", "-O1"});
  ASSERT_TRUE(compiled.good()) << compiled.output;
  const auto ran = run({program});
  EXPECT_EQ(ran.exit_status, 0);
  EXPECT_EQ(ran.output,
            "fat binary 466243b1 version 1: PTX, with the kernel\n"
            "variable table: 16 bytes, constant\n"
            "variable counter: 4 bytes\n"
            "end\n"
            "to symbol: 16 bytes, kind 1\n"
            "triple<<<2 x 3, 64, 128>>> 10\n");
}

// Programs rely on what NVIDIA's <cuda_runtime.h> includes.
TEST_F(WholeProgram, HasTheHeadersThatNvidiasHeaderIncludes) {
  const std::string source = file("p.cu", R"(
#include <cuda.h>
#include <cudaTypedefs.h>
#include <nvtx3/nvToolsExt.h>
int main() {
  nvtxRangePushA("all");
  char* const text = (char*)malloc(8);
  strcpy(text, "no GPU");
  CUtensorMap map;
  memset(&map, 0, sizeof map);
  PFN_cuTensorMapEncodeTiled encode = nullptr;
  printf("%s %g %d %g %zu %d %d\n", text, fabs(-2.5), min(3, 4), max(0.5, 1.5), sizeof map, encode != nullptr,
         (int)CUDA_ERROR_NOT_FOUND);
  free(text);
  nvtxRangePop();
  return EXIT_SUCCESS;
}
)");
  const std::string program = folder_.path() / "p";
  const auto compiled = run({WARPWALK_PROGRAM, "compile", source, "-o", program});
  ASSERT_TRUE(compiled.good()) << compiled.output;
  const auto ran = run({program});
  EXPECT_EQ(ran.exit_status, 0);
  EXPECT_NE(ran.output.find("no GPU 2.5 3 1.5 128 0 500\n"), std::string::npos) << ran.output;
}

TEST_F(WholeProgram, ErrorsAreThoseOfTheCompiler) {
  const std::string source = file("p.cu", "int main() { return wrong; }\n");
  const auto compiled = run({WARPWALK_PROGRAM, "compile", source, "-o", (folder_.path() / "p").string()});
  EXPECT_EQ(compiled.exit_status, 2);
  EXPECT_NE(compiled.output.find("p.cu:1:21: error: use of undeclared identifier 'wrong'"), std::string::npos)
      << compiled.output;
  const auto missing = run({WARPWALK_PROGRAM, "compile", "no.cu", "-o", "p"});
  EXPECT_EQ(missing.exit_status, 2);
  EXPECT_NE(missing.output.find("no.cu: is not there"), std::string::npos) << missing.output;
}

}  // namespace
}  // namespace warpwalk::testing
