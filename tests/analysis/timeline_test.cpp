// The rows of the timeline and the sums over a range of time, against counts that read every slice.
#include "core/analysis/time/timeline.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

constexpr const char* timeline_walks[] = {"relu_matmul", "two_streams", "mlp_train", "h200_pytorch_training_step",
                                          "h200_cuda_graph"};

bool is_timed(const Trace& trace, SliceId s) { return trace.slices.start[s] != 0 || trace.slices.duration[s] != 0; }

struct Span {
  std::int64_t from, to;
};
Span span_of(const Trace& trace, SliceId s) {
  return {trace.slices.start[s] - trace.begin_ns, trace.slices.end(s) - trace.begin_ns};
}
std::int64_t part_in(const Span& span, std::int64_t from, std::int64_t to) {
  return std::max<std::int64_t>(0, std::min(span.to, to) - std::max(span.from, from));
}

// Times at which something begins or ends, and others.
std::vector<std::pair<std::int64_t, std::int64_t>> ranges_of(const Trace& trace, std::size_t count) {
  std::mt19937 random(7);
  const auto any = [&] {
    const auto s = static_cast<SliceId>(random() % trace.slices.size());
    const Span span = span_of(trace, s);
    switch (random() % 4) {
      case 0: return span.from;
      case 1: return span.to;
      case 2: return span.from + 1;
      default:
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(trace.end_ns - trace.begin_ns + 1));
    }
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges = {{0, trace.end_ns - trace.begin_ns}};
  while (ranges.size() < count) {
    const std::int64_t a = any(), b = any();
    if (a != b) ranges.emplace_back(std::min(a, b), std::max(a, b));
  }
  return ranges;
}

class TimelineOf : public ::testing::TestWithParam<const char*> {
 protected:
  const Trace& trace = sample(GetParam());
  const std::vector<TimelineTrack> tracks = timeline_tracks(trace);
};

TEST_P(TimelineOf, EachSliceWithATimeIsInOneLaneBelowItsParent) {
  std::map<SliceId, std::size_t> lane_of;
  for (const TimelineTrack& track : tracks)
    for (std::size_t l = 0; l < track.lanes.size(); ++l) {
      const TimelineLane& lane = track.lanes[l];
      ASSERT_GT(lane.size(), 0u);
      for (std::size_t i = 0; i < lane.size(); ++i) {
        EXPECT_TRUE(lane_of.emplace(lane.slice(i), l).second);
        EXPECT_EQ(trace.slices.track[lane.slice(i)], track.track);
        if (i > 0) {
          EXPECT_GE(lane.start(i), lane.end(i - 1));
        }
      }
    }
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    EXPECT_EQ(lane_of.contains(s), is_timed(trace, s));
    const SliceId parent = trace.slices.parent[s];
    if (parent != no_slice && is_timed(trace, s) && is_timed(trace, parent)) {
      EXPECT_GT(lane_of[s], lane_of[parent]);
    }
  }
}

TEST_P(TimelineOf, ARangeOfALaneIsAnsweredAsByReadingAllOfIt) {
  for (const auto& [from, to] : ranges_of(trace, 60))
    for (const TimelineTrack& track : tracks)
      for (const TimelineLane& lane : track.lanes) {
        std::int64_t busy = 0, nearest = INT64_MAX;
        std::size_t ending = lane.size(), starting = lane.size();
        for (std::size_t i = lane.size(); i-- > 0;) {
          busy += part_in({lane.start(i), lane.end(i)}, from, to);
          if (lane.end(i) > from) ending = i;
          if (lane.start(i) >= to) starting = i;
          nearest = std::min(nearest, std::max({std::int64_t{0}, lane.start(i) - from, from - lane.end(i)}));
        }
        ASSERT_EQ(lane.busy_in(from, to), busy);
        ASSERT_EQ(lane.ending_after(from), ending);
        ASSERT_EQ(lane.starting_at(to), starting);
        ASSERT_EQ(lane.starting_at(to, starting / 2), starting);
        const std::size_t at = lane.at(from, nearest);
        ASSERT_LT(at, lane.size());
        EXPECT_EQ(std::max({std::int64_t{0}, lane.start(at) - from, from - lane.end(at)}), nearest);
        if (nearest > 0) {
          EXPECT_EQ(lane.at(from, nearest - 1), lane.size());
        }
      }
}

