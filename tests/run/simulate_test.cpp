// Tests `simulate` with the real program on launch files, as users and scripts call it.
#include <csignal>
#include <cstring>
#include <filesystem>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/base/sha256.h"
#include "core/trace/read/read_trace.h"
#include "tests/app/parsed_json.h"
#include "tests/app/program.h"
#include "tests/run/kernels.h"

namespace warpwalk::testing {
namespace {

// 1000 of 1024 threads add: a[i] = i, b[i] = 2, so c[i] = i + 2.
constexpr std::string_view vecadd_launch = R"({
  "kernel": "vecadd", "ptx": "vecadd.ptx", "grid": [4, 1, 1], "block": [256, 1, 1],
  "args": [ {"buffer": "a", "dtype": "f32", "count": 1000, "fill": "iota"},
            {"buffer": "b", "dtype": "f32", "count": 1000, "fill": 2},
            {"buffer": "c", "dtype": "f32", "count": 1000},
            {"scalar": 1000, "dtype": "i32"} ],
  "expect": { "c": {"file": "c.out.bin"} } })";

class Simulate : public ::testing::Test {
 protected:
  Simulate() {
    folder_.file("vecadd.ptx", vecadd_ptx);
    std::string sums;
    for (int i = 0; i < 1000; ++i) {
      const float sum = static_cast<float>(i) + 2;
      sums.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    }
    sums_ = sums;
    folder_.file("c.out.bin", sums);
    launch_ = folder_.file("launch.json", vecadd_launch);
  }
  std::string changed(std::string_view from, std::string_view to) {
    std::string text(vecadd_launch);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return folder_.file("changed.json", text.replace(at, from.size(), to));
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words,
                      const std::vector<std::string>& environment = {}) {
    const Outcome outcome = run(arguments, environment);
    EXPECT_EQ(outcome.status, 2) << outcome.error;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& word : words) EXPECT_THAT(outcome.error, ::testing::HasSubstr(word));
  }

  Folder folder_;
  std::string sums_, launch_;
};

TEST_F(Simulate, AKernelThatDoesWhatIsExpected) {
  const Outcome outcome = run({"simulate", launch_, "--json", folder_.at("report.json")});
  EXPECT_EQ(outcome.status, 0) << outcome.error << outcome.out;
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("  c                   as expected: all 1,000 f32 are equal\n"));
  const rapidjson::Document json = parsed_json(text_of(folder_.at("report.json")));
  EXPECT_TRUE(json["outputs"]["c"]["match"].GetBool());
  // 31.25 of 32 warps have work: 31 full warps and one with 8 lanes.
  EXPECT_EQ(json["global_load_requests"].GetUint64(), 64u);
  EXPECT_EQ(json["global_store_requests"].GetUint64(), 32u);
  EXPECT_EQ(json["global_load_sectors"].GetUint64(), 2u * 125);
  EXPECT_EQ(json["global_store_sectors"].GetUint64(), 125u);
  EXPECT_EQ(json["blocks_per_sm"].GetUint64(), 8u);
  EXPECT_STREQ(json["registers_origin"].GetString(), "estimated");
}

TEST_F(Simulate, ADifferenceIsExitOne) {
  std::string wrong = sums_;
  wrong[4 * 17 + 3] = static_cast<char>(wrong[4 * 17 + 3] ^ 0x01);
  folder_.file("c.out.bin", wrong);
  const Outcome outcome = run({"simulate", launch_});
  EXPECT_EQ(outcome.status, 1) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("NOT as expected: 1 of 1,000 f32 differ"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("first [17] = 19, expected "));
}

TEST_F(Simulate, AFaultIsAFindingAndExitOne) {
  const Outcome outcome =
      run({"simulate", changed("\"scalar\": 1000", "\"scalar\": 1001"), "--json", folder_.at("report.json")});
  EXPECT_EQ(outcome.status, 1) << outcome.error;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("\nfindings\n  out_of_bounds       "));
  const rapidjson::Document json = parsed_json(text_of(folder_.at("report.json")));
  ASSERT_GT(json["findings"].Size(), 0u);
  const auto& finding = json["findings"][0];
  EXPECT_STREQ(finding["kind"].GetString(), "out_of_bounds");
  EXPECT_EQ(finding["block"][0].GetUint(), 3u);
  EXPECT_EQ(finding["thread"][0].GetUint(), 1000u - 3 * 256);
  EXPECT_EQ(finding["source_line"].GetUint(), 4u);
  EXPECT_STREQ(finding["source_file"].GetString(), "vecadd.cu");
}

