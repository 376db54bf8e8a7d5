// Runs tests/cases (kernels with a GPU's outputs) as the machine code for sm_90 that is recorded for
// their PTX, and as machine code of other architectures if ptxas is installed.
#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/module.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"
#include "tests/run/machine_code/compile_cubin.h"
#include "tests/run/plain_name.h"
#include "tests/run/recorded_cubin.h"

namespace warpwalk::run {
namespace {

const std::filesystem::path cases = WARPWALK_SOURCE_DIR "/tests/cases";

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(cases, ignored))
    if (std::filesystem::exists(entry.path() / "launch.json")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Cases that the sanitizer cannot judge in machine code: a load from volatile shared memory looks like any other.
const std::set<std::string> volatile_loads = {"volatile_shared"};

class MachineCodeCase : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gpu, MachineCodeCase, ::testing::ValuesIn(case_names()), testing::plain_name);

TEST_P(MachineCodeCase, GivesWhatTheGpuGave) {
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  const auto load = [&] { return load_launch(cases / GetParam() / "launch.json", *device); };
  auto first = load();
  ASSERT_TRUE(first) << first.error();
  const std::string cubin = testing::recorded_cubin(first->module_file);
  ASSERT_FALSE(cubin.empty());
  const auto prepared = gpu::prepare_machine_code(cubin, gpu::entry_of(*first->program).name);
  ASSERT_TRUE(prepared) << prepared.error();
  for (const bool sanitize : {false, true}) {
    if (sanitize && volatile_loads.contains(GetParam())) continue;
    auto loaded = load();
    auto& launch = *loaded;
    launch.program = *prepared;
    gpu::SimulateOptions options;
    options.sanitize = sanitize;
    options.threads = sanitize ? 3 : 1;
    auto result = run_launch(*device, launch, options);
    ASSERT_TRUE(result) << result.error();
    EXPECT_TRUE(result->good()) << (sanitize ? "with the sanitizer: " : "") << report_text(*device, launch, *result);
  }
}

/// Other architectures have other encodings, parameter offsets and instructions. Cases that ptxas accepts for them must
/// give the same results.
class OtherArchitecture : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gpu, OtherArchitecture,
                         ::testing::Values("sm_75", "sm_80", "sm_86", "sm_89", "sm_100", "sm_120"),
                         testing::plain_name);

TEST_P(OtherArchitecture, GivesWhatTheGpuGave) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  int passed = 0;
  for (const std::string& name : case_names()) {
    if (name.starts_with("catalogue_")) continue;  // the same few instructions
    // The tensor cores of sm_75 multiply smaller matrices, so sums are rounded more often than on an H200.
    if (GetParam() == "sm_75" && name == "wmma") continue;
    SCOPED_TRACE(name);
    auto loaded = load_launch(cases / name / "launch.json", *device);
    ASSERT_TRUE(loaded) << loaded.error();
    auto& launch = *loaded;
    const std::string cubin = testing::compile_cubin(launch.ptx, GetParam());
    if (cubin.empty()) continue;
    auto prepared = gpu::prepare_machine_code(cubin, gpu::entry_of(*launch.program).name);
    EXPECT_TRUE(prepared) << prepared.error();
    if (!prepared) continue;
    launch.program = *prepared;
    auto result = run_launch(*device, launch, {});
    ASSERT_TRUE(result) << result.error();
    EXPECT_TRUE(result->good()) << report_text(*device, launch, *result);
    ++passed;
  }
  EXPECT_GT(passed, 60);
}

// Such a cubin does not say where parameters are; the constants before that place are still read.
TEST(MachineCodeWithoutParameters, ReadsItsConstants) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  for (const char* const architecture : {"sm_75", "sm_80", "sm_90", "sm_100"}) {
    const std::string cubin = testing::compile_cubin(R"(.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 sum;
.visible .entry k()
{
  .reg .b32 %r<3>; .reg .b64 %a;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %nctaid.x;
  mad.lo.u32 %r1, %r1, %r2, 0;
  mov.u64 %a, sum;
  st.global.u32 [%a], %r1;
  ret;
}
)",
                                                     architecture);
    ASSERT_FALSE(cubin.empty());
    auto prepared = gpu::prepare_machine_code(cubin, "k");
    ASSERT_TRUE(prepared) << prepared.error();
    gpu::Launch launch;
    launch.grid = {3, 1, 1};
    launch.block = {64, 1, 1};
    const auto ran = simulate(*device, **prepared, launch, {});
    ASSERT_TRUE(ran) << ran.error();
    EXPECT_TRUE(ran->findings.empty());
  }
}

}  // namespace
}  // namespace warpwalk::run
