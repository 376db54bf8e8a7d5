// The lab "host-device": the program on three lanes against times by hand, the figures against the recording's own
// file, and the comparison with the CPU against a look at all sizes.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/labs/host_device/host_device.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

constexpr const char* host_device_scene = "lab/host-device";

// The medians of the recording, straight from what the microbenchmark printed: "h2d_pinned 4096 done".
const std::map<std::string, double>& printed() {
  static const std::map<std::string, double> all = [] {
    std::map<std::string, double> read;
    std::ifstream file(WARPWALK_SOURCE_DIR "/tests/cuda/microbench/recordings/host_device.csv");
    for (std::string line; std::getline(file, line);) {
      if (line.find("take=median") == std::string::npos) continue;
      std::string cells[5];
      std::istringstream row(line);
      for (std::string& cell : cells) std::getline(row, cell, ',');
      const std::size_t size = cells[2].find("bytes=") + 6, until = cells[2].find("until=") + 6;
      read[cells[1] + " " + cells[2].substr(size, cells[2].find(' ', size) - size) + " " +
           cells[2].substr(until, cells[2].find(' ', until) - until)] = std::stod(cells[3]);
    }
    return read;
  }();
  return all;
}

records::HostDeviceTime timed_call(std::string name, double returned, double done = 0, double gpu = 0) {
  records::HostDeviceTime one{std::move(name), 100, {returned, returned}};
  if (done > 0) one.done = records::RepeatedTime{done, done};
  if (gpu > 0) one.gpu = records::RepeatedTime{gpu, gpu};
  return one;
}

records::HostDeviceRecord small_record() {
  records::HostDeviceRecord record;
  record.times = {timed_call("host_write", 10),
                  timed_call("host_write_pinned", 9),
                  timed_call("malloc", 5),
                  timed_call("h2d_pageable", 20, 22, 18),
                  timed_call("h2d_pinned_async", 2, 20, 17),
                  timed_call("kernel", 2, 8, 5),
                  timed_call("d2h_pageable", 21, 23, 19),
                  timed_call("d2h_pinned_async", 3, 21, 18),
                  timed_call("host_read", 7),
                  timed_call("free", 3),
                  timed_call("malloc_managed", 1),
                  timed_call("managed_populate", 30),
                  timed_call("managed_kernel_first", 4, 60),
                  timed_call("managed_host_read", 40),
                  timed_call("free_managed", 2)};
  record.times.push_back({"synchronize", 0, {1, 1}});
  return record;
}

std::string text_of_spans(const std::vector<CallSpan>& spans) {
  std::string text;
  for (const CallSpan& span : spans)
    text += fmt::format("{}{} {}-{}{}; ",
                        span.lane == Lane::cpu   ? ""
                        : span.lane == Lane::gpu ? "gpu "
                                                 : "copies ",
                        span.key, span.from, span.to, span.waits ? " waits" : "");
  return text;
}

TEST(HostDeviceTimes, AreReadAndWrongLinesAreNamed) {
  const std::string head = "name,text,bytes,returned_ns,returned_min_ns,done_ns,done_min_ns,gpu_ns,gpu_min_ns\n";
  const auto read =
      records::parse_host_device(head + "gpu,NVIDIA H200,,,,,,,\ncopy,,4096,5,4,7,6,,\ncopy,,64,3,3,,,2,1\n");
  ASSERT_TRUE(read) << read.error();
  const auto& record = *read;
  EXPECT_EQ(record.note("gpu"), "NVIDIA H200");
  EXPECT_EQ(record.note("cpu"), "");
  EXPECT_EQ(record.sizes("copy"), (std::vector<double>{64, 4096}));
  EXPECT_EQ(record.find("copy", 4096)->done_ns(), 7);
  EXPECT_EQ(record.find("copy", 64)->done_ns(), 3);
  EXPECT_EQ(record.find("copy", 64)->gpu->least, 1);
  EXPECT_EQ(record.find("copy", 65), nullptr);
  for (const char* const wrong : {",x,,,,,,,\n", "copy,,,5,4,,,,\n", "copy,,64,4,5,,,,\n", "copy,,64,,,,,,\n",
                                  "copy,,64,5,4,7,,,\n", "copy,,64,5,0,,,,\n", "copy,,64,5\n", "copy,,64,x,1,,,,\n"}) {
    const auto bad = records::parse_host_device(head + wrong);
    ASSERT_FALSE(bad) << wrong;
    EXPECT_EQ(bad.error().find("line 2"), 0u) << bad.error();
  }
  EXPECT_FALSE(records::parse_host_device("name,text\n"));
}

