#include "tests/trace/nsys_database.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "core/trace/link.h"

namespace warpwalk::trace::test {
namespace {

// The columns of the documentation of Nsight Systems, "SQLite Schema Reference".
constexpr const char* schema = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT,
  isDiscrete INTEGER, l2CacheSize INTEGER, totalMemory INTEGER, memoryBandwidth INTEGER, clockRate INTEGER,
  smCount INTEGER, pwGpuId INTEGER, uuid TEXT, luid INTEGER, chipName TEXT, cuDevice INTEGER, maxRegistersPerBlock
  INTEGER, maxShmemPerBlock INTEGER, maxShmemPerBlockOptin INTEGER, maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER,
  threadsPerWarp INTEGER, maxWarpsPerSm INTEGER, maxThreadsPerBlock INTEGER, computeMajor INTEGER,
  computeMinor INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT,
  numMultiprocessors INTEGER);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER,
  launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL,
  gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL,
  blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
  localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL,
  sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER,
  dstKind INTEGER, srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, dstContextId INTEGER,
  migrationCause INTEGER, graphNodeId INTEGER, virtualAddress INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,
  callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
  streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
  category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER,
  domainId INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER,
  int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2024.6.2.225'), ('EXPORT_SCHEMA_VERSION', '3.16.1');
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '', '');
)";

}  // namespace

void NsysDatabase::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

NsysDatabase::NsysDatabase() {
  sqlite3* handle = nullptr;
  sqlite3_open(":memory:", &handle);
  handle_.reset(handle);
  run("PRAGMA page_size = 512");
  run(schema);
}

void NsysDatabase::run(const std::string& sql) {
  char* message = nullptr;
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, &message);
  EXPECT_EQ(code, SQLITE_OK) << (message == nullptr ? "" : message) << " in " << sql;
  sqlite3_free(message);
}

std::int64_t NsysDatabase::text(const std::string& text) {
  const auto [number, is_new] = texts_.try_emplace(text, static_cast<std::int64_t>(texts_.size()) + 1);
  if (!is_new) return number->second;
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(handle_.get(), "INSERT INTO StringIds VALUES (?1, ?2)", -1, &insert, nullptr);
  sqlite3_bind_int64(insert, 1, number->second);
  sqlite3_bind_text(insert, 2, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  EXPECT_EQ(sqlite3_step(insert), SQLITE_DONE);
  sqlite3_finalize(insert);
  return number->second;
}

void NsysDatabase::call(std::int64_t global_tid, std::int64_t start, std::int64_t end, const std::string& name,
                        std::int64_t correlation) {
  run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({}, {}, 0, {}, {}, {}, 0, NULL)", start, end,
                  global_tid, correlation, text(name)));
}

void NsysDatabase::kernel(std::int64_t global_pid, int device, int stream, std::int64_t start, std::int64_t end,
                          const std::string& name, std::int64_t correlation) {
  run(fmt::format(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, correlationId, globalPid, "
      "demangledName, shortName, registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, "
      "dynamicSharedMemory, localMemoryPerThread, localMemoryTotal, gridId) "
      "VALUES ({}, {}, {}, 1, {}, {}, {}, {}, {}, 40, 7, 5, 3, 128, 2, 1, 1024, 512, 16, 0, 1)",
      start, end, device, stream, correlation, global_pid, text(name), text("short")));
}

void NsysDatabase::range(int type, std::int64_t global_tid, std::int64_t start, std::int64_t end,
                         const std::string& name) {
  run(
      fmt::format("INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId, domainId) "
                  "VALUES ({}, {}, {}, {}, {}, 0)",
                  start, end, type, global_tid, text(name)));
}

void NsysDatabase::gpu(int id, const std::string& name) {
  run(
      fmt::format("INSERT INTO TARGET_INFO_GPU (vmId, id, name, totalMemory, smCount, maxRegistersPerBlock, "
                  "maxShmemPerBlock, maxShmemPerBlockOptin, maxShmemPerSm, maxRegistersPerSm, threadsPerWarp, "
                  "maxWarpsPerSm, maxThreadsPerBlock, computeMajor, computeMinor) VALUES (0, {}, '{}', 85000000000, "
                  "132, 65536, 49152, 232448, 233472, 65536, 32, 64, 1024, 9, 0)",
                  id, name));
}

std::string NsysDatabase::bytes() const {
  sqlite3_int64 size = 0;
  unsigned char* const image = sqlite3_serialize(handle_.get(), "main", &size, 0);
  std::string out(reinterpret_cast<const char*>(image), static_cast<std::size_t>(size));
  sqlite3_free(image);
  return out;
}

SliceId NsysRead::find(std::string_view name) const {
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.name(s) == name) return s;
  ADD_FAILURE() << "no slice " << name;
  return no_slice;
}

std::string_view NsysRead::launch(std::string_view name) const {
  const SliceId slice = find(name);
  const SliceId launch = slice == no_slice ? no_slice : launch_of(trace, slice);
  return launch == no_slice ? "none" : trace.name(launch);
}

std::string_view NsysRead::parent(std::string_view name) const {
  const SliceId slice = find(name);
  const SliceId parent = slice == no_slice ? no_slice : trace.slices.parent[slice];
  return parent == no_slice ? "none" : trace.name(parent);
}

std::string NsysRead::problem(ProblemKind kind) const {
  for (const Problem& row : problems.rows())
    if (row.kind == kind) return row.message;
  return {};
}

NsysRead read_database(const std::string& bytes, const nsys::Options& options) {
  NsysRead read;
  read.result = nsys::read_nsys(std::string_view(bytes), options, read.trace, read.problems);
  return read;
}

NsysRead read_database(const NsysDatabase& database, const nsys::Options& options) {
  return read_database(database.bytes(), options);
}

NsysDatabase two_processes() {
  NsysDatabase out;
  out.gpu(0, "NVIDIA H100");
  out.gpu(1, "NVIDIA H100");
  out.run("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 100, NULL, 132), (0, 0, 200, NULL, 132)");
  out.run(fmt::format("INSERT INTO PROCESSES VALUES ({}, 100, 'train.py'), ({}, 200, 'serve.py')", global_id(100),
                      global_id(200)));
  out.run(fmt::format("INSERT INTO ThreadNames VALUES ({}, 0, {})", out.text("main thread"), global_id(100, 101)));
  out.range(59, global_id(100, 101), 900, 2000, "step");
  out.range(59, global_id(100, 101), 950, 1900, "aten::mm, seq = 5, op_id = 3, sizes = [[2, 3], [3, 4]]");
  out.call(global_id(100, 101), 1000, 1100, "cudaLaunchKernel_v7000", 1);
  out.call(global_id(200, 201), 1000, 1300, "cuLaunchKernelEx", 1);
  out.kernel(global_id(100), 0, 7, 1500, 1800, "void gemm<float>(float*)", 1);
  out.kernel(global_id(200), 0, 7, 1400, 1600, "softmax", 1);
  return out;
}

}  // namespace warpwalk::trace::test
