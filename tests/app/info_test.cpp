#include "app/verbs/info/info.h"

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

// Counted independently of this program from the same files.
struct Counted {
  const char* name;
  unsigned events, ops, kernels, memcpys, memsets, kernels_linked_to_launch, kernels_linked_to_op;
};
constexpr Counted counted[] = {
    {"relu_matmul", 202, 4, 2, 0, 0, 2, 2},
    {"two_streams", 255, 44, 16, 4, 4, 16, 16},
    {"mlp_train", 1544, 270, 56, 6, 4, 56, 56},
};

LoadedTrace sample(const char* name) {
  return load(fmt::format("{}/assets/walks/{}.json.gz", WARPWALK_SOURCE_DIR, name), 0);
}

rapidjson::Document json_of(const LoadedTrace& loaded) {
  rapidjson::Document json;
  json.Parse(info_json(loaded).c_str());
  EXPECT_FALSE(json.HasParseError());
  EXPECT_TRUE(json.IsObject());
  return json;
}

class Info : public ::testing::TestWithParam<Counted> {};

TEST_P(Info, CountsWhatIsThere) {
  const Counted& want = GetParam();
  const rapidjson::Document json = json_of(sample(want.name));
  EXPECT_EQ(json["events"].GetUint64(), want.events);
  EXPECT_EQ(json["ops"].GetUint64(), want.ops);
  EXPECT_EQ(json["kernels"].GetUint64(), want.kernels);
  EXPECT_EQ(json["memcpys"].GetUint64(), want.memcpys);
  EXPECT_EQ(json["memsets"].GetUint64(), want.memsets);
  EXPECT_EQ(json["kernels_linked_to_launch"].GetUint64(), want.kernels_linked_to_launch);
  EXPECT_EQ(json["kernels_linked_to_op"].GetUint64(), want.kernels_linked_to_op);
  EXPECT_EQ(json["launches"].GetUint64(), want.kernels);  // none of these traces has a graph: one launch a kernel
  // Nothing of a complete file is lost; the remaining problems are written by the profiler itself.
  for (const auto& problem : json["problems"].GetArray()) {
    const std::string kind = problem["kind"].GetString();
    EXPECT_TRUE(kind == "unmatched_flow" || kind == "partial_overlap")
        << kind << ": " << problem["message"].GetString();
  }
}

TEST_P(Info, HasEveryFieldOfItsType) {
  const rapidjson::Document json = json_of(sample(GetParam().name));
  for (const char* key :
       {"events", "ops", "launches", "kernels", "memcpys", "memsets", "syncs", "streams", "kernels_linked_to_launch",
        "kernels_linked_to_op", "time_span_ns", "bytes", "peak_memory_bytes"}) {
    ASSERT_TRUE(json.HasMember(key)) << key;
    EXPECT_TRUE(json[key].IsUint64()) << key;
  }
  ASSERT_TRUE(json["load_seconds"].IsDouble());
  EXPECT_GT(json["load_seconds"].GetDouble(), 0);
  EXPECT_GT(json["bytes"].GetUint64(), 1000u);
  EXPECT_GT(json["peak_memory_bytes"].GetUint64(), 1000000u);
  EXPECT_GT(json["streams"].GetUint64(), 0u);
  EXPECT_GT(json["time_span_ns"].GetUint64(), 1000000u);
  EXPECT_LT(json["time_span_ns"].GetUint64(), 1000000000u);
  ASSERT_TRUE(json["devices"].IsArray());
  ASSERT_EQ(json["devices"].Size(), 1u);
  const auto& device = json["devices"][0];
  EXPECT_EQ(device["id"].GetInt64(), 0);
  EXPECT_STREQ(device["name"].GetString(), "NVIDIA H200");
  EXPECT_EQ(device["sms"].GetInt64(), 132);
  ASSERT_TRUE(json["problems"].IsArray());
}

TEST(InfoSynchronisations, CallsWithoutACudaSyncRecordCountOnce) {
  const auto counted_in = [](std::string_view events) {
    LoadedTrace loaded;
    loaded.result = trace::read_trace_text(fmt::format(R"({{"traceEvents": [{}]}})", events));
    EXPECT_FALSE(loaded.result.error);
    const std::string text = info_text(loaded, "a.json");
    const std::string label = "synchronisations";
    const std::size_t at = text.find(label);
    EXPECT_NE(at, std::string::npos);
    return std::pair{std::stoi(text.substr(at + label.size())), json_of(loaded)["syncs"].GetInt()};
  };
  const std::string calls =
      R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 4}},)"
      R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "args": {"correlation": 5}},)"
      R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaMalloc", "pid": 1, "tid": 1, "ts": 9, "dur": 2, "args": {"correlation": 6}})";
  EXPECT_EQ(counted_in(calls), (std::pair{2, 0}));
  const std::string record =
      R"(, {"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "pid": 0, "tid": 0, "ts": 1, "dur": 2, "args": {"cuda_sync_kind": "Context Sync", "stream": -1, "correlation": 4, "device": 0}})";
  EXPECT_EQ(counted_in(calls + record), (std::pair{2, 1}));
  // A record whose call is not in the trace.
  const std::string other =
      R"(, {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 7, "ts": 3, "dur": 1, "args": {"cuda_sync_kind": "Stream Wait Event", "stream": 7, "correlation": 99, "device": 0}})";
  EXPECT_EQ(counted_in(calls + record + other), (std::pair{3, 2}));
}

