#include "core/story/facts/launch/receipt.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Receipt receipt_for(const Trace& trace, const Walk& walk) {
  const std::optional<Receipt> receipt = receipt_of(trace, walk);
  EXPECT_TRUE(receipt);
  return receipt.value_or(Receipt{});
}

TEST(ReceiptParts, OneAfterTheOther) {
  const Trace trace = SmallTrace().op("op", 0, 90).call("launch", 10, 5, 1).kernel("k", 22, 100, 1).read();
  const Receipt receipt = receipt_for(trace, default_walk(trace));
  EXPECT_EQ(receipt.cpu(), 10000);
  EXPECT_EQ(receipt.launch(), 5000);
  EXPECT_EQ(receipt.queue(), 7000);
  EXPECT_EQ(receipt.kernel(), 100000);
  EXPECT_EQ(receipt.total(), 122000);
  EXPECT_FALSE(receipt.skewed());
  EXPECT_EQ(receipt.ahead.count, 0u);
  EXPECT_EQ(receipt.ahead.last, no_slice);
  EXPECT_EQ(receipt.overhead, 0);
  EXPECT_EQ(receipt.overhead_slice, no_slice);
}

TEST(ReceiptParts, ALaunchThatGoesOnBesideItsKernelCountsOnlyBeforeIt) {
  const Trace trace = SmallTrace().op("op", 0, 90).call("launch", 10, 50, 1).kernel("k", 22, 100, 1).read();
  const Receipt receipt = receipt_for(trace, default_walk(trace));
  EXPECT_EQ(receipt.launch(), 12000);
  EXPECT_EQ(receipt.queue(), 0);
  EXPECT_EQ(receipt.launch_end - receipt.kernel_start, 38000);
  EXPECT_EQ(receipt.cpu() + receipt.launch() + receipt.queue() + receipt.kernel(), receipt.total());
}

TEST(ReceiptParts, StartsWithTheOutermostOp) {
  const Trace trace =
      SmallTrace().op("outer", 0, 90).op("inner", 5, 80).call("launch", 10, 5, 1).kernel("k", 22, 100, 1).read();
  EXPECT_EQ(receipt_for(trace, *follow(trace, "op:1")).cpu(), 10000);
  EXPECT_EQ(receipt_for(trace, *follow(trace, "kernel:0")).cpu(), 10000);
}

TEST(ReceiptParts, WithoutAnOpItStartsWithTheLaunch) {
  const Trace trace = SmallTrace().call("launch", 10, 5, 1).kernel("k", 22, 100, 1).read();
  const Receipt receipt = receipt_for(trace, default_walk(trace));
  EXPECT_EQ(receipt.cpu(), 0);
  EXPECT_EQ(receipt.total(), 112000);
}

TEST(ReceiptParts, ThereIsNoneWithoutAKnownWayToTheGpu) {
  const Trace cpu = SmallTrace().op("op", 0, 90).read();
  EXPECT_FALSE(receipt_of(cpu, default_walk(cpu)));
  const Trace lost = SmallTrace().kernel("k", 22, 100, 1).read();
  EXPECT_FALSE(receipt_of(lost, default_walk(lost)));
  EXPECT_FALSE(receipt_of(Trace{}, Walk{}));
}

