// Costs by line: conflicts, sectors and waits at the lines that have them, and sums that are those of the launch.
#include "core/run/launch/line_costs.h"

#include <algorithm>
#include <set>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/program.h"
#include "core/ptx/parse/parser.h"
#include "core/run/kernel_lab/examples.h"
#include "core/run/kernel_lab/run_draft.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::run {
namespace {

const std::filesystem::path assets = WARPWALK_SOURCE_DIR "/assets";

gpu::Device h200() { return *gpu::load_device(assets / "devices/h200.json"); }

std::shared_ptr<const DraftRun> run_of(const KernelDraft& draft) {
  DraftOptions how;
  how.device = h200();
  how.ask_ptxas = false;
  auto ran = run_draft(draft, how);
  if (const auto* const failure = std::get_if<DraftFailure>(&ran))
    throw std::runtime_error(failure->messages.empty() ? "cancelled" : failure->messages.front().with_place());
  return std::get<0>(ran);
}

std::uint64_t line_with(const std::string& text, std::string_view words) {
  const std::vector<std::string_view> lines = base::lines_of(text);
  const auto at = std::ranges::find_if(lines, [&](std::string_view line) { return line.find(words) != line.npos; });
  EXPECT_NE(at, lines.end()) << words;
  return static_cast<std::uint64_t>(at - lines.begin()) + 1;
}

/// The sums of the lines are the figures of the launch.
void expect_sums(const DraftRun& ran) {
  const LineCosts total = ran.costs.total();
  const gpu::Simulation& simulation = ran.result.simulation;
  EXPECT_EQ(total.instructions, simulation.counters.ptx_warp_instructions);
  if (ran.loaded.runs_machine_code()) {
    EXPECT_EQ(total.instructions, simulation.counters.warp_instructions);
  }
  EXPECT_EQ(total.accesses, gpu::accesses_of(simulation.counters));
  ASSERT_TRUE(ran.result.cycles.timing);
  EXPECT_EQ(total.stalls, ran.result.cycles.timing->stalls);
}

// A tile of 32 x 32 floats is written by rows and read by columns: 16 x 16 blocks of 8 warps, 4 times each.
TEST(LineCosts, TheConflictsOfATransposeAreAtTheLineThatReadsColumns) {
  const KernelDraft draft = *open_example(assets, "bank_conflicts");
  const auto ran = run_of(draft);
  constexpr std::uint64_t requests = 256 * 8 * 4;
  const std::uint64_t load = line_with(draft.source, "= a["), store = line_with(draft.source, "b[(y");
  EXPECT_EQ(ran->costs.hottest(LineMetric::conflicts), std::vector<std::uint64_t>{store});
  EXPECT_EQ(ran->costs.lines.at(store).accesses.bank_conflicts, 31 * requests);
  EXPECT_EQ(ran->costs.lines.at(load).accesses.bank_conflicts, 0u);
  for (const std::uint64_t line : {load, store}) {
    const gpu::AccessCounts& accesses = ran->costs.lines.at(line).accesses;
    EXPECT_EQ(accesses.global_requests, requests) << line;
    EXPECT_EQ(accesses.global_sectors, 4 * requests) << line;  // 32 neighbours of 4 bytes
    EXPECT_EQ(accesses.ideal_sectors, 4 * requests) << line;
    EXPECT_EQ(accesses.shared_requests, requests) << line;
  }
  EXPECT_TRUE(ran->costs.hottest(LineMetric::sectors).empty());
  // Values from memory are awaited where they are stored to the tile, those of the tile where they are stored to b.
  const auto waited = [&](std::uint64_t line, gpu::StallReason reason) {
    return ran->costs.lines.at(line).stalls[static_cast<std::size_t>(reason)];
  };
  EXPECT_GT(waited(load, gpu::StallReason::long_scoreboard), 0u);
  EXPECT_GT(waited(store, gpu::StallReason::short_scoreboard), 0u);
  expect_sums(*ran);
}

TEST(LineCosts, OfADraftInPtxAreAtItsOwnLines) {
  const KernelDraft draft = *as_ptx(*open_example(assets, "bank_conflicts"));
  const auto ran = run_of(draft);
  const std::vector<std::string_view> lines = base::lines_of(draft.source);
  const std::vector<std::uint64_t> hottest = ran->costs.hottest(LineMetric::conflicts);
  ASSERT_FALSE(hottest.empty());
  std::uint64_t conflicts = 0;
  for (const std::uint64_t line : hottest) {
    EXPECT_THAT(lines[line - 1], ::testing::HasSubstr("ld.shared"));
    conflicts += ran->costs.lines.at(line).accesses.bank_conflicts;
  }
  EXPECT_EQ(conflicts, 31u * 8 * 4 * 256);
  expect_sums(*ran);
}

// The timing model executes the same instructions, so it counts the same at each of them.
TEST(LineCosts, TheTimingModelCountsTheSame) {
  const auto loaded = load_launch(assets / "kernel_lab/bank_conflicts.json", h200());
  ASSERT_TRUE(loaded) << loaded.error();
  gpu::Launch counted = loaded->launch, timed = loaded->launch;
  gpu::SimulateOptions how;
  how.by_instruction = true;
  const auto simulated = gpu::simulate(h200(), *loaded->program, counted, how);
  ASSERT_TRUE(simulated) << simulated.error();
  for (const int threads : {1, 2}) {
    gpu::Launch launch = timed;
    gpu::TimingOptions timing_options;
    timing_options.threads = threads;
    timing_options.by_instruction = true;
    const auto timing = gpu::time_launch(h200(), *loaded->program, launch, timing_options);
    ASSERT_TRUE(timing) << timing.error();
    const std::vector<LineCosts> a = instruction_costs(*simulated, &*timing), b = instruction_costs(*timing);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << i;
  }
}

// tests/run/data/inlined.cu calls functions of steps.cuh, some of them inlined.
TEST(LineCosts, InlinedCodeIsOfTheInnermostLineOfTheKernelsOwnFile) {
  auto parsed = ptx::parse(file_contents("tests/run/data/inlined.ptx"));
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed));
  const auto program =
      gpu::prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "inlined");
  ASSERT_TRUE(program) << program.error();
  LineCosts one;
  one.instructions = 1;
  const std::vector<LineCosts> each((*program)->sources.size(), one);
  const CostsByLine source = costs_by_line(**program, each, CostText::source, "somewhere/inlined.cu");
  const std::set<std::uint64_t> own = {5, 8, 9, 10, 11, 12, 13};
  for (const auto& [line, costs] : source.lines) EXPECT_TRUE(own.contains(line)) << line;
  // Lines 68, 72, 75, 86 and 98 of the PTX come from line 12, through two calls that are inlined.
  const CostsByLine ptx = costs_by_line(**program, each, CostText::ptx, "");
  std::uint64_t of_line_12 = 0;
  for (const std::uint64_t line : {68, 72, 75, 86, 98}) of_line_12 += ptx.lines.contains(line) ? 1 : 0;
  EXPECT_GE(source.lines.at(12).instructions, of_line_12);
  EXPECT_GT(of_line_12, 0u);
  for (const CostsByLine& costs : {source, ptx}) EXPECT_EQ(costs.total().instructions, each.size());
  // A file of another name has no lines here.
  EXPECT_EQ(costs_by_line(**program, each, CostText::source, "other.cu").elsewhere.instructions, each.size());
  // PTX has no addresses of machine code.
  EXPECT_TRUE(costs_by_line(**program, each, CostText::machine_code, "").lines.empty());
}

