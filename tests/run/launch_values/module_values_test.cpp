// Launches that pass addresses in structs, functions and variables, from PTX and as machine code: with the sanitizer,
// on several host threads, with cycles, and again from their record.
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/read_file.h"
#include "core/run/kernel_lab/draft.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"
#include "core/run/record/launch_trace.h"
#include "core/run/replay/time_travel.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::built_history;
using testing::h200;
using testing::kernel_at;

const std::filesystem::path launch_data = WARPWALK_SOURCE_DIR "/tests/run/data";

LoadedLaunch loaded_launch(std::string_view name, CodeChoice code) {
  LoadOptions options;
  options.code = code;
  auto loaded = load_launch(launch_data / (std::string(name) + ".json"), h200(), options);
  if (!loaded) ADD_FAILURE() << loaded.error();
  return loaded ? *std::move(loaded) : LoadedLaunch{};
}

struct HowToRun {
  int threads = 1;
  bool sanitize = false;
  CyclesChoice cycles = CyclesChoice::off;
};

LaunchResult result_of(LoadedLaunch& loaded, const HowToRun& how = {}) {
  if (loaded.program == nullptr) return {};
  gpu::SimulateOptions options;
  options.threads = how.threads;
  options.sanitize = how.sanitize;
  CyclesOptions cycles;
  cycles.choice = how.cycles;
  auto result = run_launch(h200(), loaded, options, cycles);
  if (!result) ADD_FAILURE() << result.error();
  return result ? *std::move(result) : LaunchResult{};
}

using Launched = std::tuple<const char*, CodeChoice>;

class ModuleValues : public ::testing::TestWithParam<Launched> {
 protected:
  LoadedLaunch load() const { return loaded_launch(std::get<0>(GetParam()), std::get<1>(GetParam())); }
};
/// The file's name, and the folder's if it has only one launch.
std::string launch_name(const ::testing::TestParamInfo<Launched>& of) {
  const std::filesystem::path path = std::get<0>(of.param);
  return path.filename() == "launch" ? path.parent_path().string() : path.filename().string();
}
constexpr std::array launches = {
    "module_values/combine",     "module_values/sum_of_arrays",   "module_values/apply",
    "module_values/look_up",     "module_values/apply_variables", "module_values/up_to_limit",
    "module_values/add_through", "module_values/copy_constant",   "function_pointer/launch"};
INSTANTIATE_TEST_SUITE_P(Ptx, ModuleValues,
                         ::testing::Combine(::testing::ValuesIn(launches), ::testing::Values(CodeChoice::ptx)),
                         launch_name);
INSTANTIATE_TEST_SUITE_P(Sass, ModuleValues,
                         ::testing::Combine(::testing::ValuesIn(launches), ::testing::Values(CodeChoice::sass)),
                         launch_name);

TEST_P(ModuleValues, ReachTheKernelAndComeBack) {
  LoadedLaunch loaded = load();
  const LaunchResult result = result_of(loaded, {1, true, CyclesChoice::on});
  EXPECT_FALSE(result.outputs.empty());
  EXPECT_TRUE(result.good()) << report_text(h200(), loaded, result);
  EXPECT_TRUE(result.cycles.timing) << result.cycles.missing;
}

TEST_P(ModuleValues, DoNotDependOnTheHostThreads) {
  LoadedLaunch loaded = load();
  const LaunchResult result = result_of(loaded, {3});
  EXPECT_TRUE(result.good()) << report_text(h200(), loaded, result);
}

TEST_P(ModuleValues, AreSimulatedAgainFromTheRecord) {
  LoadedLaunch loaded = load();
  auto initial = initial_buffers(loaded);
  const LaunchResult result = result_of(loaded);
  const trace::ReadResult read =
      trace::read_trace_text(trace::write_trace_text(trace_of(h200(), loaded, result, std::move(initial))));
  ASSERT_FALSE(read.error) << *read.error;
  const auto history = built_history(read.trace, kernel_at(read.trace, 0));
  EXPECT_EQ(history->digests, History::Digests::equal);
  EXPECT_EQ(history->announced, "");
  EXPECT_TRUE(history->simulation.findings.empty());
  // The machine code of the record runs, with the same variables and functions.
  const auto travel = TimeTravel::make(read.trace, kernel_at(read.trace, 0), history, testing::h200_options());
  EXPECT_TRUE(travel) << travel.error();
  // The text format of the Kernel lab cannot describe these launches.
  EXPECT_FALSE(draft_of_kernel(read.trace, kernel_at(read.trace, 0)));
  EXPECT_FALSE(draft_of_history(*history));
}

class ModuleVariables : public ::testing::TestWithParam<CodeChoice> {};
INSTANTIATE_TEST_SUITE_P(Code, ModuleVariables, ::testing::Values(CodeChoice::ptx, CodeChoice::sass),
                         [](const auto& of) { return of.param == CodeChoice::ptx ? "Ptx" : "Sass"; });

// If several host threads have run blocks, the launch is rolled back, with the variable, and run in order.
TEST_P(ModuleVariables, AreRolledBackIfBlocksDependOnEachOther) {
  LoadedLaunch loaded = loaded_launch("module_values/in_turn", GetParam());
  const LaunchResult result = result_of(loaded, {3});
  EXPECT_TRUE(result.good()) << report_text(h200(), loaded, result);
}

