#include "app/verbs/common/terminal.h"

#include <chrono>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/verbs/common/watch.h"

namespace warpwalk::verbs {
namespace {

TEST(Terminal, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(terminal_text("a\x1b[2Jb\x7f"
                          "c\r\n\td\a"),
            "a [2Jb c \n\td ");
  EXPECT_EQ(terminal_text(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(terminal_text("a\xc2\x9b"
                          "2Jb"),
            "a 2Jb");  // CSI as one character, C1
  EXPECT_EQ(terminal_text("\x9b"
                          "2J\xff"),
            "?2J?");
  EXPECT_EQ(terminal_text("2 × 3 µs, 寸法"), "2 × 3 µs, 寸法");
}

TEST(Terminal, ALineIsOneLine) { EXPECT_EQ(terminal_line("two\nlines\tof\r\nwords"), "two lines of  words"); }

TEST(Terminal, LongWordsAreShortenedInTheirMiddle) {
  const std::string whole(256, 'a'), large(100000, 'a');
  EXPECT_EQ(terminal_line("name " + whole + " ends"), "name " + whole + " ends");
  EXPECT_EQ(terminal_line("name " + large + " ends"),
            "name " + std::string(128, 'a') + "...(99808 bytes)..." + std::string(64, 'a') + " ends");
}

TEST(Terminal, CharactersAreNotCut) {
  std::string umlauts = "x";  // so that the cuts fall inside a character
  for (int i = 0; i < 1000; ++i) umlauts += "ä";
  const std::string line = terminal_line(umlauts);
  EXPECT_EQ(terminal_text(line), line);
  EXPECT_LT(line.size(), 256u);
}

TEST(Terminal, ManyWordsAreShortenedToo) {
  std::string words;
  for (int i = 0; i < 10000; ++i) words += "word ";
  const std::string line = terminal_line(words);
  EXPECT_LE(line.size(), 2100u);
  EXPECT_THAT(line, ::testing::HasSubstr("bytes)..."));
}

TEST(Terminal, AReportKeepsItsLinesAndShortensLongOnes) {
  const std::string name(600, 'a'), large(100000, 'a');
  EXPECT_EQ(terminal_report("one\n\n  two\t" + name + "\n"), "one\n\n  two\t" + name + "\n");
  EXPECT_EQ(terminal_report("GPU\n  " + large + " ends\nlast"),
            "GPU\n  " + std::string(512, 'a') + "...(99232 bytes)..." + std::string(256, 'a') + " ends\nlast");
  std::string words;
  for (int i = 0; i < 50000; ++i) words += "a ";
  EXPECT_LT(terminal_report(words).size(), 4200u);
}

TEST(TimeLeft, IsEstimatedFromWhatIsDone) {
  using std::chrono::seconds;
  const BlockProgress::Clock::time_point begin{};
  BlockProgress progress;
  const auto left = [&](int at, std::uint64_t done, std::uint64_t blocks, const char* what = "k") {
    progress.update(what, done, blocks, begin + seconds(at));
    return progress.seconds_left(begin + seconds(at));
  };
  EXPECT_EQ(left(100, 0, 100), std::nullopt);
  EXPECT_EQ(left(105, 10, 100), 45.0);
  EXPECT_EQ(left(150, 100, 100), std::nullopt) << "all are done";
  EXPECT_EQ(left(160, 0, 100), std::nullopt) << "the same kernel again";
  EXPECT_EQ(left(170, 50, 100), 10.0);
  EXPECT_EQ(left(180, 1, 100, "other"), std::nullopt) << "when its first block began is not known";
  EXPECT_EQ(left(190, 3, 100, "other"), 485.0);
}

TEST(TimeLeft, ToTheLimitOfABlockUntilOneHasEnded) {
  using std::chrono::seconds;
  const BlockProgress::Clock::time_point begin{};
  BlockProgress progress;
  progress.update("", 0, 4, begin + seconds(100), 1000);
  EXPECT_EQ(progress.seconds_to_limit(begin + seconds(101), 0), std::nullopt);
  EXPECT_EQ(progress.seconds_to_limit(begin + seconds(102), 100), 18.0);
  EXPECT_EQ(progress.seconds_to_limit(begin + seconds(110), 500), 10.0);
  EXPECT_EQ(progress.seconds_to_limit(begin + seconds(121), 1001), std::nullopt);
  progress.update("", 1, 4, begin + seconds(115), 1000);
  EXPECT_EQ(progress.seconds_to_limit(begin + seconds(116), 500), std::nullopt) << "a block has ended";
  progress.update("cycles", 0, 4, begin + seconds(120));
  EXPECT_EQ(progress.seconds_to_limit(begin + seconds(121), 500), std::nullopt) << "no limit";
}

TEST(TimeLeft, InWords) {
  EXPECT_EQ(time_to_limit(8.2), "at most about 8 s to the limit of a block");
  EXPECT_EQ(time_left(0.1), "about 1 s left");
  EXPECT_EQ(time_left(45), "about 45 s left");
  EXPECT_EQ(time_left(180), "about 3 min left");
  EXPECT_EQ(time_left(18000), "about 5 h left");
}

}  // namespace
}  // namespace warpwalk::verbs
