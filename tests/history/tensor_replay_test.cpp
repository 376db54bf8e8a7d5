// Time travel through a matmul of a cluster with asynchronous products (wgmma) and copies (the tensor memory
// accelerator): tests/exec/kernels/tensor_gemm.cu.
#include <array>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/history/origin/origin.h"
#include "core/gpu/history/sm_replay.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

constexpr std::uint64_t base = 0x7f2000000000, apart = 1 << 24;
constexpr std::uint32_t rows = 256, columns = 128, depth = 384;

/// A tensor map of bf16 in two dimensions (core/gpu/exec/run/tensor_map.h).
Argument map_of(std::uint32_t buffer, std::uint32_t width, std::uint32_t height, std::uint32_t box_height,
                std::uint64_t swizzle) {
  std::array<std::uint64_t, 16> words{};
  words[0] = base + buffer * apart;
  words[1] = 1 << 4 | 10 << 7 | swizzle << 13 | std::uint64_t{2 * width / 16} << 32;
  words[4] = (width - 1) | std::uint64_t{height - 1} << 32;
  words[6] = std::uint64_t{63} << 56;
  words[7] = box_height - 1;
  Argument argument;
  argument.bytes.resize(sizeof words);
  std::memcpy(argument.bytes.data(), words.data(), sizeof words);
  return argument;
}

Launch matmul() {
  Launch launch;
  launch.grid = {rows / 128, columns / 128, 1};
  launch.block = {384, 1, 1};
  launch.dynamic_shared_bytes = 4 * 32768 + 32768 + 1024;
  std::mt19937 random(1);
  const std::pair<const char*, std::size_t> sizes[] = {
      {"a", rows * depth}, {"b", columns * depth}, {"c", rows * columns}};
  for (const auto& [name, count] : sizes) {
    Buffer& buffer = launch.buffers.emplace_back();
    buffer.name = name;
    buffer.address = base + (launch.buffers.size() - 1) * apart;
    for (std::size_t i = 0; i < count; ++i) {
      buffer.bytes.push_back(static_cast<std::uint8_t>(random()));
      buffer.bytes.push_back(static_cast<std::uint8_t>(0x3e + random() % 3));  // about 1.0
    }
  }
  launch.arguments = {map_of(0, depth, rows, 128, 3), map_of(1, depth, columns, 64, 3),
                      map_of(2, columns, rows, 128, 0)};
  Argument steps;
  steps.bytes = {depth / 64, 0, 0, 0};
  launch.arguments.push_back(steps);
  return launch;
}

std::shared_ptr<const Program> program() {
  std::ostringstream cubin;
  cubin << std::ifstream(timed::tests() / "exec/cubins/tensor_gemm.cubin", std::ios::binary).rdbuf();
  return *prepare_machine_code(cubin.str(), "gemm");
}

/// The visible state of the SM's warps and of their shared memory.
std::string warps_text(const SmReplay& replay) {
  std::ostringstream out;
  const auto add = [&](const std::vector<std::uint8_t>& bytes) {
    out << std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) << ' ';
  };
  for (const WarpState& warp : replay.state().warps) {
    out << warp.place.warp << " at " << warp.instruction << ' ' << name_of(warp.reason) << ' ' << warp.ready_at << ' ';
    add(warp.warp->registers);
    add(warp.block->shared);
  }
  for (const Region& region : replay.memory().regions())
    if (!region.read_only) add({region.data, region.data + region.bytes});
  return out.str();
}

TEST(TensorReplay, GivesTheSameForwardsAndBackwards) {
  const auto gemm = program();
  Launch whole = matmul(), again = matmul();
  LaunchRecorder recorder;
  TimingOptions how;
  how.recorder = &recorder;
  const auto timing = time_launch(timed::h200(), *gemm, whole, how);
  ASSERT_TRUE(timing) << timing.error();
  EXPECT_FALSE(timing->stopped);
  const LaunchRecord record = std::move(recorder.record());
  SmReplay::Options options;
  options.checkpoint_instructions = 500;
  auto made = SmReplay::make(timed::h200(), *gemm, again, record, static_cast<std::uint16_t>(timing->sm[1]), options);
  ASSERT_TRUE(made) << made.error();
  SmReplay& replay = **made;
  std::vector<std::pair<std::int64_t, std::string>> seen;
  for (std::int64_t cycle = 0; cycle < replay.end(); cycle += 97) {
    replay.seek(cycle);
    seen.emplace_back(cycle, warps_text(replay));
  }
  replay.seek(replay.end());
  EXPECT_EQ(again.buffers[2].bytes, whole.buffers[2].bytes);
  std::shuffle(seen.begin(), seen.end(), std::mt19937(2));
  for (const auto& [cycle, what] : seen) {
    replay.seek(cycle);
    ASSERT_EQ(warps_text(replay), what) << "cycle " << cycle;
  }
}

// The result is converted to bf16 in pairs, which share a register: an element's inputs are those of both.
TEST(TensorReplay, FindsTheRowAndTheColumnsOfAnElement) {
  const auto gemm = program();
  for (const auto& [row, column] : {std::pair<std::uint32_t, std::uint32_t>{0, 0}, {200, 77}, {255, 127}}) {
    const std::uint64_t address = base + 2 * apart + (std::uint64_t{row} * columns + column) * 2;
    const auto origin = find_origin(timed::h200(), *gemm, matmul(), address, 2);
    ASSERT_TRUE(origin) << origin.error();
    EXPECT_EQ(origin->incomplete, "");
    std::set<std::uint64_t> expected, found;
    for (std::uint32_t k = 0; k < depth; ++k) {
      expected.insert(base + (std::uint64_t{row} * depth + k) * 2);
      for (const std::uint32_t of_pair : {column & ~1U, column | 1U})
        expected.insert(base + apart + (std::uint64_t{of_pair} * depth + k) * 2);
    }
    for (const OriginInput& input : origin->inputs)
      for (std::uint32_t i = 0; i < input.bytes; i += 2)
        if (input.address >= base) found.insert(input.address + i);
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace warpwalk::gpu
