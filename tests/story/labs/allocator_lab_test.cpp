// The lab "allocator": fragmentation against a closed form, costs against the record, snapshots against a replay
// forwards and against the message that PyTorch printed.
#include <algorithm>
#include <map>
#include <sstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/records/lab_runs.h"
#include "core/story/labs/allocator/costs.h"
#include "core/story/labs/allocator/held.h"
#include "core/story/labs/allocator/plan.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using namespace allocator_lab;

Stage allocator_beat(const trace::Trace& trace, std::int64_t beat, const Controls& controls = {}) {
  return stage_at_beat(*find_scene("lab/allocator"), trace, default_walk(trace), beat, 1, controls);
}

// Each batch has a segment of its own; each kept result takes the beginning of one. Equal pieces remain.
TEST(Allocator, KeptResultsFragmentAsTheClosedFormSays) {
  std::size_t fragmented = 0, full = 0, served = 0;
  for (std::int64_t batches = 1; batches <= 6; ++batches)
    for (std::int64_t batch = 12; batch <= 64; batch += 4)
      for (std::int64_t kept = batch / 2 + 2; kept < batch - 1; kept += 6)
        for (const std::int64_t wanted : {12, 24, 48, 96}) {
          ops::AllocatorSettings settings;
          const std::int64_t limit = batches * batch + 32;
          settings.limit = static_cast<std::uint64_t>(limit * mib);
          const Outcome outcome =
              run_plan(kept_plan(batches, batch * mib, kept * mib, wanted * mib), settings).back().outcome;
          const std::int64_t piece = batch - kept;
          const Outcome want = wanted <= piece                    ? Outcome::cached
                               : wanted <= 32                     ? Outcome::driver
                               : limit - batches * kept >= wanted ? Outcome::fragmented
                                                                  : Outcome::full;
          ASSERT_EQ(outcome, want) << batches << " " << batch << " " << kept << " " << wanted;
          fragmented += want == Outcome::fragmented;
          full += want == Outcome::full;
          served += want == Outcome::cached;
        }
  EXPECT_GT(std::min({fragmented, full, served}), 10u);
}

TEST(Allocator, ASecondRoundOfTrainingNeedsNoDriver) {
  const std::vector<Shot> shots = run_plan(training_plan(), {});
  const std::size_t half = shots.size() / 2;
  std::size_t calls = 0;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    if (i < half) calls += shots[i].taken.size();
    const bool calls_driver = !shots[i].taken.empty() || !shots[i].given.empty();
    EXPECT_FALSE(i >= half && calls_driver) << i;
  }
  EXPECT_GT(calls, 1u);
  EXPECT_EQ(shots.back().allocated, 0);
}

TEST(Allocator, TimesAreThoseOfTheRecord) {
  const auto& times = hardware().core_times;
  EXPECT_DOUBLE_EQ(call_time(times, cuda_malloc, 1048576).value(), 17448.1);
  EXPECT_DOUBLE_EQ(call_time(times, cached_free, 512).value(), 185.6);
  EXPECT_DOUBLE_EQ(call_time(times, cuda_free, 1).value(), 2954.6);
  // Halfway between 2 and 8 MiB on a logarithmic axis is 4 MiB.
  EXPECT_NEAR(call_time(times, cuda_malloc, 4 * mib).value(), (34926.1 + 36286.9) / 2, 1e-6);
  EXPECT_FALSE(call_time({}, cuda_malloc, 512));
  // By hand: one segment of 20 MiB for two blocks of 8 MiB, which go back to the cache.
  const Plan plan = {{Action::Kind::allocate, 8 * mib, 0},
                     {Action::Kind::allocate, 8 * mib, 0},
                     {Action::Kind::free, 0, 0},
                     {Action::Kind::free, 0, 1}};
  const Costs costs = costs_of(run_plan(plan, {}), 4, times).value();
  EXPECT_NEAR(costs.plain, 2 * 36286.9 + 2 * 34688.6, 1e-6);
  EXPECT_NEAR(costs.cached, 2 * 383.6 + 2 * 211.7 + call_time(times, cuda_malloc, 20 * mib).value(), 1e-6);
  EXPECT_EQ(costs.cached_calls, 1u);
  EXPECT_EQ(costs.plain_calls, 4u);
}