TEST_P(TimelineOf, TheSumsOfARangeAreThoseOfEverySlice) {
  using trace::SliceKind;
  for (const auto& [from, to] : ranges_of(trace, 25)) {
    // By track kind, name and kind: slices, time.
    std::map<std::tuple<bool, std::string, SliceKind>, std::pair<std::size_t, std::int64_t>> expected;
    std::map<std::int64_t, std::vector<Span>> work;
    for (SliceId s = 0; s < trace.slices.size(); ++s) {
      const trace::Track& track = trace.tracks[trace.slices.track[s]];
      const SliceKind kind = trace.slices.kind[s];
      const Span span = span_of(trace, s);
      if (!is_timed(trace, s)) continue;
      if (track.gpu) work[track.device];
      if (span.to <= from || span.from >= to) continue;
      if (track.gpu ? !trace::is_gpu_work(kind) : kind == SliceKind::profiler || kind == SliceKind::overhead) continue;
      auto& [count, time] = expected[{track.gpu, std::string(trace.name(s)), kind}];
      ++count;
      time += part_in(span, from, to);
      if (track.gpu) work[track.device].push_back(span);
    }
    const RangeStatistics statistics = statistics_of(trace, tracks, from, to);
    std::map<std::tuple<bool, std::string, SliceKind>, std::pair<std::size_t, std::int64_t>> found;
    for (const auto* const names : {&statistics.gpu, &statistics.cpu})
      for (const RangeName& name : *names) {
        EXPECT_GE(name.self, 0);
        EXPECT_LE(name.self, name.time);
        found[{names == &statistics.gpu, std::string(trace.name(name.example)), trace.slices.kind[name.example]}] = {
            name.count, name.time};
      }
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(std::ranges::is_sorted(statistics.gpu, std::ranges::greater{}, &RangeName::time));
    EXPECT_TRUE(std::ranges::is_sorted(statistics.cpu, std::ranges::greater{}, &RangeName::self));

    // A GPU is busy between two neighbouring times if some work covers them.
    ASSERT_EQ(statistics.devices.size(), work.size());
    for (const auto& [device, busy] : statistics.devices) {
      std::set<std::int64_t> times = {from, to};
      for (const Span& span : work[device])
        for (const std::int64_t time : {span.from, span.to})
          if (time > from && time < to) times.insert(time);
      std::int64_t sum = 0;
      for (auto at = times.begin(); std::next(at) != times.end(); ++at)
        if (std::ranges::any_of(work[device],
                                [&](const Span& span) { return span.from <= *at && span.to >= *std::next(at); }))
          sum += *std::next(at) - *at;
      EXPECT_EQ(busy, sum);
    }
  }
}

// For each thread and stream, the own times and the time of waits add up to the time in which anything ran.
TEST_P(TimelineOf, OwnTimesAddUp) {
  for (const TimelineTrack& track : tracks) {
    if (!std::ranges::all_of(track.lanes, [&](const TimelineLane& lane) {
          for (std::size_t i = 0; i < lane.size(); ++i) {
            const trace::SliceKind kind = trace.slices.kind[lane.slice(i)];
            if (kind == trace::SliceKind::profiler || kind == trace::SliceKind::overhead) return false;
            if (trace.tracks[track.track].gpu && !trace::is_gpu_work(kind)) return false;
          }
          return true;
        }))
      continue;
    for (const auto& [from, to] : ranges_of(trace, 20)) {
      const RangeStatistics statistics = statistics_of(trace, {track}, from, to);
      std::int64_t sum = statistics.waiting.total();
      for (const auto* const names : {&statistics.gpu, &statistics.cpu})
        for (const RangeName& name : *names) sum += name.self;
      std::vector<Span> spans;
      for (const TimelineLane& lane : track.lanes)
        for (std::size_t i = lane.ending_after(from); i < lane.size() && lane.start(i) < to; ++i)
          spans.push_back({std::max(from, lane.start(i)), std::min(to, lane.end(i))});
      std::ranges::sort(spans, {}, &Span::from);
      std::int64_t covered = 0, reached = from;
      for (const Span& span : spans) {
        covered += std::max<std::int64_t>(0, span.to - std::max(span.from, reached));
        reached = std::max(reached, span.to);
      }
      EXPECT_EQ(sum, covered);
    }
  }
}

