// The scene "crash" of core dumps that were written on an H200 (tests/crash/data): what failed, who waits for whom, and
// what a dump lacks.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "core/words/crash/open_dump.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view crash_beats[] = {"what", "blocks", "warps", "lanes", "registers", "memory", "code"};
constexpr std::string_view dump_names[] = {
    "armed_embed", "armed_freed", "armed_scatter", "assertion",     "barrier",    "barrier_light",
    "cluster",     "freed",       "freed_light",   "gather_triton", "jump",       "lanes",
    "local",       "lock",        "lock_light",    "mbarrier",      "misaligned", "named",
    "null",        "shared",      "shared_light",  "spin",          "stack",      "trap"};

/// A dump of the samples, which is read once.
words::OpenDump* dump_named(std::string_view name) {
  static std::map<std::string, std::shared_ptr<words::OpenDump>, std::less<>> all;
  auto& dump = all[std::string(name)];
  if (dump == nullptr) {
    auto read = words::open_dump(fmt::format("{}/tests/crash/data/{}.core.gz", WARPWALK_SOURCE_DIR, name));
    EXPECT_TRUE(read) << name << ": " << (read ? "" : read.error());
    if (read) dump = *std::move(read);
  }
  return dump.get();
}

Stage crash_at(words::OpenDump* dump, std::string_view beat, const Controls& controls = {}) {
  static const Trace trace;
  static const Walk walk = default_walk(trace);
  const std::int64_t number = std::ranges::find(crash_beats, beat) - std::begin(crash_beats) + 1;
  return stage_of(*find_scene("crash"), {.trace = trace,
                                         .walk = walk,
                                         .narration = english(),
                                         .hardware = hardware(),
                                         .moment = {Moment::Kind::beat, number, 1},
                                         .controls = controls,
                                         .dump = dump});
}
Stage crash_at(std::string_view name, std::string_view beat, const Controls& controls = {}) {
  return crash_at(dump_named(name), beat, controls);
}

Controls crash_controls(std::string_view control, double value) {
  Controls controls;
  controls.set(fmt::format("crash.{}", control), value);
  return controls;
}

std::string shown_control(const Stage& stage, std::string_view name) {
  const auto found = std::ranges::find(stage.controls, name, &Control::name);
  return found == stage.controls.end() ? "(none)" : found->shown;
}

TEST(CrashScene, SaysWhereTheInputsOfTheLaunchAre) {
  words::OpenDump* const dump = dump_named("armed_scatter");
  EXPECT_THAT(everything_on(crash_at(dump, "what")), Not(HasSubstr("kept in")));
  dump->report.replay = "986.walk.json.gz";
  EXPECT_THAT(everything_on(crash_at(dump, "what")), HasSubstr("kept in 986.walk.json.gz"));
  dump->report.replay.clear();
}

TEST(CrashScene, WithoutADumpEachBeatSaysSo) {
  for (const std::string_view beat : crash_beats) {
    const Stage stage = crash_at(nullptr, beat);
    EXPECT_EQ(stage.title, "This file is not a core dump");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(stage.picture));
  }
}

TEST(CrashScene, NoBeatOfAnyDumpLacksAWordOrAValue) {
  for (const std::string_view name : dump_names)
    for (const std::string_view beat : crash_beats)
      for (const char* const control : {"", "sm", "block", "warp", "lane"}) {
        Controls controls;
        if (*control != '\0') controls = crash_controls(control, 1e9);  // the last one
        const Stage stage = crash_at(name, beat, controls);
        const std::string words = everything_on(stage) + stage.note;
        EXPECT_THAT(words, Not(HasSubstr("(no narration"))) << name << " " << beat;
        EXPECT_THAT(words, Not(HasSubstr("(no value"))) << name << " " << beat;
        EXPECT_THAT(words, Not(HasSubstr("`"))) << name << " " << beat;
        EXPECT_FALSE(stage.title.empty());
        for (const Fact& fact : stage.facts)
          EXPECT_TRUE(fact.figure.origin() == Origin::measured || fact.figure.origin() == Origin::derived)
              << fact.label;
      }
}

