// Each fault that ends a launch is a finding of its own kind, in PTX and in machine code.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/result.h"
#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/program.h"
#include "core/ptx/parse/parser.h"
#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

using gpu::FindingKind;
using Prepared = base::Result<std::shared_ptr<const gpu::Program>>;

constexpr std::size_t faulty_lanes = 32, faulty_lane = 7;

std::string text_of_exec_file(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec" / name, std::ios::binary).rdbuf();
  return text.str();
}

Prepared from_exec_ptx(const std::string& file, const std::string& kernel) {
  auto parsed = ptx::parse(text_of_exec_file("kernels/" + file + ".ptx"));
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return base::Error{error->text()};
  return gpu::prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), kernel);
}

Prepared from_exec_cubin(const std::string& file, const std::string& kernel) {
  return gpu::prepare_machine_code(text_of_exec_file("cubins/" + file + ".cubin"), kernel);
}

/// Runs one warp of a kernel (x, y).
template <class T>
gpu::Simulation run_warp(const Prepared& prepared, const std::vector<T>& x) {
  if (!prepared) {
    ADD_FAILURE() << prepared.error();
    return {};
  }
  gpu::Launch launch;
  launch.block = {faulty_lanes, 1, 1};
  for (const char* const name : {"x", "y"}) {
    gpu::Argument argument;
    argument.buffer = static_cast<std::int32_t>(launch.buffers.size());
    launch.arguments.push_back(argument);
    launch.buffers.push_back({name, std::vector<std::uint8_t>(faulty_lanes * sizeof(T))});
  }
  std::memcpy(launch.buffers[0].bytes.data(), x.data(), x.size() * sizeof(T));
  const auto device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  auto result = gpu::simulate(device, **prepared, launch, {});
  if (!result) {
    ADD_FAILURE() << result.error();
    return {};
  }
  return *std::move(result);
}

std::vector<int> one_faulty(int value = 7) {
  std::vector<int> x(faulty_lanes, 1);
  x[faulty_lane] = value;
  return x;
}

/// The launch ends with one finding of the lane.
void expect_end(const gpu::Simulation& simulation, FindingKind kind, std::size_t lane, const std::string& words) {
  ASSERT_EQ(simulation.findings.size(), 1U);
  const gpu::Finding& finding = simulation.findings[0];
  EXPECT_EQ(gpu::name_of(finding.kind), gpu::name_of(kind)) << finding.message;
  EXPECT_EQ(finding.message.find("thread (" + std::to_string(lane) + ",0,0) of block (0,0,0) " + words), 0U)
      << finding.message;
  EXPECT_TRUE(gpu::ends_launch(finding.kind));
  EXPECT_TRUE(simulation.stopped);
}

struct Fault {
  std::string kernel;
  FindingKind kind;
  std::string words;
};

class Faults : public ::testing::TestWithParam<Fault> {};

INSTANTIATE_TEST_SUITE_P(
    Kind, Faults,
    ::testing::Values(Fault{"asserts", FindingKind::failed_assert, "fails assert(x[threadIdx.x] < 3) in "},
                      Fault{"traps", FindingKind::trap, "executes trap, which aborts the kernel"},
                      Fault{"calls", FindingKind::bad_call_target, "calls a function through an invalid pointer"},
                      Fault{"frees", FindingKind::bad_free, "frees address 0x7f10"},
                      Fault{"recurses", FindingKind::stack_overflow, "recurses too deeply in `"}),
    [](const auto& one) { return one.param.kernel; });

TEST_P(Faults, InPtx) {
  expect_end(run_warp(from_exec_ptx("faults", GetParam().kernel), one_faulty()), GetParam().kind, faulty_lane,
             GetParam().words);
}

TEST_P(Faults, InMachineCode) {
  expect_end(run_warp(from_exec_cubin("faults", GetParam().kernel), one_faulty()), GetParam().kind, faulty_lane,
             GetParam().words);
}

TEST(FaultsOfAddresses, JumpsPastATable) {
  expect_end(run_warp(from_exec_ptx("jumps", "jumps"), one_faulty()), FindingKind::bad_branch_target, faulty_lane,
             "jumps with brx.idx to entry 7 of a table with 4 entries");
}

TEST(FaultsOfAddresses, JumpsToWhereThereIsNoCode) {
  std::string cubin = text_of_exec_file("cubins/jumps.cubin");
  const std::size_t table = cubin.rfind(std::string("\xb0\0\0\0\xd0\0\0\0\xf0\0\0\0", 12));
  ASSERT_NE(table, std::string::npos);
  cubin[table + 12 + 2] = '\x55';
  expect_end(run_warp(gpu::prepare_machine_code(cubin, "jumps"), one_faulty(3)), FindingKind::bad_branch_target,
             faulty_lane, "jumps to address 0x550120, which is not an instruction of the kernel");
}

