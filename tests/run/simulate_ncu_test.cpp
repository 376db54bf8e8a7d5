// `simulate --ncu` with the real program: a launch file beside a report of four launches that Nsight Compute measured
// on an H200.
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"
#include "tests/run/kernels.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

const std::string ncu_report = std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/ncu/four_kernels.ncu-rep.gz";

// A launch of one block of a kernel of this name: the hand-written vecadd.
std::string launch_of_one_block(const Folder& folder, std::string_view name) {
  constexpr std::string_view old = "vecadd";
  std::string ptx(vecadd_ptx);
  for (std::size_t at = 0; (at = ptx.find(old, at)) != std::string::npos; at += name.size())
    ptx.replace(at, old.size(), name);
  folder.file("k.ptx", ptx);
  return folder.file("launch.json", R"({"kernel": ")" + std::string(name) +
                                        R"(", "ptx": "k.ptx", "grid": [1, 1, 1], "block": [256, 1, 1],
    "args": [{"buffer": "a", "dtype": "f32", "count": 256, "fill": 1},
             {"buffer": "b", "dtype": "f32", "count": 256, "fill": 2},
             {"buffer": "c", "dtype": "f32", "count": 256}, {"scalar": 256, "dtype": "i32"}]})");
}

TEST(SimulateNcu, PutsTheMeasuredFiguresBesideTheSimulatedOnes) {
  const Folder folder;
  const std::string json_file = folder.at("out.json");
  const Outcome outcome =
      run({"simulate", launch_of_one_block(folder, "saxpy"), "--ncu", ncu_report, "--json", json_file});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out,
              HasSubstr("beside launch 1 of four_kernels.ncu-rep.gz (Nsight Compute 2025.3.1.0, NVIDIA H200)"));
  const rapidjson::Document json = parsed_json(text_of(json_file));
  ASSERT_TRUE(json.HasMember("measured_by"));
  EXPECT_STREQ(json["measured_by"]["gpu"].GetString(), "NVIDIA H200");
  EXPECT_EQ(json["measured_by"]["launch"].GetInt(), 1);
  std::string notes;
  for (const rapidjson::Value& note : json["measured_by"]["notes"].GetArray()) notes += note.GetString();
  EXPECT_THAT(notes, HasSubstr("grid")) << "one block is not what was measured";
  bool has_cycles = false;
  for (const rapidjson::Value& row : json["measured"].GetArray()) {
    const double measured = row["measured"].GetDouble(), simulated = row["simulated"].GetDouble();
    if (measured > 0) {
      EXPECT_NEAR(row["ratio"].GetDouble(), simulated / measured, 1e-3 * (1 + simulated / measured));
    }
    if (std::string_view(row["name"].GetString()) == "warp_instructions") {
      EXPECT_LT(simulated, measured) << "8 warps, where the measured launch has thousands";
    }
    has_cycles |= std::string_view(row["name"].GetString()) == "cycles";
  }
  EXPECT_TRUE(has_cycles);
}

TEST(SimulateNcu, RefusesWhatItCannotCompareInOneLine) {
  const Folder folder;
  const std::string other = launch_of_one_block(folder, "other");
  struct Case {
    std::vector<std::string> arguments;
    const char* words;
  };
  const Case cases[] = {
      {{other, "--ncu", ncu_report}, "no launch of other, but of saxpy, strided, sums"},
      {{other, "--ncu", ncu_report, "--ncu-launch", "5"}, "the report has 4 launches"},
      {{other, "--ncu", folder.at("none.ncu-rep")}, "none.ncu-rep"},
      {{other, "--ncu", folder.file("bad.ncu-rep", "NVR\0 no report")}, "bad.ncu-rep"},
      {{other, "--ncu-launch", "2"}, "--ncu"},
  };
  for (const Case& one : cases) {
    std::vector<std::string> arguments = {"simulate"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << one.words;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr(one.words));
    EXPECT_EQ(outcome.out, "");
  }
}

// Which launch of the report is told, whatever its kernel.
TEST(SimulateNcu, TakesTheLaunchThatIsAskedFor) {
  const Folder folder;
  const Outcome outcome =
      run({"simulate", launch_of_one_block(folder, "other"), "--ncu", ncu_report, "--ncu-launch", "3"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("beside launch 3 of four_kernels.ncu-rep.gz"));
}

}  // namespace
}  // namespace warpwalk::testing
