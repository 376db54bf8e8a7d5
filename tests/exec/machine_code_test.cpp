// Runs recorded cubins (cubins/README.md) and compares them with the same kernels from PTX.
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path source_folder = WARPWALK_SOURCE_DIR;

std::string bytes_of_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::string cubin_of(const std::string& kernel) {
  return bytes_of_file(source_folder / "tests/exec/cubins" / (kernel + ".cubin"));
}

std::shared_ptr<const Program> from_cubin(const std::string& file, const std::string& kernel) {
  auto prepared = prepare_machine_code(cubin_of(file), kernel);
  if (!prepared) {
    ADD_FAILURE() << prepared.error();
    return nullptr;
  }
  return *std::move(prepared);
}

std::shared_ptr<const Program> from_cubin(const std::string& kernel) { return from_cubin(kernel, kernel); }

std::shared_ptr<const Program> from_ptx(const std::filesystem::path& file, const std::string& kernel) {
  auto parsed = ptx::parse(bytes_of_file(file));
  if (std::holds_alternative<ptx::Error>(parsed)) return nullptr;
  auto prepared = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), kernel);
  return prepared ? *std::move(prepared) : nullptr;
}

Argument buffer(std::int32_t index) {
  Argument argument;
  argument.buffer = index;
  return argument;
}
Argument number(std::uint32_t value) {
  Argument argument;
  for (int i = 0; i < 4; ++i) argument.bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  return argument;
}

std::vector<std::uint8_t> floats(std::size_t count) {
  std::vector<std::uint8_t> bytes(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) * 0.25F;
    std::memcpy(bytes.data() + 4 * i, &value, 4);
  }
  return bytes;
}

struct Ran {
  std::vector<std::vector<std::uint8_t>> buffers;
  Simulation simulation;
};

Ran run_program(const Program& program, Launch launch) {
  const Device device = *load_device(source_folder / "assets/devices/h200.json");
  SimulateOptions options;
  options.sanitize = true;
  auto result = simulate(device, program, launch, options);
  Ran out;
  if (!result) {
    ADD_FAILURE() << result.error();
    return out;
  }
  out.simulation = *std::move(result);
  for (Buffer& one : launch.buffers) out.buffers.push_back(std::move(one.bytes));
  return out;
}

/// Both programs leave the same memory, and the sanitizer reports nothing.
void expect_same(const Program* machine_code, const Program* ptx, const Launch& launch) {
  ASSERT_NE(machine_code, nullptr);
  ASSERT_NE(ptx, nullptr);
  const Ran one = run_program(*machine_code, launch), other = run_program(*ptx, launch);
  EXPECT_EQ(one.buffers, other.buffers);
  for (const Finding& finding : one.simulation.findings) ADD_FAILURE() << finding.message;
  EXPECT_EQ(one.simulation.counters.global_store_sectors, other.simulation.counters.global_store_sectors);
}

Launch vector_launch(std::uint32_t count, int inputs) {
  Launch launch;
  launch.grid = {(count + 127) / 128, 1, 1};
  launch.block = {128, 1, 1};
  for (int i = 0; i <= inputs; ++i) {
    launch.buffers.push_back(
        {"b" + std::to_string(i), i < inputs ? floats(count) : std::vector<std::uint8_t>(4 * count)});
    launch.arguments.push_back(buffer(i));
  }
  launch.arguments.push_back(number(count));
  return launch;
}

TEST(MachineCode, AddsVectorsAsPtxDoes) {
  expect_same(from_cubin("vecadd").get(), from_ptx(source_folder / "assets/ptx/vecadd.ptx", "vecadd").get(),
              vector_launch(1000, 2));
}

TEST(MachineCode, ComputesReluAsPtxDoes) {
  expect_same(from_cubin("relu").get(), from_ptx(source_folder / "assets/ptx/relu.ptx", "relu").get(),
              vector_launch(777, 1));
}

TEST(MachineCode, ScalesProductsAsPtxDoes) {
  expect_same(from_cubin("scaled").get(), from_ptx(source_folder / "tests/exec/kernels/scaled.ptx", "scaled").get(),
              vector_launch(777, 1));
}

TEST(MachineCode, CountsEveryInstructionOfTheCubin) {
  const auto program = from_cubin("vecadd");
  ASSERT_NE(program, nullptr);
  const Ran one = run_program(*program, vector_launch(16384, 2));
  // Measured on an H200 (tests/reference/h200_measured.csv, vecadd_16384).
  EXPECT_EQ(one.simulation.counters.warp_instructions, 10240U);
  EXPECT_EQ(one.simulation.counters.thread_instructions, 327680U);
}

TEST(MachineCode, ReconvergesAfterADivergentLoop) {
  Launch launch;
  launch.block = {32, 1, 1};
  launch.buffers.push_back({"y", std::vector<std::uint8_t>(64 + 128)});
  for (std::size_t i = 0; i < 64; ++i) launch.buffers[0].bytes[i] = static_cast<std::uint8_t>(i % 4 == 0 ? i + 1 : 0);
  launch.arguments.push_back(buffer(0));
  expect_same(from_cubin("reconverge").get(),
              from_ptx(source_folder / "tests/exec/kernels/reconverge.ptx", "reconverge").get(), launch);
}

