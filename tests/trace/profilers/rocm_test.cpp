// What rocprofv3 writes: databases (rocpd), JSON and CSV. Each test makes a small recording of one launch and one copy
// in that format; the traces must be the same.
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/link.h"
#include "tests/trace/nsys_database.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void expect_recording(const ReadResult& read) {
  ASSERT_FALSE(read.error) << *read.error;
  const Trace& trace = read.trace;
  ASSERT_EQ(trace.kernel_order.size(), 1u);
  const SliceId kernel = trace.kernel_order[0];
  EXPECT_EQ(trace.name(kernel), "add(float*, int)");
  EXPECT_EQ(trace.slices.start[kernel], 5'000);
  EXPECT_EQ(trace.slices.duration[kernel], 1'500);
  const KernelDetail& detail = trace.kernels[trace.slices.detail[kernel]];
  EXPECT_THAT(detail.grid, ElementsAre(3, 1, 1));  // 600 threads in blocks of 256
  EXPECT_THAT(detail.block, ElementsAre(256, 1, 1));
  EXPECT_EQ(detail.registers, 40);
  EXPECT_EQ(detail.shared_bytes, 2048);
  EXPECT_EQ(detail.device, 0);
  ASSERT_NE(detail.launch, no_slice);
  EXPECT_EQ(trace.name(detail.launch), "hipLaunchKernel");
  const SliceId copy = find_slice(trace, "Memcpy HtoD (Host -> Device)");
  ASSERT_NE(copy, no_slice);
  EXPECT_EQ(trace.slices.kind[copy], SliceKind::memcpy);
  EXPECT_EQ(trace.name(launch_of(trace, copy)), "hipMemcpyAsync");
  const SliceId range = find_slice(trace, "forward");
  ASSERT_NE(range, no_slice);
  EXPECT_EQ(trace.slices.kind[range], SliceKind::annotation);
  EXPECT_EQ(trace.slices.parent[detail.launch], range);
  ASSERT_EQ(trace.devices.size(), 1u);
  EXPECT_EQ(trace.text(trace.devices[0].name), "AMD Instinct MI300X");
  EXPECT_EQ(trace.devices[0].sms, 304);
  EXPECT_EQ(trace.devices[0].warp_size, 64);
}

const std::string rocpd_tables = R"(
  CREATE TABLE rocpd_string_a1 (id INTEGER PRIMARY KEY, string TEXT);
  INSERT INTO rocpd_string_a1 VALUES (1, 'hipLaunchKernel'), (2, 'hipMemcpyAsync'), (3, 'HIP_RUNTIME_API_EXT'),
    (4, 'MEMORY_COPY_HOST_TO_DEVICE'), (5, 'MARKER_CORE_RANGE_API'), (6, 'roctxThreadRangeA');
  CREATE TABLE rocpd_info_process_a1 (id INTEGER PRIMARY KEY, pid INTEGER, command TEXT);
  INSERT INTO rocpd_info_process_a1 VALUES (1, 77, './app');
  CREATE TABLE rocpd_info_thread_a1 (id INTEGER PRIMARY KEY, tid INTEGER);
  INSERT INTO rocpd_info_thread_a1 VALUES (1, 78);
  CREATE TABLE rocpd_info_agent_a1 (id INTEGER PRIMARY KEY, type TEXT, type_index INTEGER, product_name TEXT,
    extdata TEXT);
  INSERT INTO rocpd_info_agent_a1 VALUES (1, 'CPU', 0, 'EPYC', '{}'),
    (2, 'GPU', 0, 'AMD Instinct MI300X', '{"cu_count": 304, "wave_front_size": 64}');
  CREATE TABLE rocpd_info_queue_a1 (id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO rocpd_info_queue_a1 VALUES (1, 'Queue 1');
  CREATE TABLE rocpd_info_kernel_symbol_a1 (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT,
    arch_vgpr_count INTEGER, accum_vgpr_count INTEGER);
  INSERT INTO rocpd_info_kernel_symbol_a1 VALUES (9, '_Z3addPfi.kd', 'add(float*, int)', 32, 8);
  CREATE TABLE rocpd_event_a1 (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, correlation_id INTEGER);
  INSERT INTO rocpd_event_a1 VALUES (1, 3, 10, 0), (2, 3, 11, 0), (3, NULL, 10, 0), (4, NULL, 11, 0), (5, 5, 12, 0);
)";
const std::string rocpd_rows = R"(
  CREATE TABLE rocpd_region_a1 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, "end" INTEGER,
    name_id INTEGER, event_id INTEGER, extdata TEXT);
  INSERT INTO rocpd_region_a1 VALUES (1, 1, 1, 1000, 2000, 1, 1, '{}'), (2, 1, 1, 2500, 3000, 2, 2, '{}'),
    (3, 1, 1, 500, 4000, 6, 5, '{"message": "forward"}');
  CREATE TABLE rocpd_kernel_dispatch_a1 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
    kernel_id INTEGER, queue_id INTEGER, stream_id INTEGER, start INTEGER, "end" INTEGER, group_segment_size INTEGER,
    workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER,
    grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
  INSERT INTO rocpd_kernel_dispatch_a1 VALUES (1, 1, 1, 2, 9, 1, 1, 5000, 6500, 2048, 256, 1, 1, 600, 1, 1, 3);
  CREATE TABLE rocpd_memory_copy_a1 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, "end" INTEGER,
    name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, event_id INTEGER);
  INSERT INTO rocpd_memory_copy_a1 VALUES (1, 1, 1, 7000, 7100, 4, 2, 1, 4096, 4);
)";

