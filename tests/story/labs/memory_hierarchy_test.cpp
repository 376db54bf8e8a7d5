// The lab of the memory's levels: its ladder is the device's description, its chase the record.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

TEST(Chase, IsReadByAscendingSize) {
  const auto read = records::parse_chase("bytes,cycles_measured,cycles_simulated\n2048,73.1,92.8\r\n4096,66.5,\n");
  ASSERT_TRUE(read) << read.error();
  const auto& buffers = *read;
  ASSERT_EQ(buffers.size(), 2u);
  EXPECT_EQ(buffers[0].measured, 73.1);
  EXPECT_EQ(buffers[0].simulated, 92.8);
  EXPECT_EQ(buffers[1].simulated, 0);  // not simulated
}

TEST(Chase, AWrongLineIsNamed) {
  const std::string head = "bytes,cycles_measured,cycles_simulated\n";
  for (const char* const wrong : {"2048,0,1\n", "2048,1\n4", "x,1,1\n", "2048,1,nan\n", "2048,1,1,1\n", ",,\n"}) {
    const auto read = records::parse_chase(head + wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_THAT(read.error(), ::testing::HasSubstr("line "));
  }
  EXPECT_FALSE(records::parse_chase("bytes,measured\n"));
  const auto again = records::parse_chase(head + "4096,1,1\n2048,1,1\n");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().find("line 3"), 0u);
}

// The record has a step at the size of each cache, measured and simulated alike.
TEST(Chase, TheRecordHasTheStepsOfTheCaches) {
  const Hardware& all = hardware();
  const gpu::Device* const gpu = all.find("h200");
  ASSERT_NE(gpu, nullptr);
  ASSERT_GT(all.chase.size(), 15u);
  for (const records::ChasedBuffer& one : all.chase) {
    const bool in_l1 = one.bytes < static_cast<double>(*gpu->l1_bytes);
    const bool in_l2 = !in_l1 && one.bytes < 0.5 * static_cast<double>(*gpu->l2_bytes);
    const bool beyond = one.bytes > 1.5 * static_cast<double>(*gpu->l2_bytes);
    for (const double cycles : {one.measured, one.simulated}) {
      if (cycles == 0) continue;
      if (in_l1) {
        EXPECT_LT(cycles, 100) << one.bytes;
      }
      if (in_l2 && one.bytes > 1.5 * static_cast<double>(*gpu->l1_bytes)) {
        EXPECT_NEAR(cycles, 309, 8) << one.bytes;
      }
      if (beyond) {
        EXPECT_NEAR(cycles, 700, 50) << one.bytes;
      }
    }
  }
}

TEST(MemoryHierarchy, TasksAreDoneByTheSettings) {
  const auto done = [](double size, double device) {
    return tasks_done("lab/memory-hierarchy", {{"size", size}, {"device", device}});
  };
  EXPECT_EQ(done(8, 1), "---");
  EXPECT_EQ(done(256, 1), "x--");    // 256 KiB, as large as L1
  EXPECT_EQ(done(32768, 1), "-x-");  // 32 MiB
  EXPECT_EQ(done(8, 7), "--x");      // a T4
}

// An H200 takes 4 cycles from one dependent instruction to the next, and a mean of 567 and 755 less 5 to GPU memory.
TEST(MemoryHierarchy, TheLadderSaysWhatItsCyclesAre) {
  const Stage stage = lab_with("lab/memory-hierarchy", 1, {{"device", 2}});
  EXPECT_EQ(fact_text(stage, "registers, dependent arithmetic"), "4");
  EXPECT_THAT(stage.sentence, ::testing::HasSubstr("655 cycles, 331 ns, on average"));
}

TEST(MemoryHierarchy, TheChaseShowsTheChosenBuffer) {
  const Stage stage = lab_with("lab/memory-hierarchy", 2, {{"size", 32768}});
  EXPECT_EQ(fact_text(stage, "Buffer"), "32 MiB");
  const auto chased = std::ranges::find(hardware().chase, 32.0 * 1048576, &records::ChasedBuffer::bytes);
  ASSERT_NE(chased, hardware().chase.end());
  EXPECT_EQ(fact_text(stage, "Measured on an H200"), fmt::format("{:.1f} cycles per load", chased->measured));
  EXPECT_EQ(fact_text(stage, "Simulated"), fmt::format("{:.1f} cycles per load", chased->simulated));
}

