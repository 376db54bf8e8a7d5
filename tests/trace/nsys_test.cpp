// What a database of Nsight Systems becomes in the trace.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/equal.h"
#include "tests/trace/nsys_database.h"

namespace warpwalk::trace::test {
namespace {

using ::testing::HasSubstr;

const KernelDetail& kernel_of(const NsysRead& read, std::string_view name) {
  return read.trace.kernels[read.trace.slices.detail[read.find(name)]];
}
const TransferDetail& transfer_of(const NsysRead& read, std::string_view name) {
  return read.trace.transfers[read.trace.slices.detail[read.find(name)]];
}
const OpDetail& op_named(const NsysRead& read, std::string_view name) {
  return read.trace.ops[read.trace.slices.detail[read.find(name)]];
}
const Track& track_of(const NsysRead& read, std::string_view name) {
  return read.trace.tracks[read.trace.slices.track[read.find(name)]];
}

TEST(Nsys, KernelsHaveTheirPlaceAndShape) {
  const NsysRead read = read_database(two_processes());
  ASSERT_FALSE(read.result.error) << *read.result.error;
  EXPECT_EQ(read.result.events, 6u);
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(read.trace.base_time_ns, 1700000000000000000);
  const SliceId gemm = read.find("void gemm<float>(float*)");
  EXPECT_EQ(read.trace.slices.kind[gemm], SliceKind::kernel);
  EXPECT_EQ(read.trace.slices.start[gemm], 1500);
  EXPECT_EQ(read.trace.slices.duration[gemm], 300);
  const KernelDetail& kernel = kernel_of(read, "void gemm<float>(float*)");
  EXPECT_EQ(kernel.grid, (std::array{7, 5, 3}));
  EXPECT_EQ(kernel.block, (std::array{128, 2, 1}));
  EXPECT_EQ(kernel.registers, 40);
  EXPECT_EQ(kernel.shared_bytes, 1536);
  EXPECT_EQ(kernel.context, 1);
  EXPECT_EQ(kernel.stream, 7);
  EXPECT_EQ(kernel.graph_node, absent);
  EXPECT_EQ(read.trace.text(read.trace.slices.extra[gemm]), "\"local memory per thread\": 16");
}

TEST(Nsys, GpusOfProcessesAreThoseOfTheMachine) {
  // Both processes see their GPU as device 0.
  const NsysRead read = read_database(two_processes());
  EXPECT_EQ(kernel_of(read, "void gemm<float>(float*)").device, 1);
  EXPECT_EQ(kernel_of(read, "softmax").device, 0);
  EXPECT_EQ(track_of(read, "softmax").device, 0);
  EXPECT_EQ(track_of(read, "softmax").stream, 7);
  EXPECT_EQ(read.trace.text(track_of(read, "softmax").name), "stream 7");
  ASSERT_EQ(read.trace.devices.size(), 2u);
  const Device& device = read.trace.devices[1];
  EXPECT_EQ(device.id, 1);
  EXPECT_EQ(read.trace.text(device.name), "NVIDIA H100");
  EXPECT_EQ(device.sms, 132);
  EXPECT_EQ(device.total_memory, 85000000000);
  EXPECT_EQ(device.compute_major, 9);
  EXPECT_EQ(device.compute_minor, 0);
  EXPECT_EQ(device.max_threads_per_sm, 2048);
  EXPECT_EQ(device.shared_per_block_optin, 232448);
}

TEST(Nsys, LaunchesBelongToTheWorkOfTheirProcess) {
  const NsysRead read = read_database(two_processes());
  EXPECT_EQ(read.launch("void gemm<float>(float*)"), "cudaLaunchKernel");
  EXPECT_EQ(read.launch("softmax"), "cuLaunchKernelEx");
  EXPECT_EQ(read.trace.slices.kind[read.find("cudaLaunchKernel")], SliceKind::runtime);
  EXPECT_EQ(read.trace.slices.kind[read.find("cuLaunchKernelEx")], SliceKind::driver);
  EXPECT_EQ(kernel_of(read, "void gemm<float>(float*)").correlation, 1);
}

TEST(Nsys, NvtxRangesNestAndBecomeOps) {
  const NsysRead read = read_database(two_processes());
  EXPECT_EQ(read.trace.slices.kind[read.find("step")], SliceKind::annotation);
  EXPECT_EQ(read.trace.slices.kind[read.find("aten::mm")], SliceKind::op);
  EXPECT_EQ(read.parent("aten::mm"), "step");
  EXPECT_EQ(read.parent("cudaLaunchKernel"), "aten::mm");
  EXPECT_EQ(read.trace.op_order.size(), 1u);
  const OpDetail& op = op_named(read, "aten::mm");
  EXPECT_EQ(op.sequence, 5);
  EXPECT_EQ(op.record_function, 3);
  EXPECT_EQ(read.trace.text(op.input_dims), "[[2, 3], [3, 4]]");
}

TEST(Nsys, ThreadsAndProcessesHaveTheirNames) {
  const NsysRead read = read_database(two_processes());
  const Track& thread = track_of(read, "step");
  EXPECT_FALSE(thread.gpu);
  EXPECT_EQ(read.trace.text(thread.pid), "100");
  EXPECT_EQ(read.trace.text(thread.tid), "101");
  EXPECT_EQ(read.trace.text(thread.name), "main thread");
  EXPECT_EQ(read.trace.text(thread.process_name), "train.py");
  EXPECT_EQ(read.trace.text(track_of(read, "cuLaunchKernelEx").process_name), "serve.py");
}

TEST(Nsys, StreamsOfTwoProcessesOnOneGpuAreTwoTracks) {
  NsysDatabase database;
  database.call(global_id(1, 2), 0, 10, "cudaLaunchKernel_v7000", 9);
  database.call(global_id(3, 4), 0, 10, "cudaLaunchKernelExC_v11060", 9);
  database.kernel(global_id(1), 0, 7, 20, 30, "a", 9);
  database.kernel(global_id(3), 0, 7, 20, 30, "b", 9);
  database.kernel(global_id(3), 0, 8, 20, 30, "c", 9);
  const NsysRead read = read_database(database);
  EXPECT_NE(read.trace.slices.track[read.find("a")], read.trace.slices.track[read.find("b")]);
  EXPECT_EQ(read.trace.text(track_of(read, "b").name), "stream 7 (process 3)");
  EXPECT_EQ(track_of(read, "b").stream, 7);
  EXPECT_EQ(read.trace.text(track_of(read, "c").name), "stream 8");
  EXPECT_EQ(read.launch("a"), "cudaLaunchKernel");
  EXPECT_EQ(read.launch("b"), "cudaLaunchKernelExC");
}

TEST(Nsys, CopiesAndFills) {
  NsysDatabase database;
  database.call(global_id(1, 1), 0, 10, "cudaMemcpyAsync_v3020", 1);
  database.call(global_id(1, 1), 10, 20, "cudaMemsetAsync_v3020", 2);
  const std::string into =
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, globalPid, "
      "bytes, copyKind, srcKind, dstKind) VALUES ";
  database.run(into + fmt::format("(100, 200, 0, 1, 7, 1, {}, 5000, 1, 0, 2)", global_id(1)));
  database.run(into + fmt::format("(300, 400, 0, 1, 7, NULL, {}, 6, 12, NULL, NULL)", global_id(1)));
  database.run(into + fmt::format("(500, 600, 0, 1, 7, NULL, {}, -6, 99, 1, 2)", global_id(1)));
  database.run(
      fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, "
                  "correlationId, globalPid, value, bytes, memKind) "
                  "VALUES (700, 710, 0, 1, 7, 2, {}, 255, 64, 2)",
                  global_id(1)));
  const NsysRead read = read_database(database);
  const TransferDetail& copy = transfer_of(read, "Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(copy.bytes, 5000);
  EXPECT_DOUBLE_EQ(copy.bandwidth_gb_s, 50);
  EXPECT_EQ(read.launch("Memcpy HtoD (Pageable -> Device)"), "cudaMemcpyAsync");
  EXPECT_EQ(transfer_of(read, "Memcpy DtoH (unified memory)").correlation, absent);
  EXPECT_EQ(transfer_of(read, "Memcpy kind 99").bytes, absent);
  EXPECT_EQ(transfer_of(read, "Memset (Device)").bytes, 64);
  EXPECT_EQ(read.trace.slices.kind[read.find("Memset (Device)")], SliceKind::memset);
  EXPECT_EQ(read.launch("Memset (Device)"), "cudaMemsetAsync");
  EXPECT_EQ(read.trace.text(read.trace.slices.extra[read.find("Memset (Device)")]), "\"value\": 255");
}

TEST(Nsys, WaitsKnowTheRecordThatTheyWaitFor) {
  NsysDatabase database;
  database.call(global_id(1, 1), 0, 10, "cudaStreamWaitEvent_v3020", 6);
  // The event was recorded on stream 7, then on stream 9, and again after the wait.
  for (const auto& [stream, correlation] : {std::pair{7, 3}, {9, 5}, {8, 8}})
    database.run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 1, {}, {}, {}, 33)", stream,
                             correlation, global_id(1)));
  database.run(
      fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES "
                  "(20, 30, 0, 1, NULL, 13, 6, {0}, 2, 33), (40, 50, 0, 1, NULL, 4294967295, 7, {0}, 4, 0)",
                  global_id(1)));
  const NsysRead read = read_database(database);
  ASSERT_EQ(read.trace.syncs.size(), 2u);
  const SyncDetail& wait = read.trace.syncs[read.trace.slices.detail[read.find("Stream Wait Event")]];
  EXPECT_EQ(wait.stream, 13);
  EXPECT_EQ(wait.wait_on_stream, 9);
  EXPECT_EQ(wait.wait_on_record, 5);
  const SyncDetail& context = read.trace.syncs[read.trace.slices.detail[read.find("Context Sync")]];
  EXPECT_EQ(context.stream, -1);
  EXPECT_EQ(context.wait_on_stream, absent);
  EXPECT_EQ(read.trace.slices.kind[read.find("Context Sync")], SliceKind::sync);
}

