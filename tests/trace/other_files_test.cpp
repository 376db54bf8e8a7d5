// Files of other kinds are named, with the way to something that can be read.
#include <string>
#include <string_view>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

using namespace std::string_literals;

void expect_error(const std::string& bytes, std::string_view name, const std::vector<std::string>& says) {
  SCOPED_TRACE(name);
  const ReadResult read = read_trace_text(bytes, {}, name);
  ASSERT_TRUE(read.error);
  EXPECT_TRUE(read.error->starts_with(std::string(name) + ": ")) << *read.error;
  EXPECT_THAT(*read.error, ::testing::Not(::testing::HasSubstr("\n")));
  for (const std::string& words : says) EXPECT_THAT(*read.error, ::testing::HasSubstr(words));
  EXPECT_EQ(read.events, 0u);
}

std::string tar() {
  std::string header(1024, '\0');
  header.replace(0, 10, "trace.json");
  header.replace(257, 8, "ustar\0"s + "00");
  return header;
}

TEST(OtherFiles, Archives) {
  expect_error(tar(), "a.tar", {"is a tar archive", "tar xf"});
  expect_error(gzipped(tar()), "trace", {"is a tar archive", "tar xf"});
  expect_error("PK\x03\x04"s + std::string(30, '\1'), "model.pt", {"zip archive", "torch.save"});
  expect_error(gzipped(gzipped(with_events({first_slice}))), "t.json.gz", {"gzip twice", "gunzip"});
  expect_error("\x28\xb5\x2f\xfd rest", "t.json.zst", {"zstd -d"});
  expect_error(
      "\xfd"
      "7zXZ\0 rest"s,
      "t.json.xz", {"xz -d"});
  expect_error("BZh91AY", "t.json.bz2", {"bzip2 -d"});
}

TEST(OtherFiles, ReportsOfOtherProfilers) {
  expect_error("\1\2\3 binary", "report1.nsys-rep", {"Nsight Systems", "nsys export --type sqlite"});
  expect_error("\1\2\3 binary", "report1.qdrep", {"Nsight Systems"});
  expect_error("NVR\0\1\2\3"s, "kernel", {"the report ends within its header"});
  expect_error("\x0a\x7f\x0a\x02\x08\x01", "trace.pftrace", {"Perfetto", "traceconv json"});
  // The first field of an XSpace is a plane with its name.
  expect_error("\x0a\x20\x12\x09/host:CPU\x1a\x08rest", "host.pb", {"XLA profile", "trace.json.gz"});
  expect_error("\x0a\x20\x12\x0d/device:GPU:0\x1a\x08rest", "profile", {"XLA profile"});
  expect_error("\x0a\x0a\x12\x04none", "vm.xplane.pb", {"XLA profile"});
  expect_error("<!DOCTYPE html>\n<html></html>", "viewer.html", {"web page"});
}

TEST(OtherFiles, DatabasesThatAreNotOfNsightSystems) {
  const std::string head = "SQLite format 3\0"s + std::string(100, '\1');
  expect_error(head, "other.sqlite", {});
  expect_error(gzipped(head), "other.sqlite.gz", {"gunzip"});
}

TEST(OtherFiles, OtherDocumentsOfPyTorch) {
  expect_error(R"({"schema": "1.1.1-chakra.0.0.4", "pid": 7, "nodes": [{"id": 1, "name": "[pytorch|profiler]"}]})",
               "et.json", {"execution trace", "export_chrome_trace"});
  expect_error("[[-1, 0, 4096, 2], [1712195495505583012, 1, 512, 0]]", "memory_timeline.raw.json",
               {"memory timeline", "_dump_snapshot"});
  expect_error("[ [0, 1, 2] ]", "m.json", {"memory timeline"});
}

TEST(OtherFiles, SumsAndLogsOfOtherTools) {
  expect_error(R"([{"children":[],"frame":{"name":"ROOT","type":"function"},"metrics":{"count":0}},{"CUDA":{}}])",
               "matmul.hatchet", {"profile of Proton", "proton-viewer"});
  expect_error(read_file(std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/wild/23_proton.json"), "p.json",
               {"profile of Proton"});
  expect_error(R"([{"name": "a", "value": 1}, {"name": "b"}])", "list.json", {"no events", "export_chrome_trace"});
  expect_error(R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 7}}]})", "out_results.json",
               {"rocprofv3", "--sys-trace"});
  expect_error("\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\"\n1,1,4\n", "7_counter_collection.csv", {"rocprofv3"});
  expect_error("\xff\xfe\"\0I\0D\0"s, "raw.csv", {"UTF-16", "PowerShell"});
  expect_error("\"Name\",\"Calls\",\"TotalDurationNs\"\n\"k\",4,1\n", "7_kernel_stats.csv",
               {"rocprofv3", "kernel_trace"});
  expect_error("V1003 10:11:02.025000 7 torch/_logging/structured.py:22] {\"str\": [\"train.py\", 0]}\n",
               "dedicated_log_torch_trace_x.log", {"TORCH_TRACE", "warpwalk info FILE"});
  expect_error(R"({"version": "2.10", "pg_config": {"0": {}}, "pg_status": {}, "entries": [{"record_id": 0}]})",
               "nccl_trace_rank_0.json", {"flight recorder", "warpwalk info FILE"});
  // pickle.dumps({"version": "2.10", "entries": [], "pg_config": {}}, protocol=2)
  expect_error(
      "\x80\x02}q\0(X\x07\0\0\0versionq\x01X\x04\0\0\0002.10q\x02X\x07\0\0\0entriesq\x03]q\x04X\x09\0\0\0pg_configq\x05}q\x06u."s,
      "nccl_trace_rank_0", {"flight recorder"});
}

TEST(OtherFiles, ATraceWithTheNameOfAnotherKindIsATrace) {
  for (const char* name : {"trace.pt", "trace.html", "trace.nsys-rep"}) {
    const ReadResult read = read_trace_text(with_events({first_slice}), {}, name);
    EXPECT_FALSE(read.error) << name;
    EXPECT_EQ(read.events, 1u);
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
