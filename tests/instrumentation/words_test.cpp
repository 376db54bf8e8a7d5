#include <fstream>

#include <gtest/gtest.h>

#include "instrumentation/cupti_names.h"
#include "instrumentation/recording_names.h"
#include "tests/app/program.h"

namespace warpwalk::instrumentation {
namespace {

TEST(Words, FunctionsLoseTheVersionInWhichTheyCame) {
  EXPECT_EQ(strip_version_suffix("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(strip_version_suffix("cudaLaunchKernel_ptsz_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(strip_version_suffix("cudaLaunchKernelExC_v11060"), "cudaLaunchKernelExC");
  EXPECT_EQ(strip_version_suffix("cuMemcpyHtoD_v2"), "cuMemcpyHtoD_v2");
  EXPECT_EQ(strip_version_suffix("cuLaunchKernel_ptsz"), "cuLaunchKernel");
  EXPECT_EQ(strip_version_suffix(""), "");
}

TEST(Words, KernelsAsInTheSource) {
  EXPECT_EQ(demangle("_Z6vecaddPKfS0_Pfi"), "vecadd(float const*, float const*, float*, int)");
  EXPECT_EQ(demangle("triton_poi_fused_relu_0"), "triton_poi_fused_relu_0");
  EXPECT_EQ(demangle("f"), "f");  // not "float"
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangle(""), "");
}

TEST(Words, UnknownNumbersAreSaid) {
  EXPECT_EQ(copy_kind_name(1), "HtoD");
  EXPECT_EQ(copy_kind_name(77), "kind 77");
  EXPECT_EQ(overhead_kind_name(6u << 16), "Command Buffer Full");
  EXPECT_EQ(memory_kind_name(2), "Pinned");
}

TEST(Words, CuptiAndItsVersion) {
  EXPECT_EQ(cupti_version_name(130000), "CUPTI 13.0");
  EXPECT_EQ(cupti_version_name(130001), "CUPTI 13.0");
  EXPECT_EQ(cupti_version_name(130200), "CUPTI 13.2");
  EXPECT_EQ(cupti_version_name(26), "CUPTI (API 26)");
}

TEST(Names, OfFurtherProcesses) {
  EXPECT_EQ(process_output_path("/a/walk.json.gz", 12), "/a/walk.12.json.gz");
  EXPECT_EQ(process_output_path("/a/walk.json", 12), "/a/walk.12.json");
  EXPECT_EQ(process_output_path("/a/walk", 12), "/a/walk.12");
  EXPECT_EQ(process_output_path("/a.json/w.x", 12), "/a.json/w.x.12");
  EXPECT_EQ(partial_path("/a/walk.json.gz"), "/a/walk.json.gz.partial");
}

TEST(Names, PartialFilesAreFoundAndNoOthers) {
  const testing::Folder folder;
  for (const char* const name :
       {"walk.json.gz.partial", "walk.7.json.gz.partial", "walk.31.json.gz.partial", "walk.json.gz", "walk.7.json.gz",
        "walk.x.json.gz.partial", "walk2.json.gz.partial", "walk..json.gz.partial", "walk.7.json.partial", "other"})
    folder.file(name, "");
  std::vector<std::string> found;
  for (const Partial& partial : find_partials(folder.path() / "walk.json.gz"))
    found.push_back(partial.file.filename().string() + " " + partial.output.filename().string());
  EXPECT_EQ(found,
            (std::vector<std::string>{"walk.json.gz.partial walk.json.gz", "walk.31.json.gz.partial walk.31.json.gz",
                                      "walk.7.json.gz.partial walk.7.json.gz"}));
  EXPECT_TRUE(find_partials(folder.path() / "missing.json.gz").empty());
  EXPECT_TRUE(find_partials(folder.path() / "no" / "folder.json").empty());
}

}  // namespace
}  // namespace warpwalk::instrumentation