TEST(Nsys, GraphsAsAWholeAndByNode) {
  NsysDatabase database;
  database.call(global_id(1, 1), 0, 10, "cudaGraphLaunch_v10000", 1);
  database.call(global_id(1, 1), 100, 110, "cudaGraphLaunch_v10000", 2);
  database.kernel(global_id(1), 0, 7, 120, 130, "node", 2);
  database.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET graphNodeId = 77");
  database.run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (20, 90, 0, 1, NULL, 7, 1, {}, 12, 13)",
                           global_id(1)));
  const NsysRead read = read_database(database);
  EXPECT_EQ(kernel_of(read, "node").graph_node, 77);
  EXPECT_EQ(read.launch("node"), "cudaGraphLaunch");
  EXPECT_EQ(kernel_of(read, "CUDA graph 12 (kernels not recorded)").graph_id, 12);
  EXPECT_EQ(read.launch("CUDA graph 12 (kernels not recorded)"), "cudaGraphLaunch");
  EXPECT_THAT(read.problem(ProblemKind::incomplete_recording), HasSubstr("--cuda-graph-trace=node"));
}

TEST(Nsys, StartEndRangesDoNotBreakTheNestingOfAThread) {
  NsysDatabase database;
  const std::int64_t thread = global_id(1, 2);
  database.range(59, thread, 0, 100, "aten::add, seq = 1");
  // They overlap the op and one another.
  database.range(60, thread, 10, 150, "request 1");
  database.range(60, thread, 20, 160, "request 2");
  database.range(60, thread, 30, 140, "inside 1");
  database.call(thread, 40, 50, "cudaLaunchKernel_v7000", 1);
  const NsysRead read = read_database(database);
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(read.parent("cudaLaunchKernel"), "aten::add");
  EXPECT_EQ(read.parent("request 1"), "none");
  EXPECT_EQ(read.parent("inside 1"), "request 1");
  EXPECT_NE(read.trace.slices.track[read.find("request 1")], read.trace.slices.track[read.find("request 2")]);
}

