// Runs tests/bugs (kernels with one planted bug each, and correct kernels that look buggy) as the machine code
// for sm_90 that is recorded next to their PTX. The findings carry the source lines of the cubin's line table.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/module.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"
#include "tests/run/machine_code/compile_cubin.h"
#include "tests/run/plain_name.h"
#include "tests/run/planted_bug.h"
#include "tests/run/recorded_cubin.h"

namespace warpwalk::run {
namespace {

const std::filesystem::path bugs = WARPWALK_SOURCE_DIR "/tests/bugs";

std::vector<std::string> bug_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(bugs, ignored))
    if (std::filesystem::exists(entry.path() / "launch.json")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Runs the machine code of kernels in tests/bugs.
struct Runner {
  /// Runs one kernel. Returns its findings; `text` is the report, and `cubin` the code.
  std::vector<gpu::Finding> findings(const std::string& name, int threads, bool sanitize, std::string& text) {
    const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
    EXPECT_TRUE(device) << device.error();
    auto loaded = load_launch(bugs / name / "launch.json", *device);
    if (!loaded) {
      ADD_FAILURE() << loaded.error();
      return {};
    }
    auto& launch = *loaded;
    cubin = architecture == "sm_90" ? testing::recorded_cubin(launch.module_file)
                                    : testing::compile_cubin(launch.ptx, architecture);
    if (cubin.empty()) return {};  // it uses what the architecture does not have
    auto prepared = gpu::prepare_machine_code(cubin, gpu::entry_of(*launch.program).name);
    if (!prepared) {
      EXPECT_NE(architecture, "sm_90") << prepared.error();
      refused = prepared.error();
      return {};
    }
    launch.program = *std::move(prepared);
    gpu::SimulateOptions options;
    options.threads = threads;
    options.sanitize = sanitize;
    auto result = run_launch(*device, launch, options);
    if (!result) {
      ADD_FAILURE() << result.error();
      return {};
    }
    auto& ran = *result;
    text = report_text(*device, launch, ran);
    return std::move(ran.simulation.findings);
  }

  /// The kernel's machine code, a line per instruction.
  std::string code_text() const {
    auto parsed = sass::parse_cubin(cubin);
    std::string text;
    if (!parsed) return text;
    const auto& read = *parsed;
    for (const sass::CubinFunction& function : read.functions)
      for (const sass::Decoded& decoded : sass::decode(read.architecture, function.code))
        if (const auto* const i = std::get_if<sass::Instruction>(&decoded))
          text += sass::text_of(*i, read.architecture) + "\n";
    return text;
  }

  std::string architecture = "sm_90";
  std::string refused;  // why an older architecture's code is not executed
  std::string cubin;
};

class MachineCodeBug : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Bug, MachineCodeBug, ::testing::ValuesIn(bug_names()), testing::plain_name);

TEST_P(MachineCodeBug, IsFoundAndNothingElse) {
  const auto bug = testing::PlantedBug::in(bugs / GetParam());
  Runner runner;
  std::string text;
  // A runaway kernel runs without the sanitizer, because it takes long to be reported.
  const auto found = runner.findings(GetParam(), 2, bug.kind != "runaway", text);
  if (bug.kind == "none" || !bug.absent.empty()) {
    EXPECT_TRUE(found.empty()) << text;
    const std::string code = runner.code_text();
    for (const std::string& opcode : bug.absent) EXPECT_THAT(code, ::testing::Not(::testing::HasSubstr(opcode)));
    return;
  }
  const auto is_bug = [&](const gpu::Finding& finding) { return bug.is_found_by(finding); };
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), is_bug)) << text;
  for (const gpu::Finding& finding : found) EXPECT_TRUE(bug.explains(finding)) << text;
  if (!bug.stops_a_gpu()) return;
  const auto plain = runner.findings(GetParam(), 1, false, text);
  EXPECT_TRUE(std::any_of(plain.begin(), plain.end(), is_bug)) << text;
}

/// The code of other architectures synchronizes in other ways; correct kernels must stay silent there, too.
class OtherNearMisses : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Bug, OtherNearMisses,
                         ::testing::Values("sm_75", "sm_80", "sm_86", "sm_89", "sm_100", "sm_120"),
                         testing::plain_name);

TEST_P(OtherNearMisses, StaySilent) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  Runner runner;
  runner.architecture = GetParam();
  for (const std::string& name : bug_names()) {
    if (!name.starts_with("fine_")) continue;
    SCOPED_TRACE(name);
    std::string text;
    EXPECT_TRUE(runner.findings(name, 2, true, text).empty()) << text;
    // One instruction of sm_75 (ATOM with a uniform address) is not in the tables.
    if (!runner.refused.empty()) {
      EXPECT_EQ(GetParam(), "sm_75") << runner.refused;
      EXPECT_TRUE(name == "fine_grid_sync" || name == "fine_global_grid_passes") << name << ": " << runner.refused;
    }
    runner.refused.clear();
  }
}

}  // namespace
}  // namespace warpwalk::run