TEST(ReceiptParts, AddUpToTheTotalInEveryWalkThereIs) {
  std::size_t receipts = 0;
  const auto check = [&](const std::string& what, const Trace& trace, const Walk& walk) {
    const std::optional<Receipt> receipt = receipt_of(trace, walk);
    if (!receipt) return;
    ++receipts;
    EXPECT_EQ(receipt->cpu() + receipt->launch() + receipt->queue() + receipt->kernel(), receipt->total()) << what;
    EXPECT_GE(receipt->cpu(), 0) << what;
    EXPECT_GE(receipt->queue(), 0) << what;
    EXPECT_GE(receipt->kernel(), 0) << what;
    EXPECT_TRUE(receipt->skewed() || receipt->launch() >= 0) << what;
    EXPECT_GE(receipt->overhead, 0) << what;
    EXPECT_LE(receipt->overhead, receipt->cpu()) << what;
    std::int64_t hatched = 0, after = receipt->op_start;
    for (const auto& [from, to] : receipt->overheads) {
      EXPECT_LE(after, from) << what;
      EXPECT_LT(from, to) << what;
      hatched += to - from;
      after = to;
    }
    EXPECT_LE(after, receipt->launch_start) << what;
    EXPECT_EQ(receipt->overhead, hatched) << what;
  };
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) { check(what, sample(name), walk); });
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  EXPECT_GT(receipts, 100u / walk_stride);
}

TEST(ReceiptQueue, BehindOtherWorkOfTheStream) {
  const Trace trace = SmallTrace()
                          .call("launch", 0, 5, 1)
                          .kernel("first", 10, 100, 1)
                          .op("op", 20, 30)
                          .call("launch", 30, 5, 2)
                          .kernel("second", 111, 10, 2)
                          .read();
  const Receipt receipt = receipt_for(trace, default_walk(trace));
  EXPECT_EQ(receipt.ahead.last, slice_named(trace, "first"));
  EXPECT_EQ(receipt.queue(), 76000);
}

TEST(ReceiptQueue, NotBehindWorkThatHadEndedNorThatOfAnotherStream) {
  const Trace ended = SmallTrace()
                          .call("launch", 0, 5, 1)
                          .kernel("first", 10, 10, 1)
                          .op("op", 20, 30)
                          .call("launch", 30, 5, 2)
                          .kernel("second", 111, 10, 2)
                          .read();
  EXPECT_EQ(receipt_for(ended, *follow(ended, "op:0")).ahead.last, no_slice);
  const Trace beside = SmallTrace()
                           .call("launch", 0, 5, 1)
                           .kernel("first", 10, 100, 1, 13)
                           .op("op", 20, 30)
                           .call("launch", 30, 5, 2)
                           .kernel("second", 111, 10, 2)
                           .read();
  EXPECT_EQ(receipt_for(beside, *follow(beside, "op:0")).ahead.last, no_slice);
}

TEST(ReceiptQueue, BehindACopyToo) {
  const Trace trace = SmallTrace()
                          .call("copy", 0, 5, 1)
                          .copy("Memcpy HtoD", 10, 100, 1)
                          .op("op", 20, 30)
                          .call("launch", 30, 5, 2)
                          .kernel("second", 111, 10, 2)
                          .read();
  EXPECT_EQ(receipt_for(trace, *follow(trace, "op:0")).ahead.last, slice_named(trace, "Memcpy HtoD"));
}

// The launch of "followed" returns at 35.
SmallTrace& followed_at(SmallTrace& small, double start) {
  return small.op("op", 20, 30).call("launch", 30, 5, 9).kernel("followed", start, 10, 9);
}

TEST(ReceiptQueue, TheLongestAheadIsThatOfTheWait) {
  SmallTrace small;
  small.call("launch", 0, 5, 1).kernel("long", 10, 100, 1);
  small.call("launch", 6, 5, 2).kernel("short", 111, 4, 2);
  const Trace trace = followed_at(small, 116).read();
  const WorkAhead ahead = receipt_for(trace, *follow(trace, "op:0")).ahead;
  EXPECT_EQ(ahead.count, 2u);
  EXPECT_EQ(ahead.longest, slice_named(trace, "long"));
  EXPECT_EQ(ahead.longest_time, 75000);  // from 35 to 110
  EXPECT_EQ(ahead.last, slice_named(trace, "short"));

  // A kernel that was nearly done counts with the rest of it.
  SmallTrace nearly;
  nearly.call("launch", 0, 5, 1).kernel("nearly done", 6, 30, 1);
  nearly.call("launch", 6, 5, 2).kernel("shorter", 37, 8, 2);
  const Trace done = followed_at(nearly, 46).read();
  const WorkAhead rest = receipt_for(done, *follow(done, "op:0")).ahead;
  EXPECT_EQ(rest.longest, slice_named(done, "shorter"));
  EXPECT_EQ(rest.longest_time, 8000);
}