// An op with a kernel, one inside it with two, and one kernel without an op; the GPU is idle twice.
TEST(InfoOverview, HasOpsGapsPathAndSteps) {
  std::string events = R"({"ph": "X", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 1, "ts": 0, "dur": 60},)"
                       R"({"ph": "X", "cat": "cpu_op", "name": "inner", "pid": 1, "tid": 1, "ts": 20, "dur": 30})";
  const auto launch = [&](int correlation, int at, int starts, int lasts) {
    events += fmt::format(
        R"(, {{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": {1}, "dur": 2, "args": {{"correlation": {0}}}}})"
        R"(, {{"ph": "X", "cat": "kernel", "name": "k{0}", "pid": 0, "tid": 7, "ts": {2}, "dur": {3}, "args": {{"device": 0, "stream": 7, "correlation": {0}}}}})",
        correlation, at, starts, lasts);
  };
  launch(1, 5, 10, 10);
  launch(2, 25, 30, 15);
  launch(3, 35, 45, 5);
  launch(4, 80, 90, 10);
  LoadedTrace loaded;
  loaded.result = trace::read_trace_text("{\"traceEvents\": [" + events + "]}");
  const rapidjson::Document json = json_of(loaded);

  const auto& costs = json["op_costs"];
  ASSERT_EQ(costs.Size(), 3u);
  EXPECT_STREQ(costs[0]["name"].GetString(), "inner");
  EXPECT_EQ(costs[0]["gpu_ns"].GetInt64(), 20000);
  EXPECT_EQ(costs[0]["kernels"].GetInt(), 2);
  EXPECT_EQ(costs[0]["self_cpu_ns"].GetInt64(), 26000) << "without its two calls";
  EXPECT_EQ(costs[0]["copies_and_fills"].GetInt(), 0);
  std::int64_t all = 0;
  for (const auto& cost : costs.GetArray()) all += cost["gpu_ns"].GetInt64();
  EXPECT_EQ(all, 40000);

  const auto& gaps = json["idle_gaps"];
  ASSERT_EQ(gaps.Size(), 2u);
  EXPECT_EQ(gaps[0]["start_ns"].GetInt64(), 50000) << "the longest first";
  EXPECT_EQ(gaps[0]["duration_ns"].GetInt64(), 40000);
  EXPECT_STREQ(gaps[0]["work"].GetString(), "k4");
  EXPECT_TRUE(gaps[0]["op"].IsNull());
  EXPECT_TRUE(gaps[0]["line"].IsNull()) << "no Python frame is recorded";
  EXPECT_EQ(gaps[1]["duration_ns"].GetInt64(), 10000);
  EXPECT_STREQ(gaps[1]["op"].GetString(), "inner");
  for (const auto& gap : gaps.GetArray()) {
    std::int64_t parts = 0;
    for (const auto& part : gap["parts"].GetArray()) parts += part["duration_ns"].GetInt64();
    EXPECT_EQ(parts, gap["duration_ns"].GetInt64());
  }

  std::int64_t path = 0, rows = 0, names = 0;
  for (const auto& kind : json["critical_path"].GetObject()) path += kind.value.GetInt64();
  for (const auto& row : json["critical_path_rows"].GetArray()) rows += row["duration_ns"].GetInt64();
  for (const auto& name : json["critical_path_names"].GetArray()) names += name["duration_ns"].GetInt64();
  EXPECT_EQ(path, 100000);
  EXPECT_EQ(rows, path);
  EXPECT_EQ(names, path);
  EXPECT_EQ(json["communication"].Size(), 0u);
  EXPECT_EQ(json["steps"].Size(), 0u);
  EXPECT_EQ(json["gpu_idle"][0]["communicating_ns"].GetInt64(), 0);
}