TEST(LineCosts, RankLinesByEachMetric) {
  CostsByLine costs;
  costs.lines[3].instructions = 5;
  costs.lines[7].instructions = 9;
  costs.lines[8].instructions = 9;
  costs.lines[8].stalls[static_cast<std::size_t>(gpu::StallReason::selected)] = 100;
  costs.lines[3].stalls[static_cast<std::size_t>(gpu::StallReason::barrier)] = 4;
  costs.lines[3].stalls[static_cast<std::size_t>(gpu::StallReason::long_scoreboard)] = 6;
  costs.lines[7].accesses.global_sectors = 32;
  costs.lines[7].accesses.ideal_sectors = 4;
  EXPECT_EQ(costs.hottest(LineMetric::instructions), (std::vector<std::uint64_t>{7, 8, 3}));
  EXPECT_EQ(costs.hottest(LineMetric::sectors), std::vector<std::uint64_t>{7});
  EXPECT_EQ(metric_value(costs.lines[7], LineMetric::sectors), 28u);
  // Cycles in which a warp issues are no waits.
  EXPECT_EQ(costs.hottest(LineMetric::stalls), std::vector<std::uint64_t>{3});
  EXPECT_EQ(costs.lines[3].stalled(), 10u);
  EXPECT_EQ(costs.lines[3].main_reason(), gpu::StallReason::long_scoreboard);
  EXPECT_EQ(costs.lines[8].main_reason(), std::nullopt);
  EXPECT_TRUE(costs.hottest(LineMetric::conflicts).empty());
}

}  // namespace
}  // namespace warpwalk::run