TEST(AllocatorTimes, WrongLinesAreNamed) {
  const std::string head = "bytes,cached_alloc_ns,cached_free_ns,cuda_malloc_ns,cuda_free_ns\n";
  ASSERT_TRUE(records::parse_allocator_times(head + "512,1,2,3,4\n"));
  for (const char* const wrong : {"512,1,2,3\n", "512,1,2,3,x\n", "0,1,2,3,4\n", "512,1,0,3,4\n"}) {
    const auto bad = records::parse_allocator_times(head + wrong);
    ASSERT_FALSE(bad) << wrong;
    EXPECT_EQ(bad.error().find("line 2"), 0u) << bad.error();
  }
}

// PyTorch's message for the refused request of this snapshot: "Tried to allocate 96.00 MiB ... 416.00 MiB is allocated
// by PyTorch, and 192.00 MiB is reserved by PyTorch but unallocated". The largest piece is 64 - 40 MiB by the program.
TEST(AllocatorSnapshot, TheVerdictHasTheNumbersOfPyTorchsMessage) {
  const trace::ReadResult file = read_trace_file("assets/snapshots/h200_fragmented.pickle.gz");
  const MemorySnapshot snapshot = trace::memory_snapshot(file.trace).value();
  const Refusal refusal = last_refusal(file.trace, snapshot, 0).value();
  EXPECT_EQ(refusal.bytes, 96 * mib);
  EXPECT_EQ(refusal.held.allocated, 416 * mib);
  EXPECT_EQ(refusal.free, 192 * mib);
  EXPECT_EQ(refusal.largest, 24 * mib);
  EXPECT_TRUE(refusal.fragmented());
  const trace::ReadResult other = read_trace_file("tests/trace/data/full.pickle.gz");
  const MemorySnapshot full = trace::memory_snapshot(other.trace).value();
  const Refusal second = last_refusal(other.trace, full, 0).value();
  EXPECT_EQ(second.bytes, 64 * mib);
  EXPECT_EQ(second.held.allocated, 352 * mib);
  EXPECT_EQ(second.free, 0);
  EXPECT_FALSE(second.fragmented());
  EXPECT_EQ(allocator_beat(file.trace, 4).title, "96 MiB were refused: fragmented");
  EXPECT_EQ(allocator_beat(other.trace, 4).title, "64 MiB were refused: the memory was full");
}

// The history of these files begins with an empty memory, so a replay forwards gives every state.
TEST(AllocatorSnapshot, EveryEarlierStateIsThatOfAReplayForwards) {
  for (const std::string_view name :
       {"assets/snapshots/h200_training_step.pickle.gz", "assets/snapshots/h200_fragmented.pickle.gz",
        "tests/trace/data/expandable.pickle.gz"}) {
    SCOPED_TRACE(name);
    const trace::ReadResult file = read_trace_file(name);
    const MemorySnapshot snapshot = trace::memory_snapshot(file.trace).value();
    std::map<std::uint64_t, std::int64_t> live;
    std::int64_t reserved = 0;
    std::size_t change = 0;
    for (std::size_t row = 0; row <= file.trace.memory.size(); ++row) {
      const HeldMemory held = held_at(file.trace, snapshot, 0, row);
      std::map<std::uint64_t, std::int64_t> got;
      std::int64_t end = 0;
      for (const auto& segment : held.segments) {
        std::uint64_t at = segment.address;
        for (const auto& block : segment.blocks) {
          EXPECT_EQ(block.address, at);
          at += static_cast<std::uint64_t>(block.bytes);
          if (block.state != MemorySnapshot::State::inactive) got[block.address] = block.requested;
        }
        EXPECT_EQ(at, segment.address + static_cast<std::uint64_t>(segment.bytes));
        end += segment.bytes;
      }
      ASSERT_EQ(got, live) << "after " << row;
      ASSERT_EQ(end, reserved) << "after " << row;
      if (row == file.trace.memory.size()) break;
      const trace::MemoryEvent& event = file.trace.memory[row];
      for (; change < snapshot.changes.size() && snapshot.changes[change].time < event.time; ++change)
        reserved += snapshot.changes[change].bytes;
      if (event.out_of_memory) continue;
      if (event.bytes > 0)
        live[static_cast<std::uint64_t>(event.address)] = event.bytes;
      else
        live.erase(static_cast<std::uint64_t>(event.address));
    }
    EXPECT_FALSE(live.empty());
  }
}

