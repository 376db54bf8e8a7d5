// Reports of Nsight Compute that are cut off, damaged or hostile, and the wire format of their messages.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/byte_source.h"
#include "core/trace/ncu/container.h"
#include "core/trace/ncu/read_report.h"
#include "core/trace/ncu/wire.h"
#include "tests/trace/ncu_sample.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<ncu::Field> fields_of_message(std::string_view message, bool& whole) {
  std::vector<ncu::Field> fields;
  whole = ncu::for_each_field(message, [&](const ncu::Field& field) { fields.push_back(field); });
  return fields;
}

bool is_damaged(std::string_view message) {
  bool whole = true;
  fields_of_message(message, whole);
  return !whole;
}

TEST(NcuWire, ReadsEveryKindOfField) {
  bool whole = false;
  const std::string message =
      "\x08\x96\x01"                                    // 1: varint 150
      "\x12\x03xyz"                                     // 2: bytes
      "\x1d\x00\x00\x80\x3f"                            // 3: float 1
      "\x21\0\0\0\0\0\0\xf0\x3f"                        // 4: double 1
      "\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s;  // 5: -1
  const std::vector<ncu::Field> fields = fields_of_message(message, whole);
  EXPECT_TRUE(whole);
  ASSERT_EQ(fields.size(), 5u);
  EXPECT_EQ(fields[0].number, 1u);
  EXPECT_EQ(fields[0].value, 150u);
  EXPECT_EQ(fields[1].bytes, "xyz");
  EXPECT_EQ(fields[2].single(), 1.0F);
  EXPECT_EQ(fields[3].real(), 1.0);
  EXPECT_EQ(fields[4].integer(), -1);
  EXPECT_THAT(ncu::three_numbers("\x08\x05\x18\x07"), ElementsAre(5u, 0u, 7u));
}