TEST(SimulateFaults, HaveTheirKind) {
  for (const auto& [bug, kind] : {std::pair{"failed_assert_order", "failed_assert"},
                                  {"trap_negative", "trap"},
                                  {"bad_call_target_host", "bad_call_target"},
                                  {"bad_free_buffer", "bad_free"},
                                  {"stack_overflow_recursion", "stack_overflow"}}) {
    const std::string launch = std::string(WARPWALK_SOURCE_DIR "/tests/bugs/") + bug + "/launch.json";
    const Outcome told = run({"simulate", launch});
    EXPECT_EQ(told.status, 1) << told.error;
    EXPECT_THAT(told.out, ::testing::HasSubstr(std::string("\nfindings\n  ") + kind + "  "));
    const Outcome report = run({"simulate", launch, "--json", "-"});
    EXPECT_EQ(report.status, 1) << report.error;
    const rapidjson::Document json = parsed_json(report.out);
    ASSERT_EQ(json["findings"].Size(), 1u) << report.out;
    EXPECT_STREQ(json["findings"][0]["kind"].GetString(), kind);
  }
}

TEST_F(Simulate, JsonAloneOnStdout) {
  const Outcome outcome = run({"simulate", launch_, "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_STREQ(parsed_json(outcome.out)["kernel"].GetString(), "vecadd");
}

TEST_F(Simulate, AnyNumberOfThreadsGivesTheSame) {
  std::string reports[2];
  for (const int i : {0, 1}) {
    const Outcome outcome = run({"simulate", launch_, "--json", "-", "--threads", i == 0 ? "1" : "3"});
    rapidjson::Document json = parsed_json(outcome.out);
    EXPECT_LE(json["threads"].GetUint(), i == 0 ? 1u : 3u);
    reports[i] = outcome.out.substr(0, outcome.out.find("\"host_seconds\""));
    for (const char* const key : {"\"threads\"", "\"cycles_host_seconds\""}) {
      const std::size_t at = reports[i].find(key);
      ASSERT_NE(at, std::string::npos) << key;
      reports[i].erase(at, reports[i].find('\n', at) - at);
    }
  }
  EXPECT_EQ(reports[0], reports[1]);
}

TEST_F(Simulate, GivenRegistersSetTheOccupancy) {
  const Outcome outcome = run({"simulate", changed("\"grid\"", "\"registers\": 64, \"grid\""), "--json", "-"});
  const rapidjson::Document json = parsed_json(outcome.out);
  EXPECT_EQ(json["registers"].GetUint(), 64u);
  EXPECT_STREQ(json["registers_origin"].GetString(), "given");
  EXPECT_EQ(json["blocks_per_sm"].GetUint(), 4u);  // 65,536 / (64 x 256)
  EXPECT_STREQ(json["occupancy_limiter"].GetString(), "registers");
}

TEST_F(Simulate, AnotherGpu) {
  EXPECT_STREQ(parsed_json(run({"simulate", launch_, "--json", "-", "--gpu", "t4"}).out)["gpu"].GetString(), "t4");
  const std::string file = WARPWALK_SOURCE_DIR "/assets/devices/a100.json";
  EXPECT_STREQ(parsed_json(run({"simulate", launch_, "--json", "-", "--gpu", file}).out)["gpu"].GetString(), "a100");
  expect_refused({"simulate", launch_, "--gpu", "h300"}, {"--gpu h300", "h200, ", "give a file"});
  expect_refused({"simulate", launch_, "--gpu", folder_.at("none.json")}, {"none.json", "there is no such file"});
}

TEST_F(Simulate, BuffersMayBeTheSame) {
  folder_.file("alias.json", R"({ "kernel": "vecadd", "ptx": "vecadd.ptx", "grid": [1], "block": [4],
      "args": [ {"buffer": "a", "dtype": "f32", "count": 8, "fill": "iota"}, {"buffer": "a", "offset": 16},
                {"buffer": "a"}, {"scalar": 4, "dtype": "i32"} ],
      "expect": { "a": {"file": "a.out.bin"} } })");
  std::string sums;
  for (const float value : {4.0F, 6.0F, 8.0F, 10.0F, 4.0F, 5.0F, 6.0F, 7.0F})
    sums.append(reinterpret_cast<const char*>(&value), sizeof value);
  folder_.file("a.out.bin", sums);
  const Outcome outcome = run({"simulate", folder_.at("alias.json")});
  EXPECT_EQ(outcome.status, 0) << outcome.error << outcome.out;
}

TEST_F(Simulate, WhatCannotBeRunIsOneLine) {
  expect_refused({"simulate"}, {"FILE", "--help"});
  expect_refused({"simulate", folder_.at("none.json")}, {"none.json: there is no such file"});
  expect_refused({"simulate", folder_.path().string()}, {"is not a regular file"});
  expect_refused({"simulate", changed("\"grid\"", "\"gird\"")}, {"changed.json: \"gird\": is not known", "grid"});
  expect_refused({"simulate", changed("[4, 1, 1]", "[4, 65536, 1]")}, {"changed.json: grid[1]: is 65536"});
  expect_refused({"simulate", changed("[256, 1, 1]", "[256, 8, 1]")}, {"block: 256 x 8 x 1 are 2048 threads"});
  expect_refused({"simulate", changed("vecadd.ptx", "none.ptx")}, {"none.ptx: there is no such file"});
  expect_refused({"simulate", changed("\"vecadd\"", "\"vecsub\"")}, {"kernel: vecsub is not an entry", "vecadd"});
  expect_refused({"simulate", changed("\"i32\"", "\"i64\"")},
                 {"changed.json: args[3]: i64 (8 bytes) does not fit parameter vecadd_param_3 (.u32, 4 bytes)"});
  expect_refused(
      {"simulate", changed("{\"scalar\": 1000, \"dtype\": \"i32\"} ]", "{\"bytes\": \"00\"}, {\"bytes\": \"00\"} ]")},
      {"args: 5 given, but vecadd takes 4: .u64 8 B"});
  expect_refused({"simulate", changed("c.out.bin", "none.bin")}, {"none.bin: there is no such file", "buffer c"});
  expect_refused({"simulate", changed("\"count\": 1000}", "\"count\": 1001}")},
                 {"c.out.bin: has 4000 bytes but must have 4004"});
  expect_refused({"simulate", changed("\"count\": 1000}", "\"count\": 1000000000000}")},
                 {"buffer c: 3.6 TiB up to here"});
  folder_.file("bad.ptx", std::string(vecadd_ptx).replace(vecadd_ptx.find("add.f32"), 7, "adx.f32"));
  expect_refused({"simulate", changed("vecadd.ptx", "bad.ptx")}, {"bad.ptx:36:2:", "adx.f32"});
  for (const char* threads : {"0", "-1", "many", "100000"})
    expect_refused({"simulate", launch_, std::string("--threads=") + threads}, {"--threads"});
}

TEST_F(Simulate, PlacesThatCannotBeWritten) {
  for (const char* option : {"--json", "-o"}) {
    expect_refused({"simulate", launch_, option, "/nowhere/deep/out"}, {"/nowhere/deep/out"});
    expect_refused({"simulate", launch_, option, folder_.path().string()}, {"is a folder"});
  }
}

TEST_F(Simulate, TheTraceHasTheKernelsRecord) {
  const std::string file = folder_.at("walk.json.gz");
  ASSERT_EQ(run({"simulate", launch_, "--cycles", "off", "-o", file}).status, 0);
  const trace::ReadResult read = trace::read_trace(file);
  ASSERT_FALSE(read.error) << *read.error;
  ASSERT_EQ(read.trace.kernel_order.size(), 1u);
  EXPECT_EQ(read.trace.launched.size(), 1u);
  EXPECT_EQ(read.trace.name(read.trace.kernel_order[0]), "vecadd");
  // Without a clock, the file's only problem is the kernel's missing time.
  ASSERT_EQ(read.problems.rows().size(), 1u);
  EXPECT_EQ(read.problems.count_of(trace::ProblemKind::untimed), 1u);
  const trace::Records& records = read.trace.records;
  EXPECT_EQ(records.time_origin(), trace::Origin::simulated);
  ASSERT_EQ(records.kernels.size(), 1u);
  const trace::KernelRecord& kernel = records.kernels[0];
  EXPECT_EQ(kernel.entry, "vecadd");
  EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 1, 1}));
  EXPECT_EQ(kernel.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(kernel.registers_origin, "estimated");
  EXPECT_EQ(kernel.cycles, -1);
  EXPECT_EQ(kernel.device_hash.size(), 16u);
  EXPECT_EQ(kernel.simulator_version, "0.1.0");
  ASSERT_EQ(records.modules.size(), 1u);
  EXPECT_EQ(records.modules[0].ptx, vecadd_ptx);
  ASSERT_EQ(kernel.arguments.size(), 4u);
  EXPECT_EQ(kernel.arguments[2].allocation, 2u);
  EXPECT_EQ(kernel.arguments[3].bytes, (std::vector<std::uint8_t>{0xe8, 0x03, 0, 0}));
  EXPECT_EQ(kernel.arguments[3].dtype, "i32");
  ASSERT_EQ(records.allocations.size(), 3u);
  EXPECT_EQ(records.allocations[1].name, "b");
  EXPECT_EQ(records.allocations[1].bytes, 4000u);
  EXPECT_EQ(records.allocations[1].rounded_bytes, 4096u);
  ASSERT_EQ(kernel.buffers.size(), 2u) << "c was never written: nothing to keep";
  EXPECT_EQ(kernel.buffers[0].kind, trace::InitialBuffer::Kind::iota);
  EXPECT_EQ(kernel.buffers[1].kind, trace::InitialBuffer::Kind::fill);
  EXPECT_EQ(kernel.buffers[1].value, 2);
  ASSERT_EQ(kernel.digests.size(), 3u);
  EXPECT_EQ(kernel.digests[2].sha256,
            base::sha256({reinterpret_cast<const std::uint8_t*>(sums_.data()), sums_.size()}));
  const auto counter = std::find_if(kernel.counters.begin(), kernel.counters.end(),
                                    [](const auto& c) { return c.name == "global_store_requests"; });
  ASSERT_NE(counter, kernel.counters.end());
  EXPECT_EQ(counter->value, 32);
  EXPECT_EQ(counter->origin, trace::Origin::simulated);
}

