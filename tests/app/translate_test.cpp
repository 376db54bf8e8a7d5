// Languages: a report of what is missing, .po for translators, and back into the text files.
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/words/narration.h"
#include "core/words/translation.h"
#include "tests/app/program.h"

namespace warpwalk::words {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using warpwalk::testing::Folder;
using warpwalk::testing::run;
using warpwalk::testing::text_of;

class Translations : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.path() / "en");
    std::filesystem::create_directories(folder_.path() / "xx");
    file("en/a.txt",
         "# What is said first.\n[first]\ntitle: One \"line\" of {n}\nlong: a   b\n\n[count]\nblock: 1 block\n"
         "blocks: {n} blocks\n\n[glossary]\nwarp: 32 threads\n");
    file("xx/a.txt", "[first]\ntitle: Eine \\Zeile von {n}\n");
  }
  void file(const std::string& name, std::string_view text) { std::ofstream(folder_.path() / name) << text; }
  std::vector<Translation> read() {
    auto texts = read_translation(folder_.path(), "xx");
    EXPECT_TRUE(texts) << texts.error();
    return texts ? *std::move(texts) : std::vector<Translation>();
  }
  Folder folder_;
};

TEST_F(Translations, StandBesideTheEnglishTexts) {
  const auto texts = read();
  ASSERT_EQ(texts.size(), 4u);  // without the glossary
  EXPECT_EQ(texts[0].context(), "first/title");
  EXPECT_EQ(texts[0].comment, "What is said first.");
  EXPECT_EQ(texts[0].text, "Eine \\Zeile von {n}");
  EXPECT_EQ(texts[1].text, "");
}

TEST_F(Translations, HaveTheTextsOfLessonsInTheirOrder) {
  std::filesystem::create_directories(folder_.path() / "a/en");
  std::filesystem::create_directories(folder_.path() / "a/xx");
  std::filesystem::create_directories(folder_.path() / "lessons");
  file("a/en/a.txt", "[first]\ntitle: One\n");
  file("lessons/short.json",
       R"({"warpwalk_lesson": 1, "title": "T", "steps": [{"scene": "sm", "at": "fill", "note": "N"},
           {"scene": "sm", "at": "fill", "text": "X",
            "question": {"text": "Q", "options": ["A", "B"], "right": 1, "wrong": ["", "W"]}}]})");
  auto texts = read_translation(folder_.path() / "a", "xx");
  ASSERT_TRUE(texts) << texts.error();
  std::string all;
  for (const Translation& one : *texts) all += one.file + " " + one.context() + ": " + one.english + "\n";
  EXPECT_EQ(all,
            "a.txt first/title: One\n"
            "lesson_short.txt lesson.short/title: T\n"
            "lesson_short.txt lesson.short.sm.fill/note: N\n"
            "lesson_short.txt lesson.short.sm.fill#2/text: X\n"
            "lesson_short.txt lesson.short.sm.fill#2/question: Q\n"
            "lesson_short.txt lesson.short.sm.fill#2/option.1: A\n"
            "lesson_short.txt lesson.short.sm.fill#2/option.2: B\n"
            "lesson_short.txt lesson.short.sm.fill#2/wrong.2: W\n");
  (*texts)[3].text = "Ü";
  ASSERT_TRUE(write_translation(folder_.path() / "a", "xx", *texts));
  EXPECT_EQ(Narration::load(folder_.path() / "a/xx")->text("lesson.short.sm.fill#2", "text"), "Ü");
  file("lessons/short.json", "{");
  EXPECT_THAT(read_translation(folder_.path() / "a", "xx").error(), HasSubstr("short.json: byte 1"));
}

TEST_F(Translations, GoThroughPoAndBack) {
  auto texts = read();
  texts[1].text = "ä   b";
  texts[2].text = "1 Block";
  texts[3].text = "{n} Blöcke";
  const std::string po = po_text(texts, "xx");
  EXPECT_THAT(
      po, HasSubstr("msgctxt \"first/title\"\nmsgid \"One \\\"line\\\" of {n}\"\nmsgstr \"Eine \\\\Zeile von {n}\""));
  EXPECT_THAT(
      po, HasSubstr("msgid \"1 block\"\nmsgid_plural \"{n} blocks\"\nmsgstr[0] \"1 Block\"\nmsgstr[1] \"{n} Blöcke\""));
  auto again = read();
  std::vector<std::string> unknown;
  ASSERT_TRUE(take_po(po + "\n#: old.txt\nmsgctxt \"gone/key\"\nmsgid \"x\"\nmsgstr \"y\"\n", again, unknown));
  EXPECT_THAT(unknown, ElementsAre("gone/key"));
  ASSERT_TRUE(write_translation(folder_.path(), "xx", again));
  const auto narration = Narration::load(folder_.path() / "xx");
  ASSERT_TRUE(narration) << narration.error();
  EXPECT_EQ(narration->text("first", "title", {{"n", "2"}}), "Eine \\Zeile von 2");
  EXPECT_EQ(narration->text("first", "long"), "ä   b");
  EXPECT_EQ(narration->text("count", "blocks", {{"n", "2"}}), "2 Blöcke");
  EXPECT_EQ(po_text(read(), "xx"), po);
}