TEST(HostDevice, TheProgramIsThatOfAHandCount) {
  const records::HostDeviceRecord record = small_record();
  // The copy is there 22 after its call and takes 18; the kernel's latency is 8 - 5; the copy back waits for it.
  EXPECT_EQ(text_of_spans(program_calls(record, 100, Way::pageable)),
            "write 0-10; malloc 10-15; copies copy_in 19-37; copy 15-35; gpu kernel 38-43; launch 35-37; "
            "copies copy_out 47-66; copy 37-43 waits; copy 43-64; read 64-71; free 71-74; ");
  // All three are queued by 21; the CPU waits until 57 and one more for the synchronization itself.
  EXPECT_EQ(text_of_spans(program_calls(record, 100, Way::async)),
            "write 0-9; malloc 9-14; copies copy_in 17-34; copy_async 14-16; gpu kernel 34-39; launch 16-18; "
            "copies copy_out 39-57; copy_async 18-21; synchronize 21-58 waits; read 58-65; free 65-68; ");
  EXPECT_EQ(text_of_spans(program_calls(record, 100, Way::managed)),
            "malloc_managed 0-1; write 1-31; gpu kernel_faults 31-91; launch 31-35; synchronize 35-92 waits; "
            "read_faults 92-132; free 132-134; ");
  EXPECT_EQ(cpu_busy_ns(program_calls(record, 100, Way::async)), 9 + 5 + 2 + 2 + 3 + 7 + 3);
  EXPECT_TRUE(program_calls(record, 100, Way::prefetched).empty());  // not recorded
  EXPECT_TRUE(program_calls(record, 200, Way::pageable).empty());
}

TEST(HostDevice, LanesDoOneThingAtATimeAtEverySize) {
  const records::HostDeviceRecord& record = hardware().host_device;
  const std::vector<double> sizes = record.sizes("kernel");
  ASSERT_EQ(sizes.size(), 10u);
  for (const double size : sizes)
    for (std::size_t way = 0; way < way_count; ++way) {
      std::map<Lane, double> end;
      double busy = 0, waits = 0;
      for (const CallSpan& span : program_calls(record, size, static_cast<Way>(way))) {
        EXPECT_GE(span.from, end[span.lane] - 1e-6) << size << " " << way << " " << span.key;
        EXPECT_GE(span.to, span.from);
        end[span.lane] = span.to;
        if (span.lane == Lane::cpu) (span.waits ? waits : busy) += span.to - span.from;
      }
      ASSERT_FALSE(end.empty()) << size << " " << way;
      // The CPU is never idle without a reason: busy or waiting from the start to the end.
      EXPECT_NEAR(busy + waits, end[Lane::cpu], 1) << size << " " << way;
    }
}