TEST(Nsys, MarksAndDomains) {
  NsysDatabase database;
  const std::int64_t thread = global_id(1, 2);
  database.run(
      fmt::format("INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId) VALUES "
                  "(1, 75, 'NCCL', {0}, 3), (5, 34, 'epoch 1', {0}, 3), (6, 34, '[memory]', {0}, 0)",
                  thread));
  database.run(
      fmt::format("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES "
                  "(7, 9, 59, 'ncclAllReduce', {}, 3)",
                  thread));
  const NsysRead read = read_database(database);
  ASSERT_EQ(read.trace.instants.size(), 2u);
  EXPECT_EQ(read.trace.text(read.trace.instants[0].name), "epoch 1");
  EXPECT_EQ(read.trace.instants[0].time, 5);
  EXPECT_EQ(read.trace.text(read.trace.instants[0].extra), "\"NVTX domain\": \"NCCL\"");
  EXPECT_EQ(read.trace.text(read.trace.instants[1].name), "NVTX mark [memory]");
  EXPECT_EQ(read.trace.text(read.trace.slices.extra[read.find("ncclAllReduce")]), "\"NVTX domain\": \"NCCL\"");
}

TEST(Nsys, MissingTablesAreNotRecorded) {
  NsysDatabase database = two_processes();
  for (const char* table : {"NVTX_EVENTS", "ThreadNames", "PROCESSES", "TARGET_INFO_GPU", "TARGET_INFO_CUDA_DEVICE",
                            "TARGET_INFO_SESSION_START_TIME", "META_DATA_EXPORT", "CUPTI_ACTIVITY_KIND_RUNTIME"})
    database.run(fmt::format("DROP TABLE {}", table));
  const NsysRead read = read_database(database);
  ASSERT_FALSE(read.result.error);
  EXPECT_EQ(read.result.events, 2u);
  EXPECT_EQ(read.trace.kernels.size(), 2u);
  EXPECT_EQ(read.launch("softmax"), "none");
  EXPECT_EQ(read.trace.base_time_ns, 0);
  EXPECT_TRUE(read.trace.devices.empty());
}

