#include "core/gpu/exec/shadow/report_findings.h"

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

Finding finding(FindingKind kind, std::uint32_t line, std::uint32_t other_line, std::string message) {
  Finding made;
  made.kind = kind;
  made.source_file = "kernel.cu";
  made.source_line = line;
  made.other_line = other_line;
  made.message = std::move(message);
  return made;
}

void store_if_first(FindingList& list, const FindingPlace& place, const FindingThread& thread, Finding what,
                    std::uint64_t count = 1) {
  if (list.is_first(place, thread, count)) list.store(place, std::move(what));
}

constexpr auto outside = FindingKind::out_of_bounds;
constexpr auto race = FindingKind::shared_race;

TEST(FindingList, OneInstructionIsToldOnceOfTheFirstThread) {
  FindingList list;
  store_if_first(list, {outside, 4}, {2, 7}, finding(outside, 9, 0, "late"), 3);
  store_if_first(list, {outside, 4}, {1, 30}, finding(outside, 9, 0, "first"));
  store_if_first(list, {outside, 4}, {1, 31}, finding(outside, 9, 0, "later"));
  const auto merged = list.merge_and_take();
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].message, "first (4 more like it)");
  EXPECT_EQ(merged[0].count, 5u);
}

TEST(FindingList, InstructionsOfOneLineAreOneFinding) {
  FindingList list;
  store_if_first(list, {outside, 4}, {0, 2}, finding(outside, 9, 0, "a"));
  store_if_first(list, {outside, 5}, {0, 1}, finding(outside, 9, 0, "b"));
  store_if_first(list, {outside, 6}, {0, 0}, finding(outside, 10, 0, "c"));
  store_if_first(list, {FindingKind::misaligned, 5}, {0, 0}, finding(FindingKind::misaligned, 9, 0, "d"));
  const auto merged = list.merge_and_take();
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged[0].message, "b (1 more like it)");
  EXPECT_EQ(merged[1].message, "c");
  EXPECT_EQ(merged[2].message, "d");
}

TEST(FindingList, BothEndsOfARaceAreOne) {
  FindingList list;
  store_if_first(list, {race, 4, 7}, {0, 3}, finding(race, 9, 12, "there"));
  store_if_first(list, {race, 7, 4}, {0, 1}, finding(race, 12, 9, "back"));
  store_if_first(list, {race, 4, 8}, {0, 1}, finding(race, 9, 13, "another"));
  const auto merged = list.merge_and_take();
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].message, "back (1 more like it)");
  EXPECT_EQ(merged[1].message, "another");
}

TEST(FindingList, WithoutSourceLinesInstructionsStayApart) {
  FindingList list;
  store_if_first(list, {outside, 4}, {0, 2}, finding(outside, 0, 0, "a"));
  store_if_first(list, {outside, 5}, {0, 1}, finding(outside, 0, 0, "b"));
  EXPECT_EQ(list.merge_and_take().size(), 2u);
}

TEST(FindingList, ListsOfHostThreadsJoinInAnyOrder) {
  for (const bool swapped : {false, true}) {
    FindingList a, b, all;
    store_if_first(a, {outside, 4}, {3, 0}, finding(outside, 9, 0, "three"));
    store_if_first(b, {outside, 4}, {1, 0}, finding(outside, 9, 0, "one"));
    all.merge(std::move(swapped ? b : a));
    all.merge(std::move(swapped ? a : b));
    const auto merged = all.merge_and_take();
    ASSERT_EQ(merged.size(), 1u);
    EXPECT_EQ(merged[0].message, "one (1 more like it)");
  }
}

TEST(FindingList, BlocksAfterTheOneThatStoppedDoNotCount) {
  FindingList list;
  store_if_first(list, {outside, 4}, {1, 0}, finding(outside, 9, 0, "before"));
  store_if_first(list, {outside, 4}, {8, 0}, finding(outside, 9, 0, "after"));
  store_if_first(list, {outside, 5}, {8, 0}, finding(outside, 10, 0, "only after"));
  const auto merged = list.merge_and_take(4);
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].message, "before");
}

}  // namespace
}  // namespace warpwalk::gpu
