#include "app/verbs/terminal.h"

#include <chrono>

#include <gtest/gtest.h>

#include "app/verbs/watch.h"

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
  EXPECT_NE(line.find("bytes)..."), std::string::npos);
}

TEST(TimeLeft, IsEstimatedFromWhatIsDone) {
  using std::chrono::seconds;
  EXPECT_EQ(time_left(seconds(5), 0, 100), "");
  EXPECT_EQ(time_left(seconds(5), 100, 100), "");
  EXPECT_EQ(time_left(seconds(5), 10, 100), ", about 45 s left");
  EXPECT_EQ(time_left(seconds(5), 99, 100), ", about 1 s left");
  EXPECT_EQ(time_left(seconds(60), 1, 4), ", about 3 min left");
  EXPECT_EQ(time_left(seconds(60), 1, 301), ", about 5 h left");
}

}  // namespace
}  // namespace warpwalk::verbs
