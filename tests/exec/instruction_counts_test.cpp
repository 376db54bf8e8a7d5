// Counts by instruction: conflicts, sectors and executions at exactly the instructions that have them, and sums that
// are the launch's counters.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/program.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

struct Counted {
  Simulation simulation;
  std::map<std::string, InstructionCounts> at;  ///< by the words of the instruction's line
};

/// Runs `body` as a kernel of two blocks of 64 threads on 256 kB, and names its instructions by their lines.
Counted count(std::string_view body, const SimulateOptions& options) {
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 data)\n{{\n"
      ".reg .b64 %rd<8>;\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n.reg .pred %p<4>;\n.shared .align 16 .b8 tile[8192];\n"
      "ld.param.u64 %rd1, [data];\nmov.u32 %r1, %tid.x;\nmov.u32 %r5, tile;\n{}ret;\n}}\n",
      body);
  auto parsed = ptx::parse(text);
  EXPECT_TRUE(std::holds_alternative<ptx::Module>(parsed));
  auto program = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  EXPECT_TRUE(program) << program.error();
  const auto device = load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  EXPECT_TRUE(device) << device.error();
  Launch launch;
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  launch.buffers.push_back({"data", std::vector<std::uint8_t>(std::size_t{256} << 10)});
  Argument argument;
  argument.buffer = 0;
  launch.arguments.push_back(argument);
  Counted counted;
  auto simulated = simulate(*device, **program, launch, options);
  EXPECT_TRUE(simulated) << simulated.error();
  counted.simulation = *std::move(simulated);

  std::vector<std::string> lines = {""};
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  for (std::size_t i = 0; i < counted.simulation.by_instruction.size(); ++i)
    counted.at[lines[(*program)->sources[i].instruction->line - 1]] = counted.simulation.by_instruction[i];
  return counted;
}

SimulateOptions by_instruction() {
  SimulateOptions options;
  options.by_instruction = true;
  return options;
}

/// Each lane stores to a row of its own of 128 bytes, in one bank; then to neighbouring words.
constexpr std::string_view column_store =
    "and.b32 %r2, %r1, 31;\nshl.b32 %r3, %r2, 7;\nadd.u32 %r3, %r5, %r3;\nst.shared.u32 [%r3], %r1;\n"
    "shl.b32 %r4, %r2, 2;\nadd.u32 %r4, %r5, %r4;\nst.shared.u32 [%r4], %r2;\n";

TEST(InstructionCounts, AColumnsConflictsAreAtItsStore) {
  const Counted counted = count(column_store, by_instruction());
  // 2 blocks of 2 warps; a column of 32 rows takes 32 passes, and only the first is no conflict.
  const AccessCounts column = counted.at.at("st.shared.u32 [%r3], %r1;").accesses;
  EXPECT_EQ(column.bank_conflicts, 4u * 31);
  EXPECT_EQ(column.shared_wavefronts, 4u * 32);
  EXPECT_EQ(column.shared_requests, 4u);
  const AccessCounts row = counted.at.at("st.shared.u32 [%r4], %r2;").accesses;
  EXPECT_EQ(row.bank_conflicts, 0u);
  EXPECT_EQ(row.shared_wavefronts, 4u);
  EXPECT_EQ(counted.at.at("add.u32 %r4, %r5, %r4;").accesses, AccessCounts{});
}

/// Lanes 128 bytes apart, then neighbours, then neighbours from the middle of a sector on.
constexpr std::string_view strided_load =
    "mul.wide.u32 %rd2, %r1, 128;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\n"
    "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\nld.global.f32 %f2, [%rd5];\n"
    "ld.global.f32 %f3, [%rd5+16];\nadd.f32 %f4, %f1, %f2;\nadd.f32 %f4, %f4, %f3;\nst.global.f32 [%rd3], %f4;\n";

TEST(InstructionCounts, SectorsAreAtTheirLoadsBesideTheIdealOnes) {
  const Counted counted = count(strided_load, by_instruction());
  const auto expect = [&](const char* line, std::uint64_t sectors, std::uint64_t ideal) {
    const AccessCounts accesses = counted.at.at(line).accesses;
    EXPECT_EQ(accesses.global_requests, 4u) << line;
    EXPECT_EQ(accesses.global_sectors, 4 * sectors) << line;
    EXPECT_EQ(accesses.ideal_sectors, 4 * ideal) << line;
  };
  // 32 lanes with 4 bytes each fit into 4 sectors of 32 bytes.
  expect("ld.global.f32 %f1, [%rd3];", 32, 4);
  expect("ld.global.f32 %f2, [%rd5];", 4, 4);
  expect("ld.global.f32 %f3, [%rd5+16];", 5, 4);
  expect("st.global.f32 [%rd3], %f4;", 32, 4);
  EXPECT_EQ(counted.at.at("add.f32 %f4, %f1, %f2;").accesses, AccessCounts{});
}

