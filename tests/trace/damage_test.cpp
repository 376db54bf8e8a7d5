// Damage beyond the twenty cases in hostile_test.cpp: other faults found in files, and hostile text.
#include <chrono>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/equal.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

const Problem& only_problem(const ReadResult& read) {
  static const Problem none{};
  EXPECT_EQ(read.problems.rows().size(), 1u);
  return read.problems.rows().empty() ? none : read.problems.rows()[0];
}

TEST(Damage, TextAfterTheEnd) {
  const std::string text = with_events({first_slice});
  const ReadResult read = read_trace_text(text + "\n  garbage {\"ph\": \"X\"}");
  EXPECT_EQ(read.events, 1u);
  EXPECT_EQ(only_problem(read).kind, ProblemKind::trailing_text);
  EXPECT_EQ(only_problem(read).byte_offset, text.size() + 3);
  EXPECT_THAT(only_problem(read).message, ::testing::HasSubstr("garbage"));
  EXPECT_TRUE(read_trace_text(text + " \n\r\t ").problems.rows().empty());
}

TEST(Damage, ZerosToTheEndOfTheFile) {
  const std::string text = "{\"traceEvents\": [" + first_slice + "," + second_slice + ",";
  const ReadResult read = read_trace_text(text + std::string(3 << 20, '\0'));
  EXPECT_EQ(read.events, 2u);
  EXPECT_EQ(only_problem(read).kind, ProblemKind::truncated);
  EXPECT_EQ(only_problem(read).byte_offset, text.size());
  EXPECT_THAT(only_problem(read).message, ::testing::HasSubstr("zeros"));
  EXPECT_TRUE(read_trace_text(std::string(1000, '\0')).error);
}