TEST_F(Translations, OfAChangedTextAreFuzzyAndNotShown) {
  auto texts = read();
  ASSERT_TRUE(write_translation(folder_.path(), "xx", texts));
  file("en/a.txt", "[first]\ntitle: Two lines of {n}\n");
  texts = read();
  EXPECT_TRUE(texts[0].fuzzy);
  const std::string po = po_text(texts, "xx");
  EXPECT_THAT(po, HasSubstr("#, fuzzy\nmsgctxt \"first/title\""));
  std::vector<std::string> unknown;
  ASSERT_TRUE(take_po(po, texts, unknown));
  ASSERT_TRUE(write_translation(folder_.path(), "xx", texts));
  EXPECT_THAT(text_of(folder_.path() / "xx/a.txt"), HasSubstr("#, fuzzy title: Eine"));
  EXPECT_FALSE(Narration::load(folder_.path() / "xx")->has("first", "title"));
  EXPECT_TRUE(read()[0].fuzzy);  // and it is not lost
  // A translator removes the mark.
  std::string mended = po;
  mended.erase(mended.find("#, fuzzy\n"), 9);
  ASSERT_TRUE(take_po(mended, texts, unknown));
  EXPECT_FALSE(texts[0].fuzzy);
  // A translation of a text that has changed since the export is fuzzy, too.
  ASSERT_TRUE(take_po("msgctxt \"first/title\"\nmsgid \"Another text\"\nmsgstr \"Anderes\"\n", texts, unknown));
  EXPECT_TRUE(texts[0].fuzzy);
}

TEST_F(Translations, OddPlaceholdersAreNamed) {
  EXPECT_EQ(odd_placeholder({"", "", "", "", "{a} of {b}", "{b} von {a}"}), "");
  EXPECT_EQ(odd_placeholder({"", "", "", "", "{a} of {b}", "von {a}"}), "{b}");
  EXPECT_EQ(odd_placeholder({"", "", "", "", "a", "{c}"}), "{c}");
  EXPECT_EQ(odd_placeholder({"", "", "", "", "{a}", ""}), "");
}

TEST_F(Translations, APoThatIsNoneIsRefusedWithItsLine) {
  auto texts = read();
  std::vector<std::string> unknown;
  EXPECT_THAT(take_po("msgid \"\"\nmsgstr \"\"\nnonsense\n", texts, unknown).error(), HasSubstr("line 3: is no line"));
  EXPECT_THAT(take_po("msgid \"open\n", texts, unknown).error(), HasSubstr("line 1"));
  EXPECT_THAT(take_po("\"text\"\n", texts, unknown).error(), HasSubstr("line 1"));
}

TEST(TranslateVerb, ReportsAndExportsAndRefuses) {
  const auto listed = run({"translate"});
  EXPECT_EQ(listed.status, 0) << listed.error;
  EXPECT_THAT(listed.out, HasSubstr("de: "));
  const auto report = run({"translate", "de"});
  EXPECT_EQ(report.status, 0);
  EXPECT_THAT(report.out, HasSubstr("tour.txt"));
  EXPECT_THAT(report.out, HasSubstr("is shown in English"));
  EXPECT_THAT(report.out, Not(HasSubstr("odd: ")));
  EXPECT_THAT(run({"translate", "de", "--export", "-"}).out, HasSubstr("msgctxt \"tour.line/title\""));
  EXPECT_EQ(run({"translate", "en"}).status, 2);
  EXPECT_EQ(run({"translate", "../x"}).status, 2);
  EXPECT_EQ(run({"translate", "de", "--import", "none.po"}).status, 2);
  EXPECT_EQ(run({"translate", "--export", "-"}).status, 2);
}

}  // namespace
}  // namespace warpwalk::words
