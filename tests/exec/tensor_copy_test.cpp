// Copies by the tensor memory accelerator, against those of an H200 (data/README.md).
#include <array>
#include <cstring>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/exec/hopper_launch.h"

namespace warpwalk::testing {
namespace {

constexpr std::uint64_t tensor_address = 0x7f2000000000;
constexpr std::size_t map_bytes = 128, coordinates = 5;

/// The bytes of Python's random.Random(2).randbytes(count): the outputs of a Mersenne Twister.
std::vector<std::uint8_t> source_bytes(std::size_t count) {
  constexpr std::size_t n = 624, m = 397;
  std::array<std::uint32_t, n> state{};
  state[0] = 19650218;
  for (std::uint32_t i = 1; i < n; ++i) state[i] = 1812433253U * (state[i - 1] ^ state[i - 1] >> 30) + i;
  constexpr std::uint32_t key = 2;
  std::size_t i = 1;
  const auto step = [&](std::uint32_t factor) { return (state[i - 1] ^ state[i - 1] >> 30) * factor; };
  const auto next = [&] {
    if (++i < n) return;
    state[0] = state[n - 1];
    i = 1;
  };
  for (std::size_t k = 0; k < n; ++k, next()) state[i] = (state[i] ^ step(1664525)) + key;
  for (std::size_t k = 0; k + 1 < n; ++k, next())
    state[i] = (state[i] ^ step(1566083941)) - static_cast<std::uint32_t>(i);
  state[0] = 0x80000000;
  std::vector<std::uint8_t> bytes;
  for (std::size_t at = n; bytes.size() < count; ++at) {
    if (at == n) {
      for (std::size_t k = 0; k < n; ++k) {
        const std::uint32_t y = (state[k] & 0x80000000) | (state[(k + 1) % n] & 0x7fffffff);
        state[k] = state[(k + m) % n] ^ y >> 1 ^ ((y & 1) != 0 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    std::uint32_t y = state[at];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680;
    y ^= y << 15 & 0xefc60000;
    y ^= y >> 18;
    for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(y >> 8 * k));
  }
  return bytes;
}

/// The map's address is that of the buffer at `tensor_address`.
gpu::Argument take_map(Reader& recorded) {
  gpu::Argument map;
  map.bytes = recorded.take(map_bytes);
  std::memcpy(map.bytes.data(), &tensor_address, sizeof tensor_address);
  return map;
}

void check_loads(Code code) {
  const std::vector<std::uint8_t> source = source_bytes(1 << 20);
  const std::string data = bytes_of_file("data/tensor_loads.bin");
  int cases = 0;
  for (Reader recorded(data); !recorded.empty(); ++cases) {
    const std::uint32_t rank = recorded.word();
    gpu::Launch launch;
    launch.block = {128, 1, 1};
    launch.dynamic_shared_bytes = 65536;
    launch.arguments = {take_map(recorded), number_argument(rank)};
    for (std::size_t i = 0; i < coordinates; ++i) launch.arguments.push_back(number_argument(recorded.word()));
    launch.arguments.push_back(number_argument(recorded.word()));  // bytes of the box
    const std::uint32_t size = recorded.word();
    launch.arguments.push_back(number_argument(size));
    launch.arguments.push_back(buffer_argument(1));
    launch.buffers = {{"source", source}, {"out", std::vector<std::uint8_t>(size)}};
    launch.buffers[0].address = tensor_address;
    EXPECT_EQ(run_code(code, "tensor_copies", "tma_load", launch), std::vector<std::string>{}) << "case " << cases;
    EXPECT_EQ(launch.buffers[1].bytes, recorded.take(size)) << "case " << cases;
  }
  EXPECT_EQ(cases, 60);
}

void check_stores(Code code) {
  const std::string data = bytes_of_file("data/tensor_stores.bin");
  int cases = 0;
  for (Reader recorded(data); !recorded.empty(); ++cases) {
    const std::uint32_t rank = recorded.word();
    gpu::Argument map = take_map(recorded);
    std::vector<gpu::Argument> at;
    for (std::size_t i = 0; i < coordinates; ++i) at.push_back(number_argument(recorded.word()));
    const std::uint32_t kind = recorded.word(), size = recorded.word(), target_bytes = recorded.word();
    gpu::Launch launch;
    launch.block = {128, 1, 1};
    launch.dynamic_shared_bytes = 65536;
    const std::vector<std::uint8_t> content = recorded.take(size);
    launch.buffers = {{"target", recorded.take(target_bytes)}, {"in", content}};
    launch.buffers[0].address = tensor_address;
    if (rank == 0) {
      launch.arguments = {buffer_argument(0), buffer_argument(1), number_argument(size), number_argument(kind)};
    } else {
      launch.arguments = {std::move(map), number_argument(rank)};
      launch.arguments.insert(launch.arguments.end(), at.begin(), at.end());
      launch.arguments.push_back(number_argument(kind));
      launch.arguments.push_back(number_argument(size));
      launch.arguments.push_back(buffer_argument(1));
    }
    EXPECT_EQ(run_code(code, "tensor_copies", rank == 0 ? "bulk_reduce" : "tma_store", launch),
              std::vector<std::string>{})
        << "case " << cases;
    EXPECT_EQ(launch.buffers[0].bytes, recorded.take(target_bytes)) << "case " << cases;
  }
  EXPECT_EQ(cases, 29);
}

TEST(TensorCopy, LoadsGiveTheBytesOfTheGpu) { check_loads(Code::machine_code); }
TEST(TensorCopy, LoadsFromPtxGiveTheBytesOfTheGpu) { check_loads(Code::ptx); }
// Loads of f32 as tf32, with the results of an H100.
TEST(TensorCopy, NumbersAreRoundedToTf32AsOnTheGpu) {
  constexpr std::uint32_t numbers[][2] = {
      {0x00000001, 0x00000000}, {0x80000001, 0x80000000}, {0x007fffff, 0x00800000}, {0x802afaa1, 0x802b0000},
      {0x7f800001, 0x7fffe000}, {0xff8c75dc, 0x7fffe000}, {0x7fc00000, 0x7fffe000}, {0x7f800000, 0x7f800000},
      {0xff800000, 0xff800000}, {0x7f7fffff, 0x7f800000}, {0xff7ff000, 0xff800000}, {0x7f7fefff, 0x7f7fe000},
      {0x00001000, 0x00000000}, {0x3f801000, 0x3f800000}, {0x3f803000, 0x3f804000}, {0xbf801000, 0xbf800000}};
  constexpr std::size_t count = std::size(numbers);
  gpu::Argument map = map_argument(tensor_address, {count, 1}, 64, {count, 1}, 0);
  std::uint64_t word = 0;
  std::memcpy(&word, map.bytes.data() + 8, sizeof word);
  word = (word & ~(std::uint64_t{15} << 7)) | std::uint64_t{7} << 7 | std::uint64_t{1} << 16;  // f32, rounded to tf32
  std::memcpy(map.bytes.data() + 8, &word, sizeof word);
  gpu::Launch launch;
  launch.block = {128, 1, 1};
  launch.dynamic_shared_bytes = 65536;
  launch.arguments = {map, number_argument(2)};
  for (std::size_t i = 0; i < coordinates; ++i) launch.arguments.push_back(number_argument(0));
  launch.arguments.insert(launch.arguments.end(),
                          {number_argument(4 * count), number_argument(4 * count), buffer_argument(1)});
  launch.buffers = {{"source", std::vector<std::uint8_t>(4 * count)}, {"out", std::vector<std::uint8_t>(4 * count)}};
  launch.buffers[0].address = tensor_address;
  for (std::size_t i = 0; i < count; ++i) std::memcpy(launch.buffers[0].bytes.data() + 4 * i, &numbers[i][0], 4);
  EXPECT_EQ(run_code(Code::machine_code, "tensor_copies", "tma_load", launch), std::vector<std::string>{});
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t got = 0;
    std::memcpy(&got, launch.buffers[1].bytes.data() + 4 * i, 4);
    EXPECT_EQ(got, numbers[i][1]) << std::hex << numbers[i][0];
  }
}

gpu::Launch image_launch(gpu::Argument map, std::uint32_t rank, Reader& recorded) {
  constexpr std::size_t offsets = 3;
  gpu::Launch launch;
  launch.block = {128, 1, 1};
  launch.dynamic_shared_bytes = 65536;
  launch.arguments = {std::move(map), number_argument(rank)};
  for (std::size_t i = 0; i < coordinates + offsets; ++i) launch.arguments.push_back(number_argument(recorded.word()));
  return launch;
}

void expect_recorded_pixels(Code code) {
  const std::vector<std::uint8_t> source = source_bytes(1 << 20);
  const std::string data = bytes_of_file("data/image_loads.bin");
  int cases = 0;
  for (Reader recorded(data); !recorded.empty(); ++cases) {
    const std::uint32_t rank = recorded.word();
    gpu::Argument map = take_map(recorded);
    gpu::Launch launch = image_launch(std::move(map), rank, recorded);
    const std::uint32_t moved = recorded.word(), size = recorded.word();
    launch.arguments.insert(launch.arguments.end(),
                            {number_argument(moved), number_argument(size), buffer_argument(1)});
    launch.buffers = {{"source", source}, {"out", std::vector<std::uint8_t>(size)}};
    launch.buffers[0].address = tensor_address;
    EXPECT_EQ(run_code(code, "image_copies", "image_load", launch), std::vector<std::string>{}) << "case " << cases;
    EXPECT_EQ(launch.buffers[1].bytes, recorded.take(size)) << "case " << cases;
  }
  EXPECT_EQ(cases, 40);
}

TEST(TensorCopy, PixelsOfImagesAreThoseOfTheGpu) { expect_recorded_pixels(Code::machine_code); }
TEST(TensorCopy, PixelsOfImagesFromPtxAreThoseOfTheGpu) { expect_recorded_pixels(Code::ptx); }

/// Loads pixels of the first recorded image, whose box has the places 0 to 8 in a row, from `at` on.
std::vector<std::string> findings_of_pixels(std::uint32_t at, bool tiled_map) {
  const std::string data = bytes_of_file("data/image_loads.bin");
  Reader recorded(data);
  const std::uint32_t rank = recorded.word();
  gpu::Argument map = take_map(recorded);
  if (tiled_map) map.bytes[8] &= 0xfe;  // bit 0 of the second word is im2col mode
  gpu::Launch launch = image_launch(std::move(map), rank, recorded);
  launch.arguments[3] = number_argument(at);
  for (const std::uint32_t value : {recorded.word(), recorded.word()})
    launch.arguments.push_back(number_argument(value));
  launch.arguments.push_back(buffer_argument(1));
  launch.buffers = {{"source", std::vector<std::uint8_t>(1 << 20)}, {"out", std::vector<std::uint8_t>(8192)}};
  launch.buffers[0].address = tensor_address;
  return run_code(Code::machine_code, "image_copies", "image_load", launch);
}

TEST(TensorCopy, MistakesWithPixelsAreFound) {
  EXPECT_EQ(findings_of_pixels(8, false), std::vector<std::string>{});
  EXPECT_EQ(findings_of_pixels(9, false),
            std::vector<std::string>{
                "out_of_bounds: thread (0,0,0) of block (0,0,0) copies pixels from a place outside of the tensor map's "
                "box on, for which an H100 stops the launch"});
  EXPECT_EQ(findings_of_pixels(0, true),
            std::vector<std::string>{"bad_tensor_map: thread (0,0,0) of block (0,0,0) copies pixels with a tensor map "
                                     "in tiled mode"});
}

TEST(TensorCopy, StoresAndReductionsLeaveTheBytesOfTheGpu) { check_stores(Code::machine_code); }
TEST(TensorCopy, StoresAndReductionsFromPtxLeaveTheBytesOfTheGpu) { check_stores(Code::ptx); }

/// Loads a box of 16 x 8 numbers from the column `column` on.
std::vector<std::string> findings_of_load(Code code, gpu::Argument map, std::uint32_t dimensions, std::int32_t column) {
  gpu::Launch launch;
  launch.block = {128, 1, 1};
  launch.dynamic_shared_bytes = 65536;
  launch.buffers = {{"source", std::vector<std::uint8_t>(8192)}, {"out", std::vector<std::uint8_t>(1024)}};
  launch.buffers[0].address = tensor_address;
  launch.arguments = {std::move(map), number_argument(dimensions), number_argument(static_cast<std::uint32_t>(column))};
  for (std::size_t i = 1; i < coordinates; ++i) launch.arguments.push_back(number_argument(0));
  for (const std::uint32_t value : {256U, 1024U}) launch.arguments.push_back(number_argument(value));
  launch.arguments.push_back(buffer_argument(1));
  return run_code(code, "tensor_copies", "tma_load", launch);
}

void check_mistakes(Code code) {
  const gpu::Argument map = map_argument(tensor_address, {64, 32}, 128, {16, 8}, 0);
  EXPECT_EQ(findings_of_load(code, map, 2, 8), std::vector<std::string>{});
  EXPECT_EQ(findings_of_load(code, map, 2, 1),
            std::vector<std::string>{
                "misaligned: thread (0,0,0) of block (0,0,0) copies a tensor from its element 1 of 2 bytes on; "
                "it must start at a multiple of 16 bytes"});
  EXPECT_EQ(
      findings_of_load(code, map, 3, 0),
      std::vector<std::string>{
          "bad_tensor_map: thread (0,0,0) of block (0,0,0) copies a tensor of 3 dimensions with a tensor map of 2"});
  EXPECT_EQ(findings_of_load(code, map_argument(tensor_address, {64, 32}, 128, {256, 256}, 0), 2, 0),
            std::vector<std::string>{
                "out_of_bounds: thread (0,0,0) of block (0,0,0) copies a box of 131072 bytes; the block has 65536 "
                "bytes of shared memory"});
  const gpu::Argument beyond = map_argument(tensor_address, {64, 512}, 128, {16, 8}, 0);
  EXPECT_EQ(findings_of_load(code, beyond, 2, 0), std::vector<std::string>{});
  const auto out_of_bounds =
      findings_of_load(code, map_argument(tensor_address + 8192 - 128, {64, 32}, 128, {16, 8}, 0), 2, 0);
  ASSERT_FALSE(out_of_bounds.empty());
  EXPECT_EQ(out_of_bounds[0].find("out_of_bounds: "), 0U) << out_of_bounds[0];
  EXPECT_THAT(out_of_bounds[0], ::testing::HasSubstr("just past the end of buffer `source`"));
  gpu::Argument unknown = map, interleaved = map;
  unknown.bytes[8 + 1] |= 0x07;  // bits 7 to 10 of the second word are the type, 11 and 12 the interleaving
  unknown.bytes[8] |= 0x80;
  interleaved.bytes[8 + 1] |= 0x08;
  EXPECT_EQ(findings_of_load(code, unknown, 2, 0),
            std::vector<std::string>{"bad_tensor_map: thread (0,0,0) of block (0,0,0) copies a tensor of 2 dimensions "
                                     "with a tensor map of an unknown format"});
  EXPECT_EQ(findings_of_load(code, interleaved, 2, 0),
            std::vector<std::string>{"unsupported: thread (0,0,0) of block (0,0,0) uses a tensor map with an "
                                     "interleaved layout, which is not supported"});
}

TEST(TensorCopy, MistakesAreFound) {
  for (const Code code : codes) check_mistakes(code);
}

}  // namespace
}  // namespace warpwalk::testing
