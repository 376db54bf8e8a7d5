// Tests `simulate` and the Kernel lab with compiled kernels: a cubin, an entry of Triton's cache.
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/run/kernel_lab/compiled_launch.h"
#include "core/run/kernel_lab/launch_text.h"
#include "core/run/kernel_lab/source_file.h"
#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Triton 3.6's tutorial kernel, for sm_90: x + y, four warps, 256 elements per block.
const std::filesystem::path entry = WARPWALK_SOURCE_DIR "/tests/compiled/data/add_kernel";
const std::filesystem::path plain = WARPWALK_SOURCE_DIR "/tests/exec/cubins/vecadd.cubin";

TEST(CompiledLaunch, HasWhatTheFilesSay) {
  const run::GivenLaunch given = {
      {}, "4", {}, {{"x_ptr", "1000 iota"}, {"y_ptr", "1000"}, {"output_ptr", "f32[1000]"}, {"n_elements", "1000"}}};
  for (const char* const file : {"add_kernel.cubin", "add_kernel.ptx", "add_kernel.json", ""}) {
    const auto launch = run::launch_of_compiled(entry / file, given);
    ASSERT_TRUE(launch) << launch.error();
    EXPECT_EQ(launch->text,
              "kernel add_kernel\ngrid 4\nblock 128 x 1 x 1\nx_ptr: f32[1000] iota\ny_ptr: f32[1000] random 2\n"
              "output_ptr: f32[1000]\nn_elements: i32 1000\nglobal_scratch: u64 0\nprofile_scratch: u64 0\n");
    EXPECT_THAT(launch->missing, ElementsAre());
  }
  EXPECT_FALSE(run::is_compiled_kernel(entry.parent_path()));
}

TEST(CompiledLaunch, AsksForWhatIsMissing) {
  const auto launch = run::launch_of_compiled(entry, {{}, {}, {}, {{"n_elements", "1000"}}});
  ASSERT_TRUE(launch) << launch.error();
  EXPECT_THAT(launch->missing, ElementsAre("--grid BLOCKS", "--arg x_ptr=ELEMENTS (f32)", "--arg y_ptr=ELEMENTS (f32)",
                                           "--arg output_ptr=ELEMENTS (f32)"));
  const auto unknown = run::launch_of_compiled(entry, {{}, {}, {}, {{"n", "1000"}}});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error(), HasSubstr("no such parameter; it has x_ptr, y_ptr, output_ptr, n_elements"));
  const auto bare = run::launch_of_compiled(plain, {});
  ASSERT_TRUE(bare) << bare.error();
  EXPECT_THAT(bare->missing, ElementsAre("--grid BLOCKS", "--block THREADS", "--arg p0=f32[ELEMENTS]",
                                         "--arg p1=f32[ELEMENTS]", "--arg p2=f32[ELEMENTS]", "--arg p3=i32 NUMBER"));
}

TEST(CompiledLaunch, OpensInTheKernelLab) {
  ASSERT_TRUE(run::is_for_lab(entry / "add_kernel.cubin"));
  const auto draft = run::open_source_file(entry / "add_kernel.cubin");
  ASSERT_TRUE(draft) << draft.error();
  EXPECT_EQ(draft->name, "add_kernel");
  EXPECT_TRUE(draft->uses_precompiled());
  EXPECT_FALSE(draft->precompiled.cubin.empty());
  EXPECT_THAT(draft->launch, HasSubstr("x_ptr: f32[65536] random 1\n"));
  EXPECT_TRUE(std::holds_alternative<run::LaunchText>(run::parse_launch_text(draft->launch)));
  const auto without_ptx = run::open_source_file(plain);
  ASSERT_FALSE(without_ptx);
  EXPECT_THAT(without_ptx.error(), HasSubstr("the Kernel lab shows PTX, and vecadd.ptx is not there"));
}