TEST(HostDevice, FiguresAreThoseThatTheMicrobenchmarkPrinted) {
  ASSERT_GT(printed().size(), 300u);
  std::size_t number = 0;
  for (const double size : hardware().host_device.sizes("kernel")) {
    const std::string bytes = fmt::format(" {:.0f} ", size);
    const double choice = static_cast<double>(number++);
    const Stage copies = lab_with(host_device_scene, 2, {{"size", choice}});
    EXPECT_EQ(fact_text(copies, "cudaMemcpyAsync returns after"),
              time_text(printed().at("h2d_pinned_async" + bytes + "returned")));
    EXPECT_EQ(fact_text(copies, "The data is there after"),
              time_text(printed().at("h2d_pinned_async" + bytes + "done")));
    const Stage rates = lab_with(host_device_scene, 3, {{"size", choice}});
    for (const auto& [label, name] : {std::pair{"to the GPU, pageable", "h2d_pageable"},
                                      {"to the GPU, pinned", "h2d_pinned"},
                                      {"to the CPU, pinned", "d2h_pinned"}})
      EXPECT_EQ(fact_text(rates, label), fmt::format("{:.3g} GB/s", size / printed().at(name + bytes + "done")));
    const Stage first = lab_with(host_device_scene, 4, {{"size", choice}});
    EXPECT_EQ(fact_text(first, "First kernel, managed memory"),
              time_text(printed().at("managed_kernel_first" + bytes + "done")));
    EXPECT_THAT(first.title, ::testing::HasSubstr(fact_text(first, "First kernel, managed memory")));
  }
  // Generation 5, 16 lanes: 32 GT/s x 16 x 128 / 130 / 8.
  EXPECT_EQ(fact_text(lab_with(host_device_scene, 3), "PCIe link"), "63 GB/s");
  EXPECT_LT(printed().at("h2d_pinned 1073741824 done"), 1.2 * 1073741824 / 63);
}

TEST(HostDevice, BetweenRecordedSizesALineJoinsThem) {
  const records::HostDeviceRecord& record = hardware().host_device;
  const auto at = [&](double bytes) { return done_between(record, "h2d_pinned", bytes); };
  const double low = printed().at("h2d_pinned 1048576 done"), high = printed().at("h2d_pinned 4194304 done");
  EXPECT_DOUBLE_EQ(at(1 << 20), low);
  EXPECT_NEAR(at(1 << 21), std::sqrt(low * high), 1e-6 * high);  // half-way on a logarithmic axis
  EXPECT_DOUBLE_EQ(at(4), printed().at("h2d_pinned 4096 done"));
  EXPECT_NEAR(at(std::ldexp(1, 31)), 2 * printed().at("h2d_pinned 1073741824 done"), 1);
  EXPECT_EQ(done_between(record, "no such copy", 4096), 0);
}

TEST(HostDevice, UsesAddUpWhatWasRecorded) {
  const auto time = [&](const std::string& name, const char* until) {
    return printed().at(name + " 67108864 " + until);
  };
  const Stage stage = lab_with(host_device_scene, 5, {{"uses", 3}});
  const double read = time("host_read", "returned"), kernel = time("kernel", "gpu");
  EXPECT_EQ(fact_text(stage, "Copies"),
            time_text(time("h2d_pinned", "done") + 3 * kernel + time("d2h_pinned", "done") + read));
  EXPECT_EQ(fact_text(stage, "Mapped"), time_text(3 * time("kernel_mapped", "gpu") + read));
  EXPECT_EQ(fact_text(stage, "Managed"),
            time_text(time("managed_kernel_first", "done") + 2 * kernel + time("managed_host_read", "returned")));
  EXPECT_THAT(lab_with(host_device_scene, 5, {{"uses", 1}}).title, ::testing::HasSubstr("mapped memory"));
  EXPECT_THAT(lab_with(host_device_scene, 5, {{"uses", 64}}).title, ::testing::HasSubstr("copying"));
}