TEST(CrashScene, TheFailedThreadIsChosenAtFirst) {
  const Stage stage = crash_at("shared", "lanes");
  EXPECT_EQ(shown_control(stage, "warp"), "1");
  EXPECT_EQ(shown_control(stage, "lane"), "8") << "thread 40";
  const auto& cells = panel_picture<CellGrid>(stage);
  EXPECT_EQ(cells.followed, 8u);
  EXPECT_EQ(cells.cells.at(8).tone, Tone::refused);
  EXPECT_EQ(std::ranges::count(cells.cells, Tone::refused, &Cell::tone), 1);
  EXPECT_THAT(cells.cells.at(8).label, HasSubstr("0x13c80")) << "1 KiB of the system and 4 B times 20,000";
}

TEST(CrashScene, AnAccessPastTheEndOfSharedMemoryIsMeasuredFromItsEnd) {
  const Stage what = crash_at("shared", "what");
  EXPECT_THAT(what.sentence, HasSubstr("thread (40,0,0)"));
  const Stage stage = crash_at("shared", "memory");
  const auto& table = panel_picture<TablePicture>(stage);
  EXPECT_EQ(table.rows.at(0).cells.at(2).shown(), "50,176");
  EXPECT_EQ(table.rows.at(0).cells.at(3).shown(), "+30,848") << "80,000 - 49,152: both with the system's 1 KiB";
}

TEST(CrashScene, ANullPointerIsNamed) {
  const Stage stage = crash_at("null", "memory");
  EXPECT_THAT(stage.sentence, HasSubstr("A null pointer: argument 1"));
}

TEST(CrashScene, AHangSaysWhoWaitsForWhom) {
  const Stage stage = crash_at("barrier", "what");
  const auto& table = panel_picture<TablePicture>(stage);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_THAT(table.rows[0].cells[1].shown(), HasSubstr("waits at barrier 0; warp 2 is not there"));
  EXPECT_THAT(table.rows[1].cells[0].shown(), HasSubstr("warp 2 of block"));
  EXPECT_THAT(table.rows[1].cells[1].shown(), HasSubstr("in a loop; it is 0"));
  const Stage warps = crash_at("barrier", "warps");
  const auto& each = panel_picture<TablePicture>(warps);
  ASSERT_EQ(each.rows.size(), 4u) << "one block of 128 threads on its SM";
  for (std::size_t warp = 0; warp < 4; ++warp)
    EXPECT_THAT(each.rows[warp].cells.back().shown(), HasSubstr(warp == 2 ? "reads 0x" : "waits at barrier 0"));
}

TEST(CrashScene, AnotherBlockCanBeChosenByItsSm) {
  const Stage first = crash_at("barrier", "warps");
  const auto sms = std::ranges::find(first.controls, "sm", &Control::name)->steps;
  ASSERT_EQ(sms.size(), 2u);
  const std::string other = shown_control(first, "block") == "(0,0,0)" ? "(1,0,0)" : "(0,0,0)";
  for (const double sm : sms) {
    const Stage stage = crash_at("barrier", "warps", crash_controls("sm", sm));
    const bool same = std::to_string(static_cast<int>(sm)) == shown_control(first, "sm");
    EXPECT_EQ(shown_control(stage, "block"), same ? shown_control(first, "block") : other);
    EXPECT_EQ(shown_control(stage, "sm"), std::to_string(static_cast<int>(sm)));
  }
}

TEST(CrashScene, ALightDumpSaysWhatItLacks) {
  const Stage stage = crash_at("shared_light", "memory");
  EXPECT_THAT(stage.missing, Contains(HasSubstr("shared memory")));
  EXPECT_EQ(shared_picture<Panels>(stage).rows.size(), 1u) << "no words of memory are drawn";
  const Stage freed = crash_at("freed_light", "memory");
  EXPECT_THAT(freed.missing, Contains(HasSubstr("global memory")));
}

// Transcripts of all beats, as they are stored. To renew: WARPWALK_RENEW=1 story_tests --gtest_filter='*Golden*'
TEST(CrashGolden, EveryBeatOfADump) {
  for (const std::string_view name : {"barrier", "null", "shared", "shared_light"}) {
    std::string text;
    for (const std::string_view beat : crash_beats)
      text.append(text.empty() ? "" : "\n").append(transcript(crash_at(name, beat)));
    const std::string file = fmt::format("{}/tests/story/golden/made-crash-{}.txt", WARPWALK_SOURCE_DIR, name);
    if (const char* const renew = std::getenv("WARPWALK_RENEW"); renew != nullptr && *renew != '\0') {
      std::ofstream(file, std::ios::binary) << text;
      continue;
    }
    std::ifstream in(file, std::ios::binary);
    std::stringstream stored;
    stored << in.rdbuf();
    EXPECT_EQ(stored.str(), text) << file;
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