TEST_F(Simulate, TheTraceSaysThatTheScheduleIsEstimated) {
  const std::string file = folder_.at("walk.json.gz");
  ASSERT_EQ(run({"simulate", launch_, "-o", file}).status, 0);
  const trace::ReadResult read = trace::read_trace(file);
  ASSERT_EQ(read.trace.records.kernels.size(), 1u);
  EXPECT_GT(read.trace.records.kernels[0].cycles, 0);
  EXPECT_EQ(read.trace.records.kernels[0].code, "ptx");
  ASSERT_FALSE(read.trace.records.sources.empty());
  EXPECT_THAT(read.trace.records.sources[0].by, ::testing::HasSubstr("a schedule estimated from PTX"));
}

TEST_F(Simulate, TheTraceKeepsSmallFilesWholeAndTheDigestOfLargeOnes) {
  const std::size_t large = (std::size_t{1} << 20) / 4 + 1;
  const std::string zeros(4 * large, '\0');
  folder_.file("a.bin", sums_);
  folder_.file("b.bin", zeros);
  folder_.file("files.json", R"({ "kernel": "vecadd", "ptx": "vecadd.ptx", "grid": [1], "block": [32],
      "args": [ {"buffer": "a", "dtype": "f32", "count": 1000, "file": "a.bin"},
                {"buffer": "b", "dtype": "f32", "count": 262145, "file": "b.bin"},
                {"buffer": "c", "dtype": "f32", "count": 32, "fill": {"random": 9}}, {"scalar": 32, "dtype": "i32"} ] })");
  const std::string file = folder_.at("walk.json");
  ASSERT_EQ(run({"simulate", folder_.at("files.json"), "-o", file}).status, 0);
  const trace::ReadResult read = trace::read_trace(file);
  ASSERT_EQ(read.trace.records.kernels.size(), 1u);
  const auto& buffers = read.trace.records.kernels[0].buffers;
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[0].kind, trace::InitialBuffer::Kind::bytes);
  EXPECT_EQ(std::string(buffers[0].bytes.begin(), buffers[0].bytes.end()), sums_);
  EXPECT_EQ(buffers[1].kind, trace::InitialBuffer::Kind::digest);
  EXPECT_EQ(buffers[1].sha256, base::sha256({reinterpret_cast<const std::uint8_t*>(zeros.data()), zeros.size()}));
  EXPECT_EQ(buffers[2].kind, trace::InitialBuffer::Kind::random);
  EXPECT_EQ(buffers[2].seed, 9u);
}

