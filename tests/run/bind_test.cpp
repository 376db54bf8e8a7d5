// Limits of the GPU and the machine, matching of arguments to parameters, and buffer contents.
#include "core/run/launch/bind.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/available_memory.h"
#include "core/ptx/module.h"

namespace warpwalk::run {
namespace {

gpu::Device device() {
  gpu::Device d;
  d.name = "Test GPU";
  d.threads_per_block.value = 1024;
  d.registers_per_thread.value = 128;
  d.shared_per_block_optin.value = 1000;
  d.memory_bytes.value = 1'000'000;
  return d;
}

BufferSpec buffer(std::string name, ops::DType dtype, std::uint64_t count, Content content = Unwritten{}) {
  return {std::move(name), dtype, count, std::move(content)};
}

std::string limit(const LaunchFile& file, std::uint64_t host = 1ull << 40) {
  const auto checked = check_limits(file, device(), host);
  return checked ? "fits" : checked.error();
}

TEST(Limits, GridAndBlock) {
  LaunchFile file;
  file.grid = {0x7fffffff, 65535, 65535};
  file.block = {16, 1, 64};
  EXPECT_EQ(limit(file), "fits");
  file.grid[2] = 65536;
  EXPECT_EQ(limit(file), "grid[2]: is 65536; a GPU takes at most 65535 blocks in z");
  file.grid[2] = 1;
  file.block = {1, 1, 65};
  EXPECT_EQ(limit(file), "block[2]: is 65; a GPU takes at most 64 threads in z");
  file.block = {1025, 1, 1};
  EXPECT_EQ(limit(file), "block[0]: is 1025; a GPU takes at most 1024 threads in x");
  file.block = {33, 32, 1};
  EXPECT_EQ(limit(file), "block: 33 x 32 x 1 are 1056 threads; the Test GPU takes at most 1024 per block");
}

TEST(Limits, RegistersAndSharedMemory) {
  LaunchFile file;
  file.registers = 128;
  file.dynamic_shared_bytes = 1000;
  EXPECT_EQ(limit(file), "fits");
  file.registers = 129;
  EXPECT_EQ(limit(file), "registers: is 129; a thread of the Test GPU has at most 128");
  file.registers.reset();
  file.dynamic_shared_bytes = 1001;
  EXPECT_EQ(limit(file), "dynamic_shared_bytes: is 1001; a block of the Test GPU has at most 1000");
}

TEST(Limits, Memory) {
  LaunchFile file;
  file.buffers = {buffer("a", ops::DType::u8, 512), buffer("b", ops::DType::f32, 100)};
  EXPECT_EQ(limit(file, 1024), "fits");
  EXPECT_THAT(limit(file, 1023), ::testing::HasSubstr("buffer b: "));
  EXPECT_THAT(limit(file, 1023), ::testing::HasSubstr("this machine's free memory is"));
  file.expects.push_back({0, Unwritten{}, {}});
  EXPECT_EQ(limit(file, 1536), "fits");
  EXPECT_THAT(limit(file, 1535), ::testing::HasSubstr("buffer a: ")) << "what is expected takes memory too";
  file.buffers.push_back(buffer("c", ops::DType::f64, std::uint64_t{1} << 40));
  EXPECT_THAT(limit(file), ::testing::HasSubstr("buffer c: 8.0 TiB up to here, but the Test GPU has 976.6 KiB"));
  EXPECT_GT(platform::available_memory(), 1'000'000u);
}

struct Bound {
  ptx::Module module;
  ptx::Function entry;
  LaunchFile file;
  Bound() {
    entry.name = "vecadd";
    const auto parameter = [&](ptx::Type type, std::uint32_t bytes) {
      ptx::Parameter p;
      p.name = "vecadd_param_" + std::to_string(entry.parameters.size());
      p.type = type;
      p.bytes = bytes;
      entry.parameters.push_back(p);
    };
    parameter(ptx::Type::u64, 8);
    parameter(ptx::Type::u32, 4);
    parameter(ptx::Type::b8, 12);
    file.buffers = {buffer("a", ops::DType::f32, 4)};
    file.arguments.resize(3);
    file.arguments[0].buffer = 0;
    file.arguments[1].dtype = ops::DType::i32;
    file.arguments[1].bytes.resize(4);
    file.arguments[2].bytes.resize(12);
  }
  std::string check() const {
    const auto checked = check_arguments(file, module, entry);
    return checked ? "fits" : checked.error();
  }
};

TEST(Arguments, FitTheParametersInSize) {
  Bound b;
  EXPECT_EQ(b.check(), "fits");
  b.file.arguments[1].dtype = ops::DType::f64;
  b.file.arguments[1].bytes.resize(8);
  EXPECT_EQ(b.check(), "args[1]: f64 (8 bytes) does not fit parameter vecadd_param_1 (.u32, 4 bytes)");
  b = {};
  b.file.arguments[2].bytes.resize(8);
  EXPECT_EQ(b.check(), "args[2]: bytes (8 bytes) does not fit parameter vecadd_param_2 (.b8, 12 bytes)");
  b = {};
  std::swap(b.file.arguments[0], b.file.arguments[1]);
  EXPECT_EQ(b.check(), "args[0]: i32 (4 bytes) does not fit parameter vecadd_param_0 (.u64, 8 bytes)");
  b = {};
  b.module.address_size = 32;
  EXPECT_EQ(b.check(),
            "args[0]: the address of buffer a (4 bytes) does not fit parameter vecadd_param_0 (.u64, 8 bytes)");
}

TEST(Arguments, AreAsManyAsTheParameters) {
  Bound b;
  b.file.arguments.pop_back();
  EXPECT_EQ(b.check(), "args: 2 given, but vecadd takes 3: .u64 8 B, .u32 4 B, .b8 12 B");
  b.file.arguments.clear();
  b.entry.parameters.clear();
  EXPECT_EQ(b.check(), "fits");
  b.file.arguments.resize(1);
  EXPECT_EQ(b.check(), "args: 1 given, but vecadd takes 0");
}

class Files : public ::testing::Test {
 protected:
  Files() {
    std::string name = (std::filesystem::temp_directory_path() / "warpwalk-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~Files() override { std::filesystem::remove_all(folder_); }
  void write(std::string_view name, std::string_view bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  std::filesystem::path folder_;
};

TEST_F(Files, BuffersHoldWhatTheFileSays) {
  write("a.bin", "12345678");
  LaunchFile file;
  file.grid = {3, 2, 1};
  file.block = {7, 1, 1};
  file.registers = 9;
  file.buffers = {buffer("a", ops::DType::u32, 2, std::filesystem::path("a.bin")),
                  buffer("b", ops::DType::u8, 3, Fill{FillIota{}}), buffer("c", ops::DType::f64, 1)};
  file.arguments.resize(2);
  file.arguments[0].buffer = 1;
  file.arguments[0].offset = 2;
  file.arguments[1].bytes = {1, 2};
  auto bound = bind(file, folder_);
  ASSERT_TRUE(bound) << bound.error();
  const auto& launch = *bound;
  EXPECT_EQ(launch.grid, file.grid);
  EXPECT_EQ(launch.block, file.block);
  EXPECT_EQ(launch.registers, 9);
  ASSERT_EQ(launch.buffers.size(), 3u);
  EXPECT_EQ(launch.buffers[0].bytes, (std::vector<std::uint8_t>{'1', '2', '3', '4', '5', '6', '7', '8'}));
  EXPECT_EQ(launch.buffers[1].bytes, (std::vector<std::uint8_t>{0, 1, 2}));
  EXPECT_TRUE(launch.buffers[1].initialized);
  EXPECT_EQ(launch.buffers[2].bytes.size(), 8u);
  EXPECT_FALSE(launch.buffers[2].initialized);
  EXPECT_EQ(launch.arguments[0].buffer, 1);
  EXPECT_EQ(launch.arguments[0].offset, 2u);
  EXPECT_EQ(launch.arguments[1].buffer, -1);
  EXPECT_EQ(launch.arguments[1].bytes, (std::vector<std::uint8_t>{1, 2}));
}

TEST_F(Files, AFileHasTheBuffersSize) {
  write("a.bin", "12345678");
  const auto error = [&](std::uint64_t count, const char* name) {
    const auto content = content_of(buffer("a", ops::DType::f32, count), std::filesystem::path(name), folder_);
    return content ? std::string("read") : content.error();
  };
  EXPECT_EQ(error(2, "a.bin"), "read");
  EXPECT_EQ(error(3, "a.bin"),
            (folder_ / "a.bin").string() + ": has 8 bytes but must have 12 (buffer a: 3 f32 are 12 bytes)");
  EXPECT_THAT(error(1, "a.bin"), ::testing::HasSubstr("has 8 bytes but must have 4"));
  EXPECT_THAT(error(2, "b.bin"), ::testing::HasSubstr("b.bin: there is no such file"));
  EXPECT_THAT(error(2, "."), ::testing::HasSubstr("is not a regular file"));
  EXPECT_THAT(error(2, "/dev/zero"), ::testing::HasSubstr("is not a regular file"));
}

}  // namespace
}  // namespace warpwalk::run