std::vector<std::vector<std::string>> names_in_lanes(const Trace& trace, const TimelineTrack& track) {
  std::vector<std::vector<std::string>> names;
  for (const TimelineLane& lane : track.lanes) {
    names.emplace_back();
    for (std::size_t i = 0; i < lane.size(); ++i) names.back().emplace_back(trace.name(lane.slice(i)));
  }
  return names;
}

TEST(TimelineStacks, AreThoseOfOutermostSlicesThatOverlap) {
  SmallTrace small;  // two threads that share a number, as A with a, C and as B with b and c
  small.op("A", 0, 10).op("a", 1, 8).op("B", 5, 10).op("b", 11, 3).op("c", 12, 1).op("C", 20, 10);
  const Trace trace = small.read();
  const std::vector<TimelineTrack> tracks = timeline_tracks(trace);
  ASSERT_EQ(tracks.size(), 1u);
  using Lanes = std::vector<std::vector<std::string>>;
  EXPECT_EQ(names_in_lanes(trace, tracks.front()), (Lanes{{"A", "C"}, {"a"}, {"B"}, {"b"}, {"c"}}));
  EXPECT_EQ(tracks.front().stacks, (std::vector<std::size_t>{0, 2}));
}

TEST(TimelineStacks, KeepSlicesThatOverlapWithinAnotherOneInItsStack) {
  SmallTrace small;
  small.op("outer", 0, 100).op("x", 10, 20).op("y", 20, 20).op("inside y", 32, 4).op("z", 45, 5);
  const Trace trace = small.read();
  const std::vector<TimelineTrack> tracks = timeline_tracks(trace);
  ASSERT_EQ(tracks.size(), 1u);
  using Lanes = std::vector<std::vector<std::string>>;
  EXPECT_EQ(names_in_lanes(trace, tracks.front()), (Lanes{{"outer"}, {"x", "z"}, {"y"}, {"inside y"}}));
  EXPECT_EQ(tracks.front().stacks, (std::vector<std::size_t>{0}));
}

// As many lanes as slices run at once, which a search through all lanes for each slice would make slow.
TEST(TimelineStacks, AreAsManyAsOverlap) {
  SmallTrace small;
  constexpr int count = 3000, at_once = 700;
  for (int i = 0; i < count; ++i) small.op("op", i, at_once - 0.5);
  const Trace trace = small.read();
  const std::vector<TimelineTrack> tracks = timeline_tracks(trace);
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks.front().stacks.size(), static_cast<std::size_t>(at_once));
  std::size_t slices = 0;
  for (const TimelineLane& lane : tracks.front().lanes) {
    slices += lane.size();
    for (std::size_t i = 1; i < lane.size(); ++i) EXPECT_GE(lane.start(i), lane.end(i - 1));
  }
  EXPECT_EQ(slices, static_cast<std::size_t>(count));
}

// What the CPU did in a range: own times by name, without those that are 0.
std::map<std::string, std::int64_t> own_times(const Trace& trace, const RangeStatistics& statistics) {
  std::map<std::string, std::int64_t> times;
  for (const RangeName& name : statistics.cpu)
    if (name.self > 0) times[std::string(trace.name(name.example))] = name.self;
  return times;
}

