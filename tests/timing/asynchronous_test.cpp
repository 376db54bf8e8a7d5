// Cycles that kernels read from the clock around products of warp groups (wgmma) and copies by the tensor memory
// accelerator, compared with those of an H200 (cubins/README.md).
#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

Argument buffer_argument(std::int32_t index) {
  Argument argument;
  argument.buffer = index;
  return argument;
}

Argument number_argument(std::uint32_t value) {
  Argument argument;
  for (int i = 0; i < 4; ++i) argument.bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  return argument;
}

/// Times a kernel of a recorded cubin; returns the words that it leaves in the last buffer.
std::vector<std::uint32_t> words_of(const std::string& file, const std::string& kernel, Launch launch) {
  std::ostringstream cubin;
  cubin << std::ifstream(timed::tests() / "timing/cubins" / (file + ".cubin"), std::ios::binary).rdbuf();
  auto prepared = prepare_machine_code(cubin.str(), kernel);
  if (!prepared) throw std::runtime_error(prepared.error());
  const auto timing = time_launch(timed::h200(), **prepared, launch);
  if (!timing) throw std::runtime_error(timing.error());
  EXPECT_FALSE(timing->stopped);
  timed::expect_cycles_add_up(*timing);
  const std::vector<std::uint8_t>& bytes = launch.buffers.back().bytes;
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  return words;
}

/// Cycles until 1, 2, 4, 8, 16 and 32 products in one group are complete, of the warp that waits longest.
std::array<double, 6> cycles_of_products(const std::string& kernel, std::uint32_t threads) {
  Launch launch;
  launch.block = {threads, 1, 1};
  launch.dynamic_shared_bytes = 66 * 1024;
  launch.buffers = {{"sink", std::vector<std::uint8_t>(4096)}, {"cycles", std::vector<std::uint8_t>(4096)}};
  launch.arguments = {buffer_argument(1), buffer_argument(0)};
  const std::vector<std::uint32_t> words = words_of("product_cycles", kernel, std::move(launch));
  std::array<double, 6> cycles;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    cycles[i] = 0;
    for (std::uint32_t warp = 0; warp < threads / 32; ++warp)
      cycles[i] = std::max<double>(cycles[i], words[2 * (warp * cycles.size() + i) + 1]);
  }
  return cycles;
}

void expect_near(const std::array<double, 6>& cycles, const std::array<double, 6>& measured, double share) {
  for (std::size_t i = 0; i < cycles.size(); ++i) EXPECT_NEAR(cycles[i], measured[i], share * measured[i]) << i;
}

TEST(WarpGroupTiming, ProductsFromSharedMemory) {
  expect_near(cycles_of_products("cyc_bf16_64_s", 128), {93, 125, 189, 317, 573, 1085}, 0.01);
  expect_near(cycles_of_products("cyc_bf16_256_s", 128), {189, 317, 573, 1085, 2109, 4157}, 0.01);
}

TEST(WarpGroupTiming, ProductsFromRegisters) {
  expect_near(cycles_of_products("cyc_bf16_64_r", 128), {83, 119, 191, 335, 623, 1221}, 0.1);
}

TEST(WarpGroupTiming, TwoWarpGroupsShareTheTensorCores) {
  expect_near(cycles_of_products("cyc_bf16_256_s", 256), {312, 568, 1080, 2104, 4152, 8262}, 0.05);
}

/// Cycles from the last copy's instruction until its barrier's phase ends, with the data in L2.
double cycles_of_copies(std::uint32_t bytes, std::uint32_t count) {
  Launch launch;
  launch.block = {128, 1, 1};
  launch.dynamic_shared_bytes = 226 * 1024;
  launch.buffers = {{"from", std::vector<std::uint8_t>(std::size_t{bytes} * count)},
                    {"cycles", std::vector<std::uint8_t>(64)}};
  launch.arguments = {buffer_argument(0), number_argument(bytes), number_argument(count), buffer_argument(1)};
  const std::vector<std::uint32_t> words = words_of("bulk_cycles", "bulk_cycles", std::move(launch));
  return static_cast<double>(words[3]) - words[2];
}

TEST(BulkCopyTiming, LoadsFromL2) {
  EXPECT_NEAR(cycles_of_copies(512, 1), 394 - 201, 40);
  EXPECT_NEAR(cycles_of_copies(512, 4), 569 - 359, 40);
  EXPECT_NEAR(cycles_of_copies(16384, 1), 566 - 201, 40);
  EXPECT_NEAR(cycles_of_copies(65536, 1), 1020 - 201, 80);
  EXPECT_NEAR(cycles_of_copies(65536, 2), 1631 - 284, 130);
}

