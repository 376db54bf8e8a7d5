// The layouts of Triton's tensors against runs on the simulated GPU, and layouts that contradict the run.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

// Entries of Triton 3.6's cache for sm_90: x + y with 256 elements per block, and a matrix product of tiles of
// 64 x 64 x 32 with three stages of cp.async and wgmma.
const std::filesystem::path entries = WARPWALK_SOURCE_DIR "/tests/compiled/data";

const std::vector<std::string> add_launch = {
    "--grid",       "4",     "--arg",           "x_ptr=1000 iota", "--arg",
    "y_ptr=1000 2", "--arg", "output_ptr=1000", "--arg",           "n_elements=1000"};
const std::vector<std::string> matmul_launch = {
    "--grid",      "2x2",          "--arg", "a_ptr=12288",   "--arg", "b_ptr=12288",  "--arg",
    "c_ptr=16384", "--arg",        "M=128", "--arg",         "N=128", "--arg",        "K=96",
    "--arg",       "stride_am=96", "--arg", "stride_bk=128", "--arg", "stride_cm=128"};

Outcome with_layouts(const std::filesystem::path& entry, const std::vector<std::string>& launch) {
  std::vector<std::string> arguments = {"simulate", entry.string()};
  arguments.insert(arguments.end(), launch.begin(), launch.end());
  arguments.insert(arguments.end(), {"--cycles", "off", "--layouts", "--lines", "--json", "-"});
  return run(arguments);
}

/// The layouts of a value in the report.
std::vector<const rapidjson::Value*> layouts_of(const rapidjson::Document& report, std::string_view value) {
  std::vector<const rapidjson::Value*> found;
  for (const auto& one : report["layouts"].GetArray())
    if (one["value"].GetString() == value) found.push_back(&one);
  return found;
}

void expect_checked(const rapidjson::Document& report, std::string_view value, std::string_view what,
                    std::uint64_t places) {
  const auto found = layouts_of(report, value);
  ASSERT_FALSE(found.empty()) << value;
  for (const rapidjson::Value* const one : found) {
    EXPECT_TRUE((*one)["checked"].GetBool()) << value;
    EXPECT_EQ((*one)["places_compared"].GetUint64(), places) << value;
    EXPECT_EQ((*one)["places_equal"].GetUint64(), places) << value;
    EXPECT_EQ((*one)["compared"].GetString(), what) << value;
  }
}

TEST(SimulatedLayouts, HoldForLoadsAndStores) {
  const Outcome outcome = with_layouts(entries / "add_kernel", add_launch);
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document report = parsed_json(outcome.out);
  for (const char* const value : {"%x_5", "%y_7", "%1"}) expect_checked(report, value, "global addresses", 1000);
  EXPECT_EQ((*layouts_of(report, "%x_5")[0])["places_masked"].GetUint64(), 24U);
  EXPECT_EQ((*layouts_of(report, "%x_5")[0])["line"].GetUint64(), 12U);
}

TEST(SimulatedLayouts, HoldForCopiesAndProducts) {
  const Outcome outcome = with_layouts(entries / "matmul_kernel", matmul_launch);
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document report = parsed_json(outcome.out);
  expect_checked(report, "%a_31", "global addresses", 4 * 64 * 32);
  expect_checked(report, "%b_43", "global addresses", 4 * 32 * 64);
  expect_checked(report, "%a_33", "shared addresses", 4 * 64 * 32);
  expect_checked(report, "%b_45", "shared addresses", 4 * 32 * 64);
  expect_checked(report, "%9", "global addresses", 4 * 64 * 64);
  expect_checked(report, "%total_92", "values in registers", 4 * 3 * 64 * 64);
  // All FLOPs are those of wgmma, counted from its shapes.
  std::uint64_t flops = 0;
  for (const auto& line : report["lines"].GetArray()) flops += line["flops"].GetUint64();
  EXPECT_EQ(flops, 2U * 128 * 128 * 96);
  const rapidjson::Value& banks = (*layouts_of(report, "%a_33")[0])["bank_conflicts"];
  EXPECT_EQ(banks["wavefronts"].GetUint64(), banks["predicted_wavefronts"].GetUint64());
  EXPECT_EQ(banks["conflicts"].GetUint64(), 0U);
  EXPECT_STREQ((*layouts_of(report, "%a_90")[0])["not_checked"].GetString(), "the tensor cores read it without lanes");
}

TEST(SimulatedLayouts, AWrongLayoutContradictsTheRun) {
  const Folder folder;
  const std::filesystem::path entry = std::filesystem::path(folder.path()) / "entry";
  std::filesystem::copy(entries / "matmul_kernel", entry);
  const std::filesystem::path file = entry / "matmul_kernel.ttgir";
  const auto with = [&](std::string_view right, std::string_view wrong) {
    std::string text = text_of(entries / "matmul_kernel" / "matmul_kernel.ttgir");
    const std::size_t at = text.find(right);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, right.size(), wrong);
    std::ofstream(file) << text;
    return with_layouts(entry, matmul_launch).out;
  };
  const auto differs = [](const std::string& out, std::string_view value) {
    const rapidjson::Document report = parsed_json(out);
    const rapidjson::Value& one = *layouts_of(report, value).at(0);
    return one["places_equal"].GetUint64() < one["places_compared"].GetUint64() / 2;
  };
  EXPECT_TRUE(differs(with("threadsPerWarp = [8, 4]", "threadsPerWarp = [4, 8]"), "%a_31"));
  EXPECT_TRUE(differs(with("swizzlingByteWidth = 64", "swizzlingByteWidth = 32"), "%a_33"));
  EXPECT_TRUE(differs(with("#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], "
                           "instrShape = [16, 64, 16]}>",
                           "#mma = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = "
                           "[4, 1], order = [1, 0]}>"),
                      "%total_92"));
}

TEST(SimulatedLayouts, WithoutARunSayWhy) {
  const Outcome outcome =
      run({"info", (entries / "matmul_kernel" / "matmul_kernel.json").string(), "--layouts", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const rapidjson::Document report = parsed_json(outcome.out);
  const rapidjson::Value& layout = report["compiled"][0]["layouts"][0];
  EXPECT_FALSE(layout["checked"].GetBool());
  EXPECT_STREQ(layout["not_checked"].GetString(), "without a run; warpwalk simulate --layouts runs it");
  EXPECT_EQ(layout["bases"]["offset"].Size(), 11U);
}

TEST(SimulatedLayouts, OneLineForWhatIsWrong) {
  const Outcome outcome =
      run({"simulate", WARPWALK_SOURCE_DIR "/tests/exec/cubins/vecadd.cubin", "--grid", "1", "--block", "32", "--arg",
           "p0=f32[64]", "--arg", "p1=f32[64]", "--arg", "p2=f32[64]", "--arg", "p3=i32 32", "--layouts"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.error, HasSubstr("it is not an entry of Triton's cache"));
}

}  // namespace
}  // namespace warpwalk::testing
