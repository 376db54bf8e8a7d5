// What is kept of the memory of a recorded launch, where its kernel reads vectors of 16 bytes: behind the end of a
// small allocation, and across addresses that the parameters hold.
#include "core/run/replay/recorded_memory.h"

#include <cstring>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/run/replay/recorded_launch.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t segment = 0x7ed0'0000'0000;

/// Thread i copies the vector i. The other parameters are not used.
constexpr const char* copy_vectors = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry copy_vectors(.param .u64 from, .param .u64 to, .param .u64 middle, .param .u32 count,
                             .param .u64 last) {
  .reg .b64 %rd<5>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 16;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];
  st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};
  ret;
}
)";

struct Recorded {
  LaunchRecording recording;

  explicit Recorded(std::uint32_t threads) {
    recording.entry = "copy_vectors";
    recording.grid = {1, 1, 1};
    recording.block = {threads, 1, 1};
  }
  void append(std::uint64_t word) {
    recording.parameters.resize(recording.parameters.size() + sizeof word);
    std::memcpy(recording.parameters.data() + recording.parameters.size() - sizeof word, &word, sizeof word);
  }
  std::vector<std::uint8_t> counted(std::size_t bytes) const {
    std::vector<std::uint8_t> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::uint8_t>(i + 1);
    return values;
  }
  KeptLaunch keep(bool leave_out_data = false, bool whole = false) const {
    KeepOptions options;
    options.whole = whole;
    options.device = *gpu::load_device(testing::assets_folder() / "devices/h200.json");
    options.leave_out_data = leave_out_data;
    return keep_launch(recording, {copy_vectors}, options);
  }
};

/// Runs what was kept. Returns its findings and how its results compare with the GPU's.
std::pair<std::vector<std::string>, RecordedOutputs> run_again(const KeptLaunch& kept, const LaunchRecording& of) {
  trace::KernelRecord record;
  record.entry = of.entry;
  record.grid = of.grid;
  record.block = of.block;
  record.code = "ptx";
  record.state = kept.record;
  auto made = recorded_launch(record, copy_vectors);
  EXPECT_TRUE(made) << made.error();
  const gpu::Device device = *gpu::load_device(testing::assets_folder() / "devices/h200.json");
  const auto ran = gpu::simulate(device, *made->program, made->launch, {});
  EXPECT_TRUE(ran) << ran.error();
  std::vector<std::string> messages;
  for (const gpu::Finding& finding : ran->findings) messages.push_back(finding.message);
  return {messages, recorded_outputs(kept.record, made->launch)};
}

// A tensor of 20 bytes: the second vector ends 12 bytes behind it, in memory that cudaMalloc gave nevertheless.
TEST(RecordedMemory, AVectorMayEndBehindTheTensor) {
  Recorded made(2);
  made.append(segment);
  made.append(segment + 4096);
  made.append(0);
  made.append(20);
  made.append(0);
  const std::vector<std::uint8_t> from = made.counted(20);
  std::vector<std::uint8_t> after(32);
  std::ranges::copy(from, after.begin());
  made.recording.memory.push_back({segment, from, from});
  made.recording.memory.push_back({segment + 4096, std::vector<std::uint8_t>(32), after});
  const KeptLaunch kept = made.keep();
  EXPECT_TRUE(kept.same_bits);
  EXPECT_TRUE(kept.record.missing.empty());
  ASSERT_EQ(kept.record.memory.size(), 2u);
  EXPECT_EQ(kept.record.memory[0].name, "argument 0");
  EXPECT_EQ(kept.record.memory[0].bytes, 32u);
  const auto [findings, outputs] = run_again(kept, made.recording);
  EXPECT_EQ(findings, std::vector<std::string>{});
  EXPECT_EQ(outputs.same, 2u);
  EXPECT_EQ(run_again(made.keep(true), made.recording).first, std::vector<std::string>{});
}

// Whole allocations are kept if that is asked for, but only those that the launch accessed.
TEST(RecordedMemory, WholeAllocationsAreKept) {
  Recorded made(2);
  made.append(segment);
  made.append(segment + 4096);
  made.append(0);
  made.append(0);
  made.append(0);
  const std::vector<std::uint8_t> from = made.counted(1024);
  std::vector<std::uint8_t> after(1024);
  std::ranges::copy_n(from.begin(), 32, after.begin());
  made.recording.memory.push_back({segment, from, from});
  made.recording.memory.push_back({segment + 4096, std::vector<std::uint8_t>(1024), after});
  made.recording.memory.push_back({segment + 8192, from, from});
  EXPECT_EQ(made.keep().record.memory[0].bytes, 32u);
  const KeptLaunch kept = made.keep(false, true);
  ASSERT_EQ(kept.record.memory.size(), 2u);
  EXPECT_EQ(kept.record.memory[0].before, from);
  EXPECT_EQ(kept.record.memory[1].bytes, 1024u);
  EXPECT_EQ(kept.record.memory[1].content, trace::MemoryRange::Content::unwritten);
  EXPECT_EQ(run_again(kept, made.recording).second.same, 2u);
}

// Memory behind the allocation's last granule was not given to the program.
TEST(RecordedMemory, BehindTheAllocationIsOutOfBounds) {
  Recorded made(17);
  made.append(segment);
  made.append(segment + 4096);
  made.append(0);
  made.append(0);
  made.append(0);
  made.recording.memory.push_back({segment, made.counted(20), made.counted(20)});
  made.recording.memory.push_back({segment + 4096, made.counted(512), made.counted(512)});
  const KeptLaunch kept = made.keep();
  EXPECT_FALSE(kept.same_bits);
  const auto findings = run_again(kept, made.recording).first;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].find("just past the end of buffer `argument 0` (256 bytes)"), std::string::npos) << findings[0];
}

// An address in the middle of a vector, such as that of another view, and a number whose padding makes it look like
// one: neither cuts the vector into two ranges.
TEST(RecordedMemory, ACutDoesNotDivideAVector) {
  Recorded made(16);
  made.append(segment + 512);
  made.append(segment + 4096);
  made.append(segment + 512 + 64 + 20);
  made.append(segment + 512 + 20);  // a count of 532; the upper half is what the stack had there
  made.append(segment + 512 + 128 + 4);
  std::vector<std::uint8_t> before(8192), after;
  std::ranges::copy(made.counted(256), before.begin() + 512);
  after = before;
  std::copy_n(before.begin() + 512, 256, after.begin() + 4096);
  made.recording.memory.push_back({segment, before, after});
  const KeptLaunch kept = made.keep();
  EXPECT_TRUE(kept.same_bits);
  std::vector<std::string> names;
  for (const trace::MemoryRange& range : kept.record.memory) {
    names.push_back(range.name);
    EXPECT_EQ(range.address % 32, 0u);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"argument 0", "argument 2", "argument 4", "argument 1"}));
  const auto [findings, outputs] = run_again(kept, made.recording);
  EXPECT_EQ(findings, std::vector<std::string>{});
  EXPECT_EQ(outputs.same, 4u);
}

}  // namespace
}  // namespace warpwalk::run
