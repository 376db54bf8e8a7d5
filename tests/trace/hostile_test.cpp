// The twenty broken inputs that the loader must survive, one test each: what is kept and what is reported.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

// Expects the problem with this count and first byte offset, and a one-line message that contains all of `says`.
void expect_problem(const ReadResult& result, ProblemKind kind, std::uint64_t count, std::uint64_t byte_offset,
                    const std::vector<std::string>& meaning) {
  const Problem* problem = find_problem(result, kind);
  ASSERT_NE(problem, nullptr) << name_of(kind);
  EXPECT_EQ(problem->count, count) << problem->message;
  EXPECT_EQ(problem->byte_offset, byte_offset) << problem->message;
  for (const std::string& words : meaning) EXPECT_THAT(problem->message, ::testing::HasSubstr(words));
  EXPECT_THAT(problem->message, ::testing::Not(::testing::HasSubstr("\n")));
}

void expect_only(const ReadResult& result, std::initializer_list<ProblemKind> kinds) {
  for (const Problem& problem : result.problems.rows())
    EXPECT_NE(std::find(kinds.begin(), kinds.end(), problem.kind), kinds.end()) << problem.message;
}

std::string at_byte(std::size_t offset) { return fmt::format("byte {}", offset); }

const std::string third = slice("cpu_op", "third", 40, 10);

TEST(Hostile, Row01EmptyFileOrGzipOfNothing) {
  const TemporaryFolder folder;
  for (const std::string& bytes : {std::string(), gzipped(""), std::string(" \n")}) {
    write_file(folder / "walk.json", bytes);
    const ReadResult result = read_trace(folder / "walk.json");
    ASSERT_TRUE(result.error);
    EXPECT_THAT(*result.error, ::testing::HasSubstr("walk.json"));
    EXPECT_THAT(*result.error, ::testing::HasSubstr("file is empty"));
    EXPECT_EQ(result.events, 0u);
  }
}

TEST(Hostile, Row02CutOffInMidEvent) {
  const std::string whole = with_events({first_slice, second_slice, third});
  const std::size_t third_at = whole.find(third);
  for (const std::size_t cut : {third_at + 1, third_at + 30, third_at + third.size() - 1}) {
    const ReadResult result = read_trace_text(whole.substr(0, cut));
    ASSERT_FALSE(result.error);
    EXPECT_EQ(names_of(result.trace), (std::vector<std::string>{"first", "second"}));
    expect_problem(result, ProblemKind::truncated, 1, cut, {at_byte(cut), at_byte(third_at), "2 events"});
    expect_only(result, {ProblemKind::truncated});
  }
}

TEST(Hostile, Row02CutOffAnywhereKeepsAllCompleteEvents) {
  const std::string whole = with_events({first_slice, second_slice, third});
  for (std::size_t cut = whole.find(first_slice); cut < whole.size(); ++cut) {
    const ReadResult result = read_trace_text(whole.substr(0, cut));
    std::uint64_t complete = 0;
    for (const std::string& event : {first_slice, second_slice, third})
      complete += whole.find(event) + event.size() <= cut;
    EXPECT_EQ(result.events, complete) << cut;
    const bool closed = cut > whole.rfind('}');
    EXPECT_EQ(result.problems.count_of(ProblemKind::truncated), closed ? 0u : 1u) << cut;
    EXPECT_EQ(result.problems.count_of(ProblemKind::lost_event), 0u) << cut;
  }
}

TEST(Hostile, Row03CutOffGzip) {
  std::vector<std::string> events;
  for (int i = 0; i < 5000; ++i) events.push_back(slice("cpu_op", fmt::format("op {}", i), i * 10, 5));
  const std::string text = with_events(events);
  const std::string whole = gzipped(text);
  const TemporaryFolder folder;
  write_file(folder / "walk.json.gz", std::string_view(whole).substr(0, whole.size() / 2));
  const ReadResult result = read_trace(folder / "walk.json.gz");
  ASSERT_FALSE(result.error);
  EXPECT_GT(result.events, 1000u);
  EXPECT_LT(result.events, 5000u);
  const Problem* problem = find_problem(result, ProblemKind::gzip_truncated);
  ASSERT_NE(problem, nullptr);
  EXPECT_GT(problem->byte_offset, text.size() / 4);
  EXPECT_THAT(problem->message, ::testing::HasSubstr("gzip file is cut off"));
  EXPECT_THAT(problem->message, ::testing::HasSubstr(fmt::format("the {} events", result.events)));
  expect_only(result, {ProblemKind::gzip_truncated});

  write_file(folder / "walk.json.gz", std::string_view(whole).substr(0, 15));
  const ReadResult nothing = read_trace(folder / "walk.json.gz");
  ASSERT_TRUE(nothing.error);
  EXPECT_THAT(*nothing.error, ::testing::HasSubstr("gzip"));
}