TEST_P(ModuleVariables, AreCheckedForRaces) {
  LoadedLaunch loaded = loaded_launch("module_values/in_turn", GetParam());
  const LaunchResult result = result_of(loaded, {1, true});
  ASSERT_EQ(result.simulation.findings.size(), 1u);
  EXPECT_EQ(result.simulation.findings[0].kind, gpu::FindingKind::global_race);
  EXPECT_THAT(result.simulation.findings[0].message, ::testing::HasSubstr("variable `order`"));
}

TEST_P(ModuleVariables, ReadsOfUnwrittenPartsOfABufferAreFound) {
  LoadedLaunch loaded = loaded_launch("module_values/copy", GetParam());
  const LaunchResult result = result_of(loaded, {1, true});
  ASSERT_EQ(result.simulation.findings.size(), 1u);
  const gpu::Finding& finding = result.simulation.findings[0];
  EXPECT_EQ(finding.kind, gpu::FindingKind::uninitialized);
  EXPECT_EQ(finding.thread[0], 8u);  // elements 0 to 7 and 16 to 30 are written
  EXPECT_THAT(finding.message, ::testing::HasSubstr("8 "));
  LoadedLaunch again = loaded_launch("module_values/copy", GetParam());
  EXPECT_TRUE(result_of(again).good());
}

TEST_P(ModuleVariables, ATraceKeepsWhichPartsOfABufferAreWritten) {
  LoadedLaunch loaded = loaded_launch("module_values/copy", GetParam());
  auto initial = initial_buffers(loaded);
  const LaunchResult result = result_of(loaded);
  const trace::ReadResult read =
      trace::read_trace_text(trace::write_trace_text(trace_of(h200(), loaded, result, std::move(initial))));
  ASSERT_FALSE(read.error) << *read.error;
  const auto history = built_history(read.trace, kernel_at(read.trace, 0));
  EXPECT_EQ(history->digests, History::Digests::equal);
  ASSERT_EQ(history->simulation.findings.size(), 1u);
  EXPECT_EQ(history->simulation.findings[0].kind, gpu::FindingKind::uninitialized);
}

/// The error of a launch of module_values/kernel.ptx, or of its cubin, with these members.
std::string launch_error(CodeChoice code, std::string_view members) {
  auto parsed = parse_launch_file(fmt::format(R"({{"ptx": "kernel.ptx", "grid": [1], "block": [32], {}}})", members),
                                  "launch.json");
  if (!parsed) return parsed.error();
  const std::filesystem::path folder = launch_data / "module_values";
  LoadedLaunch launch;
  launch.file = *std::move(parsed);
  launch.path = "launch.json";
  launch.module_file = "kernel.ptx";
  LoadOptions options;
  options.code = code;
  CubinSource machine;
  if (code == CodeChoice::ptx)
    launch.ptx = platform::read_text_file(folder / "kernel.ptx")->text;
  else
    machine = {platform::read_compressed_file(folder / "kernel.cubin.gz")->text, "kernel.cubin", "from cubin"};
  const auto loaded = load_launch(std::move(launch), std::move(machine), h200(), options);
  return loaded ? "loaded" : loaded.error();
}

TEST_P(ModuleVariables, ErrorsNameTheMemberAndTheModule) {
  const bool ptx = GetParam() == CodeChoice::ptx;
  const std::string file = ptx ? "launch.json: " : "kernel.cubin: ", module = ptx ? "PTX" : "cubin";
  EXPECT_THAT(
      launch_error(GetParam(), R"("kernel": "apply_variables", "args": [{"function": "cube"}])"),
      ::testing::StartsWith(file + "args[0].function: cube is not a device function of the " + module + "; it has "));
  EXPECT_THAT(launch_error(GetParam(), R"("kernel": "apply_variables", "args": [{"scalar": 0, "dtype": "u64"}],
                                          "variables": {"first_function": {"function": "cube"}})"),
              ::testing::StartsWith(file + "variables.first_function.function: cube is not a device function of the " +
                                    module + "; it has "));
  EXPECT_EQ(launch_error(GetParam(), R"("kernel": "in_turn", "variables": {"order": {"dtype": "u64", "count": 2}})"),
            file + "variables.order: order has 8 bytes in the " + module + ", but 2 u64 are 16");
  EXPECT_THAT(launch_error(GetParam(), R"("kernel": "in_turn", "variables": {"turn": {"dtype": "u64", "count": 1}})"),
              ::testing::StartsWith(file + "variables.turn: turn is not a variable of the " + module + "; it has "));
  EXPECT_EQ(launch_error(GetParam(), R"("kernel": "in_turn", "variables": {"order": {"scalar": 1, "dtype": "u64"}})"),
            "loaded");
}

// ptxas copies device functions into the kernels that may call them; this one calls none.
TEST(ModuleFunctions, AKernelWithoutACopyRefusesThePointer) {
  EXPECT_EQ(launch_error(CodeChoice::sass, R"("kernel": "add_through", "args": [{"function": "square"},
                                              {"scalar": 0, "dtype": "i32"}])"),
            "kernel.cubin: the machine code of `add_through` has no pointer to the device function "
            "`_ZN6shapes6squareEf`");
}

}  // namespace
}  // namespace warpwalk::run
