// Launches recorded with their memory: from the recorder's rows to a walk whose launch runs again. The launch is made
// up here: the cubin of vecadd, and memory before and after it that the test computes.
#include <cstring>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/run/replay/history.h"
#include "core/run/replay/load_recorded.h"
#include "core/sass/elf/cubin.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "instrumentation/inside_launches.h"
#include "instrumentation/trace_builder.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::uint64_t recording_start = 1'700'000'000'000'000'000, segment = 0x7ed0'4000'0000, microsecond = 1000;
constexpr std::uint32_t elements = 1000, launch_correlation = 7;
constexpr std::uint64_t b_at = 8192, c_at = 16384, segment_bytes = 65536;

std::string cubin() {
  std::ifstream file(WARPWALK_SOURCE_DIR "/tests/exec/cubins/vecadd.cubin", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view view(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A recording of one launch of vecadd on a segment of memory that holds a, b and c.
struct InsideRecording {
  std::vector<std::uint8_t> before = std::vector<std::uint8_t>(segment_bytes, 0xab), after, parameters;
  std::string code = cubin();
  std::vector<std::string> notes;
  trace::Trace trace;
  LoadedCode loaded;

  InsideRecording() {
    for (std::uint32_t i = 0; i < elements; ++i) {
      set(before, i * 4, 0.5F * static_cast<float>(i));
      set(before, b_at + i * 4, 1000.0F - static_cast<float>(i));
    }
    after = before;
    for (std::uint32_t i = 0; i < elements; ++i) set(after, c_at + i * 4, 1000.0F - 0.5F * static_cast<float>(i));
    for (const std::uint64_t pointer : {segment, segment + b_at, segment + c_at}) append(pointer);
    append(elements);
  }

  void set(std::vector<std::uint8_t>& bytes, std::uint64_t at, float value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  template <class T>
  void append(T value) {
    parameters.resize(parameters.size() + sizeof value);
    std::memcpy(parameters.data() + parameters.size() - sizeof value, &value, sizeof value);
  }

  void build() {
    TraceBuilder maker;
    maker.add(Begin{1, 130001, recording_start, "program"});
    DeviceRow device;
    device.compute_major = 9;
    maker.add(device);
    maker.add(InsideWork{recording_start + 110 * microsecond, 5});
    InsideLaunch launch;
    launch.number = 1, launch.correlation = launch_correlation;
    launch.grid = {4, 1, 1}, launch.block = {256, 1, 1}, launch.entry = "vecadd";
    maker.add(launch);
    maker.add(InsidePart{1, InsidePart::parameters, 0, 0, view(parameters)});
    maker.add(InsideRange{1, 0, segment, segment_bytes});
    for (std::size_t at = 0; at < segment_bytes; at += 16384)
      maker.add(InsidePart{1, InsidePart::before, 0, at, view(before).substr(at, 16384)});
    for (const std::string& note : notes) maker.add(InsidePart{1, InsidePart::missing, 0, 0, note});
    maker.add(InsideWorkEnd{recording_start + 5110 * microsecond, 5});
    maker.add(InsideWork{recording_start + 5120 * microsecond, 5});
    for (std::size_t at = 0; at < segment_bytes; at += 256)
      if (view(before).substr(at, 256) != view(after).substr(at, 256))
        maker.add(InsidePart{1, InsidePart::after, 0, at, view(after).substr(at, 256)});
    maker.add(InsideEnd{1, 0, recording_start + 5110 * microsecond, recording_start + 5130 * microsecond});
    maker.add(InsideWorkEnd{recording_start + 9120 * microsecond, 5});
    // A copy by the recorder, one by the program, the launch, and a later launch of the same kernel.
    const auto copy = [&](std::uint64_t at, std::uint32_t of) {
      MemcpyRow row;
      row.start = at, row.end = at + microsecond, row.bytes = 16, row.correlation = of;
      maker.add(row);
    };
    copy(recording_start + 200 * microsecond, launch_correlation);
    copy(recording_start + 300 * microsecond, 99);
    maker.add(Name{1, "vecadd"});
    const auto kernel = [&](std::uint64_t at, std::uint32_t of) {
      KernelRow row;
      row.start = at, row.end = at + 3 * microsecond, row.name = 1, row.correlation = of, row.registers = 16,
      row.stream = 7;
      row.grid = {4, 1, 1}, row.block = {256, 1, 1};
      maker.add(row);
    };
    kernel(recording_start + 9200 * microsecond, 12);  // CUPTI may deliver the later kernel first
    kernel(recording_start + 5121 * microsecond, launch_correlation);
    maker.add(CallRow{recording_start + 100 * microsecond, recording_start + 9122 * microsecond, 0, 1, 1, 5,
                      launch_correlation, 0});
    maker.add(CallRow{recording_start + 9190 * microsecond, recording_start + 9195 * microsecond, 0, 1, 1, 5, 12, 0});
    maker.add(CodeBegin{});
    maker.add(CubinRow{1, code.size(), 1});
    for (std::size_t at = 0; at < code.size(); at += 5000)
      maker.add(CubinPart{1, std::string_view(code).substr(at, 5000)});
    RecordingSummary account;
    trace = maker.finish(account);
    loaded = maker.release_code();
  }

  InsideSummary add(bool leave_out_data = false) {
    run::KeepOptions how;
    how.device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
    how.leave_out_data = leave_out_data;
    return add_inside(trace, loaded, how);
  }
  const trace::RecordedState& inside() const { return *trace.records.kernels.back().state; }
};

std::shared_ptr<const run::History> history_of(const trace::Trace& trace) {
  run::HistoryOptions options;
  options.device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  const auto kernels = run::recorded_launches(trace);
  if (kernels.size() != 1) return nullptr;
  auto built = run::build_history(trace, kernels[0], options);
  return built.index() == 0 ? std::get<0>(built) : nullptr;
}

TEST(Inside, ALaunchWhoseCodeWasLoadedBefore) {
  InsideRecording made;
  made.build();
  made.loaded.cubins.clear();
  EXPECT_THAT(made.add().lines, ::testing::ElementsAre("vecadd: its machine code was not recorded"));
  made.loaded.late = true;
  const InsideSummary summary = made.add();
  EXPECT_EQ(summary.launches, 0u);
  EXPECT_THAT(summary.lines, ::testing::ElementsAre(::testing::StartsWith(
                                 "vecadd: its machine code was loaded before the recording began; begin it before")));
}

TEST(Inside, ALaunchIsKeptWithTheMemoryThatItAccessed) {
  InsideRecording made;
  made.build();
  const InsideSummary summary = made.add();
  EXPECT_EQ(summary.launches, 1u);
  EXPECT_EQ(summary.same_bits, 1u);
  EXPECT_EQ(summary.lines, std::vector<std::string>{});
  const auto& memory = made.inside().memory;
  ASSERT_EQ(memory.size(), 3u);
  EXPECT_EQ(memory[0].name, "argument 0");
  EXPECT_EQ(memory[0].address, segment);
  EXPECT_EQ(memory[0].bytes, 4000u);
  EXPECT_EQ(memory[1].name, "argument 1");
  EXPECT_EQ(memory[2].name, "argument 2");
  EXPECT_EQ(memory[2].address, segment + c_at);
  EXPECT_EQ(memory[2].content, trace::MemoryRange::Content::unwritten) << "the result is not read";
  EXPECT_EQ(memory[0].before, std::vector<std::uint8_t>(made.before.begin(), made.before.begin() + 4000));
}

TEST(Inside, ItBelongsToTheKernelOfItsLaunch) {
  InsideRecording made;
  made.build();
  made.add();
  const auto kernels = run::recorded_launches(made.trace);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(made.trace.kernels[made.trace.slices.detail[kernels[0]]].correlation, launch_correlation);
}

TEST(Inside, TheRecordersOwnWorkIsNotInTheWalk) {
  InsideRecording made;
  made.build();
  std::size_t copies = 0;
  for (trace::SliceId s = 0; s < made.trace.slices.size(); ++s) {
    if (made.trace.slices.kind[s] != trace::SliceKind::memcpy) continue;
    ++copies;
    EXPECT_EQ(made.trace.transfers[made.trace.slices.detail[s]].correlation, 99);
  }
  EXPECT_EQ(copies, 1u);
}

// The recorder worked from 110 to 5110 us and from 5120 to 9120 us. The kernel ran from 5121 to 5124 us.
TEST(Inside, ItsPausesAreNotInTheTimes) {
  InsideRecording made;
  made.build();
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> calls, kernels;  // by correlation: start, duration
  for (trace::SliceId s = 0; s < made.trace.slices.size(); ++s) {
    const std::uint32_t detail = made.trace.slices.detail[s];
    const std::pair times{made.trace.slices.start[s], made.trace.slices.duration[s]};
    if (made.trace.slices.kind[s] == trace::SliceKind::runtime) calls[made.trace.calls[detail].correlation] = times;
    if (made.trace.slices.kind[s] == trace::SliceKind::kernel) kernels[made.trace.kernels[detail].correlation] = times;
  }
  const std::int64_t start = calls[launch_correlation].first;
  EXPECT_EQ(calls[launch_correlation].second, 22'000);
  EXPECT_EQ(kernels[launch_correlation].first - start, 21'000);
  EXPECT_EQ(kernels[launch_correlation].second, 3'000);
  EXPECT_EQ(calls[12].first - start, 90'000);
  EXPECT_EQ(kernels[12].first - start, 100'000);
}

TEST(Inside, ItRunsAgainFromTheFileAndLeavesTheSameBits) {
  InsideRecording made;
  made.build();
  made.add();
  const std::string text = trace::write_trace_text(made.trace);
  const trace::ReadResult read = trace::read_trace_text(text);
  ASSERT_FALSE(read.error);
  ASSERT_TRUE(read.trace.records.kernels == made.trace.records.kernels);
  const auto history = history_of(read.trace);
  ASSERT_NE(history, nullptr);
  EXPECT_TRUE(history->recorded);
  EXPECT_FALSE(history->stand_in);
  EXPECT_EQ(history->digests, run::History::Digests::equal) << history->announced;
}

TEST(Inside, OtherBitsAreNamed) {
  InsideRecording made;
  made.after[c_at + 40] ^= 1;  // what the GPU left
  made.build();
  const InsideSummary summary = made.add();
  EXPECT_EQ(summary.same_bits, 0u);
  ASSERT_EQ(summary.lines.size(), 1u);
  EXPECT_EQ(summary.lines[0], "vecadd: the simulated GPU leaves other bits");
  const auto history = history_of(made.trace);
  ASSERT_NE(history, nullptr);
  EXPECT_EQ(history->digests, run::History::Digests::different);
  EXPECT_EQ(history->announced, "simulated, vecadd leaves other bits than the GPU in argument 2");
}

TEST(Inside, WithoutDataItRunsOnRandomValues) {
  InsideRecording made;
  made.build();
  made.add(true);
  for (const trace::MemoryRange& range : made.inside().memory) {
    EXPECT_TRUE(range.before.empty());
    EXPECT_TRUE(range.sha256_after.empty());
  }
  EXPECT_EQ(made.inside().memory[0].dtype, "f32");
  const auto history = history_of(made.trace);
  ASSERT_NE(history, nullptr);
  EXPECT_TRUE(history->seeded);
  EXPECT_TRUE(history->simulation.findings.empty());
}

// An instruction that the simulator does not know: everything is kept, and the reason with it.
TEST(Inside, WhatCannotBeSimulatedIsKeptWhole) {
  InsideRecording made;
  const std::size_t code = made.code.find(".text.vecadd");
  ASSERT_NE(code, std::string::npos);
  made.build();
  for (std::string& bytes : made.loaded.cubins) {
    trace::Trace unused;
    // The first instruction of the kernel, which loads the stack pointer (LDC or MOV R1, c[0x0][0x28]).
    const std::string first = {'\x24', '\x76'};
    const std::string other = {'\x82', '\x7b'};
    std::size_t at = bytes.find(first + std::string("\x01\xff", 2));
    if (at == std::string::npos) at = bytes.find(other + std::string("\x01\xff", 2));
    ASSERT_NE(at, std::string::npos);
    bytes[at] = '\xff';
    bytes[at + 1] = '\x0f';
  }
  const InsideSummary summary = made.add();
  ASSERT_EQ(summary.lines.size(), 1u);
  EXPECT_THAT(summary.lines[0], ::testing::HasSubstr("unknown opcode"));
  std::uint64_t bytes = 0;
  for (const trace::MemoryRange& range : made.inside().memory) bytes += range.bytes;
  EXPECT_EQ(bytes, segment_bytes);
}

// The recorder runs kernels of the graph itself, before the program's launch of it.
TEST(Inside, AKernelOfAGraphIsTheOneThatTheProgramLaunched) {
  TraceBuilder maker;
  maker.add(Begin{1, 130001, recording_start, "program"});
  maker.add(Name{1, "vecadd"});
  maker.add(InsideWork{recording_start + 100 * microsecond, 5});
  const auto kernel = [&](std::uint64_t at) {
    KernelRow row;
    row.start = at, row.end = at + microsecond, row.name = 1, row.correlation = launch_correlation, row.graph = 2;
    row.graph_node = at;
    maker.add(row);
  };
  kernel(recording_start + 200 * microsecond);  // by the recorder
  InsideLaunch launch;
  launch.number = 1, launch.correlation = launch_correlation, launch.graph_kernel = 2, launch.entry = "vecadd";
  launch.grid = launch.block = {1, 1, 1};
  maker.add(launch);
  maker.add(InsideEnd{1, 0, 0, 0});
  maker.add(InsideWorkEnd{recording_start + 1100 * microsecond, 5});
  for (const int at : {1110, 1120, 1130}) kernel(recording_start + static_cast<std::uint64_t>(at) * microsecond);
  maker.add(CallRow{recording_start + 90 * microsecond, recording_start + 1105 * microsecond, 0, 1, 1, 5,
                    launch_correlation, 0});
  RecordingSummary account;
  trace::Trace trace = maker.finish(account);
  LoadedCode loaded = maker.release_code();
  loaded.cubins.push_back(cubin());
  EXPECT_EQ(trace.kernels.size(), 3u);
  EXPECT_EQ(account.cut_out_ns, 1'000'000);
  run::KeepOptions how;
  how.device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  EXPECT_EQ(add_inside(trace, loaded, how).launches, 1u);
  const auto recorded = run::recorded_launches(trace);
  ASSERT_EQ(recorded.size(), 1u);
  EXPECT_EQ(recorded[0], trace.kernel_order[1]);
}

TEST(Inside, ALaunchThatCouldNotBeMadeIsNotInTheWalk) {
  TraceBuilder maker;
  maker.add(Begin{1, 130001, recording_start, "program"});
  InsideLaunch launch;
  launch.number = 1, launch.entry = "vecadd";
  maker.add(launch);
  maker.add(InsideEnd{1, 701, recording_start, recording_start});  // too many resources
  RecordingSummary account;
  maker.finish(account);
  EXPECT_TRUE(maker.release_code().inside.empty());
  ASSERT_EQ(account.warnings.size(), 1u);
  EXPECT_EQ(account.warnings[0], "a launch of vecadd that was recorded inside failed");
}

// CUPTI does not report a kernel that failed, and a recorder that was killed writes no end.
TEST(Inside, ALaunchThatFailedOrHadNotEndedIsRunAgain) {
  enum class How { failed, had_not_ended, dump_says_so };
  for (const How how_it_ended : {How::failed, How::had_not_ended, How::dump_says_so}) {
    InsideRecording made;
    TraceBuilder maker;
    maker.add(Begin{1, 130001, recording_start, "program"});
    DeviceRow device;
    device.compute_major = 9;
    maker.add(device);
    maker.add(InsideWork{recording_start + 100 * microsecond, 5});
    InsideLaunch launch;
    launch.number = 1, launch.correlation = launch_correlation;
    launch.grid = {100, 1, 1}, launch.block = {256, 1, 1}, launch.entry = "vecadd";
    maker.add(launch);
    made.parameters.clear();
    for (const std::uint64_t pointer : {segment, segment + b_at, segment + c_at}) made.append(pointer);
    made.append(std::uint32_t{20'000});  // more than the segment holds
    maker.add(InsidePart{1, InsidePart::parameters, 0, 0, view(made.parameters)});
    maker.add(InsideRange{1, 0, segment, segment_bytes});
    for (std::size_t at = 0; at < segment_bytes; at += 16384)
      maker.add(InsidePart{1, InsidePart::before, 0, at, view(made.before).substr(at, 16384)});
    maker.add(InsideWorkEnd{recording_start + 1100 * microsecond, 5});
    if (how_it_ended == How::dump_says_so) maker.launches_failed();
    if (how_it_ended != How::had_not_ended)
      maker.add(InsideEnd{1, how_it_ended == How::failed ? 700u : 0u, recording_start + 1100 * microsecond,
                          recording_start + 1150 * microsecond});
    RecordingSummary account;
    trace::Trace trace = maker.finish(account);
    LoadedCode loaded = maker.release_code();
    loaded.cubins.push_back(cubin());
    ASSERT_EQ(trace.kernels.size(), 1u);
    EXPECT_EQ(account.untimed, 1u);
    run::KeepOptions how;
    how.device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
    const InsideSummary summary = add_inside(trace, loaded, how);
    EXPECT_EQ(summary.launches, 1u);
    EXPECT_EQ(summary.failed, 1u);
    EXPECT_THAT(summary.lines,
                ::testing::ElementsAre("vecadd: it failed, or had not ended; what it ran on is recorded"));
    EXPECT_EQ(trace.kernels[0].registers, sass::parse_cubin(cubin())->functions.front().registers);
    const auto recorded = run::recorded_launches(trace);
    ASSERT_EQ(recorded.size(), 1u);
    const auto history = history_of(trace);
    ASSERT_NE(history, nullptr);
    ASSERT_FALSE(history->simulation.findings.empty());
    EXPECT_EQ(history->simulation.findings[0].kind, gpu::FindingKind::out_of_bounds);
  }
}

}  // namespace
}  // namespace warpwalk::instrumentation