TEST(InfoOverview, ListsTheHundredLongestGapsAndWhatCommunicates) {
  std::string events;
  for (int i = 0; i < 150; ++i)
    events += fmt::format(
        R"({}{{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7, "ts": {}, "dur": 1, "args": {{"device": 0, "stream": 7}}}})",
        i == 0 ? "" : ",", i % 2 == 0 ? "k" : "ncclDevKernel_AllReduce", 1000 * i + i * i);
  LoadedTrace loaded;
  loaded.result = trace::read_trace_text("{\"traceEvents\": [" + events + "]}");
  const rapidjson::Document json = json_of(loaded);
  const auto& gaps = json["idle_gaps"];
  ASSERT_EQ(gaps.Size(), 100u);
  EXPECT_EQ(gaps[0]["duration_ns"].GetInt64(), 1000 * (1000 + 149 * 149 - 148 * 148 - 1));
  for (rapidjson::SizeType i = 1; i < gaps.Size(); ++i)
    EXPECT_LE(gaps[i]["duration_ns"].GetInt64(), gaps[i - 1]["duration_ns"].GetInt64());
  ASSERT_EQ(json["communication"].Size(), 1u);
  const auto& exchange = json["communication"][0];
  EXPECT_EQ(exchange["ns"].GetInt64(), 75000);
  EXPECT_EQ(exchange["alone_ns"].GetInt64(), 75000);
  EXPECT_EQ(exchange["overlapped_ns"].GetInt64(), 0);
  ASSERT_EQ(exchange["kernels"].Size(), 1u);
  EXPECT_EQ(exchange["kernels"][0]["count"].GetInt(), 75);
}

INSTANTIATE_TEST_SUITE_P(Samples, Info, ::testing::ValuesIn(counted),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(InfoOfDamage, ProblemsHaveKindCountPlaceAndWords) {
  LoadedTrace loaded;
  loaded.result = trace::read_trace_text(
      R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}, {"ph": "X", "na)");
  const rapidjson::Document json = json_of(loaded);
  EXPECT_EQ(json["events"].GetUint64(), 1u);
  ASSERT_GT(json["problems"].Size(), 0u);
  for (const auto& problem : json["problems"].GetArray()) {
    EXPECT_TRUE(problem["kind"].IsString());
    EXPECT_TRUE(problem["count"].IsUint64());
    EXPECT_TRUE(problem["byte_offset"].IsUint64());
    EXPECT_STRNE(problem["message"].GetString(), "");
  }
  const std::string text = info_text(loaded, "a.json");
  EXPECT_THAT(text, ::testing::HasSubstr("\nproblems\n"));
  EXPECT_THAT(text, ::testing::HasSubstr(json["problems"][0]["message"].GetString()));
}

TEST(InfoOfAnUndescribedGpu, IsStillAGpu) {
  LoadedTrace loaded;
  loaded.result = trace::read_trace_text(
      R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k \"quoted\"", "pid": 3, "tid": 7, "ts": 1, "dur": 2,)"
      R"( "args": {"device": 3, "stream": 7, "correlation": 9}}]})");
  const rapidjson::Document json = json_of(loaded);
  ASSERT_EQ(json["devices"].Size(), 1u);
  EXPECT_EQ(json["devices"][0]["id"].GetInt64(), 3);
  EXPECT_TRUE(json["devices"][0]["sms"].IsNull());
  EXPECT_STREQ(json["devices"][0]["name"].GetString(), "");
  EXPECT_EQ(json["kernels_linked_to_launch"].GetUint64(), 0u);
  EXPECT_EQ(json["launches"].GetUint64(), 0u);
  EXPECT_EQ(json["streams"].GetUint64(), 1u);
  EXPECT_EQ(json["time_span_ns"].GetUint64(), 2000u);
  EXPECT_THAT(info_text(loaded, "a.json"), ::testing::HasSubstr("not described"));
}

TEST(InfoOfAGraph, CountsItsLaunchOnce) {
  LoadedTrace loaded;
  std::string events =
      R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 4}})";
  for (int i = 0; i < 5; ++i)
    events += fmt::format(
        R"(, {{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": {}, "dur": 2, "args": {{"device": 0, "stream": 7, "correlation": 4}}}})",
        10 + 5 * i);
  loaded.result = trace::read_trace_text("{\"traceEvents\": [" + events + "]}");
  const rapidjson::Document json = json_of(loaded);
  EXPECT_EQ(json["kernels"].GetUint64(), 5u);
  EXPECT_EQ(json["launches"].GetUint64(), 1u);
  EXPECT_EQ(json["kernels_linked_to_launch"].GetUint64(), 5u);
  EXPECT_EQ(json["kernels_linked_to_op"].GetUint64(), 0u);
}

TEST(InfoText, NamesTheKernelsByTheirTime) {
  const LoadedTrace loaded = sample("relu_matmul");
  const std::string text = info_text(loaded, "walk");
  const std::size_t gemm = text.find("sm80_xmma_gemm"), relu = text.find("vectorized_elementwise_kernel");
  ASSERT_NE(gemm, std::string::npos) << text;
  ASSERT_NE(relu, std::string::npos) << text;
  EXPECT_LT(gemm, relu);
  EXPECT_THAT(text, ::testing::HasSubstr("GPU 0                     NVIDIA H200, 132 SMs"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("problems")));
}

}  // namespace
}  // namespace warpwalk::verbs