TEST_F(Simulate, InfoAndRenderOpenTheTrace) {
  const std::string file = folder_.at("walk.json.gz");
  ASSERT_EQ(run({"simulate", launch_, "-o", file}).status, 0);
  const rapidjson::Document json = parsed_json(run({"info", file, "--json", "-"}).out);
  EXPECT_EQ(json["kernels"].GetUint64(), 1u);
  EXPECT_EQ(json["kernels_linked_to_launch"].GetUint64(), 1u);
  const Outcome rendered = run({"render", file, "--text"});
  EXPECT_EQ(rendered.status, 0) << rendered.error;
  EXPECT_THAT(rendered.out, ::testing::HasSubstr("vecadd"));
}

TEST_F(Simulate, CtrlCLeavesNothingBehind) {
  folder_.file("count.ptx", count_ptx);
  const std::string launch = folder_.file("count.json", R"({ "kernel": "count", "ptx": "count.ptx",
      "grid": [100000, 1, 1], "block": [1024, 1, 1],
      "args": [ {"buffer": "out", "dtype": "u32", "count": 1, "fill": 0}, {"scalar": 100000, "dtype": "u32"} ] })");
  const std::vector<std::string> before = folder_.names();
  Program program({"simulate", launch, "--json", folder_.at("report.json"), "-o", folder_.at("walk.json.gz")});
  program.wait_until_it_handles(SIGINT);
  ASSERT_TRUE(program.running()) << program.error();
  kill(program.pid(), SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_EQ(folder_.names(), before);
}