TEST(NcuWire, RefusesWhatIsNoMessage) {
  EXPECT_FALSE(is_damaged(""));
  EXPECT_TRUE(is_damaged("\x08"));                                              // no value
  EXPECT_TRUE(is_damaged("\x08\x80"));                                          // a varint that is cut off
  EXPECT_TRUE(is_damaged("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));  // a varint of 11 bytes
  EXPECT_TRUE(is_damaged("\x12\x05xyz"));                                       // longer than the message
  EXPECT_TRUE(is_damaged("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01xyz"));   // 2^64 - 1 bytes
  EXPECT_TRUE(is_damaged("\x1d\x01\x02\x03"));                                  // three of four bytes
  EXPECT_TRUE(is_damaged("\x21\x01\x02\x03"));
  EXPECT_TRUE(is_damaged("\x0b"));                          // a group
  EXPECT_TRUE(is_damaged("\x0e\x01"));                      // the wire type 6
  EXPECT_TRUE(is_damaged("\x00\x01"s));                     // the number 0
  EXPECT_TRUE(is_damaged("\xf8\xff\xff\xff\xff\x01\x01"));  // a number above 2^29
}

// Where each block of the sample begins.
std::vector<std::size_t> block_starts(const std::string& report) {
  const auto source = platform::memory_source(report);
  Window window(*source, 1 << 16, std::uint64_t{64} << 20);
  ncu::Container container(window);
  std::vector<std::size_t> starts;
  std::uint64_t sources = 0, launches = 0;
  while (const auto block = container.next()) {
    starts.push_back(static_cast<std::size_t>(window.offset()));
    sources += block->sources.size();
    launches += block->launches.size();
  }
  EXPECT_EQ(container.damage(), "");
  EXPECT_EQ(sources, 2u);
  EXPECT_EQ(launches, 4u);
  return starts;
}

TEST(NcuContainer, FindsTheBlocks) { EXPECT_EQ(block_starts(ncu_sample()).size(), 14u); }

TEST(NcuContainer, ACutReportKeepsTheWholeLaunches) {
  const std::string report = ncu_sample();
  const ReadResult read = read_trace_text(std::string_view(report).substr(0, report.size() - 1));
  EXPECT_FALSE(read.error);
  EXPECT_EQ(read.trace.kernel_order.size(), 3u);
  ASSERT_EQ(read.problems.count_of(ProblemKind::truncated), 1u);
  EXPECT_THAT(find_problem(read, ProblemKind::truncated)->message, HasSubstr("the 3 launches before it are kept"));
}

TEST(NcuContainer, ABlockBeyondTheLimitIsSkipped) {
  const std::string report = ncu_sample();
  ReadOptions options;
  options.window_bytes = 4096;
  options.entry_cap_bytes = 39'000;  // more than the longest launch but that of sums
  const ReadResult read = read_trace_text(report, options);
  EXPECT_FALSE(read.error) << *read.error;
  EXPECT_GT(read.problems.count_of(ProblemKind::too_long), 0u);
  EXPECT_LT(read.trace.kernel_order.size(), 4u);
}

TEST(NcuContainer, SizesBeyondTheFileAreOneLine) {
  const std::string head = "NVR\0\x02\0\0\0\x08\x07"s;
  const auto error_of = [](const std::string& bytes) {
    return read_trace_text(bytes, {}, "r.ncu-rep").error.value_or("");
  };
  EXPECT_THAT(error_of("NVR\0"s), HasSubstr("ends within its header"));
  EXPECT_THAT(error_of("NVR\0\xff\xff\xff\xff"s), HasSubstr("ends within its header"));
  EXPECT_THAT(error_of(head), HasSubstr("without a launch"));
  EXPECT_THAT(error_of(head + "\xff\xff\xff\xff"s), HasSubstr("ends within the block at byte 10"));
  EXPECT_THAT(error_of(head + "\x02\0\0\0\x0a\x7f"s), HasSubstr("is no message"));
  // Four billion launches in a payload of no bytes.
  EXPECT_THAT(error_of(head + "\x06\0\0\0\x10\xff\xff\xff\xff\x0f"s), HasSubstr("fewer messages than its header says"));
  // A payload of four billion bytes.
  EXPECT_THAT(error_of(head + "\x06\0\0\0\x28\xff\xff\xff\xff\x0f"s), HasSubstr("ends within the block"));
  EXPECT_THAT(error_of(head), ::testing::Not(HasSubstr("\n")));
}

void expect_readable(const std::string& bytes) {
  const ReadResult read = read_trace_text(bytes, {}, "damaged.ncu-rep");
  if (!read.error) return;
  EXPECT_EQ(read.error->find('\n'), std::string::npos);
  EXPECT_EQ(read.trace.kernel_order.size(), 0u);
}

TEST(NcuContainer, NoCutIsFatal) {
  const std::string report = ncu_sample();
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) expect_readable(report.substr(0, random() % report.size()));
  // Within the frame of each block, every cut.
  for (const std::size_t start : block_starts(report))
    for (std::size_t at = start; at < std::min(start + 24, report.size()); ++at) expect_readable(report.substr(0, at));
}

TEST(NcuContainer, NoFlipIsFatal) {
  const std::string report = ncu_sample();
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    std::string damaged = report;
    for (int flips = 0; flips < 1 + i % 20; ++flips)
      damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    expect_readable(damaged);
  }
  // Flips in the frames of the blocks, where sizes and counts are.
  const std::vector<std::size_t> starts = block_starts(report);
  for (const std::size_t start : starts)
    for (std::size_t at = start; at < std::min(start + 48, report.size()); ++at) {
      std::string damaged = report;
      damaged[at] ^= static_cast<char>(1 << random() % 8);
      expect_readable(damaged);
    }
}

TEST(NcuContainer, RandomBytesAreNoReport) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = "NVR\0\x02\0\0\0\x08\x07"s;
    for (int n = 0; n < 200; ++n) bytes += static_cast<char>(random() % (i % 2 == 0 ? 256 : 16));
    expect_readable(bytes);
  }
}

TEST(NcuContainer, AFileOfAnotherKindIsRefused) {
  const TemporaryFolder folder;
  write_file(folder / "other.ncu-rep", "{}");
  const auto read = ncu::read_report_file(folder / "other.ncu-rep");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), HasSubstr("is no report of Nsight Compute"));
  write_file(folder / "cut.ncu-rep", ncu_sample().substr(0, 190'000));
  const auto cut = ncu::read_report_file(folder / "cut.ncu-rep");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->report.launches.size(), 3u);
  EXPECT_EQ(cut->lost.size(), 1u);
}

}  // namespace
}  // namespace warpwalk::trace::test