TEST(AllocatorSnapshot, LinesAddUpToWhatIsHeld) {
  const trace::ReadResult file = read_trace_file("assets/snapshots/h200_fragmented.pickle.gz");
  const MemorySnapshot snapshot = trace::memory_snapshot(file.trace).value();
  const HeldMemory held = held_at(file.trace, snapshot, 0, file.trace.memory.size());
  const std::vector<LineSum> sums = sums_by_line(snapshot, held);
  // snapshots.py: bytes_of() makes all blocks.
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].bytes, 416 * mib);
  EXPECT_EQ(sums[0].blocks, 12u);
  EXPECT_EQ(sums[0].line.substr(sums[0].line.find(' ')), " bytes_of");
  // One caller further out: the weights, and the results that are kept.
  const std::vector<LineSum> callers = sums_by_line(snapshot, held, 1);
  ASSERT_EQ(callers.size(), 2u);
  EXPECT_EQ(callers[0].bytes, 8 * 40 * mib);
  EXPECT_THAT(callers[0].line, ::testing::HasSubstr(" keep_results"));
  EXPECT_EQ(callers[1].bytes, 4 * 24 * mib);
  const trace::ReadResult training = read_trace_file("assets/snapshots/h200_training_step.pickle.gz");
  const MemorySnapshot deep = trace::memory_snapshot(training.trace).value();
  const HeldMemory end = held_at(training.trace, deep, 0, training.trace.memory.size());
  std::int64_t bytes = 0;
  for (const LineSum& sum : sums_by_line(deep, end)) {
    bytes += sum.bytes;
    EXPECT_THAT(sum.line, ::testing::Not(::testing::HasSubstr("module.py"))) << "a line of PyTorch: ";
  }
  EXPECT_EQ(bytes, end.allocated);
}

TEST(AllocatorSnapshot, OnlyASnapshotHasItsBeats) {
  const trace::ReadResult file = read_trace_file("assets/snapshots/h200_fragmented.pickle.gz");
  EXPECT_EQ(allocator_beat(file.trace, 1).title, "416 MiB in use, 608 MiB reserved");
  EXPECT_EQ(lab_with("lab/allocator", 1).beats, 6);
  Controls controls;
  controls.set("lab/allocator.entry", 4);
  EXPECT_EQ(fact_text(allocator_beat(file.trace, 3, controls), "Allocated"), "96 MiB") << "the weights";
}

TEST(Allocator, TasksAreDoneByTheirSettings) {
  constexpr std::string_view lab = "lab/allocator";
  EXPECT_EQ(tasks_done(lab, {}), "x-----");
  EXPECT_EQ(tasks_done(lab, {{"wanted", 512}, {"kept", 64}}), "-x----");
  EXPECT_EQ(tasks_done(lab, {{"setting", 2}}), "--x---");
  EXPECT_EQ(tasks_done(lab, {{"plan", 0}}).substr(4, 1), "x");
  // Own steps: 128 MiB are freed, and 4 MiB of them are taken again.
  EXPECT_EQ(tasks_done(lab, {{"plan", 3},
                             {"size_1", 128},
                             {"what_2", 1},
                             {"size_3", 4},
                             {"what_4", 1},
                             {"what_5", 1},
                             {"what_6", 1},
                             {"what_7", 1},
                             {"what_8", 1}})
                .substr(5, 1),
            "x");
  EXPECT_EQ(tasks_done(lab, {{"plan", 1}, {"limit", 128}}).substr(3, 1), "-") << "the last step is a free";
  // Own steps: 24 + 24 + 24 of 128 MiB are freed, then 120 MiB are asked for.
  EXPECT_EQ(tasks_done(lab, {{"plan", 3}, {"limit", 128}, {"what_6", 3}, {"what_7", 3}, {"size_8", 120}}).substr(3, 1),
            "x");
}

TEST(Allocator, WithoutARecordItSaysSo) {
  EXPECT_EQ(lab_without_records("lab/allocator", 1).title, "The times were not recorded");
}

}  // namespace
}  // namespace warpwalk::story::testing