TEST(ReceiptQueue, TheMapNamesTheLongestAndTheLast) {
  // The call returns at 45; ahead are a kernel from 20 to 120 and "second" from 121 to 126; this one begins at 127.
  const Crafted& made = crafted_named("behind much other work");
  std::string queue, closing;
  const Scene& map = *find_scene("map");
  const std::vector<Beat> beats = map.beats(made.trace, made.walk);
  for (std::size_t b = 0; b < beats.size(); ++b) {
    const Moment moment = {Moment::Kind::beat, static_cast<std::int64_t>(b) + 1, 1};
    const Stage stage = map.stage({made.trace, made.walk, english(), hardware(), moment});
    if (beats[b].key == "queue") queue = stage.sentence;
    if (beats[b].key == "closing") closing = transcript(stage);
  }
  EXPECT_THAT(queue, ::testing::HasSubstr("2 kernels, copies or fills: longest "));
  EXPECT_THAT(queue, ::testing::HasSubstr(" (75.0 µs of the wait), last second."));
  EXPECT_THAT(closing, ::testing::HasSubstr("it waited 82.0 µs for 2 kernels, copies or fills: longest "));
  EXPECT_THAT(closing, ::testing::HasSubstr(" (75.0 µs of the wait), last second."));
}

TEST(ReceiptClocks, AKernelBeforeItsLaunchMeansThatTheyDiffer) {
  const Trace trace = SmallTrace().op("op", 0, 90).call("launch", 10, 5, 1).kernel("k", 9.999, 100, 1).read();
  EXPECT_TRUE(receipt_for(trace, default_walk(trace)).skewed());
  const Trace same = SmallTrace().op("op", 0, 90).call("launch", 10, 5, 1).kernel("k", 10, 100, 1).read();
  EXPECT_FALSE(receipt_for(same, default_walk(same)).skewed());
}

TEST(ReceiptOverhead, OnlyWhatLiesBetweenTheOpAndItsLaunch) {
  const Trace trace = SmallTrace()
                          .op("op", 0, 90)
                          .call("launch", 50, 5, 1)
                          .kernel("k", 60, 100, 1)
                          .overhead("before and into", -20, 25)
                          .overhead("inside", 10, 20)
                          .overhead("inside and beyond", 45, 20)
                          .overhead("after", 70, 20)
                          .read();
  const Receipt receipt = receipt_for(trace, default_walk(trace));
  EXPECT_EQ(receipt.overhead, 5000 + 20000 + 5000);
  // The parts keep their places: the time between them is not the profiler's.
  ASSERT_EQ(receipt.overheads.size(), 3u);
  EXPECT_EQ(receipt.overheads.front(), std::pair(receipt.op_start, receipt.op_start + 5000));
  EXPECT_EQ(receipt.overheads.back().second, receipt.launch_start);
  EXPECT_EQ(receipt.overhead_slice, slice_named(trace, "inside"));
}

TEST(ReceiptOverhead, OfSeveralThreadsIsNeverMoreThanTheTimeThatPassed) {
  const Trace trace = SmallTrace()
                          .op("op", 0, 90)
                          .call("launch", 50, 5, 1)
                          .kernel("k", 60, 100, 1)
                          .overhead("one", 5, 40, 1)
                          .overhead("two", 5, 40, 2)
                          .read();
  const Receipt receipt = receipt_for(trace, default_walk(trace));
  // Both threads were busy during the same 40 us.
  ASSERT_EQ(receipt.overheads.size(), 1u);
  EXPECT_EQ(receipt.overhead, 40'000);
}

}  // namespace
}  // namespace warpwalk::story::testing