// With 1 and 256 multiply-adds, the comparison uses recorded times alone.
TEST(HostDevice, BreakEvenIsTheFirstSizeFromWhichTheGpuIsAhead) {
  const Hardware& gpus = hardware();
  for (const bool pinned : {false, true})
    for (const auto& [work, adds] : {std::pair{"saxpy", 1.0}, {"busy", 256.0}}) {
      std::map<double, bool> ahead;
      for (const records::CoreTimes& one : gpus.core_times) {
        if (one.work != work) continue;
        const double bytes = 4 * one.size;
        const double copies = done_between(gpus.host_device, pinned ? "h2d_pinned" : "h2d_pageable", bytes) +
                              done_between(gpus.host_device, pinned ? "d2h_pinned" : "d2h_pageable", bytes);
        ahead[one.size] = one.gpu + copies < std::min(one.one_core, *one.all_cores);
      }
      std::string expected = "never ahead";
      for (const auto& [size, here] : ahead)
        if (std::all_of(ahead.lower_bound(size), ahead.end(), [](const auto& one) { return one.second; })) {
          expected = fmt::format("ahead from {} elements on", with_thousands(static_cast<std::int64_t>(size)));
          break;
        }
      EXPECT_EQ(
          fact_text(lab_with(host_device_scene, 6, {{"adds", adds}, {"pinned", pinned ? 1.0 : 0.0}}), "With copies"),
          expected);
    }
  EXPECT_FALSE(break_even({}));
  EXPECT_EQ(break_even({{1, 10, 20, 0}, {2, 10, 4, 5}, {3, 10, 4, 5}}), 2);
  EXPECT_FALSE(break_even({{1, 10, 4, 5}, {2, 10, 20, 0}}));
}

TEST(HostDevice, MistakesAreThoseOfTheRecord) {
  const Stage stage = lab_with(host_device_scene, 8, {{"mistake", 3}});
  const auto& table = panel_picture<TablePicture>(stage, 1, 0);
  ASSERT_EQ(table.rows.size(), 8u);
  EXPECT_TRUE(table.rows[3].followed);
  EXPECT_EQ(table.rows[3].cells[0].shown(), "cudaFree twice");
  EXPECT_EQ(table.rows[3].cells[1].shown(), "cudaErrorInvalidValue");
  EXPECT_EQ(table.rows[1].cells[1].shown(), "cudaSuccess");
  EXPECT_EQ(table.rows[5].cells[1].shown(), "Segmentation fault");
  const auto& code = panel_picture<CodePicture>(stage);
  const std::vector<CodeLine>& lines = code.columns.at(0).window.lines;
  EXPECT_EQ(std::ranges::count(lines, "cudaFree(data);", &CodeLine::text), 2);
  EXPECT_EQ(std::ranges::count(lines, true, &CodeLine::lit), 1);
}

TEST(HostDevice, TasksAreDoneByTheSettings) {
  const auto done = [](double size, double way, double uses, double adds, double pinned) {
    return tasks_done(host_device_scene,
                      {{"size", size}, {"way", way}, {"uses", uses}, {"adds", adds}, {"pinned", pinned}});
  };
  EXPECT_EQ(done(7, 0, 4, 32, 1), "-----");
  EXPECT_EQ(done(0, 2, 4, 32, 1), "x----");
  EXPECT_EQ(done(0, 1, 4, 32, 1), "-----");
  EXPECT_EQ(done(9, 1, 4, 32, 1), "-x---");
  EXPECT_EQ(done(9, 0, 4, 32, 1), "-----");
  EXPECT_EQ(done(7, 0, 2, 32, 1), "--x--");
  EXPECT_EQ(done(7, 0, 4, 128, 0), "---x-");
  EXPECT_EQ(done(7, 0, 4, 64, 0), "-----");
  EXPECT_EQ(done(7, 0, 4, 512, 1), "----x");
}

TEST(HostDevice, WithoutARecordItSaysSo) {
  for (std::int64_t beat = 1; beat <= 9; ++beat) {
    const Stage stage = lab_without_records(host_device_scene, beat);
    EXPECT_EQ(stage.title, "No measurement is recorded here");
    ASSERT_EQ(stage.missing.size(), 1u);
    EXPECT_THAT(stage.missing.front(), ::testing::HasSubstr("h200_host_device.csv"));
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
