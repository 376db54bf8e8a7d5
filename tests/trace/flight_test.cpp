// Dumps of PyTorch's flight recorder. data/flight was recorded by record_flight.py with PyTorch 2.11 on two H200s.
#include <chrono>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/flight/dump_fields.h"
#include "core/trace/flight/read_dump.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

using flight::Call;
using flight::Dumps;
using flight::State;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::string_literals;

std::filesystem::path flight_file(std::string_view name) {
  return std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/flight/" + std::string(name);
}

Dumps dumps_of(std::string_view bytes) {
  Dumps dumps;
  const flight::ReadDump read = flight::read_dump_text(bytes, "dump", dumps);
  EXPECT_TRUE(read.is_dump) << read.error.value_or("");
  return dumps;
}

std::string error_of_dump(std::string_view bytes) {
  Dumps dumps;
  const flight::ReadDump read = flight::read_dump_text(bytes, "dump", dumps);
  EXPECT_FALSE(read.is_dump);
  EXPECT_TRUE(dumps.dumps.empty());
  EXPECT_TRUE(read.error);
  EXPECT_THAT(read.error.value_or(""), Not(HasSubstr("\n")));
  return read.error.value_or("");
}

// The opcodes of Lib/pickletools.py.
std::string unicode(std::string_view text) {
  return "X"s + std::string({static_cast<char>(text.size()), 0, 0, 0}) + std::string(text);
}

TEST(Flight, TheFieldsOfAPickle) {
  const Dumps dumps = dumps_of(read_file(flight_file("missing/nccl_trace_rank_0")));
  ASSERT_EQ(dumps.dumps.size(), 1u);
  const flight::Dump& dump = dumps.dumps[0];
  EXPECT_EQ(dump.version, "2.10");
  EXPECT_EQ(dump.problem, "");
  ASSERT_EQ(dump.groups.size(), 1u);
  EXPECT_EQ(dumps.text(dump.groups[0].name), "0");
  EXPECT_EQ(dumps.text(dump.groups[0].description), "default_pg");
  EXPECT_EQ(dump.groups[0].ranks, (std::vector<std::int64_t>{0, 1}));
  ASSERT_EQ(dump.statuses.size(), 1u);
  EXPECT_EQ(dump.statuses[0].enqueued, 4);
  EXPECT_EQ(dump.statuses[0].started, -1);
  EXPECT_EQ(dump.statuses[0].completed, 3);
  ASSERT_EQ(dump.calls.size(), 4u);
  const Call& call = dump.calls[3];
  EXPECT_EQ(call.record, 3);
  EXPECT_EQ(call.collective, 4);
  EXPECT_EQ(dumps.text(call.name), "all_reduce");
  EXPECT_EQ(dumps.text(call.input_sizes), "[[4096]]");
  EXPECT_EQ(dumps.text(call.output_types), "Float");
  EXPECT_EQ(call.state, State::scheduled);
  EXPECT_EQ(call.timeout_ms, 600000);
  EXPECT_FALSE(call.retired);
  EXPECT_FALSE(call.is_message);
  EXPECT_GT(call.created, std::int64_t{1'700'000'000} * 1'000'000'000);
  // The line of the program, not that of PyTorch's wrappers around it.
  EXPECT_THAT(std::string(dumps.text(call.file)), HasSubstr("/record_flight.py"));
  EXPECT_EQ(dumps.text(call.function), "work");
  EXPECT_EQ(call.line, 45);
}

TEST(Flight, JsonHasTheSameButLines) {
  Dumps dumps = dumps_of(read_file(flight_file("missing/nccl_trace_rank_1")));
  ASSERT_TRUE(flight::read_dump(flight_file("json/nccl_trace_rank_1.json"), dumps).is_dump);
  const flight::Dump &pickle = dumps.dumps[0], &json = dumps.dumps[1];
  EXPECT_EQ(json.version, pickle.version);
  EXPECT_EQ(json.groups[0].ranks, pickle.groups[0].ranks);
  EXPECT_EQ(json.statuses[0].completed, pickle.statuses[0].completed);
  ASSERT_EQ(json.calls.size(), pickle.calls.size());
  for (std::size_t i = 0; i < json.calls.size(); ++i) {
    const Call &a = json.calls[i], &b = pickle.calls[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.group, b.group);
    EXPECT_EQ(a.description, b.description);
    EXPECT_EQ(a.collective, b.collective);
    EXPECT_EQ(a.input_sizes, b.input_sizes);
    EXPECT_EQ(a.state, b.state);
    EXPECT_EQ(a.created, b.created);
    EXPECT_FALSE(a.timed);  // JSON writes 0 for a time that is not known
    EXPECT_EQ(a.line, 0);
  }
}

TEST(Flight, WhatIsWholeIsKeptWhereverTheFileIsCutOff) {
  for (const std::string_view name : {"missing/nccl_trace_rank_0", "json/nccl_trace_rank_0.json"}) {
    const std::string bytes = read_file(flight_file(name));
    std::size_t before = 0;
    for (std::size_t end = 2; end < bytes.size(); end += 7) {
      Dumps dumps;
      const auto read = flight::read_dump_text(std::string_view(bytes).substr(0, end), "dump", dumps);
      if (!read.is_dump) {
        EXPECT_THAT(*read.error, ::testing::AnyOf(HasSubstr("cut off"), HasSubstr("no version")));
        EXPECT_EQ(before, 0u) << "nothing is lost again";
        continue;
      }
      EXPECT_THAT(dumps.dumps[0].problem, HasSubstr("cut off"));
      EXPECT_GE(dumps.dumps[0].calls.size(), before) << name << " " << end;
      before = dumps.dumps[0].calls.size();
    }
    EXPECT_GE(before, 3u) << name;
  }
}

TEST(Flight, CodeIsRefusedAndNotRun) {
  const std::string call = "cos\nsystem\n"s + unicode("echo never") + "\x85R";
  ::testing::internal::CaptureStdout();
  const std::string error =
      error_of_dump("\x80\x02}("s + unicode("version") + unicode("2.10") + unicode("entries") + call + "u.");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(error,
            "dump: the pickle would call Python code (GLOBAL at byte 37), which a dump of the flight recorder never "
            "does; nothing of it was run. Give a file that PyTorch wrote");
}

TEST(Flight, OtherFilesAreNamed) {
  EXPECT_THAT(error_of_dump(R"({"a": 1})"), HasSubstr("is no dump of PyTorch's flight recorder"));
  EXPECT_THAT(error_of_dump("[1, 2"), HasSubstr("cut off or damaged"));
  EXPECT_THAT(error_of_dump("\x80\x02]."), HasSubstr("is no dump"));
  EXPECT_THAT(error_of_dump(""), HasSubstr("damaged at byte 0"));
  Dumps dumps;
  EXPECT_THAT(*flight::read_dump("/nowhere/dump", dumps).error, HasSubstr("there is no such file"));
}

TEST(Flight, WhichFilesMayBeDumps) {
  for (const std::string_view name :
       {"missing/nccl_trace_rank_0", "json/nccl_trace_rank_0.json", "active/active_rank_1"})
    EXPECT_TRUE(flight::may_be_dump(flight_file(name))) << name;
  const std::string data = std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/";
  EXPECT_FALSE(flight::may_be_dump(std::filesystem::path(data + "pickles/protocol_4.pickle")));
  EXPECT_FALSE(flight::may_be_dump(std::filesystem::path(data + "full.pickle.gz")));
  EXPECT_FALSE(flight::may_be_dump(std::filesystem::path("/dev/null")));
  // PyTorch's traces have groups in their metadata, too.
  EXPECT_FALSE(flight::begins_a_dump(R"({"schemaVersion": 1, "distributedInfo": {"pg_config": [{"pg_name": "0"}]}})"));
  TemporaryFolder folder;
  write_file(folder / "rank_0.gz", gzipped(read_file(flight_file("missing/nccl_trace_rank_0"))));
  EXPECT_TRUE(flight::may_be_dump(folder / "rank_0.gz"));
  Dumps dumps;
  EXPECT_TRUE(flight::read_dump(folder / "rank_0.gz", dumps).is_dump);
}

TEST(Flight, FormsThatOtherVersionsWrite) {
  // Version 2.0: one number for all calls, a group without a description, ranks as a list.
  const Dumps dumps = dumps_of(R"({"version": "2.0", "pg_config": {"7": {"desc": "x", "ranks": [4, 6]}},
      "entries": [{"seq_id": 3, "process_group": "7", "profiling_name": "xccl:barrier", "state": "started",
                   "input_sizes": [[], [2, 3]], "input_dtypes": ["Float", "Half"], "retired": true},
                  {"profiling_name": "nccl:all_reduce"}, 5, {"state": "completed"}]})");
  const flight::Dump& dump = dumps.dumps[0];
  EXPECT_EQ(dump.groups[0].ranks, (std::vector<std::int64_t>{4, 6}));
  ASSERT_EQ(dump.calls.size(), 1u);
  EXPECT_EQ(dump.calls[0].collective, 3);
  EXPECT_EQ(dumps.text(dump.calls[0].group), "7");
  EXPECT_EQ(dumps.text(dump.calls[0].name), "barrier");
  EXPECT_EQ(dumps.text(dump.calls[0].input_sizes), "[[], [2, 3]]");
  EXPECT_EQ(dumps.text(dump.calls[0].input_types), "Float, Half");
  EXPECT_TRUE(dump.calls[0].retired);
}