TEST(MachineCode, BranchUIsTakenOnlyIfAllActiveLanesTakeIt) {
  const auto program = from_cubin("branch_all");
  ASSERT_NE(program, nullptr);
  struct Case {
    std::uint32_t n;
    std::array<int, 4> of_warps;  // what an H200 gives
  };
  for (const Case& what : {Case{5, {4089, 0, 0, 0}}, Case{40, {3284, 810, 0, 0}}, Case{200, {663, 658, 653, 648}}}) {
    Launch launch;
    launch.block = {128, 1, 1};
    launch.dynamic_shared_bytes = 1024;
    std::vector<std::uint8_t> x(1024);
    for (std::uint32_t i = 0; i < 256; ++i) x[4 * i] = static_cast<std::uint8_t>((37 * i + 11) % 100);
    launch.buffers = {{"x", x}, {"y", std::vector<std::uint8_t>(512)}};
    launch.arguments = {buffer(0), buffer(1), number(what.n)};
    const Ran ran = run_program(*program, launch);
    for (const Finding& finding : ran.simulation.findings) ADD_FAILURE() << finding.message;
    ASSERT_EQ(ran.buffers.size(), 2u);
    std::array<int, 128> y{};
    std::memcpy(y.data(), ran.buffers[1].data(), sizeof y);
    for (std::size_t t = 0; t < 128; ++t) EXPECT_EQ(y[t], what.of_warps[t / 32]) << what.n << ", thread " << t;
  }
}

TEST(MachineCode, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(prepare_machine_code("no cubin", "k").error(), HasSubstr("ELF"));
  const std::string cubin = cubin_of("vecadd");
  const std::string missing = prepare_machine_code(cubin, "other").error();
  EXPECT_EQ(missing, "no kernel `other` in the cubin; it has: vecadd");
  // FADD at 0x110 becomes an opcode that does not exist.
  std::string damaged = cubin;
  const std::string fadd("\x21\x72", 2);
  const std::size_t at = damaged.find(fadd);
  ASSERT_NE(at, std::string::npos);
  damaged[at] = '\xff';
  const std::string unknown = prepare_machine_code(damaged, "vecadd").error();
  EXPECT_THAT(unknown, HasSubstr("0x110"));
  EXPECT_THAT(unknown, ::testing::Not(HasSubstr("\n")));
}