TEST(Hostile, Row03GzipWithABadChecksum) {
  const std::string text = with_events({first_slice, second_slice, third});
  std::string bytes = gzipped(text);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 0x55);
  const ReadResult result = read_trace_text(bytes);
  ASSERT_FALSE(result.error);
  EXPECT_EQ(result.events, 3u);
  expect_problem(result, ProblemKind::gzip_corrupt, 1, text.size(), {"gzip data is damaged", "3 events"});
}

TEST(Hostile, Row04NameAndContentDisagree) {
  const TemporaryFolder folder;
  const std::string text = with_events({first_slice, second_slice});
  write_file(folder / "plain.json.gz", text);
  write_file(folder / "packed.json", gzipped(text));
  for (const char* name : {"plain.json.gz", "packed.json"}) {
    const ReadResult result = read_trace(folder / name);
    ASSERT_FALSE(result.error) << *result.error;
    EXPECT_EQ(result.events, 2u);
    EXPECT_TRUE(result.problems.rows().empty());
  }
}

TEST(Hostile, Row05BareWordsForNoNumber) {
  const std::string words[] = {"inf", "nan", "-Infinity", "N/A", "NaN", "-nan(ind)", "1.#INF"};
  std::vector<std::string> events = {first_slice};
  for (const std::string& word : words)
    events.push_back(slice("kernel", "k", 5, 1, "\"blocks per SM\": " + word + ", \"stream\": 7", 0, 7));
  const std::string text = with_events(events);
  const ReadResult result = read_trace_text(text);
  ASSERT_FALSE(result.error);
  ASSERT_EQ(result.trace.kernels.size(), std::size(words));
  for (const KernelDetail& kernel : result.trace.kernels) {
    EXPECT_TRUE(is_absent(kernel.blocks_per_sm));
    EXPECT_EQ(kernel.stream, 7);
  }
  const std::size_t at = text.find("{\"ph\": \"X\", \"cat\": \"kernel\"");
  expect_problem(result, ProblemKind::unknown_value, std::size(words), at, {"\"k\"", at_byte(at), "inf, nan or N/A"});
}

