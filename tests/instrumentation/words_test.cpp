#include <fstream>

#include <gtest/gtest.h>

#include "instrumentation/cupti_words.h"
#include "instrumentation/recording_names.h"
#include "tests/app/program.h"

namespace warpwalk::recording {
namespace {

TEST(Words, FunctionsLoseTheVersionInWhichTheyCame) {
  EXPECT_EQ(function_name("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(function_name("cudaLaunchKernel_ptsz_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(function_name("cudaLaunchKernelExC_v11060"), "cudaLaunchKernelExC");
  EXPECT_EQ(function_name("cuMemcpyHtoD_v2"), "cuMemcpyHtoD_v2");
  EXPECT_EQ(function_name("cuLaunchKernel_ptsz"), "cuLaunchKernel");
  EXPECT_EQ(function_name(""), "");
}

TEST(Words, KernelsAsInTheSource) {
  EXPECT_EQ(demangled("_Z6vecaddPKfS0_Pfi"), "vecadd(float const*, float const*, float*, int)");
  EXPECT_EQ(demangled("triton_poi_fused_relu_0"), "triton_poi_fused_relu_0");
  EXPECT_EQ(demangled("f"), "f");  // not "float"
  EXPECT_EQ(demangled("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangled(""), "");
}

TEST(Words, UnknownNumbersAreSaid) {
  EXPECT_EQ(copy_words(1), "HtoD");
  EXPECT_EQ(copy_words(77), "kind 77");
  EXPECT_EQ(overhead_words(6u << 16), "Command Buffer Full");
  EXPECT_EQ(memory_words(2), "Pinned");
}

TEST(Words, CuptiAndItsVersion) {
  EXPECT_EQ(cupti_words(130000), "CUPTI 13.0");
  EXPECT_EQ(cupti_words(130001), "CUPTI 13.0");
  EXPECT_EQ(cupti_words(130200), "CUPTI 13.2");
  EXPECT_EQ(cupti_words(26), "CUPTI (API 26)");
}

TEST(Names, OfFurtherProcesses) {
  EXPECT_EQ(output_of_process("/a/walk.json.gz", 12), "/a/walk.12.json.gz");
  EXPECT_EQ(output_of_process("/a/walk.json", 12), "/a/walk.12.json");
  EXPECT_EQ(output_of_process("/a/walk", 12), "/a/walk.12");
  EXPECT_EQ(output_of_process("/a.json/w.x", 12), "/a.json/w.x.12");
  EXPECT_EQ(partial_of("/a/walk.json.gz"), "/a/walk.json.gz.partial");
}

TEST(Names, PartialFilesAreFoundAndNoOthers) {
  const testing::Folder folder;
  for (const char* const name :
       {"walk.json.gz.partial", "walk.7.json.gz.partial", "walk.31.json.gz.partial", "walk.json.gz", "walk.7.json.gz",
        "walk.x.json.gz.partial", "walk2.json.gz.partial", "walk..json.gz.partial", "walk.7.json.partial", "other"})
    folder.file(name, "");
  std::vector<std::string> found;
  for (const Partial& partial : partials_of(folder.path() / "walk.json.gz"))
    found.push_back(partial.file.filename().string() + " " + partial.output.filename().string());
  EXPECT_EQ(found,
            (std::vector<std::string>{"walk.json.gz.partial walk.json.gz", "walk.31.json.gz.partial walk.31.json.gz",
                                      "walk.7.json.gz.partial walk.7.json.gz"}));
  EXPECT_TRUE(partials_of(folder.path() / "missing.json.gz").empty());
  EXPECT_TRUE(partials_of(folder.path() / "no" / "folder.json").empty());
}

}  // namespace
}  // namespace warpwalk::recording