TEST(Damage, ZerosBetweenEvents) {
  const ReadResult read =
      read_trace_text(std::string("[") + first_slice + "," + std::string(100, '\0') + second_slice + "]");
  EXPECT_EQ(names_of(read.trace), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(only_problem(read).kind, ProblemKind::lost_event);
  EXPECT_EQ(only_problem(read).byte_offset, first_slice.size() + 2);
}

TEST(Damage, TraceEventsThatAreNoArray) {
  for (const char* value : {"null", "7", "{}", "\"x\""}) {
    const ReadResult read = read_trace_text(fmt::format(R"({{"a": 1, "traceEvents": {}}})", value));
    EXPECT_FALSE(read.error);
    EXPECT_EQ(only_problem(read).kind, ProblemKind::lost_metadata) << value;
    EXPECT_EQ(only_problem(read).byte_offset, 9u);
    EXPECT_THAT(only_problem(read).message, ::testing::HasSubstr("\"traceEvents\" at byte 9 is not an array"));
    EXPECT_EQ(read.trace.metadata.size(), 1u);
  }
}

TEST(Damage, AnArrayThatIsNeverClosed) {
  const std::string text = "{\"traceEvents\": [" + first_slice + "," + second_slice;
  const ReadResult open = read_trace_text(text);
  EXPECT_EQ(open.events, 2u);
  EXPECT_EQ(only_problem(open).kind, ProblemKind::truncated);
  EXPECT_EQ(only_problem(open).byte_offset, text.size());
  const ReadResult half = read_trace_text(text + "}");
  EXPECT_EQ(half.events, 2u);
  EXPECT_EQ(only_problem(half).kind, ProblemKind::truncated);
  EXPECT_THAT(only_problem(half).message, ::testing::HasSubstr("not closed"));
}

TEST(Damage, ElementsThatAreNoEvents) {
  const ReadResult read = read_trace_text("[null, " + first_slice + ", 5, \"text\", [1, 2], {}, " + second_slice + "]");
  EXPECT_EQ(names_of(read.trace), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(read.problems.count_of(ProblemKind::lost_event), 4u);
  EXPECT_EQ(read.problems.rows()[0].byte_offset, 1u);
  EXPECT_EQ(read.problems.count_of(ProblemKind::missing_field), 1u);  // {} is an event without a phase
}

TEST(Damage, EventsWithoutTheirFields) {
  const std::string no_ts = R"({"ph": "X", "cat": "cpu_op", "name": "no time", "pid": 1, "tid": 1, "dur": 4})";
  const std::string no_name = R"({"ph": "X", "cat": "cpu_op", "name": null, "pid": 1, "tid": 1, "ts": 3})";
  const std::string text = with_events(
      {first_slice, no_ts, no_name, R"({"ph": "X", "cat": "cpu_op", "name": "nowhere", "ts": 9, "dur": 1})"});
  const ReadResult read = read_trace_text(text);
  EXPECT_EQ(read.events, 4u);
  EXPECT_EQ(read.trace.slices.size(), 3u);
  EXPECT_EQ(only_problem(read).kind, ProblemKind::missing_field);
  EXPECT_EQ(only_problem(read).count, 2u);
  EXPECT_EQ(only_problem(read).byte_offset, text.find(no_ts));
  EXPECT_EQ(read.trace.tracks.size(), 2u);  // 1/1 and the track without pid and tid
}

TEST(Damage, UnknownPhasesAreCounted) {
  const std::string text = with_events({first_slice, R"({"ph": "O", "cat": "x", "id": 1, "ts": 3})"});
  const ReadResult read = read_trace_text(text);
  EXPECT_EQ(read.events, 2u);
  EXPECT_EQ(only_problem(read).kind, ProblemKind::unsupported_phase);
  EXPECT_EQ(only_problem(read).byte_offset, text.find("{\"ph\": \"O\""));
}

TEST(Damage, ABrokenEntryBeforeTheEventsLosesOnlyItself) {
  for (const char* entry : {"\"bad\": @@", "\"bad\" 7", "\"bad\": {\"x\": hello}", "5", "\"traceEvents\" \"x\""}) {
    const std::string text = fmt::format("{{\"good\": 1, {}, \"traceEvents\": [{}], \"late\": 2}}", entry, first_slice);
    const ReadResult read = read_trace_text(text);
    EXPECT_EQ(read.events, 1u) << entry;
    EXPECT_EQ(only_problem(read).kind, ProblemKind::lost_metadata);
    EXPECT_EQ(only_problem(read).byte_offset, 12u);
    EXPECT_EQ(read.trace.metadata.size(), 2u);
  }
}

TEST(Damage, DevicesAndBaseTimeOfWrongTypes) {
  const ReadResult read =
      read_trace_text(R"({"deviceProperties": {"id": 0}, "baseTimeNanoseconds": "soon", "traceEvents": []})");
  EXPECT_EQ(read.problems.count_of(ProblemKind::lost_metadata), 2u);
  EXPECT_EQ(read.trace.base_time_ns, 0);
}

TEST(Damage, GzipMembersAndWhatFollowsThem) {
  const std::string text = with_events({first_slice, second_slice});
  const ReadResult two = read_trace_text(gzipped(text.substr(0, 60)) + gzipped(text.substr(60)));
  EXPECT_EQ(two.events, 2u);
  EXPECT_TRUE(two.problems.rows().empty());
  const ReadResult padded = read_trace_text(gzipped(text) + std::string(1000, '\0'));
  EXPECT_EQ(padded.events, 2u);
  EXPECT_TRUE(padded.problems.rows().empty());
  const ReadResult garbage = read_trace_text(gzipped(text) + "garbage");
  EXPECT_EQ(garbage.events, 2u);
  EXPECT_EQ(only_problem(garbage).kind, ProblemKind::trailing_text);
  EXPECT_THAT(only_problem(garbage).message, ::testing::HasSubstr("gzip file continues"));
  const ReadResult half = read_trace_text(gzipped(text) + gzipped(text).substr(0, 9));
  EXPECT_EQ(half.events, 2u);
  EXPECT_EQ(only_problem(half).kind, ProblemKind::gzip_truncated);
}

TEST(Damage, APipeIsReadAsItComes) {
  const TemporaryFolder folder;
  for (const bool packed : {false, true}) {
    const std::string name = packed ? "packed" : "plain";
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
    const Trace trace = random_trace(5);
    const std::string text = write_trace_text(trace);
    std::thread writing([&] { write_file(folder / name, packed ? gzipped(text) : text); });
    const ReadResult read = read_trace(folder / name);
    writing.join();
    ASSERT_FALSE(read.error) << *read.error;
    EXPECT_EQ(equal(trace, read.trace).value_or("equal"), "equal");
  }
}

TEST(Damage, WhatCannotBeOpenedIsNamed) {
  const TemporaryFolder folder;
  const ReadResult missing = read_trace(folder / "none.json");
  ASSERT_TRUE(missing.error);
  EXPECT_THAT(*missing.error, ::testing::HasSubstr("none.json: cannot be opened: No such file"));
  const ReadResult directory = read_trace(folder.path());
  ASSERT_TRUE(directory.error);
  EXPECT_THAT(*directory.error, ::testing::HasSubstr("is a folder"));
  const ReadResult other = read_trace_text("PK\x03\x04 not a trace", {}, "a.zip");
  ASSERT_TRUE(other.error);
  EXPECT_THAT(*other.error, ::testing::HasSubstr("a.zip: is a zip archive"));
  const ReadResult unknown = read_trace_text(
      "\x7f"
      "ELF",
      {}, "a.out");
  ASSERT_TRUE(unknown.error);
  EXPECT_THAT(*unknown.error, ::testing::HasSubstr("a.out: is neither JSON nor gzip"));
  for (const char* nothing : {"{}", "[]"}) EXPECT_TRUE(read_trace_text(nothing).error) << nothing;
}

TEST(Damage, LongNamesAreKept) {
  const std::string name(20 << 20, 'n');
  const ReadResult read = read_trace_text(with_events({first_slice, slice("cpu_op", name, 30, 1), second_slice}));
  ASSERT_EQ(read.events, 3u);
  EXPECT_EQ(read.trace.name(find_slice(read.trace, name)).size(), name.size());
  EXPECT_TRUE(read.problems.rows().empty());
}

// Text crafted to make the search for the next event scan the same range repeatedly.
TEST(Damage, HostileTextTakesNoSquareOfTime) {
  const auto repeated = [](std::string_view piece) {
    std::string text = "{\"traceEvents\": [";
    while (text.size() < (std::size_t{3} << 20)) text += piece;
    return text;
  };
  const auto from = std::chrono::steady_clock::now();
  for (const char* piece : {"},{\"", "},{", "{\"a\":[", "},{\"k\":[{},{},", "\"", "},{\"x", "}\n   ",
                            "{\"ph\":\"X\",\"args\":[{\"ph\":\"X\"},", "},{\"ph\":\"X\",\"args\":{\"a\":[1,2,", "\\",
                            "{\"a\":\"}, {\\\"", "[", "]", "},{\"name\":\"a\"b\",\"ts\":1}", "}"}) {
    const ReadResult read = read_trace_text(repeated(piece));
    EXPECT_TRUE(read.error || !read.problems.rows().empty()) << piece;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  EXPECT_LT(seconds, 60) << "15 texts of 3 MB; a square of time would be hours";
}

// Changes, drops and duplicates bytes of real files: no crash, and the result can be written and read again.
TEST(Damage, RandomDamageIsSurvived) {
  std::mt19937_64 random(11);
  for (std::uint64_t round = 0; round < 300; ++round) {
    std::string text = write_trace_text(random_trace(round % 20));
    for (std::uint64_t n = 1 + random() % 8; n != 0; --n) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = static_cast<char>(random()); break;
        case 1: text.erase(at, random() % 40); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 40)); break;
        default: text[at] = "\"\\{}[],:"[random() % 8];
      }
    }
    ReadOptions options;
    options.window_bytes = round % 2 == 0 ? 64 : std::size_t{1} << 20;
    const ReadResult read = read_trace_text(text, options);
    if (read.error) continue;
    const std::string again = write_trace_text(read.trace);
    const ReadResult second_read = read_trace_text(again);
    ASSERT_EQ(equal(read.trace, second_read.trace).value_or("equal"), "equal") << "round " << round;
    ASSERT_EQ(write_trace_text(second_read.trace), again) << "round " << round;
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