TEST(Hostile, Row06RawControlCharactersInAString) {
  const std::string text = with_events({first_slice, slice("cpu_op", "two\nlines\x01\t", 20, 5), third});
  const ReadResult result = read_trace_text(text);
  ASSERT_FALSE(result.error);
  EXPECT_EQ(names_of(result.trace), (std::vector<std::string>{"first", "two\nlines\x01\t", "third"}));
  const std::size_t at =
      text.find("two\n") - std::string_view("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"").size();
  expect_problem(result, ProblemKind::control_character, 1, at, {"two\\nlines", at_byte(at), "kept"});
}

TEST(Hostile, Row07InvalidUtf8) {
  const std::string text = with_events({slice("cpu_op", "a\xff\xfe z\xc3", 20, 5, "\"note\": [\"\xe4\xb8\"]"), third});
  const ReadResult result = read_trace_text(text);
  ASSERT_FALSE(result.error);
  EXPECT_EQ(result.trace.name(0), "a\ufffd\ufffd z\ufffd");
  EXPECT_EQ(result.trace.text(result.trace.slices.extra[0]), "\"note\": [\"\ufffd\ufffd\"]");
  const std::size_t at = text.find("{\"ph\"");
  expect_problem(result, ProblemKind::invalid_utf8, 2, at, {at_byte(at), "not UTF-8", "U+FFFD"});
}

TEST(Hostile, Row08UnknownEscapes) {
  const std::string text =
      with_events({slice("python_function", R"(C:\Users\py\t.py)", 20, 5, R"("path": ["\p"])"), third});
  const ReadResult result = read_trace_text(text);
  ASSERT_FALSE(result.error);
  EXPECT_EQ(result.trace.name(0), "C:\\Users\\py\\t.py");
  EXPECT_EQ(result.trace.text(result.trace.slices.extra[0]), R"("path": ["\\p"])");
  const std::size_t at = text.find("{\"ph\"");
  expect_problem(result, ProblemKind::bad_escape, 2, at, {at_byte(at), "backslash", "kept"});
}

TEST(Hostile, Row09UnescapedQuotesInAName) {
  const std::string broken = slice("cpu_op", "say \"hi\", {\"}", 20, 5);
  const std::string text = with_events({first_slice, broken, third});
  const ReadResult result = read_trace_text(text);
  ASSERT_FALSE(result.error);
  EXPECT_EQ(names_of(result.trace), (std::vector<std::string>{"first", "third"}));
  const std::size_t at = text.find(broken);
  expect_problem(result, ProblemKind::lost_event, 1, at, {at_byte(at), "left out", "say"});
  expect_only(result, {ProblemKind::lost_event});
}

TEST(Hostile, Row09UnescapedQuotesInTheLastEvent) {
  const std::string broken = slice("cpu_op", "say \"hi\"", 20, 5, "\"list\": [1, [2]]");
  for (const std::string& after : {std::string("]}"), std::string("], \"traceName\": \"[x]\" }\n")}) {
    const std::string text = "{\"traceEvents\": [" + first_slice + ", " + broken + after;
    const ReadResult result = read_trace_text(text);
    ASSERT_FALSE(result.error);
    EXPECT_EQ(names_of(result.trace), (std::vector<std::string>{"first"}));
    expect_problem(result, ProblemKind::lost_event, 1, text.find(broken), {"left out"});
    expect_only(result, {ProblemKind::lost_event});
    EXPECT_EQ(result.trace.metadata.size(), after.size() > 3 ? 1u : 0u);
  }
}

TEST(Hostile, Row10TrailingCommasBareArrayMetadataAfterEvents) {
  const std::string commas = "{\"a\": [1, 2,], \"traceEvents\": [" + first_slice + "," + second_slice + ",],}";
  const std::string bare = "[" + first_slice + ",\n" + second_slice + "\n]";
  const std::string bare_open = "[\n" + first_slice + ",\n" + second_slice + ",\n";
  const std::string after =
      "{\"traceEvents\": [" + first_slice + ", " + second_slice + R"(], "traceName": "n", "baseTimeNanoseconds": 77,
      "deviceProperties": [{"id": 3, "name": "G", "numSms": 9}]})";
  for (const std::string& text : {commas, bare, bare_open, after}) {
    const ReadResult result = read_trace_text(text);
    ASSERT_FALSE(result.error) << *result.error;
    EXPECT_EQ(names_of(result.trace), (std::vector<std::string>{"first", "second"}));
    EXPECT_EQ(result.problems.rows().size(), text == bare_open || text == commas ? 1u : 0u) << text;
  }
  EXPECT_EQ(find_problem(read_trace_text(commas), ProblemKind::invalid_json)->count, 3u);
  const ReadResult cut = read_trace_text(bare_open);
  expect_problem(cut, ProblemKind::truncated, 1, bare_open.size(), {at_byte(bare_open.size()), "2 events"});
  const ReadResult late = read_trace_text(after);
  EXPECT_EQ(late.trace.base_time_ns, 77);
  ASSERT_EQ(late.trace.devices.size(), 1u);
  EXPECT_EQ(late.trace.devices[0].sms, 9);
  ASSERT_EQ(late.trace.metadata.size(), 1u);
  EXPECT_EQ(late.trace.text(late.trace.metadata[0].second), "\"n\"");
}

TEST(Hostile, Row11UnusualPidsAndTidsStayDistinct) {
  const auto event = [](std::string_view pid, std::string_view tid) {
    return fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "k", "pid": {}, "tid": {}, "ts": 1, "dur": 1}})", pid,
                       tid);
  };
  const ReadResult result =
      read_trace_text(with_events({event("0", "\"stream 7\""), event("0", "7"), event("-1", "7"),
                                   event("\"Spans\"", "7"), event("\"\"", "7"), event("\"0\"", "7"), event("0", "-7"),
                                   event("1", "\"stream 7\""), event("-0", "007"),  // another spelling of 0/7
                                   event("0", "7"),                                 // second slice of its track
                                   R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1})"}));
  ASSERT_FALSE(result.error);
  EXPECT_EQ(result.trace.tracks.size(), 9u);
  EXPECT_EQ(result.events, 11u);
  bool found = false;
  for (const Track& track : result.trace.tracks)
    if (result.trace.text(track.tid) == "stream 7" && result.trace.text(track.pid) == "1") {
      found = true;
      EXPECT_EQ(track.device, 1);
      EXPECT_EQ(track.stream, 7);
    }
  EXPECT_TRUE(found);
}

