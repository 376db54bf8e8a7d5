// The parts of the timeline's page that are not drawn: times, curves, search, fields, notes, rows.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/pages/timeline/step_curve.h"
#include "app/pages/timeline/timeline_arguments.h"
#include "app/pages/timeline/timeline_notes.h"
#include "app/pages/timeline/timeline_rows.h"
#include "app/pages/timeline/timeline_search.h"
#include "app/pages/timeline/timeline_times.h"
#include "core/story/elements/walk.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::pages {
namespace {

trace::Trace trace_of(const std::string& events) {
  trace::ReadResult read = trace::read_trace_text("{\"schemaVersion\": 1, \"traceEvents\": [" + events + "]}");
  EXPECT_FALSE(read.error) << *read.error;
  return std::move(read.trace);
}

const trace::Trace& training() {
  static const trace::Trace trace = [] {
    trace::ReadResult read = trace::read_trace(shell::walk_file("mlp_train"));
    EXPECT_FALSE(read.error) << *read.error;
    return std::move(read.trace);
  }();
  return trace;
}

TEST(TimelineTimes, PointsHaveTheDigitsThatTellThemApart) {
  EXPECT_EQ(point_text(22'524'318, 100'000), "22.5 ms");
  EXPECT_EQ(point_text(22'500'318, 1'000), "22.500 ms");
  EXPECT_EQ(point_text(22'524'318, 1'000), "22.524 ms");  // 24 us later
  EXPECT_EQ(point_text(22'524'318, 1), "22.524318 ms");
  EXPECT_EQ(point_text(1'593'943, 1), "1,593.943 µs");
  EXPECT_EQ(point_text(9'999'960, 100), "10,000.0 µs");
  EXPECT_EQ(point_text(999, 1'000'000), "999 ns");
  EXPECT_EQ(point_text(0, 1), "0 ns");
  EXPECT_EQ(point_text(-1'500, 1), "−1.500 µs");
  EXPECT_EQ(point_text(12'345'678'901, 1'000'000), "12.346 s");
}

TEST(TimelineTimes, DurationsHaveThreeDigits) {
  EXPECT_EQ(duration_digits(0), "0 ns");
  EXPECT_EQ(duration_digits(999), "999 ns");
  EXPECT_EQ(duration_digits(1'250), "1.25 µs");
  EXPECT_EQ(duration_digits(9'996), "10.0 µs");
  EXPECT_EQ(duration_digits(12'500), "12.5 µs");
  EXPECT_EQ(duration_digits(125'400), "125 µs");
  EXPECT_EQ(duration_digits(999'499), "999 µs");
  EXPECT_EQ(duration_digits(999'500), "1.00 ms");
  EXPECT_EQ(duration_digits(-34'560'000), "−34.6 ms");
  EXPECT_EQ(duration_digits(1'500'000'000'000), "1,500 s");
}

TEST(StepCurve, AnswersAsByReadingAllChanges) {
  std::mt19937 random(11);
  const auto any = [&](std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  };
  for (const std::size_t count : {1u, 2u, 16u, 17u, 300u, 5000u}) {
    StepCurve curve;
    std::vector<std::pair<std::int64_t, std::int64_t>> changes;
    std::int64_t time = 100, highest = INT64_MIN;
    for (std::size_t i = 0; i < count; ++i) {
      time += any(4);  // also several at one time
      const std::int64_t value = any(1000) - 200;
      changes.emplace_back(time, value);
      curve.add(time, value);
      highest = std::max(highest, value);
    }
    curve.finish();
    EXPECT_EQ(curve.highest(), highest);
    for (int i = 0; i < 200; ++i) {
      const std::int64_t from = 90 + any(time - 60), to = from + 1 + any(i % 2 == 0 ? 5 : time);
      // The value that holds at `from`, and all changes up to `to`.
      std::optional<std::int64_t> before;
      std::vector<std::int64_t> values;
      for (const auto& [at, value] : changes) {
        if (at <= from) before = value;
        if (at > from && at < to) values.push_back(value);
      }
      EXPECT_EQ(curve.at(from), before);
      if (before) values.push_back(*before);
      const auto found = curve.within(from, to);
      ASSERT_EQ(found.has_value(), !values.empty());
      if (!found) continue;
      EXPECT_EQ(found->low, *std::ranges::min_element(values));
      EXPECT_EQ(found->high, *std::ranges::max_element(values));
    }
  }
  StepCurve none;
  none.finish();
  EXPECT_FALSE(none.within(0, 10));
  EXPECT_EQ(none.highest(), 0);
}

TEST(TraceCurves, AreTheQueueAndTheMemoryOfEachGpu) {
  const auto call = [](double start, int id) {
    return fmt::format(R"({{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
        "ts": {}, "dur": 2, "args": {{"correlation": {}}}}},)",
                       start, id);
  };
  const auto kernel = [](double start, int id, int device) {
    return fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "k", "pid": {2}, "tid": 7, "ts": {0}, "dur": 10,
        "args": {{"correlation": {1}, "device": {2}, "stream": 7}}}},)",
                       start, id, device);
  };
  const auto memory = [](double at, int allocated, int reserved, int type) {
    return fmt::format(R"({{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1,
        "ts": {}, "args": {{"Total Allocated": {}, "Total Reserved": {}, "Bytes": 1, "Addr": 1, "Device Id": 0,
        "Device Type": {}}}}},)",
                       at, allocated, reserved, type);
  };
  std::string events = call(100, 1) + call(103, 2) + call(106, 3) + call(109, 4) + kernel(105, 1, 0) +
                       kernel(115, 2, 0) + kernel(108, 3, 1) + kernel(125, 4, 0) + kernel(150, 9, 0) +
                       memory(101, 512, 2048, 1) + memory(104, 1536, 2048, 1) + memory(107, 64, 0, 0);
  events.pop_back();
  const trace::Trace trace = trace_of(events);
  const std::vector<TraceCurve> curves = trace_curves(trace);
  ASSERT_EQ(curves.size(), 4u);
  const auto at = [&](const StepCurve& curve, std::int64_t us) { return curve.at(us * 1000 - trace.begin_ns); };
  EXPECT_EQ(curves[0].kind, TraceCurve::Kind::queue);
  EXPECT_EQ(curves[0].device, 0);
  EXPECT_EQ(at(curves[0].curve, 99), std::nullopt);
  // 1 waits 100-105, 2 103-115, 4 109-125; the work without a launch never does.
  EXPECT_EQ(at(curves[0].curve, 101), 1);
  EXPECT_EQ(at(curves[0].curve, 104), 2);
  EXPECT_EQ(at(curves[0].curve, 106), 1);
  EXPECT_EQ(at(curves[0].curve, 110), 2);
  EXPECT_EQ(at(curves[0].curve, 120), 1);
  EXPECT_EQ(at(curves[0].curve, 126), 0);
  EXPECT_EQ(curves[0].highest(), 2);
  EXPECT_EQ(curves[1].device, 1);
  EXPECT_EQ(at(curves[1].curve, 107), 1);
  EXPECT_EQ(at(curves[1].curve, 109), 0);
  EXPECT_EQ(curves[2].kind, TraceCurve::Kind::allocator);
  EXPECT_FALSE(curves[2].cpu);
  EXPECT_EQ(at(curves[2].curve, 102), 512);
  EXPECT_EQ(at(curves[2].curve, 105), 1536);
  EXPECT_EQ(at(curves[2].reserved, 105), 2048);
  EXPECT_EQ(curves[2].highest(), 2048);
  EXPECT_TRUE(curves[3].cpu);
  EXPECT_TRUE(curves[3].reserved.empty());  // 0 bytes of nothing
}

TEST(TimelineSearch, FindsTheNamesThatContainTheText) {
  const trace::Trace& trace = training();
  const auto tracks = analysis::timeline_tracks(trace);
  const NameIndex names(trace);
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  for (const char* const text : {"GEMM", "aten::", "mul", "linear", "no such name", "e"}) {
    const SliceMatches matches = find_slices(trace, names, tracks, text);
    std::vector<story::SliceId> expected;
    for (story::SliceId s = 0; s < trace.slices.size(); ++s)
      if (story::has_time(trace, s) && lower(std::string(trace.name(s))).find(lower(text)) != std::string::npos)
        expected.push_back(s);
    std::vector<story::SliceId> in_lanes;
    for (std::size_t t = 0; t < tracks.size(); ++t)
      for (std::size_t l = 0; l < tracks[t].lanes.size(); ++l) {
        EXPECT_TRUE(std::ranges::is_sorted(matches.lanes[t][l]));
        for (const std::uint32_t i : matches.lanes[t][l]) in_lanes.push_back(tracks[t].lanes[l].slice(i));
      }
    std::ranges::sort(in_lanes);
    EXPECT_EQ(in_lanes, expected) << text;
    EXPECT_TRUE(std::ranges::is_sorted(matches.slices, {}, [&](story::SliceId s) { return trace.slices.start[s]; }));
    std::vector<story::SliceId> all = matches.slices;
    std::ranges::sort(all);
    EXPECT_EQ(all, expected) << text;
    const std::int64_t middle = (trace.end_ns - trace.begin_ns) / 2;
    const auto earlier = std::ranges::count_if(
        expected, [&](story::SliceId s) { return trace.slices.start[s] - trace.begin_ns < middle; });
    EXPECT_EQ(matches.starting_at(trace, middle), static_cast<std::size_t>(earlier));
  }
  EXPECT_TRUE(any_between({3, 7, 9}, 4, 8));
  EXPECT_FALSE(any_between({3, 7, 9}, 4, 7));
  EXPECT_FALSE(any_between({3, 7, 9}, 10, 12));
}

TEST(SliceFields, AreAllThatTheFileHas) {
  const trace::Trace trace = trace_of(
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 5,
          "args": {"correlation": 12, "device": 0, "stream": 7, "registers per thread": 40, "shared memory": 1024,
                   "grid": [66, 2, 1], "block": [128, 1, 1], "est. achieved occupancy %": 31, "graph id": 4,
                   "my key": {"a": [1, "x, y"]}, "note \"q\"": "b\\c"}},
         {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 5,
          "args": {"External id": 7, "Input Dims": [[2, 3], []], "Input type": ["float", ""],
                   "Call stack": "a.py(1): f;b.py(2): g"}})");
  const auto fields_of = [&](std::string_view name) {
    for (story::SliceId s = 0; s < trace.slices.size(); ++s)
      if (trace.name(s) == name) return recorded_fields(trace, s);
    return std::vector<SliceField>{};
  };
  const auto has = [](const std::vector<SliceField>& fields, std::string key, std::string value) {
    return std::ranges::find(fields, SliceField{std::move(key), std::move(value)}) != fields.end();
  };
  const auto kernel = fields_of("k");
  EXPECT_EQ(kernel.size(), 11u);
  EXPECT_TRUE(has(kernel, "correlation", "12"));
  EXPECT_TRUE(has(kernel, "registers per thread", "40"));
  EXPECT_TRUE(has(kernel, "shared memory", "1024"));
  EXPECT_TRUE(has(kernel, "grid", "[66, 2, 1]"));
  EXPECT_TRUE(has(kernel, "block", "[128, 1, 1]"));
  EXPECT_TRUE(has(kernel, "est. achieved occupancy %", "31"));
  EXPECT_TRUE(has(kernel, "graph id", "4"));
  EXPECT_TRUE(has(kernel, "my key", R"({"a": [1, "x, y"]})"));
  EXPECT_TRUE(has(kernel, "note \"q\"", R"("b\\c")"));
  const auto op = fields_of("aten::mm");
  EXPECT_EQ(op.size(), 4u);
  EXPECT_TRUE(has(op, "External id", "7"));
  EXPECT_TRUE(has(op, "Input Dims", "[[2, 3], []]"));
  EXPECT_TRUE(has(op, "Call stack", "a.py(1): f\nb.py(2): g"));
}

TEST(SliceFields, MembersOfJsonKeepTheirValues) {
  using Fields = std::vector<SliceField>;
  EXPECT_EQ(json_members(""), Fields{});
  EXPECT_EQ(json_members(R"("a": 1.50, "b" : "x\"}, y", "c": [{"d": ","}], "e": null)"),
            (Fields{{"a", "1.50"}, {"b", R"("x\"}, y")"}, {"c", R"([{"d": ","}])"}, {"e", "null"}}));
  EXPECT_EQ(plain_json(R"("a\nb")"), "a\nb");
  EXPECT_EQ(plain_json("[1]"), "[1]");
}

class NotesFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::path(::testing::TempDir()) / ("warpwalk_notes." + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
};

TEST_F(NotesFile, IsReadAsItWasWritten) {
  const std::filesystem::path file = notes_file(folder / "run.json.gz");
  EXPECT_EQ(file.filename(), "run.json.gz.notes.json");
  const auto none = read_notes(file);
  ASSERT_TRUE(none) << none.error();
  EXPECT_TRUE(none->empty());
  std::vector<TimelineNote> notes;
  EXPECT_TRUE(set_note(notes, {500, 900, "", "too late"}));
  EXPECT_TRUE(set_note(notes, {100, 250, "aten::mm", "größer \"x\""}));
  EXPECT_FALSE(set_note(notes, {100, 250, "aten::add", ""}));
  EXPECT_EQ(notes.front().from, 100);
  EXPECT_EQ(note_on(notes, {500, 900, "", ""}), "too late");
  EXPECT_EQ(note_on(notes, {500, 900, "aten::mm", ""}), "");
  ASSERT_TRUE(write_notes(file, notes));
  const auto read = read_notes(file);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, notes);
  EXPECT_FALSE(set_note(notes, {500, 900, "", "too late"}));  // as it was
  EXPECT_TRUE(set_note(notes, {500, 900, "", "right"}));
  EXPECT_EQ(notes.size(), 2u);
  EXPECT_TRUE(set_note(notes, {500, 900, "", ""}));
  EXPECT_EQ(notes.size(), 1u);
}

TEST_F(NotesFile, ThatIsNoneIsRefusedInOneLine) {
  for (const char* const text :
       {"", "[]", "{", R"({"notes": []})", R"({"warpwalk_notes": 1})", R"({"warpwalk_notes": 1, "notes": [3]})",
        R"({"warpwalk_notes": 1, "notes": [{"from_ns": 5, "to_ns": 4, "text": "x"}]})",
        R"({"warpwalk_notes": 1, "notes": [{"from_ns": 5, "to_ns": 6, "text": ""}]})",
        R"({"warpwalk_notes": 1, "notes": [{"from_ns": 5.5, "to_ns": 6, "text": "x"}]})"}) {
    const auto read = notes_of_text(text, "f.notes.json");
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().starts_with("f.notes.json: ")) << read.error();
    EXPECT_EQ(read.error().find('\n'), std::string::npos);
  }
  EXPECT_FALSE(read_notes(folder));  // a folder
  EXPECT_FALSE(write_notes(folder / "missing" / "f.notes.json", {}));
}

TEST(TimelineRows, HaveTheDepthOfTheShownStretch) {
  // a [0, 100) with b [0, 50) with c [0, 20); d [60, 90).
  std::string events;
  for (const auto& [name, start, length] :
       {std::tuple{"a", 0, 100}, std::tuple{"b", 0, 50}, std::tuple{"c", 0, 20}, std::tuple{"d", 60, 30}})
    events += fmt::format(R"({}{{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}}})",
                          events.empty() ? "" : ",", name, start + 1000, length);
  const trace::Trace trace = trace_of(events);
  const TimelineContent content = timeline_content(trace);
  ASSERT_EQ(content.order.size(), 1u);
  const auto rows = [&](std::int64_t from, std::int64_t to) {
    return timeline_rows(content, {}, from, to, 1000).rest.size();
  };
  EXPECT_EQ(rows(0, 100'000), 3u);
  EXPECT_EQ(rows(0, 20'000), 3u);
  EXPECT_EQ(rows(20'000, 45'000), 2u);
  EXPECT_EQ(rows(51'000, 59'000), 1u);
  EXPECT_EQ(rows(59'000, 61'000), 2u);
  TrackMarks folded;
  folded.folded.insert(content.order.front().key);
  const TimelineRows one = timeline_rows(content, folded, 0, 100'000, 1000);
  ASSERT_EQ(one.rest.size(), 1u);
  EXPECT_EQ(one.rest.front().kind, RowPlace::Kind::activity);
  TrackMarks pinned;
  pinned.pinned = folded.folded;
  EXPECT_EQ(timeline_rows(content, pinned, 0, 100'000, 1000).pinned.size(), 3u);
  EXPECT_EQ(timeline_rows(content, pinned, 0, 100'000, 40).pinned.size(), 1u);  // too deep for the room
  EXPECT_TRUE(timeline_rows(content, pinned, 0, 100'000, 1000).rest.empty());
}

TEST(TimelineRows, LeaveOutLevelsWithoutASliceInBetween) {
  // x [10, 30) and y [20, 40) overlap inside of outer, so y is below x.
  std::string events;
  for (const auto& [name, start, length] :
       {std::tuple{"outer", 0, 100}, std::tuple{"x", 10, 20}, std::tuple{"y", 20, 20}})
    events += fmt::format(R"({}{{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}}})",
                          events.empty() ? "" : ",", name, start + 1000, length);
  const trace::Trace trace = trace_of(events);
  const TimelineContent content = timeline_content(trace);
  const auto lanes = [&](std::int64_t from, std::int64_t to) {
    std::vector<std::size_t> shown;
    for (const RowPlace& row : timeline_rows(content, {}, from, to, 1000).rest) shown.push_back(row.lane);
    return shown;
  };
  EXPECT_EQ(lanes(0, 100'000), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(lanes(12'000, 15'000), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(lanes(32'000, 38'000), (std::vector<std::size_t>{0, 2}));
}

TEST(TimelineRows, AreShownWhole) {
  const TimelineContent content = timeline_content(training());
  const TimelineRows rows = timeline_rows(content, {}, 0, training().end_ns - training().begin_ns, 1000);
  ASSERT_GT(rows.rest.size(), 8u);
  for (float room = 30; room < 700; room += 13)
    for (std::size_t i = 0; i < rows.rest.size(); ++i) {
      const RowAnchor anchor = {rows.rest[i].track, rows.rest[i].lane};
      const RowWindow window = row_window(rows.rest, rows.rest_height, anchor, room);
      ASSERT_LE(window.first, i);
      ASSERT_LT(window.first, rows.rest.size());
      if (window.first < i) {  // the end is reached
        EXPECT_EQ(window.last, rows.rest.size());
      }
      EXPECT_EQ(window.scroll, rows.rest[window.first].y);
      for (std::size_t row = window.first; row < window.last; ++row)
        EXPECT_LE(rows.rest[row].y + rows.rest[row].height - window.scroll, room);
      if (window.last < rows.rest.size()) {
        EXPECT_GT(rows.rest[window.last].y + rows.rest[window.last].height - window.scroll, room);
      }
    }
  // Each slice is in the row that is found for it.
  for (story::SliceId s = 0; s < training().slices.size(); ++s) {
    const std::size_t row = row_of(rows.rest, content, training(), s);
    ASSERT_EQ(row < rows.rest.size(), story::has_time(training(), s));
    if (row == rows.rest.size()) continue;
    const auto& lane = content.tracks[content.order[rows.rest[row].track].index].lanes[rows.rest[row].lane];
    EXPECT_EQ(lane.slice(index_in(lane, s)), s);
  }
}

}  // namespace
}  // namespace warpwalk::pages