TEST(RangeWaits, AreApartFromOwnTimes) {
  SmallTrace small;
  small.frame("train.py(3): step", 0, 100)
      .frame("<built-in function sleep>", 10, 30)
      .frame("queue.py(154): get", 50, 40)
      .frame("<built-in method acquire of _thread.lock object at 0x7f>", 55, 20)
      .op("aten::add", 80, 5)
      .frame("multiprocessing/connection.py(440): _poll", 0, 70, 11)
      .frame("<built-in method poll of select.poll object at 0x7f>", 5, 50, 11);
  const Trace trace = small.read();
  const std::vector<TimelineTrack> tracks = timeline_tracks(trace);
  const std::int64_t begin = trace.slices.start[slice_named(trace, "train.py(3): step")] - trace.begin_ns;

  const RangeStatistics all = statistics_of(trace, tracks, begin, begin + 100'000);
  using Times = std::map<std::string, std::int64_t>;
  EXPECT_EQ(own_times(trace, all), (Times{{"train.py(3): step", 30'000}, {"aten::add", 5'000}}));
  EXPECT_EQ(all.waiting.of(CpuWait::sleep), 30'000);
  EXPECT_EQ(all.waiting.of(CpuWait::lock), 35'000);  // get without its op: 15 around and 20 in acquire
  EXPECT_EQ(all.waiting.of(CpuWait::input), 70'000);
  EXPECT_EQ(all.waiting.of(CpuWait::autograd), 0);
  EXPECT_EQ(all.waiting.total(), 135'000);
  for (const RangeName& name : all.cpu)
    EXPECT_EQ(name.wait, cpu_wait_of(trace.name(name.example))) << trace.name(name.example);

  const RangeStatistics part = statistics_of(trace, tracks, begin + 20'000, begin + 60'000);
  EXPECT_EQ(own_times(trace, part), (Times{{"train.py(3): step", 10'000}}));
  EXPECT_EQ(part.waiting.of(CpuWait::sleep), 20'000);
  EXPECT_EQ(part.waiting.of(CpuWait::lock), 10'000);
  EXPECT_EQ(part.waiting.of(CpuWait::input), 40'000);
}

// A recorded program whose loader calls time.sleep six times: what sleeps is not what the CPU did most.
TEST(RangeWaits, OfARecordedLoaderAreItsSleeps) {
  const trace::ReadResult read = read_trace_file("tests/analysis/delays/sleeping_loader.json.gz");
  const Trace& trace = read.trace;
  std::int64_t asleep = 0;
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.name(s) == "<built-in function sleep>") asleep += trace.slices.duration[s];
  const RangeStatistics statistics = statistics_of(trace, timeline_tracks(trace), 0, trace.end_ns - trace.begin_ns);
  EXPECT_GT(asleep, 18'000'000);
  EXPECT_EQ(statistics.waiting.of(CpuWait::sleep), asleep);
  ASSERT_FALSE(statistics.cpu.empty());
  EXPECT_NE(trace.name(statistics.cpu.front().example), "<built-in function sleep>");
  for (const RangeName& name : statistics.cpu) {
    EXPECT_TRUE(name.wait == CpuWait::none || name.self == 0) << trace.name(name.example);
  }
}

TEST(RangeNames, AreOrderedByAFigure) {
  std::vector<RangeName> names = {{3, 5, 100, 10}, {1, 7, 50, 40}, {2, 5, 100, 20}};
  const auto examples = [&] {
    std::vector<SliceId> order;
    for (const RangeName& name : names) order.push_back(name.example);
    return order;
  };
  order_names(names, RangeOrder::time);
  EXPECT_EQ(examples(), (std::vector<SliceId>{2, 3, 1}));
  order_names(names, RangeOrder::self);
  EXPECT_EQ(examples(), (std::vector<SliceId>{1, 2, 3}));
  order_names(names, RangeOrder::count);
  EXPECT_EQ(examples(), (std::vector<SliceId>{1, 2, 3}));
}

INSTANTIATE_TEST_SUITE_P(Walks, TimelineOf, ::testing::ValuesIn(timeline_walks),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace warpwalk::analysis