// The rows of the record, whatever their order; a damaged one is named.
TEST(ReadOnlyTimes, AreReadAndAWrongLineIsNamed) {
  const std::string head = "topic,name,parameters,value,unit\n";
  const auto read = records::parse_read_only_times(
      head + "read_only,constant,addresses=2,49.9,cycles\nread_only,image_plain,lanes_along=row,4588,GB/s\n");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->cycles("constant", 2), 49.9);
  EXPECT_FALSE(read->cycles("constant", 3));
  EXPECT_EQ(read->rate("plain", "row"), 4588);
  EXPECT_FALSE(read->rate("plain", "column"));
  for (const char* const wrong : {"a,constant,addresses=33,1,cycles\n", "a,constant,addresses=x,1,cycles\n",
                                  "a,constant,addresses=1,0,cycles\n", "a,image_plain,lanes=row,1,GB/s\n", "a,b\n"}) {
    const auto failed = records::parse_read_only_times(head + wrong);
    ASSERT_FALSE(failed) << wrong;
    EXPECT_THAT(failed.error(), ::testing::HasSubstr("line 2"));
  }
}

// Each address more costs an H200 the same; neighbouring words of shared memory and L1 cost nothing more. A texture is
// read as fast along columns as along rows.
TEST(ReadOnlyTimes, TheRecordSaysWhatTheBeatsSay) {
  const records::ReadOnlyTimes& times = hardware().read_only;
  for (int n = 2; n <= 32; ++n) {
    EXPECT_NEAR(*times.cycles("constant", n) - *times.cycles("constant", n - 1), 11, 0.5) << n;
    EXPECT_NEAR(*times.cycles("shared", n), *times.cycles("shared", 1), 0.5) << n;
    EXPECT_NEAR(*times.cycles("global", n), *times.cycles("global", 1), 0.5) << n;
  }
  EXPECT_GT(*times.rate("plain", "row"), 3 * *times.rate("plain", "column"));
  EXPECT_NEAR(*times.rate("texture", "row") / *times.rate("texture", "column"), 1, 0.1);
}

TEST(MemoryHierarchy, ConstantMemoryTakesATurnForEachAddress) {
  for (const int addresses : {1, 3, 32}) {
    const Stage stage = lab_with("lab/memory-hierarchy", 4, {{"addresses", addresses}});
    const auto& picture = panel_picture<LinkPicture>(stage, 1, 0);
    EXPECT_EQ(picture.to.size(), static_cast<std::size_t>(addresses));
    for (const Link& link : picture.links) EXPECT_EQ(link.to, link.from % static_cast<std::size_t>(addresses));
    EXPECT_EQ(fact_text(stage, "constant memory, with its address"),
              fmt::format("{:.1f} cycles per load", *hardware().read_only.cycles("constant", addresses)));
  }
  EXPECT_EQ(fact_text(lab_with("lab/memory-hierarchy", 4), "Each further address"), "11.0 cycles");
}

TEST(MemoryHierarchy, AnImageIsReadByRowsAndColumns) {
  const Stage stage = lab_with("lab/memory-hierarchy", 5);
  const auto& rows = panel_picture<TablePicture>(stage).rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].cells.at(1).shown(), "4,588 GB/s");
  EXPECT_EQ(rows[0].cells.at(3).shown(), "4");   // 32 neighbouring floats
  EXPECT_EQ(rows[0].cells.at(4).shown(), "32");  // of 32 rows
  EXPECT_EQ(rows[1].cells.at(3).shown(), "not published");
  for (const std::int64_t beat : {4, 5})
    EXPECT_EQ(lab_without_records("lab/memory-hierarchy", beat).title,
              "No loads of read-only memory are recorded here");
}

// Names that people know, not those of files.
TEST(MemoryHierarchy, GpusHaveShortNames) {
  const Stage stage = lab_with("lab/memory-hierarchy", 1);
  ASSERT_FALSE(stage.controls.empty());
  const std::vector<std::string>& words = stage.controls.front().words;
  for (const char* const name : {"A100", "H100", "H200", "RTX 4090", "T4", "2 SMs of an H200"})
    EXPECT_NE(std::ranges::find(words, name), words.end()) << name;
}

}  // namespace
}  // namespace warpwalk::story::testing
