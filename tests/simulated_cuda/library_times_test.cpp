#include "instrumentation/simulated/engine/library_times.h"

#include <string>

#include <gtest/gtest.h>

namespace warpwalk::simulated {
namespace {

TEST(SimulatedLibraryTimes, ARowIsTheTimeOfACall) {
  const LibraryTimes times = LibraryTimes::parse(
      "# NVIDIA H200; cuBLAS 13.1.0; cuDNN 9.19.0\n"
      "call,ns,kernel\n"
      "cublas gemm f16 tn 1024 512 256 1,4321,\"nvjet_hsh_128x64<1, 2>\"\n"
      "cudnn convolution_forward f32,99,plain\n"
      "other call,7,\"k\"");
  const LibraryTime* const gemm = times.find("cublas gemm f16 tn 1024 512 256 1");
  ASSERT_NE(gemm, nullptr);
  EXPECT_EQ(gemm->ns, 4321);
  EXPECT_EQ(gemm->source, "measured on an NVIDIA H200 with cuBLAS 13.1.0, kernel nvjet_hsh_128x64<1, 2>");
  ASSERT_NE(times.find("cudnn convolution_forward f32"), nullptr);
  EXPECT_EQ(times.find("cudnn convolution_forward f32")->source,
            "measured on an NVIDIA H200 with cuDNN 9.19.0, kernel plain");
  ASSERT_NE(times.find("other call"), nullptr);
  EXPECT_EQ(times.find("other call")->source, "measured on an NVIDIA H200, kernel k");
  EXPECT_EQ(times.find("cublas gemm f16 tn 1024 512 256 2"), nullptr);
  EXPECT_EQ(times.find(""), nullptr);
}

TEST(SimulatedLibraryTimes, DamagedRowsAreLeftOut) {
  EXPECT_EQ(LibraryTimes::parse("a,5,\"k\"\n").find("a"), nullptr) << "no first line";
  const LibraryTimes times =
      LibraryTimes::parse("# G\ncall,ns,kernel\na\nb,\nc,x,\"k\"\nd,0,\"k\"\ne,5\nf,6,\"\n,3,\"k\"\n");
  for (const std::string call : {"a", "b", "c", "d", "call", ""}) EXPECT_EQ(times.find(call), nullptr) << call;
  ASSERT_NE(times.find("e"), nullptr);
  EXPECT_EQ(times.find("e")->ns, 5);
  EXPECT_NE(times.find("f"), nullptr);
}

TEST(SimulatedLibraryTimes, AGpuWithoutAFileHasNone) {
  EXPECT_EQ(LibraryTimes::of_device("/nowhere/devices/h200.json").find("cublas gemm"), nullptr);
}

}  // namespace
}  // namespace warpwalk::simulated
