#include "app/verbs/info.h"

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

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
