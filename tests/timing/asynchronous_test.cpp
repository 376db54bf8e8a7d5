// Cycles that kernels read from the clock around products of warp groups (wgmma) and copies by the tensor memory
// accelerator, compared with those of an H200 (cubins/README.md).
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
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

/// Cycles until 1, 2, 4, 8, 16 and 32 products in one group are complete.
std::array<double, 6> cycles_of_products(const std::string& kernel, std::uint32_t threads) {
  Launch launch;
  launch.block = {threads, 1, 1};
  launch.dynamic_shared_bytes = 66 * 1024;
  launch.buffers = {{"sink", std::vector<std::uint8_t>(4096)}, {"cycles", std::vector<std::uint8_t>(4096)}};
  launch.arguments = {buffer_argument(1), buffer_argument(0)};
  const std::vector<std::uint32_t> words = words_of("product_cycles", kernel, std::move(launch));
  std::array<double, 6> cycles;
  for (std::size_t i = 0; i < cycles.size(); ++i) cycles[i] = words[2 * i + 1];
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

}  // namespace
}  // namespace warpwalk::gpu