// What tl.max and tl.sum do counts to the lines that call them; all lines together are the launch.
TEST(SimulateCompiled, LinesOfPythonHaveTheCostsOfInlinedFunctions) {
  const Outcome outcome = run({"simulate", entry.parent_path() / "softmax_kernel", "--grid", "2", "--arg",
                               "output_ptr=1024", "--arg", "input_ptr=1024", "--arg", "input_row_stride=512", "--arg",
                               "output_row_stride=512", "--arg", "n_rows=2", "--arg", "n_cols=500", "--lines"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  std::map<std::string, std::uint64_t> instructions;
  std::uint64_t sum = 0;
  std::istringstream lines(outcome.out.substr(outcome.out.find("lines of Python")));
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 70 || line.find_first_of("0123456789", 54) == std::string::npos) continue;
    std::string count = line.substr(54, 14);
    std::erase_if(count, [](char c) { return c == ' ' || c == ','; });
    if (count.empty() || count.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string name = line.substr(0, line.find("  ", 6));
    name.erase(0, name.find_first_not_of(' '));
    instructions[name] = std::stoull(count);
    if (line.find("inlined") == std::string::npos) sum += std::stoull(count);
  }
  EXPECT_THAT(outcome.out, HasSubstr("tl.max, inlined: "));
  EXPECT_THAT(outcome.out, HasSubstr("tl.sum, inlined: "));
  EXPECT_TRUE(instructions.contains("zoo.py:23")) << outcome.out;
  const std::string report = outcome.out.substr(outcome.out.find("warp instructions"));
  std::string whole = report.substr(18, report.find('(') - 18);
  std::erase_if(whole, [](char c) { return c == ' ' || c == ','; });
  EXPECT_EQ(std::to_string(sum), whole);
  EXPECT_EQ(run({"simulate", plain, "--grid", "1", "--lines"}).status, 2);
}

// Machine code and PTX have the same lines. What lies in Triton's library counts to the kernel's line, also in
// findings.
TEST(SimulateCompiled, LinesSurviveInliningInBothCodes) {
  for (const char* const code : {"sass", "ptx"}) {
    const Outcome outcome = run({"simulate", entry.parent_path() / "softmax_kernel",
                                 "--grid",   "1",
                                 "--arg",    "output_ptr=512",
                                 "--arg",    "input_ptr=512",
                                 "--arg",    "input_row_stride=512",
                                 "--arg",    "output_row_stride=512",
                                 "--arg",    "n_rows=1",
                                 "--arg",    "n_cols=512",
                                 "--code",   code,
                                 "--lines",  "--json",
                                 "-"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const rapidjson::Document report = parsed_json(outcome.out);
    std::map<std::uint64_t, std::uint64_t> flops, called;
    for (const auto& line : report["lines"].GetArray()) {
      if (line["line"].IsNull()) continue;
      flops[line["line"].GetUint64()] += line["flops"].GetUint64();
      for (const auto& part : line["inlined"].GetArray())
        if (part["function"] == "tl.sum") called[line["line"].GetUint64()] += part["flops"].GetUint64();
    }
    EXPECT_EQ(flops[20], 0U) << code;          // the load
    EXPECT_EQ(flops[21], 512U) << code;        // values - max
    EXPECT_GE(called[23], 511U) << code;       // the sum
    EXPECT_GE(flops[23], called[23]) << code;  // and the division
  }
}

TEST(SimulateCompiled, RunsFromTheMetadata) {
  Folder folder;
  const std::string values = folder.path() / "values";
  const Outcome outcome =
      run({"simulate", entry / "add_kernel.cubin", "--grid", "4", "--arg", "x_ptr=1000 iota", "--arg", "y_ptr=1000 2",
           "--arg", "output_ptr=1000", "--arg", "n_elements=1000", "--values", values, "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document report = parsed_json(outcome.out);
  EXPECT_STREQ(report["code"].GetString(), "sass sm_90 from cubin");
  const std::string bytes = text_of(std::filesystem::path(values) / "output_ptr.bin");
  ASSERT_EQ(bytes.size(), 4000U);
  for (int i = 0; i < 1000; ++i) {
    float sum = 0;
    std::memcpy(&sum, bytes.data() + 4 * i, sizeof sum);
    ASSERT_EQ(sum, static_cast<float>(i) + 2) << i;
  }
}

// Row sums of a tile that the tensor memory accelerator copies with a descriptor that the kernel makes itself.
TEST(SimulateCompiled, RunsWithADescriptorMadeInTheKernel) {
  for (const char* const code : {"sass", "ptx"}) {
    Folder folder;
    const std::string values = folder.path() / "values";
    const Outcome outcome = run({"simulate", entry.parent_path() / "desc_kernel", "--grid", "4", "--arg",
                                 "x_ptr=8192 iota", "--arg", "out_ptr=128 0", "--arg", "M=128", "--arg", "N=64",
                                 "--code", code, "--cycles", "off", "--sanitize", "--values", values});
    ASSERT_EQ(outcome.status, 0) << code << ": " << outcome.out << outcome.error;
    const std::string bytes = text_of(std::filesystem::path(values) / "out_ptr.bin");
    ASSERT_EQ(bytes.size(), 512U);
    for (int row = 0; row < 128; ++row) {
      float sum = 0;
      std::memcpy(&sum, bytes.data() + 4 * row, sizeof sum);
      ASSERT_EQ(sum, static_cast<float>(64 * 64 * row + 2016)) << code << ", row " << row;
    }
  }
}

TEST(SimulateCompiled, OneLineForWhatIsWrong) {
  const auto refused = [](std::vector<std::string> arguments, std::string_view message) {
    arguments.insert(arguments.begin(), "simulate");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.error, HasSubstr(std::string(message)));
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  };
  refused({entry}, "the file does not say it all; add --grid BLOCKS --arg x_ptr=ELEMENTS (f32)");
  refused({entry, "--grid", "none"}, "--grid none: write a number of blocks");
  refused({entry, "--grid", "4", "--arg", "x_ptr"}, "x_ptr: write NAME=VALUE");
  refused({entry, "--grid", "4", "--arg", "x_ptr=7 nothing", "--arg", "y_ptr=7", "--arg", "output_ptr=7", "--arg",
           "n_elements=7"},
          "nothing");
  refused({WARPWALK_SOURCE_DIR "/tests/trace/data/none.json", "--grid", "4"}, "are for compiled kernels");
}

}  // namespace
}  // namespace warpwalk::testing