TEST(BulkCopyTiming, StoresAreRead) {
  for (const auto& [bytes, measured] : {std::pair{128, 48}, {1024, 78}, {16384, 558}, {65536, 2094}}) {
    Launch launch;
    launch.block = {32, 1, 1};
    launch.dynamic_shared_bytes = 226 * 1024;
    launch.buffers = {{"to", std::vector<std::uint8_t>(static_cast<std::size_t>(bytes))},
                      {"cycles", std::vector<std::uint8_t>(64)}};
    launch.arguments = {buffer_argument(0), number_argument(static_cast<std::uint32_t>(bytes)), buffer_argument(1)};
    const std::vector<std::uint32_t> words = words_of("bulk_cycles", "store_cycles", std::move(launch));
    EXPECT_NEAR(words[4], measured, 10) << bytes;
  }
}

/// A tensor map of bf16 numbers in two dimensions: sizes and box in elements, innermost first, stride in bytes.
Argument map_argument(std::uint64_t address, std::array<std::uint32_t, 2> sizes, std::uint32_t stride,
                      std::array<std::uint32_t, 2> box, unsigned swizzle) {
  std::array<std::uint64_t, 16> words{};
  words[0] = address;
  words[1] = 1 << 4 | 10 << 7 | std::uint64_t{swizzle} << 13 | std::uint64_t{stride / 16} << 32;
  words[4] = (sizes[0] - 1) | std::uint64_t{sizes[1] - 1} << 32;
  words[6] = std::uint64_t{box[0] - 1} << 56;
  words[7] = box[1] - 1;
  Argument argument;
  argument.bytes.resize(sizeof words);
  std::memcpy(argument.bytes.data(), words.data(), sizeof words);
  return argument;
}

/// C = A * B^T of bf16 numbers by clusters of two blocks, which load tiles with the tensor memory accelerator.
Launch tensor_gemm() {
  constexpr std::uint32_t m = 256, n = 128, k = 320;
  constexpr std::uint64_t base = 0x7f2000000000, apart = 1 << 24;
  Launch launch;
  launch.grid = {m / 128, n / 128, 1};
  launch.block = {384, 1, 1};
  launch.dynamic_shared_bytes = 4 * 32768 + 32768 + 1024;
  for (const auto& [name, elements] : {std::pair{"a", m * k}, {"b", n * k}, {"c", m * n}}) {
    std::vector<std::uint8_t> bytes(2 * elements);
    for (std::size_t i = 0; i < bytes.size() && launch.buffers.size() < 2; i += 2) {
      bytes[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
      bytes[i + 1] = i % 11 < 5 ? 0x3f : 0xc0;
    }
    launch.buffers.push_back({name, std::move(bytes)});
    launch.buffers.back().address = base + (launch.buffers.size() - 1) * apart;
  }
  launch.arguments = {map_argument(base, {k, m}, 2 * k, {64, 128}, 3),
                      map_argument(base + apart, {k, n}, 2 * k, {64, 64}, 3),
                      map_argument(base + 2 * apart, {n, m}, 2 * n, {64, 128}, 0), number_argument(k / 64)};
  return launch;
}

std::shared_ptr<const Program> gemm_of(bool machine_code) {
  const auto file =
      timed::tests() / "exec" / (machine_code ? "cubins/tensor_gemm.cubin" : "kernels/tensor_gemm.ptx.gz");
  const auto text = platform::read_compressed_file(file);
  if (!text) throw std::runtime_error(text.error());
  if (machine_code) return *prepare_machine_code(text->text, "gemm");
  return *prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(ptx::parse(text->text))), "gemm");
}

TEST(AsynchronousUnits, AMatmulFromPtxLeavesTheBitsOfItsMachineCodeInAboutTheSameTime) {
  LaunchTiming timings[2];
  std::vector<std::uint8_t> results[2];
  for (const bool machine_code : {false, true}) {
    const auto program = gemm_of(machine_code);
    Launch clocked = tensor_gemm(), plain = tensor_gemm();
    auto timing = time_launch(timed::h200(), *program, clocked);
    ASSERT_TRUE(timing) << timing.error();
    EXPECT_FALSE(timing->stopped);
    timed::expect_cycles_add_up(*timing);
    ASSERT_TRUE(simulate(timed::h200(), *program, plain));
    EXPECT_EQ(clocked.buffers[2].bytes, plain.buffers[2].bytes);
    EXPECT_EQ(timing->estimated, !machine_code);
    timings[machine_code ? 1 : 0] = std::move(*timing);
    results[machine_code ? 1 : 0] = std::move(plain.buffers[2].bytes);
  }
  EXPECT_EQ(results[0], results[1]);
  const double ratio = (timings[0].cycles - timings[0].launch_cost) / (timings[1].cycles - timings[1].launch_cost);
  EXPECT_GT(ratio, 0.7);
  EXPECT_LT(ratio, 1.4);
}

}  // namespace
}  // namespace warpwalk::gpu
