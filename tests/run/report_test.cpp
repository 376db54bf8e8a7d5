// The report's JSON names are a contract; its text is for users.
#include "core/run/launch/report.h"

#include <set>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace warpwalk::run {
namespace {

struct ReportedCase {
  gpu::Device device;
  LoadedLaunch loaded;
  LaunchResult result;

  ReportedCase() {
    device.id = "h200";
    device.name = "NVIDIA H200";
    device.compared = true;
    loaded.file.kernel = "vecadd";
    loaded.file.grid = {4, 2, 1};
    loaded.file.block = {256, 1, 1};
    loaded.file.buffers = {{"a", ops::DType::f32, 1000, Unwritten{}}, {"c", ops::DType::i32, 1, Unwritten{}}};
    loaded.registers_origin = "estimated";
    loaded.code = "ptx";
    gpu::Simulation& s = result.simulation;
    s.registers = 16;
    s.threads_used = 2;
    s.host_seconds = 0.5;
    s.occupancy.blocks_per_sm = 8;
    s.occupancy.percent = 100;
    s.occupancy.limiters = {gpu::Limiter::warps, gpu::Limiter::blocks};
    gpu::Counters& c = s.counters;
    c.ptx_warp_instructions = 1001;
    c.warp_instructions = 1000000;
    c.thread_instructions = 16000000;
    c.global_load_requests = 10;
    c.global_store_requests = 11;
    c.global_load_sectors = 40;
    c.global_store_sectors = 45;
    c.shared_load_requests = 5;
    c.shared_load_wavefronts = 20;
    c.shared_store_wavefronts = 21;
    c.shared_bank_conflicts = 22;
  }
  rapidjson::Document json() const {
    rapidjson::Document document;
    document.Parse(report_json(device, loaded, result).c_str());
    EXPECT_FALSE(document.HasParseError());
    return document;
  }
  std::string text() const { return report_text(device, loaded, result); }
};

gpu::Finding finding() {
  gpu::Finding f;
  f.kind = gpu::FindingKind::shared_race;
  f.message = "two threads at once";
  f.block = {1, 2, 3};
  f.thread = {4, 5, 6};
  f.ptx_line = 77;
  return f;
}

TEST(ReportJson, HasTheNamesOfTheContract) {
  const ReportedCase c;
  const rapidjson::Document json = c.json();
  std::set<std::string> names;
  for (const auto& entry : json.GetObject()) names.insert(entry.name.GetString());
  EXPECT_EQ(names, (std::set<std::string>{"kernel",
                                          "gpu",
                                          "grid",
                                          "block",
                                          "threads",
                                          "code",
                                          "notes",
                                          "registers",
                                          "registers_origin",
                                          "blocks_per_sm",
                                          "occupancy_pct",
                                          "occupancy_limiter",
                                          "ptx_warp_instructions",
                                          "warp_instructions",
                                          "thread_instructions",
                                          "global_load_requests",
                                          "global_store_requests",
                                          "global_load_sectors",
                                          "global_store_sectors",
                                          "shared_load_wavefronts",
                                          "shared_store_wavefronts",
                                          "shared_bank_conflicts",
                                          "outputs",
                                          "findings",
                                          "host_seconds",
                                          "warp_instructions_per_second"}));
  EXPECT_STREQ(json["kernel"].GetString(), "vecadd");
  EXPECT_STREQ(json["gpu"].GetString(), "h200");
  EXPECT_EQ(json["grid"][1].GetUint(), 2u);
  EXPECT_EQ(json["block"][0].GetUint(), 256u);
  EXPECT_EQ(json["threads"].GetUint(), 2u);
  EXPECT_EQ(json["registers"].GetUint(), 16u);
  EXPECT_STREQ(json["registers_origin"].GetString(), "estimated");
  EXPECT_STREQ(json["occupancy_limiter"].GetString(), "warps");
  EXPECT_EQ(json["occupancy_pct"].GetDouble(), 100);
  EXPECT_EQ(json["ptx_warp_instructions"].GetUint64(), 1001u);
  EXPECT_EQ(json["global_load_requests"].GetUint64(), 10u);
  EXPECT_EQ(json["global_store_requests"].GetUint64(), 11u);
  EXPECT_EQ(json["global_load_sectors"].GetUint64(), 40u);
  EXPECT_EQ(json["global_store_sectors"].GetUint64(), 45u);
  EXPECT_EQ(json["shared_load_wavefronts"].GetUint64(), 20u);
  EXPECT_EQ(json["shared_store_wavefronts"].GetUint64(), 21u);
  EXPECT_EQ(json["shared_bank_conflicts"].GetUint64(), 22u);
  EXPECT_EQ(json["host_seconds"].GetDouble(), 0.5);
  EXPECT_EQ(json["warp_instructions_per_second"].GetDouble(), 2e6);
  EXPECT_EQ(json["outputs"].MemberCount(), 0u);
  EXPECT_EQ(json["findings"].Size(), 0u);
}

TEST(ReportJson, OutputsAndFindings) {
  ReportedCase c;
  Comparison differs;
  differs.match = false;
  differs.mismatches = 3;
  differs.max_abs_error = 0.25;
  differs.max_ulp = 17;
  differs.first = Mismatch{5, "1", "1.25"};
  c.result.outputs = {{0, differs}, {1, {}}};
  gpu::Finding placed = finding();
  placed.source_file = "k\xff.cu";  // invalid UTF-8
  placed.source_line = 9;
  placed.other_line = 12;
  placed.address = 0xffffffffffffffff;
  c.result.simulation.findings = {finding(), placed};
  const rapidjson::Document json = c.json();
  const auto& a = json["outputs"]["a"];
  EXPECT_FALSE(a["match"].GetBool());
  EXPECT_EQ(a["mismatches"].GetUint64(), 3u);
  EXPECT_EQ(a["max_abs_error"].GetDouble(), 0.25);
  EXPECT_EQ(a["max_ulp"].GetUint64(), 17u);
  EXPECT_EQ(a.MemberCount(), 4u);
  EXPECT_TRUE(json["outputs"]["c"]["match"].GetBool());
  ASSERT_EQ(json["findings"].Size(), 2u);
  const auto& first = json["findings"][0];
  EXPECT_EQ(first.MemberCount(), 9u);
  EXPECT_STREQ(first["kind"].GetString(), "shared_race");
  EXPECT_STREQ(first["message"].GetString(), "two threads at once");
  EXPECT_EQ(first["block"][2].GetUint(), 3u);
  EXPECT_EQ(first["thread"][0].GetUint(), 4u);
  EXPECT_EQ(first["ptx_line"].GetUint(), 77u);
  EXPECT_TRUE(first["source_file"].IsNull());
  EXPECT_TRUE(first["source_line"].IsNull());
  EXPECT_TRUE(first["other_line"].IsNull());
  EXPECT_TRUE(first["address"].IsNull());
  const auto& second = json["findings"][1];
  EXPECT_STREQ(second["source_file"].GetString(), "k\xef\xbf\xbd.cu");
  EXPECT_EQ(second["source_line"].GetUint(), 9u);
  EXPECT_EQ(second["other_line"].GetUint(), 12u);
  EXPECT_EQ(second["address"].GetUint64(), 0xffffffffffffffffu);
}

TEST(ReportJson, NoTimeIsNoSpeed) {
  ReportedCase c;
  c.result.simulation.host_seconds = 0;
  EXPECT_EQ(c.json()["warp_instructions_per_second"].GetDouble(), 0);
}

gpu::LaunchTiming timing() {
  gpu::LaunchTiming t;
  t.cycles = 8000;
  t.launch_cost = 4000;
  t.cycles_active = 2500;
  t.achieved_occupancy = 62.5;
  t.warp_instructions = 150'000;
  t.scheduler_cycles = 1'000'000;
  t.slots_with_warp = 900'000;
  t.l1_sectors = 400;
  t.l1_hits = 100;
  t.l2_sectors = 300;
  t.l2_hits = 150;
  t.dram_read_bytes = 64'000;
  t.dram_write_bytes = 32'000;
  t.stalls[static_cast<std::size_t>(gpu::StallReason::long_scoreboard)] = 750;
  t.stalls[static_cast<std::size_t>(gpu::StallReason::selected)] = 250;
  return t;
}

ReportedCase timed_case() {
  ReportedCase c;
  c.loaded.code = "sass sm_90 from cubin";
  c.device.sm_clock.value = 2e9;
  c.device.sm_count.value = 100;
  c.device.sub_partitions.value = 4;
  c.device.memory_bandwidth.value = 4.8e12;
  c.result.cycles.timing = timing();
  return c;
}

TEST(ReportJson, CyclesHaveTheNamesOfTheContract) {
  const rapidjson::Document json = timed_case().json();
  const auto number = [&](const char* name) { return json[name].GetDouble(); };
  EXPECT_EQ(number("cycles"), 8000);
  EXPECT_EQ(number("cycles_active"), 2500);
  EXPECT_EQ(number("launch_cycles"), 4000);
  EXPECT_EQ(number("time_us"), 4);
  EXPECT_EQ(number("achieved_occupancy_pct"), 62.5);
  EXPECT_EQ(number("l1_hit_pct"), 25);
  EXPECT_EQ(number("l2_hit_pct"), 50);
  EXPECT_EQ(number("dram_read_bytes"), 64'000);
  EXPECT_EQ(number("dram_write_bytes"), 32'000);
  EXPECT_DOUBLE_EQ(number("ipc"), 0.6);
  EXPECT_EQ(json["issue_slots"]["issued_pct"].GetDouble(), 15);
  EXPECT_EQ(json["issue_slots"]["no_eligible_warp_pct"].GetDouble(), 75);
  EXPECT_EQ(json["issue_slots"]["no_warp_pct"].GetDouble(), 10);
  EXPECT_EQ(json["roofline"]["warp_instructions_per_dram_sector"].GetDouble(), 50);
  EXPECT_DOUBLE_EQ(json["roofline"]["issue_pct"].GetDouble(), 4.6875);
  EXPECT_DOUBLE_EQ(json["roofline"]["dram_pct"].GetDouble(), 0.5);
  // The columns of h200_measured.csv without "stall_".
  for (const char* const name :
       {"barrier", "branch_resolving", "dispatch_stall", "drain", "imc_miss", "lg_throttle", "long_scoreboard",
        "math_pipe_throttle", "mio_throttle", "no_instruction", "not_selected", "selected", "short_scoreboard", "wait"})
    EXPECT_TRUE(json["stalls"].HasMember(name)) << name;
  EXPECT_EQ(json["stalls"]["long_scoreboard"].GetUint64(), 750u);
}

TEST(ReportJson, ANoteSaysWhyThereAreNoCycles) {
  ReportedCase c;
  c.loaded.notes = {"one thing"};
  c.result.cycles.missing = "no reason";
  const rapidjson::Document json = c.json();
  EXPECT_FALSE(json.HasMember("cycles"));
  ASSERT_EQ(json["notes"].Size(), 2u);
  EXPECT_STREQ(json["notes"][1].GetString(), "cycles were not simulated: no reason");
  EXPECT_THAT(c.text(), ::testing::HasSubstr("  note                cycles were not simulated: no reason\n"));
}

TEST(ReportText, CyclesAreMarkedSimulated) {
  ReportedCase c = timed_case();
  const std::string section =
      "  cycles              8,000, 4,000 of them for the launch itself\n"
      "  time                4.00 us at 2000 MHz, launch included; the kernel alone 2.00 us\n"
      "  active cycles       2,500 per SM, mean\n"
      "  achieved occupancy  62.5 %\n"
      "  issue slots         15.0 % issued, 75.0 % no eligible warp, 10.0 % no warp: 0.60 instructions per cycle\n"
      "  warps' cycles       long_scoreboard 75 %, selected 25 %\n"
      "  L1 hits             25.0 % of 400 sectors\n"
      "  L2 hits             50.0 % of 300 sectors\n"
      "  DRAM                62.5 KiB read, 31.2 KiB written (cold caches)\n"
      "  roofline            4.7 % of the issue peak, 0.5 % of the DRAM peak; 50.00 warp instructions per DRAM "
      "sector\n";
  EXPECT_THAT(c.text(), ::testing::HasSubstr("\ncycles (simulated)\n" + section));
  c.result.cycles.timing->estimated = true;
  EXPECT_THAT(c.text(), ::testing::HasSubstr("\ncycles (simulated; the schedule is estimated from PTX)\n"));
}

TEST(ReportText, SaysWhatTheMeasuredTimeContains) {
  ReportedCase c = timed_case();
  c.result.recorded = RecordedOutputs{2, 0, 0, {}, 1120};
  EXPECT_THAT(c.text(), ::testing::HasSubstr(
                            "  measured time       1.12 us, by CUPTI: the blocks, and a fixed time before the first "
                            "and after the last one\n"));
  EXPECT_EQ(c.json()["recorded"]["measured_time_us"].GetDouble(), 1.12);
}

// 1,000 cycles at 2 GHz are 0.5 us. CUPTI gives empty kernels 560 ns on an H200 and 880 ns on an H100, 95 ns of which
// are those of their blocks.
TEST(ReportText, ComparesTheTimeThatCuptiWouldMeasure) {
  ReportedCase c = timed_case();
  c.result.cycles.timing->cycles_blocks = 1000;
  const auto line = [&](const char* gpu) {
    c.result.recorded = RecordedOutputs{2, 0, 0, {}, 1000, gpu};
    const std::string text = c.text();
    const std::size_t at = text.find("  simulated time");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(line("NVIDIA H200"),
            "  simulated time      0.96 us, 0.47 of them the fixed time; 0.96 times the measured one");
  EXPECT_EQ(line("NVIDIA H100 80GB HBM3"),
            "  simulated time      1.28 us, 0.79 of them the fixed time; 1.28 times the measured one");
  EXPECT_EQ(line("Tesla T4"),
            "  simulated time      0.96 us, 0.47 of them the fixed time (an H200's: this GPU's was not measured); 0.96 "
            "times the measured one");
  EXPECT_DOUBLE_EQ(c.json()["recorded"]["simulated_time_us"].GetDouble(), 0.965);
  c.result.recorded->measured_ns = 0;
  EXPECT_FALSE(c.json()["recorded"].HasMember("simulated_time_us"));
}

TEST(ReportText, SaysHowTheCachesStarted) {
  ReportedCase c = timed_case();
  EXPECT_STREQ(c.json()["caches"].GetString(), "cold");
  EXPECT_THAT(c.text(), ::testing::Not(::testing::HasSubstr("\n  caches ")));
  c.result.cycles.timing->caches = gpu::CacheStart::warm;
  EXPECT_STREQ(c.json()["caches"].GetString(), "warm");
  EXPECT_THAT(c.text(), ::testing::HasSubstr("31.2 KiB written (warm caches)\n"
                                             "  caches              warm: L2 holds what the buffers hold"));
}

TEST(ReportText, IsForReadingByPeople) {
  ReportedCase c;
  c.result.outputs = {{0, {}}};
  EXPECT_EQ(c.text(),
            "vecadd on a simulated NVIDIA H200\n"
            "  grid                4 x 2 x 1 blocks of 256 x 1 x 1 threads\n"
            "  code                ptx\n"
            "  registers           16 per thread (estimated)\n"
            "  occupancy           100.0 %: 8 blocks at a time on an SM, limited by warps and blocks\n"
            "  warp instructions   1,000,000 (estimated; as written in the PTX: 1,001)\n"
            "  thread instructions 16,000,000: 16.0 of 32 lanes active\n"
            "  global loads        10 requests, 40 sectors of 32 B: 4.0 per request\n"
            "  global stores       11 requests, 45 sectors of 32 B: 4.1 per request\n"
            "  shared loads        5 requests, 20 wavefronts: 4.0 per request\n"
            "  bank conflicts      22 extra wavefronts\n"
            "  simulated in        0.500 s on 2 host threads: 2.0 million warp instructions per second\n"
            "\n"
            "outputs\n"
            "  a                   as expected: all 1,000 f32 are equal\n");
}

TEST(Report, OfMachineCodeCountsInstructions) {
  ReportedCase c;
  c.loaded.code = "sass sm_90 from cubin";
  c.loaded.registers_origin = "cubin";
  c.loaded.notes = {"one thing", "another"};
  const rapidjson::Document json = c.json();
  EXPECT_STREQ(json["code"].GetString(), "sass sm_90 from cubin");
  EXPECT_FALSE(json.HasMember("ptx_warp_instructions"));
  EXPECT_EQ(json["warp_instructions"].GetUint64(), 1000000u);
  ASSERT_EQ(json["notes"].Size(), 2u);
  EXPECT_STREQ(json["notes"][1].GetString(), "another");
  EXPECT_THAT(c.text(), ::testing::HasSubstr("  code                sass sm_90 from cubin\n"
                                             "  note                one thing\n"
                                             "  note                another\n"
                                             "  registers           16 per thread (of the machine code)\n"));
  EXPECT_THAT(c.text(), ::testing::HasSubstr("  warp instructions   1,000,000 (counted)\n"));
}

TEST(ReportText, SaysWhatIsWrong) {
  ReportedCase c;
  Comparison near;
  near.max_abs_error = 0.0001;
  near.max_ulp = 1200;
  Comparison far;
  far.match = false;
  far.mismatches = 1;
  far.max_abs_error = 3;
  far.max_ulp = 1'000'001;
  far.first = Mismatch{0, "4", "1"};
  c.result.outputs = {{0, near}, {1, far}};
  gpu::Finding placed = finding();
  placed.source_file = "k.cu";
  placed.source_line = 9;
  placed.count = 1234;
  gpu::Finding placeless = finding();
  placeless.ptx_line = 0;
  c.result.simulation.findings = {finding(), placed, placeless};
  c.result.simulation.stopped = true;
  const std::string text = c.text();
  for (const char* line :
       {"  a                   as expected: all 1,000 f32, off by at most 0.0001 (1,200 ulp)\n",
        "  c                   NOT as expected: 1 of 1 i32 differ, by up to 3; first [0] = 4, expected 1\n",
        "\nfindings\n  shared_race         two threads at once, at PTX line 77\n"
        "  shared_race         two threads at once, at k.cu:9 (PTX line 77)\n"
        "  shared_race         two threads at once\n",
        "the launch was stopped there"})
    EXPECT_THAT(text, ::testing::HasSubstr(line));
}

TEST(ReportText, SaysThatNothingWasExpected) {
  EXPECT_THAT(ReportedCase().text(),
              ::testing::HasSubstr("none compared       the launch file has no expected outputs"));
}

}  // namespace
}  // namespace warpwalk::run
