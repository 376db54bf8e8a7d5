// Launches that pass addresses in structs, functions and variables, from PTX and as machine code: with the sanitizer, on
// several host threads, with cycles, and again from their record.
#include <filesystem>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"
#include "core/run/record/launch_trace.h"
#include "core/run/replay/time_travel.h"
#include "core/trace/chrome/reader.h"
#include "core/trace/chrome/writer.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::built_history;
using testing::h200;
using testing::kernel_at;

const std::filesystem::path module_values_folder = WARPWALK_SOURCE_DIR "/tests/run/data/module_values";

LoadedLaunch loaded_launch(std::string_view name, CodeChoice code) {
  LoadOptions options;
  options.code = code;
  auto loaded = load_launch(module_values_folder / (std::string(name) + ".json"), h200(), options);
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
INSTANTIATE_TEST_SUITE_P(Ptx, ModuleValues,
                         ::testing::Combine(::testing::Values("combine", "sum_of_arrays", "apply", "apply_variables",
                                                              "look_up", "up_to_limit", "add_through"),
                                            ::testing::Values(CodeChoice::ptx)),
                         [](const auto& of) { return std::string(std::get<0>(of.param)); });
INSTANTIATE_TEST_SUITE_P(Sass, ModuleValues,
                         ::testing::Combine(::testing::Values("combine", "sum_of_arrays", "apply", "apply_variables",
                                                              "look_up", "up_to_limit", "add_through"),
                                            ::testing::Values(CodeChoice::sass)),
                         [](const auto& of) { return std::string(std::get<0>(of.param)); });

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
  const auto travel =
      TimeTravel::make(read.trace, kernel_at(read.trace, 0), history, testing::h200_options());
  EXPECT_TRUE(travel) << travel.error();
}

class ModuleVariables : public ::testing::TestWithParam<CodeChoice> {};
INSTANTIATE_TEST_SUITE_P(Code, ModuleVariables, ::testing::Values(CodeChoice::ptx, CodeChoice::sass),
                         [](const auto& of) { return of.param == CodeChoice::ptx ? "Ptx" : "Sass"; });

// If several host threads have run blocks, the launch is rolled back, with the variable, and run in order.
TEST_P(ModuleVariables, AreRolledBackIfBlocksDependOnEachOther) {
  LoadedLaunch loaded = loaded_launch("in_turn", GetParam());
  const LaunchResult result = result_of(loaded, {3});
  EXPECT_TRUE(result.good()) << report_text(h200(), loaded, result);
}

TEST_P(ModuleVariables, AreCheckedForRaces) {
  LoadedLaunch loaded = loaded_launch("in_turn", GetParam());
  const LaunchResult result = result_of(loaded, {1, true});
  ASSERT_EQ(result.simulation.findings.size(), 1u);
  EXPECT_EQ(result.simulation.findings[0].kind, gpu::FindingKind::global_race);
  EXPECT_THAT(result.simulation.findings[0].message, ::testing::HasSubstr("variable `order`"));
}

TEST_P(ModuleVariables, ReadsOfUnwrittenPartsOfABufferAreFound) {
  LoadedLaunch loaded = loaded_launch("copy", GetParam());
  const LaunchResult result = result_of(loaded, {1, true});
  ASSERT_EQ(result.simulation.findings.size(), 1u);
  const gpu::Finding& finding = result.simulation.findings[0];
  EXPECT_EQ(finding.kind, gpu::FindingKind::uninitialized);
  EXPECT_EQ(finding.thread[0], 8u);  // elements 0 to 7 and 16 to 30 are written
  EXPECT_THAT(finding.message, ::testing::HasSubstr("8 "));
  LoadedLaunch again = loaded_launch("copy", GetParam());
  EXPECT_TRUE(result_of(again).good());
}

TEST_P(ModuleVariables, ATraceKeepsWhichPartsOfABufferAreWritten) {
  LoadedLaunch loaded = loaded_launch("copy", GetParam());
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

}  // namespace
}  // namespace warpwalk::run
