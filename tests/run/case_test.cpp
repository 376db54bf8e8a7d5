// Runs all of tests/cases (kernels with a GPU's outputs) and tests/bugs (kernels with one planted bug each, and correct
// kernels that look buggy) on the simulated GPU.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/gpu/device/device_file.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"

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

std::string plain_name(const ::testing::TestParamInfo<std::string>& info) { return info.param; }

gpu::Device h200() {
  auto [device, error] = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  EXPECT_FALSE(error) << *error;
  return device;
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
  if (const auto* const error = std::get_if<std::string>(&loaded)) {
    out.text = *error;
    return out;
  }
  out.loaded = std::move(std::get<LoadedLaunch>(loaded));
  gpu::SimulateOptions options;
  options.threads = threads;
  options.sanitize = sanitize;
  auto result = run_launch(device, out.loaded, options);
  if (const auto* const error = std::get_if<std::string>(&result)) {
    out.text = *error;
    return out;
  }
  out.result = std::move(std::get<LaunchResult>(result));
  out.text = report_text(device, out.loaded, out.result);
  out.done = true;
  return out;
}

class Case : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gpu, Case, ::testing::ValuesIn(names_in("cases")), plain_name);

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
  const auto one_counted = report_counters(one.result.simulation.counters);
  const auto several_counted = report_counters(several.result.simulation.counters);
  for (std::size_t i = 0; i < one_counted.size(); ++i)
    EXPECT_EQ(one_counted[i].value, several_counted[i].value) << one_counted[i].name;
}

/// The expected finding of a kernel in tests/bugs.
struct Bug {
  std::string kind;
  std::vector<std::uint32_t> lines;
  std::optional<std::array<std::uint32_t, 3>> block, thread;
};

Bug bug_in(const std::filesystem::path& folder) {
  std::stringstream text;
  text << std::ifstream(folder / "expect.json").rdbuf();
  rapidjson::Document json;
  json.Parse(text.str().c_str());
  Bug bug;
  EXPECT_TRUE(json.IsObject() && json.HasMember("kind")) << folder;
  if (!json.IsObject() || !json.HasMember("kind")) return bug;
  bug.kind = json["kind"].GetString();
  if (json.HasMember("source_line")) bug.lines.push_back(json["source_line"].GetUint());
  if (json.HasMember("other_lines"))
    for (const auto& line : json["other_lines"].GetArray()) bug.lines.push_back(line.GetUint());
  const auto triple = [&](const char* name, auto& out) {
    if (!json.HasMember(name)) return;
    out.emplace();
    for (rapidjson::SizeType i = 0; i < 3; ++i) (*out)[i] = json[name][i].GetUint();
  };
  triple("block", bug.block);
  triple("thread", bug.thread);
  return bug;
}

bool tells_of(const gpu::Finding& finding, const Bug& bug) {
  return gpu::name_of(finding.kind) == bug.kind &&
         std::find(bug.lines.begin(), bug.lines.end(), finding.source_line) != bug.lines.end() &&
         finding.source_file.ends_with("kernel.cu") && (!bug.block || finding.block == *bug.block) &&
         (!bug.thread || finding.thread == *bug.thread) && finding.message.find('\n') == std::string::npos;
}

class Planted : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Bug, Planted, ::testing::ValuesIn(names_in("bugs")), plain_name);

TEST_P(Planted, IsFoundAndNothingElse) {
  const std::filesystem::path folder = tests_folder / "bugs" / GetParam();
  const Bug bug = bug_in(folder);
  // A runaway kernel runs without the sanitizer, because it takes long to be reported.
  const Ran seen = ran(folder, 2, bug.kind != "runaway");
  ASSERT_TRUE(seen.done) << seen.text;
  const auto& findings = seen.result.simulation.findings;
  if (bug.kind == "none") {
    EXPECT_TRUE(seen.result.good()) << seen.text;
    return;
  }
  const auto tells = [&](const gpu::Finding& finding) { return tells_of(finding, bug); };
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), tells)) << seen.text;
  // A read that races with the first write can also be uninitialized.
  for (const gpu::Finding& finding : findings)
    EXPECT_TRUE(gpu::name_of(finding.kind) == bug.kind ||
                (bug.kind == "shared_race" && finding.kind == gpu::FindingKind::uninitialized))
        << seen.text;
  // Faults at which a GPU itself stops are found without the sanitizer too.
  if (bug.kind != "out_of_bounds" && bug.kind != "misaligned" && bug.kind != "deadlock" && bug.kind != "runaway")
    return;
  const Ran plain = ran(folder, 1, false);
  ASSERT_TRUE(plain.done) << plain.text;
  EXPECT_TRUE(std::any_of(plain.result.simulation.findings.begin(), plain.result.simulation.findings.end(), tells))
      << plain.text;
}

}  // namespace
}  // namespace warpwalk::run
