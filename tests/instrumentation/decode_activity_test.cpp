// Decodes hand-made CUPTI activity records.
#include "instrumentation/decode_activity.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/cupti_abi.h"

namespace warpwalk::instrumentation {
namespace {

class Collector final : public RowSink {
 public:
  std::uint32_t name(std::string_view text) override {
    if (text.empty()) return 0;
    names.emplace_back(text);
    return static_cast<std::uint32_t>(names.size());
  }
  void add(const Row& row) override { rows.push_back(row); }
  std::vector<std::string> names;
  std::vector<Row> rows;
};

class Calls final : public CallNameTable {
 public:
  std::string_view name(std::uint32_t domain, std::uint32_t cbid) override {
    if (domain == cupti::domain_runtime && cbid == 211) return "cudaLaunchKernel_v7000";
    if (domain == cupti::domain_driver && cbid == 307) return "cuLaunchKernel";
    return {};
  }
};

class DecodeActivity : public ::testing::Test {
 protected:
  template <class Record>
  bool decode(const Record& record) {
    return decode_activity(&record, calls_, to_);
  }
  template <class R>
  const R& row() const {
    return std::get<R>(to_.rows.back());
  }
  Collector to_;
  Calls calls_;
};

TEST_F(DecodeActivity, Kernel) {
  cupti::Kernel kernel{};
  kernel.kind = cupti::kind_concurrent_kernel;
  kernel.registers = 40;
  kernel.start = 1000, kernel.end = 1500, kernel.queued = 800, kernel.submitted = 900, kernel.completed = 1600;
  kernel.device = 1, kernel.context = 2, kernel.stream = 13, kernel.correlation = 77;
  kernel.grid[0] = 10, kernel.grid[1] = 2, kernel.grid[2] = 3;
  kernel.block[0] = 128, kernel.block[1] = 4, kernel.block[2] = 1;
  kernel.static_shared = 4096, kernel.dynamic_shared = 1024, kernel.local_per_thread = 16;
  kernel.name = "_Z6vecaddPKfS0_Pfi";
  kernel.graph = 5, kernel.graph_node = 0x500000001;
  kernel.cluster[0] = 2, kernel.cluster[1] = 1, kernel.cluster[2] = 1;
  ASSERT_TRUE(decode(kernel));
  const auto& row = this->row<KernelRow>();
  EXPECT_EQ(row.start, 1000u);
  EXPECT_EQ(row.end, 1500u);
  EXPECT_EQ(row.queued, 800u);
  EXPECT_EQ(row.submitted, 900u);
  EXPECT_EQ(to_.names.at(row.name - 1), "_Z6vecaddPKfS0_Pfi");
  EXPECT_EQ(row.device, 1u);
  EXPECT_EQ(row.context, 2u);
  EXPECT_EQ(row.stream, 13u);
  EXPECT_EQ(row.correlation, 77u);
  EXPECT_EQ(row.registers, 40u);
  EXPECT_EQ(row.static_shared, 4096u);
  EXPECT_EQ(row.dynamic_shared, 1024u);
  EXPECT_EQ(row.local_bytes, 16u);
  EXPECT_EQ(row.grid, (std::array<std::uint32_t, 3>{10, 2, 3}));
  EXPECT_EQ(row.block, (std::array<std::uint32_t, 3>{128, 4, 1}));
  EXPECT_EQ(row.cluster, (std::array<std::uint32_t, 3>{2, 1, 1}));
  EXPECT_EQ(row.graph, 5u);
  EXPECT_EQ(row.graph_node, 0x500000001u);
}

TEST_F(DecodeActivity, KernelWithoutANameOrWithNonsense) {
  cupti::Kernel kernel{};
  kernel.kind = cupti::kind_concurrent_kernel;
  kernel.grid[0] = -1;
  kernel.static_shared = -5;
  ASSERT_TRUE(decode(kernel));
  EXPECT_EQ(row<KernelRow>().name, 0u);
  EXPECT_EQ(row<KernelRow>().grid[0], 0u);
  EXPECT_EQ(row<KernelRow>().static_shared, 0u);
}

TEST_F(DecodeActivity, CallsOfRuntimeAndDriver) {
  cupti::Api call{cupti::kind_runtime, 211, 100, 200, 4711, 4712, 77, 0};
  ASSERT_TRUE(decode(call));
  EXPECT_EQ(row<CallRow>().driver, 0u);
  EXPECT_EQ(row<CallRow>().thread, 4712u);
  EXPECT_EQ(row<CallRow>().correlation, 77u);
  EXPECT_EQ(to_.names.at(row<CallRow>().name - 1), "cudaLaunchKernel_v7000");
  call.kind = cupti::kind_driver, call.cbid = 307, call.result = 600;
  ASSERT_TRUE(decode(call));
  EXPECT_EQ(row<CallRow>().driver, 1u);
  EXPECT_EQ(row<CallRow>().result, 600u);
  EXPECT_EQ(to_.names.at(row<CallRow>().name - 1), "cuLaunchKernel");
  call.cbid = 9999;
  ASSERT_TRUE(decode(call));
  EXPECT_EQ(row<CallRow>().name, 0u);
  EXPECT_EQ(row<CallRow>().cbid, 9999u);
}

TEST_F(DecodeActivity, CopiesAndSets) {
  cupti::Memcpy copy{};
  copy.kind = cupti::kind_memcpy;
  copy.copy_kind = 1, copy.from = 2, copy.to = 3, copy.flags = 1;
  copy.bytes = 1ull << 33, copy.start = 5, copy.end = 9;
  copy.device = 1, copy.context = 2, copy.stream = 3, copy.correlation = 4, copy.graph = 6, copy.graph_node = 7;
  ASSERT_TRUE(decode(copy));
  EXPECT_EQ(row<MemcpyRow>().bytes, 1ull << 33);
  EXPECT_EQ(row<MemcpyRow>().kind, 1u);
  EXPECT_EQ(row<MemcpyRow>().from, 2u);
  EXPECT_EQ(row<MemcpyRow>().to, 3u);
  EXPECT_EQ(row<MemcpyRow>().is_async, 1u);
  EXPECT_EQ(row<MemcpyRow>().graph, 6u);
  EXPECT_EQ(row<MemcpyRow>().peer, 0u);

  cupti::MemcpyPeer peer{};
  peer.kind = cupti::kind_memcpy_peer;
  peer.copy_kind = 10, peer.from_device = 2, peer.to_device = 3, peer.correlation = 8;
  ASSERT_TRUE(decode(peer));
  EXPECT_EQ(row<MemcpyRow>().peer, 1u);
  EXPECT_EQ(row<MemcpyRow>().from_device, 2u);
  EXPECT_EQ(row<MemcpyRow>().to_device, 3u);
  EXPECT_EQ(row<MemcpyRow>().correlation, 8u);

  cupti::Memset set{};
  set.kind = cupti::kind_memset;
  set.value = 255, set.bytes = 64, set.memory = 3, set.correlation = 9;
  ASSERT_TRUE(decode(set));
  EXPECT_EQ(row<MemsetRow>().value, 255u);
  EXPECT_EQ(row<MemsetRow>().bytes, 64u);
  EXPECT_EQ(row<MemsetRow>().memory, 3u);
  EXPECT_EQ(row<MemsetRow>().is_async, 0u);
}

TEST_F(DecodeActivity, MemoryOfAPoolOfThisProcessAndOfAnother) {
  cupti::Memory memory{};
  memory.kind = cupti::kind_memory;
  memory.operation = 1, memory.memory_kind = 3, memory.address = 0x7f0000000000, memory.bytes = 512;
  memory.pool_type = cupti::local_pool, memory.pool_address = 0xabc, memory.pool_size_or_process = 4096;
  memory.pool_used = 1024;
  ASSERT_TRUE(decode(memory));
  EXPECT_EQ(row<MemoryRow>().pool, 0xabcu);
  EXPECT_EQ(row<MemoryRow>().pool_bytes, 4096u);
  EXPECT_EQ(row<MemoryRow>().pool_used, 1024u);
  memory.pool_type = 2;  // imported: the same field holds the process ID
  ASSERT_TRUE(decode(memory));
  EXPECT_EQ(row<MemoryRow>().pool_bytes, 0u);
}

TEST_F(DecodeActivity, TheRest) {
  cupti::Synchronization sync{cupti::kind_synchronization, 3, 10, 20, 5, 1, 7, no_id};
  ASSERT_TRUE(decode(sync));
  EXPECT_EQ(row<SyncRow>().kind, 3u);
  EXPECT_EQ(row<SyncRow>().stream, 7u);
  EXPECT_EQ(row<SyncRow>().correlation, 5u);
  cupti::Overhead overhead{cupti::kind_overhead, 1u << 16, cupti::object_thread, {4711, 4712, 0}, 1, 2};
  ASSERT_TRUE(decode(overhead));
  EXPECT_EQ(row<OverheadRow>().thread, 4712u);
  overhead.object_kind = 1;
  ASSERT_TRUE(decode(overhead));
  EXPECT_EQ(row<OverheadRow>().thread, 0u);
  cupti::ExternalCorrelation external{cupti::kind_external_correlation, 3, 1234567890123, 42};
  ASSERT_TRUE(decode(external));
  EXPECT_EQ(row<ExternalRow>().id, 1234567890123u);
  EXPECT_EQ(row<ExternalRow>().correlation, 42u);
  cupti::Stream stream{cupti::kind_stream, 1, 13, static_cast<std::uint32_t>(-5), 0, 0};
  ASSERT_TRUE(decode(stream));
  EXPECT_EQ(row<StreamRow>().priority, -5);
  cupti::CudaEvent event{cupti::kind_cuda_event, 9, 1, 13, 4};
  ASSERT_TRUE(decode(event));
  EXPECT_EQ(row<EventRecordRow>().stream, 13u);
  EXPECT_EQ(row<EventRecordRow>().event, 4u);
  EXPECT_EQ(row<EventRecordRow>().correlation, 9u);
  cupti::Device device{};
  device.kind = cupti::kind_device;
  device.sms = 132, device.id = 3, device.name = "NVIDIA H200", device.compute_major = 9;
  ASSERT_TRUE(decode(device));
  EXPECT_EQ(row<DeviceRow>().sms, 132u);
  EXPECT_EQ(to_.names.at(row<DeviceRow>().name - 1), "NVIDIA H200");
}

TEST_F(DecodeActivity, AKindThatIsNotRecorded) {
  const std::uint32_t record[16] = {54};
  EXPECT_FALSE(decode(record));
  EXPECT_TRUE(to_.rows.empty());
}

}  // namespace
}  // namespace warpwalk::instrumentation