std::string rocpd_bytes(const std::string& rows) {
  NsysDatabase database;
  for (const char* table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                            "CUPTI_ACTIVITY_KIND_MEMSET", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"})
    database.run(std::string("DROP TABLE IF EXISTS ") + table);
  database.run(rocpd_tables + rows);
  return database.bytes();
}

TEST(Rocm, ADatabaseIsRead) {
  const ReadResult read = read_trace_text(rocpd_bytes(rocpd_rows));
  expect_recording(read);
  EXPECT_EQ(read.events, 5u);
  EXPECT_EQ(read.trace.transfers[0].bytes, 4096);
  EXPECT_EQ(read.trace.text(read.trace.tracks[0].process_name), "./app");
}

// A later schema has the places of rows in a table of tracks.
TEST(Rocm, ADatabaseWithTracksIsRead) {
  const ReadResult read = read_trace_text(rocpd_bytes(R"(
    CREATE TABLE rocpd_track_a1 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER, queue_id INTEGER,
      stream_id INTEGER);
    INSERT INTO rocpd_track_a1 VALUES (1, 1, 1, NULL, NULL, NULL), (2, 1, 1, 2, 1, 1);
    CREATE TABLE rocpd_timestamp_a1 (id INTEGER PRIMARY KEY, value INTEGER);
    INSERT INTO rocpd_timestamp_a1 VALUES (1, 5000), (2, 6500);
    CREATE TABLE rocpd_region_a1 (id INTEGER PRIMARY KEY, track_id INTEGER, start INTEGER, "end" INTEGER,
      name_id INTEGER, event_id INTEGER, extdata TEXT);
    INSERT INTO rocpd_region_a1 VALUES (1, 1, 1000, 2000, 1, 1, '{}'), (2, 1, 2500, 3000, 2, 2, '{}'),
      (3, 1, 500, 4000, 6, 5, '{"message": "forward"}');
    CREATE TABLE rocpd_kernel_dispatch_a1 (id INTEGER PRIMARY KEY, track_id INTEGER, kernel_id INTEGER,
      start_id INTEGER, end_id INTEGER, group_segment_size INTEGER, workgroup_size_x INTEGER,
      workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER,
      grid_size_z INTEGER, event_id INTEGER);
    INSERT INTO rocpd_kernel_dispatch_a1 VALUES (1, 2, 9, 1, 2, 2048, 256, 1, 1, 600, 1, 1, 3);
    CREATE TABLE rocpd_memory_copy_a1 (id INTEGER PRIMARY KEY, track_id INTEGER, start INTEGER, "end" INTEGER,
      name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, event_id INTEGER);
    INSERT INTO rocpd_memory_copy_a1 VALUES (1, 2, 7000, 7100, 4, 2, 1, 4096, 4);
  )"));
  expect_recording(read);
}

TEST(Rocm, RowsWithoutATimeOrANameAreProblems) {
  const ReadResult read = read_trace_text(rocpd_bytes(R"(
    CREATE TABLE rocpd_kernel_dispatch_a1 (id INTEGER PRIMARY KEY, kernel_id INTEGER, start INTEGER, "end" INTEGER);
    INSERT INTO rocpd_kernel_dispatch_a1 VALUES (1, 9, 100, 50), (2, 9, NULL, 50), (3, 8, 'x', 9), (4, 7, 10, 20);
  )"));
  ASSERT_FALSE(read.error);
  EXPECT_EQ(read.trace.kernel_order.size(), 2u);
  EXPECT_EQ(read.problems.count_of(ProblemKind::time_out_of_range), 1u);
  EXPECT_GE(read.problems.count_of(ProblemKind::missing_field), 2u);
}

std::string rocprof_json() {
  return R"json({"rocprofiler-sdk-tool": [{
    "metadata": {"pid": 77, "command": ["./app", "x"]},
    "agents": [{"id": {"handle": 5}, "type": 1, "logical_node_type_id": 0},
               {"id": {"handle": 6}, "type": 2, "logical_node_type_id": 0, "product_name": "AMD Instinct MI300X",
                "wave_front_size": 64, "cu_count": 304, "caches": [{"level": 1}]}],
    "strings": {"buffer_records": [
        {"kind": "NONE", "operations": []}, {"kind": "HIP_RUNTIME_API", "operations": ["hipInit", "hipLaunchKernel",
         "hipMemcpyAsync"]}, {"kind": "MEMORY_COPY", "operations": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"]},
        {"kind": "MARKER_CORE_API", "operations": ["roctxThreadRangeA"]}],
      "marker_api": [{"key": 12, "value": "forward"}]},
    "kernel_symbols": [{"kernel_id": 9, "kernel_name": "_Z3addPfi.kd", "formatted_kernel_name": "add(float*, int)",
                        "arch_vgpr_count": 32, "accum_vgpr_count": 8}],
    "buffer_records": {
  "kernel_dispatch": [{"kind": 4, "operation": 2, "thread_id": 78, "correlation_id": {"internal": 10, "external": 0},
        "start_timestamp": 5000, "end_timestamp": 6500, "dispatch_info": {"agent_id": {"handle": 6},
        "queue_id": {"handle": 1}, "kernel_id": 9, "dispatch_id": 1, "group_segment_size": 2048,
        "workgroup_size": {"x": 256, "y": 1, "z": 1}, "grid_size": {"x": 600, "y": 1, "z": 1}},
        "stream_id": {"handle": 0}}],
      "hip_api": [{"kind": 1, "operation": 1, "correlation_id": {"internal": 10}, "start_timestamp": 1000,
                   "end_timestamp": 2000, "thread_id": 78},
                  {"kind": 1, "operation": 2, "correlation_id": {"internal": 11}, "start_timestamp": 2500,
                   "end_timestamp": 3000, "thread_id": 78}],
      "marker_api": [{"kind": 3, "operation": 0, "correlation_id": {"internal": 12}, "start_timestamp": 500,
                      "end_timestamp": 4000, "thread_id": 78}],
      "memory_copy": [{"kind": 2, "operation": 1, "correlation_id": {"internal": 11}, "start_timestamp": 7000,
                       "end_timestamp": 7100, "dst_agent_id": {"handle": 6}, "src_agent_id": {"handle": 5},
                       "bytes": 4096}]
}
}]
})json";
}

