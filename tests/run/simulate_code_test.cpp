// Tests what `simulate` runs (machine code or PTX) with the real program: cubins, --code, --ptxas, NVRTC.
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/trace/read/read_trace.h"
#include "tests/app/parsed_json.h"
#include "tests/app/program.h"
#include "tests/run/kernels.h"

namespace warpwalk::testing {
namespace {

// 1000 of 1024 threads add: a[i] = i, b[i] = 2.
constexpr std::string_view vecadd_module_launch = R"({
  "kernel": "vecadd", MODULE, "grid": [4, 1, 1], "block": [256, 1, 1],
  "args": [ {"buffer": "a", "dtype": "f32", "count": 1000, "fill": "iota"},
            {"buffer": "b", "dtype": "f32", "count": 1000, "fill": 2},
            {"buffer": "c", "dtype": "f32", "count": 1000},
            {"scalar": 1000, "dtype": "i32"} ],
  "expect": { "c": {"file": "c.out.bin"} } })";

const std::filesystem::path recorded = WARPWALK_SOURCE_DIR "/tests/exec/cubins/vecadd.cubin";
const std::filesystem::path cubin_assets = WARPWALK_SOURCE_DIR "/assets/cubin";

/// The recorded cubin with the first instruction's opcode replaced by one that no GPU has. Its code is at 0xb80.
std::string with_unknown_instruction() {
  std::string bytes = text_of(recorded);
  bytes[0xb80] = '\xff';
  bytes[0xb81] = '\xff';
  return bytes;
}

class SimulateCode : public ::testing::Test {
 protected:
  SimulateCode() {
    folder_.file("vecadd.ptx", vecadd_ptx);
    folder_.file("vecadd.cubin", text_of(recorded));
    folder_.file("sm_80.cubin.gz", text_of(cubin_assets / "sm_80/vecadd.cubin.gz"));
    std::string sums;
    for (int i = 0; i < 1000; ++i) {
      const float sum = static_cast<float>(i) + 2;
      sums.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    }
    folder_.file("c.out.bin", sums);
  }
  /// A launch file with these members in place of the module.
  std::string launch(std::string_view module) {
    std::string text(vecadd_module_launch);
    return folder_.file("launch.json", text.replace(text.find("MODULE"), 6, module));
  }
  /// The report of a successful run.
  rapidjson::Document report(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), "simulate");
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = run(arguments, environment);
    EXPECT_EQ(outcome.status, 0) << outcome.error << outcome.out;
    return outcome.status == 0 ? parsed_json(outcome.out) : parsed_json("{\"code\": \"\", \"notes\": []}");
  }
  void expect_refused(std::vector<std::string> arguments, const std::vector<std::string>& words,
                      const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), "simulate");
    const Outcome outcome = run(arguments, environment);
    EXPECT_EQ(outcome.status, 2) << outcome.error;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& word : words) EXPECT_THAT(outcome.error, ::testing::HasSubstr(word));
  }
  /// An environment whose ptxas is this script.
  std::vector<std::string> with_ptxas(std::string_view script) {
    const std::string program = folder_.file("ptxas", script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return {"PATH=" + folder_.path().string() + ":/usr/bin:/bin"};
  }

  Folder folder_;
};

constexpr std::string_view cubin_entry = R"("cubin": "vecadd.cubin")";
constexpr std::string_view both = R"("ptx": "vecadd.ptx", "cubin": "vecadd.cubin")";
constexpr std::string_view ptx = R"("ptx": "vecadd.ptx")";