TEST(Hostile, Row12ProgressCancelAndMemoryCap) {
  std::string text = "{\"traceEvents\": [";
  while (text.size() < (std::size_t{8} << 20)) text += slice("cpu_op", fmt::format("op {}", text.size()), 1, 1) + ",";
  text += first_slice + "]}";
  ReadOptions options;
  std::uint64_t calls = 0, last = 0;
  options.on_progress = [&](const ReadProgress& progress) {
    EXPECT_GE(progress.bytes_read, last);
    EXPECT_EQ(progress.bytes_total, text.size());
    last = progress.bytes_read;
    return ++calls < 3;
  };
  const ReadResult cancelled = read_trace_text(text, options);
  EXPECT_EQ(calls, 3u);
  EXPECT_GT(cancelled.events, 1000u);
  const Problem* problem = find_problem(cancelled, ProblemKind::cancelled);
  ASSERT_NE(problem, nullptr);
  EXPECT_GT(problem->byte_offset, 0u);
  EXPECT_THAT(problem->message, ::testing::HasSubstr(at_byte(problem->byte_offset)));
  expect_only(cancelled, {ProblemKind::cancelled});

  ReadOptions small;
  small.memory_cap_bytes = std::uint64_t{7} << 20;
  const ReadResult capped = read_trace_text(text, small);
  EXPECT_GT(capped.events, 1000u);
  EXPECT_LT(capped.events, read_trace_text(text).events);
  ASSERT_NE(find_problem(capped, ProblemKind::memory_cap), nullptr);
  EXPECT_THAT(find_problem(capped, ProblemKind::memory_cap)->message, ::testing::HasSubstr("the cap of 7 MiB;"));
  expect_only(capped, {ProblemKind::memory_cap});
}

TEST(Hostile, Row12GzipBombEndsAtTheEntryCap) {
  std::string bomb = "{\"traceEvents\": [" + first_slice + ", {\"ph\": \"X\", \"name\": \"";
  const std::size_t at = bomb.find(", {") + 2;
  bomb.append(std::size_t{64} << 20, 'a');
  ReadOptions options;
  options.entry_cap_bytes = std::uint64_t{4} << 20;
  const ReadResult result = read_trace_text(gzipped(bomb), options);
  EXPECT_EQ(result.events, 1u);
  expect_problem(result, ProblemKind::too_long, 1, at, {at_byte(at), "longer than 4 MiB;"});
}

// An op, a call inside it with correlation 9, and a kernel with the same correlation.
std::vector<std::string> launch_of_nine(std::string_view kernel_args) {
  return {slice("cpu_op", "aten::mm", 1, 50, "\"External id\": 5"),
          slice("cuda_runtime", "cudaLaunchKernel", 10, 5, "\"External id\": 5, \"correlation\": 9"),
          slice("cpu_op", "aten::other", 60, 50, "\"External id\": 9"),
          slice("kernel", "gemm", 30, 5, kernel_args, 0, 7)};
}

TEST(Hostile, Row13ExternalIdIsTheCorrelation) {
  const ReadResult result = read_trace_text(with_events(launch_of_nine("\"External id\": 9, \"correlation\": 9")));
  const Trace& trace = result.trace;
  const SliceId op = op_of(trace, find_slice(trace, "gemm"));
  ASSERT_NE(op, no_slice);
  EXPECT_EQ(trace.name(op), "aten::mm");
  EXPECT_TRUE(result.problems.rows().empty());

  const ReadResult other = read_trace_text(with_events(launch_of_nine("\"External id\": 8, \"correlation\": 9")));
  EXPECT_EQ(other.trace.name(op_of(other.trace, find_slice(other.trace, "gemm"))), "aten::mm");
  expect_problem(other, ProblemKind::external_id_mismatch, 1, 0,
                 {"gemm", "30.000 us", "External id 8", "aten::mm", "(5)"});
}

