// Runs all of tests/cases (kernels with a GPU's outputs) and tests/bugs (kernels with one planted bug each, and correct
// kernels that look buggy) on the simulated GPU.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"
#include "tests/run/plain_name.h"
#include "tests/run/planted_bug.h"

namespace warpwalk::run {
namespace {

const std::filesystem::path tests_folder = WARPWALK_SOURCE_DIR "/tests";

/// The sorted names of the folders below `folder` that have a launch file.
std::vector<std::string> names_in(std::string_view folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(tests_folder / folder, ignored))
    if (std::filesystem::exists(entry.path() / "launch.json")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

gpu::Device h200() {
  auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  EXPECT_TRUE(device) << device.error();
  return *std::move(device);
}

struct Ran {
  LoadedLaunch loaded;
  LaunchResult result;
  std::string text;  ///< the report, or the error if there is none
  bool done = false;

  std::vector<std::vector<std::uint8_t>> buffers() const {
    std::vector<std::vector<std::uint8_t>> bytes;
    for (const gpu::Buffer& buffer : loaded.launch.buffers) bytes.push_back(buffer.bytes);
    return bytes;
  }
};

Ran ran(const std::filesystem::path& folder, int threads, bool sanitize) {
  const gpu::Device device = h200();
  Ran out;
  auto loaded = load_launch(folder / "launch.json", device);
  if (!loaded) {
    out.text = loaded.error();
    return out;
  }
  out.loaded = std::move(*loaded);
  gpu::SimulateOptions options;
  options.threads = threads;
  options.sanitize = sanitize;
  auto result = run_launch(device, out.loaded, options);
  if (!result) {
    out.text = result.error();
    return out;
  }
  out.result = std::move(*result);
  out.text = report_text(device, out.loaded, out.result);
  out.done = true;
  return out;
}

class Case : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gpu, Case, ::testing::ValuesIn(names_in("cases")), testing::plain_name);

TEST_P(Case, GivesWhatTheGpuGave) {
  const Ran one = ran(tests_folder / "cases" / GetParam(), 1, false);
  ASSERT_TRUE(one.done) << one.text;
  EXPECT_FALSE(one.result.outputs.empty()) << "nothing is expected of it";
  EXPECT_TRUE(one.result.good()) << one.text;
  // The sanitizer reports nothing, and neither it nor the number of threads changes the results.
  const Ran several = ran(tests_folder / "cases" / GetParam(), 3, true);
  ASSERT_TRUE(several.done) << several.text;
  EXPECT_TRUE(several.result.good()) << several.text;
  EXPECT_EQ(one.buffers(), several.buffers());
  const auto one_counted = report_counters(one.result.simulation.counters, false);
  const auto several_counted = report_counters(several.result.simulation.counters, false);
  for (std::size_t i = 0; i < one_counted.size(); ++i)
    EXPECT_EQ(one_counted[i].value, several_counted[i].value) << one_counted[i].name;
}

class Planted : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Bug, Planted, ::testing::ValuesIn(names_in("bugs")), testing::plain_name);

TEST_P(Planted, IsFoundAndNothingElse) {
  const std::filesystem::path folder = tests_folder / "bugs" / GetParam();
  const auto bug = testing::PlantedBug::in(folder);
  // A runaway kernel runs without the sanitizer, because it takes long to be reported.
  const Ran seen = ran(folder, 2, bug.kind != "runaway");
  ASSERT_TRUE(seen.done) << seen.text;
  const auto& findings = seen.result.simulation.findings;
  if (bug.kind == "none") {
    EXPECT_TRUE(seen.result.good()) << seen.text;
    return;
  }
  const auto is_bug = [&](const gpu::Finding& finding) { return bug.is_found_by(finding); };
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), is_bug)) << seen.text;
  for (const gpu::Finding& finding : findings) EXPECT_TRUE(bug.explains(finding)) << seen.text;
  if (!bug.stops_a_gpu()) return;
  const Ran plain = ran(folder, 1, false);
  ASSERT_TRUE(plain.done) << plain.text;
  EXPECT_TRUE(std::any_of(plain.result.simulation.findings.begin(), plain.result.simulation.findings.end(), is_bug))
      << plain.text;
}

}  // namespace
}  // namespace warpwalk::run