TEST_F(SimulateCode, ACubinAlone) {
  const std::string file = folder_.at("walk.json.gz");
  const rapidjson::Document json = report({launch(cubin_entry), "-o", file});
  EXPECT_STREQ(json["code"].GetString(), "sass sm_90 from cubin");
  EXPECT_EQ(json["notes"].Size(), 0u);
  EXPECT_STREQ(json["registers_origin"].GetString(), "cubin");
  EXPECT_EQ(json["registers"].GetUint(), 12u);  // as cuobjdump -res-usage prints
  EXPECT_FALSE(json.HasMember("ptx_warp_instructions"));
  EXPECT_EQ(json["global_store_requests"].GetUint(), 32u);

  const trace::ReadResult read = trace::read_trace(file);
  ASSERT_FALSE(read.error) << *read.error;
  const trace::Records& records = read.trace.records;
  ASSERT_EQ(records.kernels.size(), 1u);
  EXPECT_EQ(records.kernels[0].code, "sass sm_90 from cubin");
  EXPECT_EQ(records.kernels[0].registers_origin, "cubin");
  for (const trace::NamedCounter& counter : records.kernels[0].counters)
    EXPECT_NE(counter.name, "ptx_warp_instructions");
  ASSERT_EQ(records.modules.size(), 1u);
  EXPECT_EQ(records.modules[0].name, "vecadd.cubin");
  EXPECT_EQ(std::string(records.modules[0].cubin.begin(), records.modules[0].cubin.end()), text_of(recorded));

  const Outcome printed = run({"simulate", launch(cubin_entry)});
  EXPECT_THAT(printed.out, ::testing::HasSubstr("code                sass sm_90 from cubin\n"));
  EXPECT_THAT(printed.out, ::testing::HasSubstr("12 per thread (of the machine code)\n"));
  EXPECT_THAT(printed.out, ::testing::HasSubstr(" (counted)\n"));
}

TEST_F(SimulateCode, TheChoiceBetweenPtxAndCubin) {
  EXPECT_STREQ(report({launch(both)})["code"].GetString(), "sass sm_90 from cubin");
  EXPECT_STREQ(report({launch(both), "--code", "auto"})["code"].GetString(), "sass sm_90 from cubin");
  EXPECT_STREQ(report({launch(both), "--code", "sass"})["code"].GetString(), "sass sm_90 from cubin");
  const rapidjson::Document json = report({launch(both), "--code", "ptx"});
  EXPECT_STREQ(json["code"].GetString(), "ptx");
  EXPECT_STREQ(json["registers_origin"].GetString(), "cubin");
  EXPECT_TRUE(json.HasMember("ptx_warp_instructions"));
  EXPECT_EQ(report({launch(both), "--code", "ptx", "--cycles", "off"})["notes"].Size(), 0u);
  EXPECT_STREQ(report({launch(ptx)})["registers_origin"].GetString(), "estimated");
}

TEST_F(SimulateCode, CyclesOfMachineCode) {
  const std::string file = folder_.at("walk.json.gz");
  const rapidjson::Document json = report({launch(cubin_entry), "-o", file});
  EXPECT_GT(json["cycles"].GetUint64(), json["launch_cycles"].GetUint64());
  EXPECT_DOUBLE_EQ(json["time_us"].GetDouble(), json["cycles"].GetDouble() / 1980);
  EXPECT_STREQ(json["issue_policy"].GetString(), "greedy-youngest");
  EXPECT_EQ(json["stalls"]["selected"].GetUint64(), json["warp_instructions"].GetUint64());

  const trace::ReadResult read = trace::read_trace(file);
  ASSERT_FALSE(read.error) << *read.error;
  EXPECT_TRUE(read.problems.rows().empty());
  const trace::Trace& trace = read.trace;
  const trace::KernelRecord& record = trace.records.kernels.at(0);
  EXPECT_EQ(record.cycles, json["cycles"].GetInt64());
  EXPECT_EQ(record.cycles_origin, trace::Origin::simulated);
  EXPECT_EQ(record.placement.size(), 4u);
  ASSERT_EQ(trace.launched.size(), 1u);
  const auto [call, kernel] = trace.launched[0];
  EXPECT_EQ(trace.slices.duration[kernel], std::llround(1000 * json["time_us"].GetDouble()));
  EXPECT_EQ(trace.slices.start[kernel], trace.slices.end(call));
  EXPECT_EQ(trace.slices.duration[call], 5340) << "host_launch_call";

  const Outcome printed = run({"simulate", launch(cubin_entry), "--policy", "round-robin"});
  for (const char* const line : {"cycles (simulated)\n", "  issue slots ", "  scheduler policy    round-robin\n"})
    EXPECT_THAT(printed.out, ::testing::HasSubstr(line));
  EXPECT_FALSE(report({launch(cubin_entry), "--cycles", "off"}).HasMember("cycles"));
  expect_refused({launch(cubin_entry), "--cycles", "yes"}, {"--cycles yes: write auto, on or off"});
  expect_refused({launch(cubin_entry), "--caches", "hot"}, {"--caches hot: write cold or warm"});
  EXPECT_GT(report({launch(cubin_entry)})["dram_read_bytes"].GetUint64(), 0u);
  EXPECT_EQ(report({launch(cubin_entry), "--caches", "warm"})["dram_read_bytes"].GetUint64(), 0u);
  expect_refused({launch(cubin_entry), "--policy", "oldest"}, {"--policy oldest: write greedy-youngest"});
}