TEST(Hostile, Row14KernelsWithoutALaunch) {
  const ReadResult result =
      read_trace_text(with_events({first_slice, slice("kernel", "orphan", 30, 5, "\"correlation\": 77", 0, 7),
                                   slice("kernel", "nameless", 40, 5, "", 0, 7)}));
  const Trace& trace = result.trace;
  EXPECT_EQ(trace.kernel_order.size(), 2u);
  EXPECT_EQ(launch_of(trace, find_slice(trace, "orphan")), no_slice);
  EXPECT_EQ(op_of(trace, find_slice(trace, "nameless")), no_slice);
  expect_problem(result, ProblemKind::launch_outside_window, 2, 0,
                 {"orphan", "30.000 us", "outside the recorded window"});
}

std::string flow_end(char phase, std::string_view cat, int id, double ts) {
  return fmt::format(R"({{"ph": "{}", "cat": "{}", "name": "{}", "id": {}, "pid": 1, "tid": 1, "ts": {:.3f}}})", phase,
                     cat, cat, id, ts);
}

TEST(Hostile, Row15UnmatchedAndRepeatedFlows) {
  const std::string lone = flow_end('f', "ac2g", 3, 9), again = flow_end('s', "fwdbwd", 1, 7);
  const std::string text = with_events(
      {first_slice, flow_end('f', "fwdbwd", 1, 30), lone, flow_end('s', "fwdbwd", 1, 2), again, second_slice});
  const ReadResult result = read_trace_text(text);
  ASSERT_EQ(result.trace.flows.size(), 1u);
  EXPECT_EQ(result.trace.flows[0].from_time, 2000);
  EXPECT_EQ(result.trace.flows[0].to_time, 30000);
  expect_problem(result, ProblemKind::unmatched_flow, 1, text.find(lone),
                 {"flow 3", "\"ac2g\"", at_byte(text.find(lone)), "never starts"});
  expect_problem(result, ProblemKind::duplicate_flow, 1, text.find(again),
                 {"flow 1", "fwdbwd", at_byte(text.find(again))});
  expect_only(result, {ProblemKind::unmatched_flow, ProblemKind::duplicate_flow});
}

TEST(Hostile, Row16GraphLaunchOfManyKernels) {
  std::vector<std::string> events = {slice("cpu_op", "graph", 1, 50),
                                     slice("cuda_runtime", "cudaGraphLaunch", 10, 5, "\"correlation\": 9")};
  for (int i = 0; i < 100; ++i)
    events.push_back(slice("kernel", fmt::format("k{}", i), 30 + i, 0.5, "\"correlation\": 9, \"graph id\": 2", 0, 7));
  const ReadResult result = read_trace_text(with_events(events));
  const Trace& trace = result.trace;
  ASSERT_EQ(trace.launched.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(trace.name(trace.launched[i].first), "cudaGraphLaunch");
    EXPECT_EQ(trace.name(trace.launched[i].second), fmt::format("k{}", i));
    EXPECT_EQ(trace.name(op_of(trace, trace.launched[i].second)), "graph");
  }
  EXPECT_TRUE(result.problems.rows().empty());
}