TEST(Rocm, TheJsonIsRead) {
  const ReadResult read = read_trace_text(rocprof_json());
  expect_recording(read);
  EXPECT_EQ(read.events, 5u);
  EXPECT_EQ(read.trace.transfers[0].bytes, 4096);
  EXPECT_TRUE(read.problems.rows().empty()) << read.problems.rows()[0].message;
}

TEST(Rocm, ACutJsonKeepsWhatIsBefore) {
  const std::string json = rocprof_json();
  const ReadResult read = read_trace_text(json.substr(0, json.find("\"marker_api\": [{\"kind\"")));
  ASSERT_FALSE(read.error) << *read.error;
  EXPECT_EQ(read.trace.kernel_order.size(), 1u);
  EXPECT_EQ(read.problems.count_of(ProblemKind::truncated), 1u);
  for (std::size_t i = 0; i < json.size(); i += 7) {
    const ReadResult cut = read_trace_text(json.substr(0, i), {}, "cut.json");
    EXPECT_EQ(cut.error.value_or("").find('\n'), std::string::npos);
  }
}

TEST(Rocm, AnEntryThatIsTooLongEndsReading) {
  ReadOptions options;
  options.window_bytes = 4096;
  options.entry_cap_bytes = 1 << 16;
  const ReadResult read =
      read_trace_text(R"({"rocprofiler-sdk-tool": [{"a": ")" + std::string(1 << 20, 'x') + R"("}]})", options);
  ASSERT_TRUE(read.error);
  EXPECT_THAT(*read.error, HasSubstr("too long"));
}