TEST_F(SimulateCode, ChoicesThatCannotBe) {
  expect_refused({launch(ptx), "--code", "sass"}, {"launch.json: --code sass", "no machine code", "--ptxas"});
  expect_refused({launch(cubin_entry), "--code", "ptx"}, {"launch.json: --code ptx", "no PTX"});
  expect_refused({launch(ptx), "--code", "SASS"}, {"--code SASS: write auto, sass or ptx"});
  expect_refused({launch(cubin_entry), "--ptxas"}, {"--ptxas", "launch.json", "cubin"});
  expect_refused({launch(both), "--ptxas"}, {"--ptxas", "launch.json", "cubin"});
}

TEST_F(SimulateCode, AnUnknownInstructionFallsBackToPtx) {
  folder_.file("vecadd.cubin", with_unknown_instruction());
  const rapidjson::Document json = report({launch(both), "--cycles", "off"});
  EXPECT_STREQ(json["code"].GetString(), "ptx");
  ASSERT_EQ(json["notes"].Size(), 1u);
  const std::string note = json["notes"][0].GetString();
  EXPECT_TRUE(note.starts_with("the PTX was run, because the machine code cannot be: ")) << note;
  EXPECT_THAT(note, ::testing::HasSubstr("0x"));
  const Outcome printed = run({"simulate", launch(both)});
  EXPECT_THAT(printed.out, ::testing::HasSubstr("  note                " + note + "\n"));
  expect_refused({launch(both), "--code", "sass"}, {"vecadd.cubin: "});
  expect_refused({launch(cubin_entry)}, {"vecadd.cubin: "});
}

TEST_F(SimulateCode, TheArchitectureMustFitTheGpu) {
  const std::string file = launch(R"("cubin": "sm_80.cubin.gz")");
  expect_refused({file}, {"sm_80.cubin.gz: its machine code is for sm_80, but the NVIDIA H200", "9.0"});
  expect_refused({file, "--gpu", "t4"}, {"sm_80", "7.5"});
  EXPECT_STREQ(report({file, "--gpu", "a100"})["code"].GetString(), "sass sm_80 from cubin");
  // The same major version and a smaller minor one.
  EXPECT_STREQ(report({file, "--gpu", "rtx3090"})["code"].GetString(), "sass sm_80 from cubin");
  expect_refused({launch(cubin_entry), "--gpu", "a100"}, {"sm_90", "8.0"});
  const rapidjson::Document json =
      report({launch(R"("ptx": "vecadd.ptx", "cubin": "sm_80.cubin.gz")"), "--cycles", "off"});
  EXPECT_STREQ(json["code"].GetString(), "ptx");
  ASSERT_EQ(json["notes"].Size(), 1u);
  EXPECT_THAT(std::string(json["notes"][0].GetString()), ::testing::HasSubstr("sm_80"));
}