TEST(MachineCode, ReportsAnAccessPastTheEnd) {
  Launch launch = vector_launch(1000, 2);
  launch.buffers[2].bytes.resize(3996);
  const auto program = from_cubin("vecadd");
  ASSERT_NE(program, nullptr);
  const Ran one = run_program(*program, launch);
  ASSERT_EQ(one.simulation.findings.size(), 1U);
  EXPECT_EQ(one.simulation.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_THAT(one.simulation.findings[0].message, HasSubstr("thread (103,0,0) of block (7,0,0) writes 4 bytes"));
}

Launch one_warp(std::vector<std::vector<int>> buffers) {
  Launch launch;
  launch.block = {32, 1, 1};
  for (const std::vector<int>& values : buffers) {
    std::vector<std::uint8_t> bytes(4 * values.size());
    std::memcpy(bytes.data(), values.data(), bytes.size());
    launch.arguments.push_back(buffer(static_cast<std::int32_t>(launch.buffers.size())));
    launch.buffers.push_back({"b" + std::to_string(launch.buffers.size()), bytes});
  }
  return launch;
}

std::vector<int> first_lanes() {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}

std::vector<int> ints(const std::vector<std::uint8_t>& bytes) {
  std::vector<int> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(MachineCode, CallsFunctionsInSectionsOfTheirOwn) {
  const auto indirect = from_cubin("calls", "indirect"), recursive = from_cubin("calls", "recursive");
  ASSERT_TRUE(indirect != nullptr && recursive != nullptr);
  const Ran by_pointer = run_program(*indirect, one_warp({first_lanes(), std::vector<int>(32)}));
  const Ran recursing = run_program(*recursive, one_warp({std::vector<int>(32)}));
  EXPECT_TRUE(by_pointer.simulation.findings.empty() && recursing.simulation.findings.empty());
  const auto chosen = ints(by_pointer.buffers.at(1)), summed = ints(recursing.buffers.at(0));
  constexpr std::array fibonacci = {0, 1, 1, 2, 3, 5, 8, 13};
  for (std::size_t i = 0; i < 32; ++i) {
    const int x = static_cast<int>(i);
    EXPECT_EQ(chosen[i], x % 2 == 0 ? 2 * x : x * x) << i;
    EXPECT_EQ(summed[i], fibonacci[i % 8] + 2 * x) << i;
  }
}

TEST(MachineCode, MeetsInThePhasesOfABarrierInSharedMemory) {
  std::vector<int> x(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 37 + 11) % 100;
  for (const char* const file : {"meeting", "meeting_sm_80"}) {
    SCOPED_TRACE(file);
    const auto program = from_cubin(file, "phases");
    ASSERT_NE(program, nullptr);
    Launch launch = one_warp({x, std::vector<int>(128)});
    launch.block = {128, 1, 1};
    const Ran one = run_program(*program, launch);
    for (const Finding& finding : one.simulation.findings) ADD_FAILURE() << finding.message;
    const auto y = ints(one.buffers.at(1));
    for (std::size_t i = 0; i < x.size(); ++i) {
      int sum = 0;
      for (int round = 0; round < 4; ++round) sum = 2 * sum + x[127 - i] + round;
      EXPECT_EQ(y[i], sum) << i;
    }
  }
}

TEST(MachineCode, Prints) {
  const auto program = from_cubin("calls", "print");
  ASSERT_NE(program, nullptr);
  Launch launch = one_warp({std::vector<int>(32)});
  launch.grid = {2, 1, 1};
  const Ran one = run_program(*program, launch);
  EXPECT_EQ(one.simulation.printed,
            "block 0 thread 0:  0.00 text -1099511627776\n"
            "block 0 thread 1:  1.50 text -1099511627776\n"
            "block 1 thread 0:  0.00 text -1099511627776\n"
            "block 1 thread 1:  1.50 text -1099511627776\n");
  EXPECT_EQ(ints(one.buffers.at(0)), std::vector<int>(32, 1));
}

TEST(MachineCode, AFailedAssertionEndsTheLaunch) {
  const auto program = from_cubin("calls", "check");
  ASSERT_NE(program, nullptr);
  std::vector<int> x(32, 1);
  x[7] = 3;
  const Ran one = run_program(*program, one_warp({x}));
  EXPECT_TRUE(one.simulation.stopped);
  ASSERT_EQ(one.simulation.findings.size(), 1U);
  EXPECT_EQ(one.simulation.findings[0].kind, FindingKind::failed_assert);
  EXPECT_EQ(
      one.simulation.findings[0].message.find("thread (7,0,0) of block (0,0,0) fails assert(x[threadIdx.x] < 3) in "),
      0U)
      << one.simulation.findings[0].message;
}

/// A kernel is refused for what it uses itself, not for its neighbours.
TEST(MachineCode, RefusesOnlyTheKernelThatCallsAnUnknownFunction) {
  std::string cubin = cubin_of("calls");
  for (std::size_t at = 0; (at = cubin.find("malloc", at)) != std::string::npos;) cubin.replace(at, 6, "melloc");
  const auto prepared = prepare_machine_code(cubin, "allocate");
  ASSERT_FALSE(prepared);
  EXPECT_THAT(prepared.error(), HasSubstr("`melloc`"));
  EXPECT_THAT(prepared.error(), ::testing::Not(HasSubstr("\n")));
  EXPECT_TRUE(prepare_machine_code(cubin, "print"));
}

TEST(MachineCode, IgnoresUnknownInstructionsThatTheKernelDoesNotReach) {
  // The code after the last EXIT of vecadd is a BRA to itself and padding of NOPs.
  std::string cubin = cubin_of("vecadd");
  const std::string nop("\x18\x79\x00\x00", 4);
  const std::size_t at = cubin.find(nop);
  ASSERT_NE(at, std::string::npos);
  cubin[at] = cubin[at + 1] = '\xff';
  EXPECT_TRUE(prepare_machine_code(cubin, "vecadd"));
}

TEST(MachineCode, EmptySectionsAreNotWrittenTo) {
  // The offsets of the ELF header and of a section header's size: System V ABI, "Object Files".
  constexpr std::size_t table_field = 40, count_field = 60, header_bytes = 64, size_field = 32;
  const std::string cubin = cubin_of("calls");
  std::uint64_t table = 0;
  std::uint16_t count = 0;
  std::memcpy(&table, cubin.data() + table_field, sizeof table);
  std::memcpy(&count, cubin.data() + count_field, sizeof count);
  for (std::size_t i = 0; i < count; ++i) {
    std::string damaged = cubin;
    std::memset(damaged.data() + table + i * header_bytes + size_field, 0, 8);
    for (const char* const kernel : {"check", "print", "recursive", "indirect"}) {
      const auto prepared = prepare_machine_code(damaged, kernel);
      if (!prepared) {
        EXPECT_THAT(prepared.error(), ::testing::Not(HasSubstr("\n")));
      }
    }
  }
}

TEST(MachineCode, NamesOfTheFileStayOnOneLineInMessages) {
  std::string bytes = cubin_of("calls");
  const std::size_t at = bytes.find(std::string("\0malloc\0", 8));
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at + 1, 6,
                "a\nb\x1b"
                "cd");
  const auto prepared = prepare_machine_code(bytes, "allocate");
  ASSERT_FALSE(prepared);
  EXPECT_THAT(prepared.error(), HasSubstr("`a b cd`"));
}

}  // namespace
}  // namespace warpwalk::gpu