TEST(Hostile, Row17UntimedWorkAndFarAwayMarksDoNotStretchTheAxis) {
  const ReadResult result = read_trace_text(with_events(
      {slice("cpu_op", "op", 1000, 50), slice("cuda_runtime", "launch", 1010, 5, "\"correlation\": 9"),
       slice("kernel", "timed", 1030, 5, "\"correlation\": 9", 0, 7),
       slice("kernel", "untimed", 0, 0, "\"correlation\": 9", 0, 7), slice("Trace", "PyTorch Profiler (0)", 1, 900000),
       R"({"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 99999999})"}));
  EXPECT_EQ(result.trace.begin_ns, 1000'000);
  EXPECT_EQ(result.trace.end_ns, 1050'000);
  EXPECT_EQ(result.trace.kernel_order.size(), 2u);
  EXPECT_EQ(result.trace.instants.size(), 1u);
  expect_problem(result, ProblemKind::untimed, 1, 0, {"untimed", "no time", "not drawn"});
  expect_only(result, {ProblemKind::untimed});
}

TEST(Hostile, Row18ClockSkewAndPartialOverlaps) {
  std::vector<std::string> events = launch_of_nine("\"correlation\": 9");
  events.back() = slice("kernel", "gemm", 4, 5, "\"correlation\": 9", 0, 7);
  events.push_back(slice("kernel", "beside", 6, 5, "\"correlation\": 9", 0, 7));
  events.push_back(slice("python_function", "crossing", 40, 40));
  const ReadResult result = read_trace_text(with_events(events));
  const Trace& trace = result.trace;
  EXPECT_EQ(trace.slices.start[find_slice(trace, "gemm")], 4000);  // never clamped
  EXPECT_EQ(trace.launched.size(), 2u);
  expect_problem(result, ProblemKind::clock_skew, 2, 0, {"gemm", "4.000 us", "6000 ns before its launch"});
  expect_problem(result, ProblemKind::partial_overlap, 2, 0, {"aten::mm", "crossing", "overlap"});
  EXPECT_EQ(trace.slices.parent[find_slice(trace, "crossing")], no_slice);
  expect_only(result, {ProblemKind::clock_skew, ProblemKind::partial_overlap});
}

TEST(Hostile, Row19CpuOnlyMetadataOnlyRocmUnknownCategories) {
  const ReadResult cpu =
      read_trace_text(R"({"schemaVersion": 1, "deviceProperties": [], "traceEvents": [)" + first_slice + "]}");
  ASSERT_FALSE(cpu.error);
  EXPECT_EQ(cpu.trace.kernel_order.size(), 0u);
  EXPECT_EQ(cpu.trace.op_order.size(), 1u);
  EXPECT_TRUE(cpu.trace.devices.empty());

  const ReadResult metadata = read_trace_text(R"({"schemaVersion": 1, "record_shapes": 1, "traceEvents": []})");
  ASSERT_FALSE(metadata.error);
  EXPECT_EQ(metadata.events, 0u);
  EXPECT_EQ(metadata.trace.metadata.size(), 1u);

  const ReadResult other =
      read_trace_text(with_events({slice("hip_runtime", "hipLaunchKernel", 1, 5, "\"correlation\": 4"),
                                   slice("kernel", "k", 9, 5, "\"correlation\": 4", 0, 0),
                                   slice("something new", "x", 1, 2, "\"free\": {\"a\": [1, null]}", 5, 6)}));
  ASSERT_FALSE(other.error);
  EXPECT_EQ(other.trace.launched.size(), 1u);
  const SliceId x = find_slice(other.trace, "x");
  ASSERT_NE(x, no_slice);
  EXPECT_EQ(other.trace.slices.kind[x], SliceKind::other);
  EXPECT_EQ(other.trace.text(other.trace.slices.detail[x]), "something new");
  EXPECT_EQ(other.trace.text(other.trace.slices.extra[x]), "\"free\": {\"a\": [1, null]}");
  EXPECT_TRUE(other.problems.rows().empty());
}

TEST(Hostile, Row20TimesAreExactAndBounded) {
  const auto at = [](std::string_view ts, std::string_view name) {
    return fmt::format(R"({{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": 1}})", name,
                       ts);
  };
  const std::string far = at("1e30", "far");
  const std::string text = "{\"traceEvents\": [" + at("1712195495505583.012", "exact") + ", " + far + ", " +
                           at("-5.001", "before") + ", " + at("\"12.5\"", "text") + ", " +
                           slice("cpu_op", "back", 3, -4) + "]}";
  const ReadResult result = read_trace_text(text);
  const Trace& trace = result.trace;
  EXPECT_EQ(trace.base_time_ns, 0);
  EXPECT_EQ(names_of(trace), (std::vector<std::string>{"before", "back", "text", "exact"}));
  EXPECT_EQ(trace.slices.start[find_slice(trace, "exact")], 1712195495505583012);
  EXPECT_EQ(trace.slices.start[find_slice(trace, "before")], -5001);
  EXPECT_EQ(trace.slices.start[find_slice(trace, "text")], 12500);
  EXPECT_EQ(trace.slices.duration[find_slice(trace, "back")], 0);
  expect_problem(result, ProblemKind::time_out_of_range, 2, text.find(far), {at_byte(text.find(far)), "1e30"});
  expect_only(result, {ProblemKind::time_out_of_range});
}