TEST_F(SimulateCode, CubinsThatCannotBeRead) {
  for (const char* module : {R"("cubin": "none.cubin")", R"("ptx": "vecadd.ptx", "cubin": "none.cubin")"})
    expect_refused({launch(module)}, {"none.cubin: there is no such file"});
  folder_.file("empty.cubin", "");
  expect_refused({launch(R"("cubin": "empty.cubin")")}, {"empty.cubin: is empty"});
  expect_refused({launch(R"("cubin": "vecadd.ptx")")}, {"vecadd.ptx: ", "ELF"});
  folder_.file("cut.cubin", text_of(recorded).substr(0, 200));
  expect_refused({launch(R"("cubin": "cut.cubin")")}, {"cut.cubin: "});
  const std::string packed = text_of(cubin_assets / "sm_80/vecadd.cubin.gz");
  folder_.file("cut.cubin.gz", packed.substr(0, packed.size() / 2));
  expect_refused({launch(R"("cubin": "cut.cubin.gz")")}, {"cut.cubin.gz: is damaged"});
  expect_refused({launch(R"("cubin": ".")")}, {"is not a regular file"});
}

TEST_F(SimulateCode, TheLaunchMustFitTheCubin) {
  std::string text(vecadd_module_launch);
  text.replace(text.find("MODULE"), 6, cubin_entry);
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    return folder_.file("changed.json", changed.replace(changed.find(from), from.size(), to));
  };
  expect_refused({with("\"vecadd\"", "\"vecsub\"")},
                 {"vecadd.cubin: kernel: vecsub is not an entry of the cubin; the entries are vecadd"});
  expect_refused({with("\"i32\"", "\"i64\"")},
                 {"changed.json: args[3]: i64 (8 bytes) does not fit parameter 3 (4 bytes)"});
  expect_refused({with(",\n            {\"scalar\": 1000, \"dtype\": \"i32\"}", "")},
                 {"args: 3 given, but vecadd takes 4: 8 B, 8 B, 8 B, 4 B"});
  const rapidjson::Document json = report({with("\"grid\"", "\"registers\": 64, \"grid\"")});
  EXPECT_EQ(json["registers"].GetUint(), 12u);
  ASSERT_EQ(json["notes"].Size(), 1u);
  EXPECT_STREQ(json["notes"][0].GetString(),
               "the launch file gives 64 registers per thread, but the machine code has 12");
}

TEST_F(SimulateCode, TheLimitsOfTheBlockAreThoseOfTheCubin) {
  folder_.file("bounded.cubin", text_of(WARPWALK_SOURCE_DIR "/tests/exec/cubins/bounded.cubin"));
  const auto bounded = [&](std::string_view kernel, int threads, int dynamic_shared_bytes) {
    return folder_.file("bounded.json",
                        fmt::format(R"({{ "kernel": "{}", "cubin": "bounded.cubin", "grid": [1], "block": [{}],
          "dynamic_shared_bytes": {}, "args": [ {{"buffer": "out", "dtype": "u32", "count": 64, "fill": 0}} ] }})",
                                    kernel, threads, dynamic_shared_bytes));
  };
  // 40,000 bytes of static shared memory and 1 KB that is reserved, so 5 blocks fit into the 228 KB of an SM.
  const rapidjson::Document json = report({bounded("at_most_64", 64, 0)});
  EXPECT_EQ(json["blocks_per_sm"].GetUint(), 5u);
  EXPECT_STREQ(json["occupancy_limiter"].GetString(), "shared");
  expect_refused({bounded("at_most_64", 65, 0)}, {"bounded.json: ", "65 threads", "at most 64"});
  expect_refused({bounded("at_most_64", 64, 200000)}, {"bounded.json: ", "shared memory"});
  report({bounded("exactly_32", 32, 0)});
  expect_refused({bounded("exactly_32", 64, 0)}, {"bounded.json: ", "blocks of (32,1,1)"});
  expect_refused({bounded("other", 1, 0)}, {"kernel: other is not an entry of the cubin", "at_most_64", "exactly_32"});
}