TEST(InstructionCounts, OneAddressForAllLanesIsIdeal) {
  const Counted counted = count("ld.global.f32 %f1, [%rd1];\n", by_instruction());
  const AccessCounts accesses = counted.at.at("ld.global.f32 %f1, [%rd1];").accesses;
  EXPECT_EQ(accesses.global_sectors, 4u);
  EXPECT_EQ(accesses.ideal_sectors, 4u);
}

/// Warp 1 of each block leaves before the loop; the others add ten times.
constexpr std::string_view loop =
    "mov.u32 %r2, 0;\nsetp.gt.u32 %p1, %r1, 31;\n@%p1 bra END;\nLOOP:\nadd.u32 %r2, %r2, 1;\n"
    "setp.lt.u32 %p2, %r2, 10;\n@%p2 bra LOOP;\nEND:\nadd.u32 %r3, %r2, 7;\n";

TEST(InstructionCounts, ALoopExecutesItsTrips) {
  const Counted counted = count(loop, by_instruction());
  EXPECT_EQ(counted.at.at("mov.u32 %r2, 0;").executions, 4u);
  EXPECT_EQ(counted.at.at("add.u32 %r2, %r2, 1;").executions, 2u * 10);
  EXPECT_EQ(counted.at.at("@%p2 bra LOOP;").executions, 2u * 10);
  EXPECT_EQ(counted.at.at("add.u32 %r3, %r2, 7;").executions, 4u);
}

void expect_sums(const Simulation& simulation) {
  InstructionCounts sum;
  for (const InstructionCounts& one : simulation.by_instruction) {
    sum.executions += one.executions;
    sum.accesses += one.accesses;
  }
  const Counters& counters = simulation.counters;
  EXPECT_EQ(sum.executions, counters.ptx_warp_instructions);
  EXPECT_EQ(sum.accesses.global_requests,
            counters.global_load_requests + counters.global_store_requests + counters.global_atomic_requests);
  EXPECT_EQ(sum.accesses.global_sectors,
            counters.global_load_sectors + counters.global_store_sectors + counters.global_atomic_sectors);
  EXPECT_EQ(sum.accesses.ideal_sectors, counters.global_ideal_sectors);
  EXPECT_EQ(sum.accesses.shared_requests,
            counters.shared_load_requests + counters.shared_store_requests + counters.shared_atomic_requests);
  EXPECT_EQ(sum.accesses.shared_wavefronts, counters.shared_load_wavefronts + counters.shared_store_wavefronts);
  EXPECT_EQ(sum.accesses.bank_conflicts, counters.shared_bank_conflicts);
}

TEST(InstructionCounts, AddUpToTheLaunchsCounters) {
  const std::string atomics =
      fmt::format("{}{}red.global.add.u32 [%rd1], 1;\natom.shared.add.u32 %r6, [%r4], 1;\nld.shared.u32 %r7, [%r3];\n",
                  strided_load, column_store);
  for (const std::string_view body : {column_store, strided_load, loop, std::string_view(atomics)})
    for (const int threads : {1, 2})
      for (const bool sanitize : {false, true}) {
        SimulateOptions options = by_instruction();
        options.threads = threads;
        options.sanitize = sanitize;
        const Counted counted = count(body, options);
        expect_sums(counted.simulation);
        EXPECT_GT(counted.simulation.counters.warp_instructions, 0u);
      }
  const Counted counted = count(atomics, by_instruction());
  EXPECT_EQ(counted.at.at("red.global.add.u32 [%rd1], 1;").accesses.global_requests, 4u);
  EXPECT_EQ(counted.at.at("atom.shared.add.u32 %r6, [%r4], 1;").accesses.shared_requests, 4u);
}

TEST(InstructionCounts, AreOnlyCountedOnRequest) {
  const Counted counted = count(column_store, {});
  EXPECT_TRUE(counted.simulation.by_instruction.empty());
  EXPECT_EQ(counted.simulation.counters.shared_bank_conflicts, 4u * 31);
}

}  // namespace
}  // namespace warpwalk::gpu