TEST(Hostile, GridOfWrongLengthOrType) {
  std::vector<std::string> events;
  for (const char* grid :
       {"[1, 2]", "[1, 2, 3, 4]", "[1, 2, \"3\"]", "[0, 1, 1]", "[1, 1, 3000000000]", "7", "[1.5, 1, 1]"})
    events.push_back(slice("kernel", "k", 5, 1, fmt::format("\"grid\": {}, \"block\": [32, 1, 1]", grid), 0, 7));
  const std::string text = with_events(events);
  const ReadResult result = read_trace_text(text);
  ASSERT_EQ(result.trace.kernels.size(), 7u);
  for (const KernelDetail& kernel : result.trace.kernels) {
    EXPECT_EQ(kernel.grid, (std::array<std::int32_t, 3>{}));
    EXPECT_EQ(kernel.block, (std::array<std::int32_t, 3>{32, 1, 1}));
  }
  const std::size_t at = text.find("{\"ph\"");
  expect_problem(result, ProblemKind::bad_shape, 7, at, {at_byte(at), "grid", "[1, 2]"});
}

TEST(Hostile, DeepNesting) {
  const std::string deep =
      "{\"ph\": \"X\", \"name\": \"deep\", \"args\": {\"a\": " + std::string(5000, '[') + std::string(5000, ']') + "}}";
  const std::string text = with_events({first_slice, deep, third});
  const ReadResult result = read_trace_text(text);
  EXPECT_EQ(names_of(result.trace), (std::vector<std::string>{"first", "third"}));
  expect_problem(result, ProblemKind::too_deep, 1, text.find(deep),
                 {at_byte(text.find(deep)), "more than 64 levels deep"});

  const std::string top = "{\"x\": " + std::string(100000, '[') + ", \"traceEvents\": [" + first_slice + "]}";
  const ReadResult metadata = read_trace_text(top);
  EXPECT_EQ(metadata.events, 1u);
  expect_problem(metadata, ProblemKind::lost_metadata, 1, 1, {"\"x\"", "byte 1"});
  EXPECT_TRUE(read_trace_text(std::string(100000, '[')).error);
}

TEST(Hostile, InvalidJsonThatIsReadIsCountedAndPlaced) {
  const std::string text =
      "{\"schemaVersion\": 1, \"profile_m\temory\": 1,\n \"traceEvents\": [\n"
      " {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 0010, \"dur\": 5}\n"
      " {\"ph\": \"X\", \"cat\": \"cpu_op\", \"\\x00name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": 20, \"dur\": 5},\n"
      " {\"ph\": \"X\", \"\xa7"
      "at\": \"cpu_op\", \"name\": \"c\", \"pid\": 1, \"tid\": 1, \"ts\": 30, \"dur\": 5}\n]}\n";
  const ReadResult read = read_trace_text(text);
  EXPECT_EQ(read.events, 3u);
  expect_problem(read, ProblemKind::control_character, 1, text.find("\"profile"), {"the key"});
  const std::size_t event_a = text.find("{\"ph\"");
  expect_problem(read, ProblemKind::invalid_json, 2, event_a, {at_byte(event_a), "leading zeros"});
  const std::size_t event_b = text.find("{\"ph\"", event_a + 1);
  expect_problem(read, ProblemKind::bad_escape, 1, event_b, {at_byte(event_b), "in a key"});
  const std::size_t event_c = text.find("{\"ph\"", event_b + 1);
  expect_problem(read, ProblemKind::invalid_utf8, 1, event_c, {at_byte(event_c), "in a key"});
}

TEST(Hostile, AMissingCommaIsPlaced) {
  const std::string text = "{\"traceEvents\": [" + first_slice + " " + second_slice + "]}";
  const std::size_t at = text.find(second_slice);
  expect_problem(read_trace_text(text), ProblemKind::invalid_json, 1, at, {"a comma is missing", at_byte(at)});
}

TEST(Hostile, AJsonObjectWithoutEventsIsNoTrace) {
  const auto error_of = [](std::string_view text) { return read_trace_text(text).error.value_or("none"); };
  EXPECT_THAT(error_of(R"({"warpwalk_lesson": 1, "title": "x", "steps": []})"), ::testing::HasSubstr("is a lesson"));
  EXPECT_THAT(error_of(R"({"kernel": "k", "ptx": "k.ptx", "args": []})"), ::testing::HasSubstr("is a launch file"));
  EXPECT_THAT(error_of(R"({"id": "x", "name": "x", "parameters": {}})"), ::testing::HasSubstr("describes a GPU"));
  EXPECT_THAT(error_of(R"({"x": 1})"), ::testing::HasSubstr("without traceEvents"));
  EXPECT_EQ(error_of(R"({"schemaVersion": 1, "x": 1, "traceEvents": []})"), "none");
}

}  // namespace
}  // namespace warpwalk::trace::test
