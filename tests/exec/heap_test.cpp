// malloc, free, new and delete in kernels, from PTX and in machine code.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/result.h"
#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/memory/device_heap.h"
#include "core/gpu/exec/program.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

std::string heap_file(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/exec" / name, std::ios::binary).rdbuf();
  return text.str();
}

enum class HeapCode { ptx, machine_code };

class Heap : public ::testing::TestWithParam<HeapCode> {
 protected:
  /// Launches a kernel (a, b) of kernels/heap.cu.
  Simulation run(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads, bool sanitize = true) {
    auto program = prepared(kernel);
    if (!program) {
      ADD_FAILURE() << program.error();
      return {};
    }
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    SimulateOptions options;
    options.sanitize = sanitize;
    options.threads = 2;
    auto result = simulate(*load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json"), **program, launch, options);
    if (!result) {
      ADD_FAILURE() << result.error();
      return {};
    }
    return *std::move(result);
  }
  template <class T>
  void set_buffers(const std::vector<T>& a, const std::vector<int>& b) {
    launch.arguments.clear();
    launch.buffers.clear();
    add("a", a.data(), a.size() * sizeof(T));
    add("b", b.data(), b.size() * sizeof(int));
  }
  std::vector<int> integers(std::size_t buffer) const {
    std::vector<int> values(launch.buffers[buffer].bytes.size() / sizeof(int));
    std::memcpy(values.data(), launch.buffers[buffer].bytes.data(), values.size() * sizeof(int));
    return values;
  }
  Launch launch;

 private:
  static base::Result<std::shared_ptr<const Program>> prepared(const std::string& kernel) {
    if (GetParam() == HeapCode::machine_code) return prepare_machine_code(heap_file("cubins/heap.cubin"), kernel);
    auto parsed = ptx::parse(heap_file("kernels/heap.ptx"));
    if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return base::Error{error->text()};
    return prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), kernel);
  }
  void add(const char* name, const void* data, std::size_t bytes) {
    launch.arguments.emplace_back().buffer = static_cast<std::int32_t>(launch.buffers.size());
    launch.buffers.push_back({name, std::vector<std::uint8_t>(bytes)});
    std::memcpy(launch.buffers.back().bytes.data(), data, bytes);
  }
};

INSTANTIATE_TEST_SUITE_P(Code, Heap, ::testing::Values(HeapCode::ptx, HeapCode::machine_code),
                         [](const auto& one) { return one.param == HeapCode::ptx ? "Ptx" : "MachineCode"; });

std::vector<int> counted(int count) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back((37 * i + 11) % 100);
  return values;
}

std::string finding_texts(const Simulation& simulation) {
  std::string text;
  for (const Finding& finding : simulation.findings) text += finding.message + "\n";
  return text;
}

TEST_P(Heap, MemoryOfItsOwnForEachThread) {
  const std::vector<int> x = counted(256);
  set_buffers(x, std::vector<int>(256));
  EXPECT_EQ(finding_texts(run("sums", 4, 64)), "");
  std::vector<int> expected;
  for (const int v : x) {
    const int n = v % 8 + 1;
    expected.push_back(n * v + n * (n - 1) / 2);
  }
  EXPECT_EQ(integers(1), expected);
}

TEST_P(Heap, NewAndDelete) {
  const std::vector<int> x = counted(32);
  set_buffers(x, std::vector<int>(32));
  EXPECT_EQ(finding_texts(run("shapes", 1, 32)), "");
  std::vector<int> expected;
  for (const int v : x) expected.push_back(v % 3 == 0 ? v * v : 2 * v);
  EXPECT_EQ(integers(1), expected);
}

TEST_P(Heap, OutlivesALaunch) {
  launch.heap = std::make_shared<DeviceHeap>(std::uint64_t{1} << 16);
  set_buffers(std::vector<std::uint64_t>(32), counted(32));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(finding_texts(run("push", 1, 32)), "");
  EXPECT_FALSE(launch.heap->is_empty());
  const auto copy = std::make_shared<DeviceHeap>(*launch.heap);
  std::vector<int> expected;
  for (const int v : counted(32)) expected.push_back(111 * v);
  launch.buffers[1].bytes.assign(32 * sizeof(int), 0);
  EXPECT_EQ(finding_texts(run("total", 1, 32)), "");
  EXPECT_EQ(integers(1), expected);
  EXPECT_TRUE(launch.heap->is_empty());
  // A copy of the heap has the same objects.
  launch.heap = copy;
  launch.buffers[1].bytes.assign(32 * sizeof(int), 0);
  EXPECT_EQ(finding_texts(run("total", 1, 32)), "");
  EXPECT_EQ(integers(1), expected);
}

TEST_P(Heap, GivesNullWhenItIsFull) {
  launch.heap = std::make_shared<DeviceHeap>(4096);
  set_buffers(std::vector<int>{64}, {0});
  EXPECT_EQ(finding_texts(run("exhaust", 1, 1)), "");
  EXPECT_EQ(integers(1), std::vector<int>{64});
  launch.heap = nullptr;  // 8 MiB
  set_buffers(std::vector<int>{1 << 20}, {0});
  run("exhaust", 1, 1);
  EXPECT_EQ(integers(1), std::vector<int>{8});
}

TEST_P(Heap, AlignsAsTheTypeAsks) {
  set_buffers(counted(32), std::vector<int>(32, 1));
  EXPECT_EQ(finding_texts(run("align", 1, 32)), "");
  EXPECT_EQ(integers(1), std::vector<int>(32));
}

TEST_P(Heap, MemoryIsFreedTwice) {
  std::vector<int> x(32, 1);
  x[5] = 7;
  set_buffers(x, std::vector<int>(32));
  const Simulation simulation = run("frees_twice", 1, 32, false);
  ASSERT_EQ(simulation.findings.size(), 1U);
  EXPECT_EQ(simulation.findings[0].kind, FindingKind::bad_free);
  EXPECT_NE(simulation.findings[0].message.find("thread (5,0,0) of block (0,0,0) frees address 0x7e60"),
            std::string::npos)
      << simulation.findings[0].message;
}

TEST_P(Heap, FreedMemoryIsRead) {
  set_buffers(counted(32), std::vector<int>(32));
  const Simulation simulation = run("reads_freed", 1, 32);
  ASSERT_EQ(simulation.findings.size(), 1U) << finding_texts(simulation);
  EXPECT_EQ(simulation.findings[0].kind, FindingKind::uninitialized);
}

TEST(HeapAllocator, JoinsWhatIsFreed) {
  DeviceHeap heap(1024);
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 64; ++i) all.push_back(heap.allocate(16));
  EXPECT_EQ(heap.allocate(1), 0U);
  for (std::size_t i = 0; i < all.size(); i += 2) EXPECT_TRUE(heap.free(all[i]));
  EXPECT_EQ(heap.allocate(32), 0U);
  for (std::size_t i = 1; i < all.size(); i += 2) EXPECT_TRUE(heap.free(all[i]));
  EXPECT_FALSE(heap.free(all[3]));
  EXPECT_TRUE(heap.free(0));
  EXPECT_EQ(heap.allocate(1024), all[0]);
  EXPECT_EQ(heap.bytes_of(all[0]), 1024U);
  EXPECT_EQ(heap.bytes_of(all[1]), 0U);
}

}  // namespace
}  // namespace warpwalk::gpu