// Values that refer to each other again and again must not multiply the work.
TEST(Flight, ReferencesDoNotMultiply) {
  const auto begin = std::chrono::steady_clock::now();
  std::string bytes = "\x80\x02]\x94("s;  // 0: a list of 200,000 empty frames
  bytes += "}\x94"s;                      // 1
  for (int i = 0; i < 200'000; ++i) bytes += std::string_view("h\1", 2);
  bytes += "e0}("s;
  bytes += unicode("profiling_name") + unicode("nccl:x") + unicode("state") + unicode("started");
  for (const std::string_view key : {"frames", "input_sizes", "output_sizes", "input_dtypes"})
    bytes += unicode(key) + std::string("h\0", 2);
  bytes += "u\x94"s;  // 2: a call
  bytes += "0}("s + unicode("version") + unicode("2.10") + unicode("entries") + "](";
  for (int i = 0; i < 200'000; ++i) bytes += std::string_view("h\2", 2);
  bytes += "eu.";
  const Dumps dumps = dumps_of(bytes);
  EXPECT_EQ(dumps.dumps[0].calls.size(), 200'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Flight, AsATraceItSaysWhatToDo) {
  const ReadResult read = read_trace(flight_file("missing/nccl_trace_rank_0"));
  ASSERT_TRUE(read.error);
  EXPECT_THAT(*read.error, HasSubstr("is a dump of PyTorch's flight recorder"));
  EXPECT_THAT(*read.error, HasSubstr("warpwalk info FILE"));
}

}  // namespace
}  // namespace warpwalk::trace::test