TEST_F(SimulateCode, PtxasMakesTheCubin) {
  const auto environment = with_ptxas(
      "#!/bin/sh\nif [ \"$1\" = --version ]; then echo release 13.0, V13.0.88; else\n"
      "echo \"$*\" >" +
      folder_.at("asked") + "\ncp " + recorded.string() + " \"$5\"\nfi\n");
  const rapidjson::Document json = report({launch(ptx), "--ptxas"}, environment);
  EXPECT_STREQ(json["code"].GetString(), "sass sm_90 by ptxas 13.0");
  EXPECT_STREQ(json["registers_origin"].GetString(), "cubin");
  EXPECT_TRUE(text_of(folder_.at("asked")).starts_with("-arch=sm_90 --generate-line-info "));
  const rapidjson::Document from_ptx = report({launch(ptx), "--ptxas", "--code", "ptx"}, environment);
  EXPECT_STREQ(from_ptx["code"].GetString(), "ptx");
  EXPECT_STREQ(from_ptx["registers_origin"].GetString(), "ptxas");
  EXPECT_EQ(from_ptx["registers"].GetUint(), 12u);
}

TEST_F(SimulateCode, PtxForTheGpusOfOneComputeCapability) {
  const auto with_target = [](std::string_view target) {
    std::string text(vecadd_ptx);
    const std::size_t at = text.find("sm_", text.find(".target"));
    return text.replace(at, text.find_first_of(" \n", at) - at, target);
  };
  folder_.file("own.ptx", with_target("sm_90a"));
  folder_.file("other.ptx", with_target("sm_100a"));
  const auto environment = with_ptxas(
      "#!/bin/sh\nif [ \"$1\" = --version ]; then echo release 13.0, V13.0.88; else\n"
      "echo \"$*\" >" +
      folder_.at("asked") + "\ncp " + recorded.string() + " \"$5\"\nfi\n");
  const std::string own = launch(R"("ptx": "own.ptx")");
  EXPECT_STREQ(report({own})["code"].GetString(), "ptx");
  EXPECT_STREQ(report({own, "--ptxas"}, environment)["code"].GetString(), "sass sm_90 by ptxas 13.0");
  EXPECT_TRUE(text_of(folder_.at("asked")).starts_with("-arch=sm_90a --generate-line-info "));
  expect_refused({own, "--gpu", "a100"}, {"own.ptx: its .target is sm_90a, which only GPUs of compute capability 9.0"});
  const std::string other = launch(R"("ptx": "other.ptx")"), why = "other.ptx: its .target is sm_100a, which only GPUs";
  expect_refused({other}, {why});
  expect_refused({other, "--ptxas"}, {why}, environment);
}

TEST_F(SimulateCode, PtxasThatFails) {
  expect_refused(
      {launch(ptx), "--ptxas"},
      {"vecadd.ptx: not compiled for sm_90: ptxas ", "vecadd.ptx, line 5; error   : Unknown symbol"},
      with_ptxas("#!/bin/sh\necho 'ptxas warning : something'\n"
                 "echo \"ptxas $3, line 5; error   : Unknown symbol\"\necho 'ptxas fatal : aborted'\nexit 1\n"));
  expect_refused({launch(ptx), "--ptxas"}, {"wrote no machine code for", "vecadd.ptx"}, with_ptxas("#!/bin/sh\n"));
  expect_refused({launch(ptx), "--ptxas"}, {"vecadd.ptx: ", "ELF"}, with_ptxas("#!/bin/sh\necho no cubin >\"$5\"\n"));
}

TEST_F(SimulateCode, NvrtcGivesMachineCodeToo) {
  folder_.file("vecadd.cu", vecadd_ptx);  // the fake NVRTC returns its source as PTX
  const std::string file = launch(R"("cuda": "vecadd.cu")");
  const std::string library = std::string("LD_LIBRARY_PATH=") + WARPWALK_FAKE_NVRTC;
  EXPECT_STREQ(report({file}, {library})["code"].GetString(), "ptx");
  const std::vector<std::string> with_cubin = {library, "WARPWALK_FAKE_NVRTC_CUBIN=" + recorded.string()};
  EXPECT_STREQ(report({file}, with_cubin)["code"].GetString(), "sass sm_90 by NVRTC 13.0");
  EXPECT_STREQ(report({file, "--code", "ptx"}, with_cubin)["code"].GetString(), "ptx");
  expect_refused({launch(R"("cuda": "vecadd.cu", "cubin": "vecadd.cubin")")}, {"cubin: is given together with cuda"});
}

}  // namespace
}  // namespace warpwalk::testing