TEST(Rocm, TheCsvIsReadWithTheFilesBesideIt) {
  const TemporaryFolder folder;
  write_file(folder / "7_agent_info.csv",
             "\"Node_Id\",\"Logical_Node_Id\",\"Agent_Type\",\"Cu_Count\",\"Wave_Front_Size\",\"Product_Name\"\n"
             "0,0,\"CPU\",0,0,\"EPYC\"\n4,1,\"GPU\",304,64,\"AMD Instinct MI300X\"\n");
  write_file(
      folder / "7_kernel_trace.csv",
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\","
      "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\","
      "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\","
      "\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
      "\"KERNEL_DISPATCH\",\"Agent 1\",1,0,78,1,9,\"add(float*, int)\",10,5000,6500,2048,0,32,8,16,256,1,1,600,1,1\n"
      "\"KERNEL_DISPATCH\",\"Agent 1\",1\n");
  write_file(folder / "7_hip_api_trace.csv",
             "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\","
             "\"End_Timestamp\"\n\"HIP_RUNTIME_API\",\"hipLaunchKernel\",77,78,10,1000,2000\n"
             "\"HIP_RUNTIME_API\",\"hipMemcpyAsync\",77,78,11,2500,3000\n");
  write_file(folder / "7_memory_copy_trace.csv",
             "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_Id\","
             "\"Start_Timestamp\",\"End_Timestamp\"\n"
             "\"MEMORY_COPY\",\"MEMORY_COPY_HOST_TO_DEVICE\",\"Agent 0\",\"Agent 1\",11,7000,7100\n");
  write_file(folder / "7_marker_api_trace.csv",
             "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\","
             "\"End_Timestamp\"\n\"MARKER_CORE_API\",\"forward\",77,78,12,500,4000\n");
  for (const char* const name : {"7_kernel_trace.csv", "7_memory_copy_trace.csv"}) {
    const ReadResult read = read_trace(folder / name);
    expect_recording(read);
    EXPECT_EQ(read.problems.count_of(ProblemKind::lost_event), 1u);  // the row of three cells
  }
  const ReadResult alone = read_trace_text(read_file(folder / "7_kernel_trace.csv"));
  EXPECT_EQ(alone.trace.kernel_order.size(), 1u);
  EXPECT_EQ(alone.trace.kernels[0].device, 1);  // the agent's number: nothing says which GPU it is
}

void expect_one_line(const std::string& bytes) {
  const ReadResult read = read_trace_text(bytes, {}, "damaged");
  if (read.error) {
    EXPECT_EQ(read.error->find('\n'), std::string::npos) << *read.error;
  }
}

TEST(Rocm, NoDamageIsFatal) {
  std::mt19937 random(1);
  for (const std::string& whole : {rocpd_bytes(rocpd_rows), rocprof_json()})
    for (int i = 0; i < 150; ++i) {
      std::string damaged = whole;
      for (int flips = 0; flips < 1 + i % 10; ++flips)
        damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
      expect_one_line(damaged);
      expect_one_line(whole.substr(0, random() % whole.size()));
    }
}

}  // namespace
}  // namespace warpwalk::trace::test
