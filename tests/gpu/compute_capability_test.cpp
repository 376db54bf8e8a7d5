// Features by compute capability against what ptxas accepts (ptx_features.csv, made by ptx_features.py), and the rules
// of compatibility against the examples of the CUDA C++ Programming Guide.
#include "core/gpu/device/compute_capability.h"

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

TEST(ComputeCapability, HasTheFeaturesThatPtxasAccepts) {
  std::ifstream in(std::string(WARPWALK_SOURCE_DIR) + "/tests/gpu/ptx_features.csv");
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> targets = fields_of(line);
  std::map<std::string, std::map<int, bool>> accepted;  // by feature and capability, for any of its targets
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = fields_of(line);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const auto target = parse_target(targets[i]);
      ASSERT_TRUE(target) << targets[i];
      accepted[fields[0]][target->number] |= fields[i] == "1";
    }
  }
  ASSERT_EQ(accepted.size(), gated_features().size());
  for (const GatedFeature& feature : gated_features())
    for (const auto& [capability, wanted] : accepted.at(std::string(feature.key)))
      EXPECT_EQ(has_feature(feature, capability), wanted) << feature.key << " " << capability;
}

CodeTarget target(std::string_view text) {
  const auto parsed = parse_target(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(CodeTarget{});
}

TEST(ComputeCapability, MachineCodeRunsOnTheSameMajorNumber) {
  EXPECT_TRUE(cubin_runs_on(target("sm_80"), 80));
  EXPECT_TRUE(cubin_runs_on(target("sm_80"), 86));
  EXPECT_TRUE(cubin_runs_on(target("sm_86"), 89));
  EXPECT_FALSE(cubin_runs_on(target("sm_86"), 80));
  EXPECT_FALSE(cubin_runs_on(target("sm_80"), 90));
  EXPECT_FALSE(cubin_runs_on(target("sm_100"), 120));
  EXPECT_FALSE(cubin_runs_on(target("sm_90a"), 100));
  EXPECT_TRUE(cubin_runs_on(target("sm_100f"), 103));
  EXPECT_FALSE(cubin_runs_on(target("sm_100a"), 103));
}

TEST(ComputeCapability, PtxRunsOnLaterGpus) {
  EXPECT_TRUE(ptx_runs_on(target("sm_75"), 120));
  EXPECT_TRUE(ptx_runs_on(target("sm_90"), 90));
  EXPECT_FALSE(ptx_runs_on(target("sm_90"), 89));
  EXPECT_TRUE(ptx_runs_on(target("sm_90a"), 90));
  EXPECT_FALSE(ptx_runs_on(target("sm_90a"), 100));
  EXPECT_TRUE(ptx_runs_on(target("sm_100f"), 103));
  EXPECT_FALSE(ptx_runs_on(target("sm_100f"), 120));
}

TEST(ComputeCapability, TargetsAreParsedAndWritten) {
  for (const char* const text : {"sm_75", "sm_90a", "sm_100f", "sm_120"}) EXPECT_EQ(target(text).text(), text);
  for (const char* const text : {"", "sm_", "sm_9", "90", "sm_90b", "sm_90aa", "compute_90", "sm_-90"})
    EXPECT_FALSE(parse_target(text)) << text;
}

}  // namespace
}  // namespace warpwalk::gpu