TEST(FaultsOfAddresses, CallsWhatIsNoFunction) {
  using Pointers = std::vector<std::uint64_t>;
  for (const std::uint64_t pointer : {std::uint64_t{0}, std::uint64_t{16}, gpu::function_base + 8, ~std::uint64_t{0}})
    expect_end(run_warp(from_exec_ptx("faults", "calls_at"), Pointers(faulty_lanes, pointer)),
               FindingKind::bad_call_target, 0, "calls a function through an invalid pointer");
  const Prepared program = from_exec_cubin("faults", "calls_at");
  ASSERT_TRUE(program) << program.error();
  const std::size_t end = (*program)->machine_code->first_op.size();
  for (const std::uint64_t pointer :
       {std::uint64_t{0}, gpu::code_base - 16, gpu::code_base + 8, gpu::code_base + 16 * end, ~std::uint64_t{0}})
    expect_end(run_warp(program, Pointers(faulty_lanes, pointer)), FindingKind::bad_call_target, 0,
               "calls a function through an invalid pointer");
  // Code ends with instructions that nothing leads to.
  expect_end(run_warp(program, Pointers(faulty_lanes, gpu::code_base + 16 * (end - 1))), FindingKind::bad_branch_target,
             0, "has come to an instruction that the kernel's own jumps and calls");
}

/// The reports of one thread that runs the PTX.
Reports reports_of_thread(std::string_view body, std::string_view variables) {
  const PtxOutcome outcome = run_ptx({.body = body, .variables = variables, .block = {1, 1, 1}, .sanitize = false});
  EXPECT_EQ(outcome.error, "");
  return outcome.reports();
}

constexpr std::string_view of_thread_0 = ": thread (0,0,0) of block (0,0,0) ";

TEST(FaultsOfAddresses, CallsAFunctionWithOtherParameters) {
  EXPECT_EQ(
      reports_of_thread(R"(
    .reg .b64 %f; .reg .b32 %r;
    mov.u64 %f, other;
    .loc 1 3 1
    {
      .param .b32 a;
      st.param.b32 [a], 1;
      .param .b32 r;
      p: .callprototype (.param .b32 _) _ (.param .b32 _);
      call (r), %f, (a), p;
      ld.param.b32 %r, [r];
    }
  )",
                        ".func (.param .b32 r) other(.param .b32 a, .param .b32 b) { st.param.b32 [r], 0; ret; }"),
      Reports{"bad_call_target:3" + std::string(of_thread_0) +
              "calls `other` through a pointer with arguments that do not match its parameters"});
}

TEST(FaultsOfAddresses, CallsWhatIsNotSimulated) {
  EXPECT_EQ(reports_of_thread(R"(
    .reg .b64 %f, %r;
    mov.u64 %f, malloc;
    .loc 1 3 1
    {
      .param .b64 a;
      st.param.b64 [a], 4;
      .param .b64 r;
      p: .callprototype (.param .b64 _) _ (.param .b64 _);
      call (r), %f, (a), p;
      ld.param.b64 %r, [r];
    }
  )",
                              ".extern .func (.param .b64 r) malloc(.param .b64 a);"),
            Reports{"unsupported:3" + std::string(of_thread_0) +
                    "calls `malloc` through a pointer, which is not supported by the simulated GPU"});
}

TEST(FaultsOfAddresses, WritesToConstantMemory) {
  EXPECT_EQ(
      reports_of_thread(R"(
    .reg .b64 %a;
    mov.u64 %a, table;
    cvta.const.u64 %a, %a;
    .loc 1 3 1
    st.u32 [%a], 1;
  )",
                        ".const .align 4 .b32 table[4] = {1, 2, 3, 4};"),
      Reports{"read_only:3" + std::string(of_thread_0) + "writes to constant `table`, which a kernel cannot change"});
}

TEST(FaultsOfAddresses, AllocatesMoreThanTheStack) {
  EXPECT_EQ(reports_of_thread(R"(
    .reg .b64 %a;
    .loc 1 3 1
    alloca.u64 %a, 1048576;
    st.local.u32 [%a], 1;
  )",
                              ""),
            Reports{"stack_overflow:3" + std::string(of_thread_0) +
                    "allocates more memory with alloca than the thread's stack of 512 KiB has left"});
}

/// Every kind has a name of its own.
TEST(FindingKinds, HaveNames) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(FindingKind::unsupported); ++kind) {
    const std::string_view name = gpu::name_of(static_cast<FindingKind>(kind));
    EXPECT_FALSE(name.empty()) << kind;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace warpwalk::testing