TEST_F(Simulate, CudaIsCompiledWithNvrtc) {
  const std::string launch = changed("\"ptx\": \"vecadd.ptx\"", "\"cuda\": \"vecadd.cu\"");
  const std::string library = std::string("LD_LIBRARY_PATH=") + WARPWALK_FAKE_NVRTC;
  folder_.file("vecadd.cu", vecadd_ptx);  // the fake NVRTC returns its source
  EXPECT_EQ(run({"simulate", launch}, {library}).status, 0) << run({"simulate", launch}, {library}).error;
  const std::string file = folder_.at("walk.json");
  ASSERT_EQ(run({"simulate", launch, "-o", file}, {library}).status, 0);
  const trace::ReadResult read = trace::read_trace(file);
  ASSERT_EQ(read.trace.records.modules.size(), 1u);
  EXPECT_EQ(read.trace.records.modules[0].source, vecadd_ptx);
  EXPECT_TRUE(read.trace.records.modules[0].source_file.ends_with("vecadd.cu"));

  folder_.file("vecadd.cu", "#error\n");
  expect_refused({"simulate", launch}, {"vecadd.cu(3): error: identifier \"x\" is undefined"}, {library});
  expect_refused({"simulate", launch}, {"vecadd.cu: NVRTC: stand-in fails"}, {library, "WARPWALK_FAKE_NVRTC=silent"});
  expect_refused({"simulate", launch}, {"--gpu-architecture=sm_90a -lineinfo"},
                 {library, "WARPWALK_FAKE_NVRTC=options"});
}

// NVIDIA's Python packages have no lib64. Files that are no libraries hide an NVRTC on the loader's path.
TEST_F(Simulate, NvrtcIsFoundInAFolderOfAPythonPackage) {
  const std::string launch = changed("\"ptx\": \"vecadd.ptx\"", "\"cuda\": \"vecadd.cu\"");
  folder_.file("vecadd.cu", vecadd_ptx);
  const std::filesystem::path hidden = folder_.path() / "hidden", package = folder_.path() / "cu13";
  std::filesystem::create_directories(hidden);
  std::filesystem::create_directories(package / "lib");
  for (const char* const name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    folder_.file((std::filesystem::path("hidden") / name).string(), "not a library");
  std::filesystem::copy_file(std::filesystem::path(WARPWALK_FAKE_NVRTC) / "libnvrtc.so.13",
                             package / "lib" / "libnvrtc.so.13");
  const Outcome outcome =
      run({"simulate", launch}, {"LD_LIBRARY_PATH=" + hidden.string(), "CUDA_HOME=" + package.string()});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
}

}  // namespace
}  // namespace warpwalk::testing