TEST(Nsys, MissingAndNewColumnsInAnyOrder) {
  NsysDatabase database;
  database.run(
      "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (later TEXT, shortName INT, "
      "end INT, start INT, correlationId INT, streamId INT, clusterX INT, clusterY INT, clusterZ INT, graphId INT)");
  database.call(global_id(1, 2), 0, 10, "cudaLaunchKernel_v7000", 4);
  database.run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('?', {}, 40, 30, 4, 7, 2, 1, 1, 6)",
                           database.text("only short")));
  const NsysRead read = read_database(database);
  EXPECT_TRUE(read.problems.rows().empty());
  const KernelDetail& kernel = kernel_of(read, "only short");
  EXPECT_EQ(kernel.grid, (std::array<std::int32_t, 3>{}));
  EXPECT_EQ(kernel.registers, absent);
  EXPECT_EQ(kernel.shared_bytes, absent);
  EXPECT_EQ(kernel.device, absent);
  EXPECT_EQ(kernel.graph_id, 6);
  EXPECT_EQ(read.launch("only short"), "cudaLaunchKernel");
  EXPECT_EQ(read.trace.text(read.trace.slices.extra[read.find("only short")]), "\"cluster\": [2, 1, 1]");
}

TEST(Nsys, StringTablesWithoutAKey) {
  NsysDatabase database = two_processes();
  database.run(
      "CREATE TABLE plain (id INT, value TEXT); INSERT INTO plain SELECT * FROM StringIds ORDER BY id DESC; "
      "DROP TABLE StringIds; ALTER TABLE plain RENAME TO StringIds");
  const NsysRead read = read_database(database);
  EXPECT_TRUE(read.problems.rows().empty());
  EXPECT_EQ(read.launch("softmax"), "cuLaunchKernelEx");
}

TEST(Nsys, FailedCallsKeepTheirReturnValue) {
  NsysDatabase database;
  database.call(global_id(1, 2), 0, 10, "cudaMalloc_v3020", 4);
  database.run("UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET returnValue = 2");
  const NsysRead read = read_database(database);
  EXPECT_EQ(read.trace.text(read.trace.slices.extra[read.find("cudaMalloc")]), "\"return value\": 2");
}

TEST(Nsys, TheTraceCanBeWrittenAndReadAgain) {
  NsysDatabase database = two_processes();
  database.kernel(global_id(100), 0, 7, 5000, 5100, "again", 1);
  database.kernel(global_id(200), 1, 7, 5000, 5100, "other", 1);
  database.range(60, global_id(100, 101), 1950, 2100, "request");
  database.range(34, global_id(100, 101), 1960, 1960, "mark");
  const NsysRead read = read_database(database);
  const ReadResult again = read_trace_text(write_trace_text(read.trace));
  EXPECT_EQ(equal(read.trace, again.trace), std::nullopt);
}

TEST(Nsys, MovesOfUnifiedMemoryHaveNoLaunch) {
  NsysDatabase database;
  database.call(global_id(1, 10), 100, 200, "cudaLaunchKernel", 1);
  database.kernel(global_id(1), 0, 7, 300, 400, "step", 1);
  database.run(
      fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, "
                  "globalPid, bytes, copyKind) VALUES (500, 600, 0, 1, 7, 0, {}, 4096, 12)",
                  global_id(1)));
  const NsysRead read = read_database(database);
  EXPECT_TRUE(is_migration(read.trace, read.find("Memcpy DtoH (unified memory)")));
  EXPECT_FALSE(is_migration(read.trace, read.find("step")));
  EXPECT_EQ(read.problems.count_of(ProblemKind::launch_outside_window), 0u);
}

TEST(Nsys, WhatItCouldNotRecordOfCudaIsAProblem) {
  NsysDatabase database;
  database.call(global_id(1, 10), 100, 200, "cudaLaunchKernel", 1);
  database.run("CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, source INTEGER, severity INTEGER, text TEXT)");
  const auto report = [&](int severity, const char* text) {
    database.run(fmt::format("INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, {}, '{}')", severity, text));
  };
  report(1, "CUDA injection started");
  report(2, "The option -t osrt is not supported here");
  EXPECT_EQ(read_database(database).problems.count_of(ProblemKind::incomplete_recording), 0u);
  report(3, "CUDA driver version 13.3 is not supported");
  const NsysRead read = read_database(database);
  EXPECT_EQ(read.problem(ProblemKind::incomplete_recording),
            "Nsight Systems reported: CUDA driver version 13.3 is not supported");
}

TEST(Nsys, ADatabaseOfRocmIsNamed) {
  NsysDatabase database;
  database.run("CREATE TABLE rocpd_metadata_x (id INTEGER)");
  for (const char* table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                            "CUPTI_ACTIVITY_KIND_MEMSET", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                            "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "CUPTI_ACTIVITY_KIND_DRIVER"})
    database.run(fmt::format("DROP TABLE IF EXISTS {}", table));
  const NsysRead read = read_database(database);
  ASSERT_TRUE(read.result.error);
  EXPECT_THAT(*read.result.error, ::testing::HasSubstr("rocpd"));
}

}  // namespace
}  // namespace warpwalk::trace::test
