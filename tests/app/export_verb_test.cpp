// `export` puts a trace or a lesson into a page. The page here is a small one; tests/browser opens real ones.
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const page =
    "<body>\n<!--WALK-->\n<!--PROGRAM-->\n"
    R"(<script type="application/octet-stream" id="warpwalk-program">QUJD</script>)"
    "\n<script>\nlet program = 1;\n</script>\n<!--/PROGRAM-->\n</body>\n";

/// The decoded contents of the file with this name in the page; "missing" if there is none.
std::string held(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("data-name=\"" + name + "\"");
  if (at == std::string::npos) return "missing";
  const std::size_t begin = text.find('>', at) + 1, end = text.find('<', begin);
  const auto bytes = base::from_base64(text.substr(begin, end - begin));
  return bytes ? std::string(bytes->begin(), bytes->end()) : "damaged";
}

TEST(ExportVerb, PutsTheTraceAndItsViewIntoThePage) {
  const Folder folder;
  const Outcome outcome =
      run({"export", walk("relu_matmul"), "-o", folder.at("out.html"), "--page", folder.file("page.html", page),
           "--scene", "sm", "--at", "b2", "--set", "sm.registers=64", "--follow", "kernel:0"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  const std::string text = text_of(folder.at("out.html"));
  EXPECT_THAT(text,
              HasSubstr("data-link=\"file=relu_matmul.json.gz&scene=sm&at=b2&follow=kernel:0&set=sm.registers%3D64\""));
  EXPECT_EQ(held(text, "relu_matmul.json.gz"), text_of(walk("relu_matmul")));
  EXPECT_THAT(text, HasSubstr("let program = 1;"));
}

TEST(ExportVerb, WritesTheProgramOnceForSeveralPages) {
  const Folder folder;
  const Outcome outcome = run({"export", walk("relu_matmul"), "-o", folder.at("out.html"), "--page",
                               folder.file("page.html", page), "--apart"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const std::string text = text_of(folder.at("out.html")), script = text_of(folder.at("warpwalk-page.js"));
  EXPECT_THAT(text, HasSubstr("<script src=\"warpwalk-page.js\"></script>"));
  EXPECT_THAT(text, Not(HasSubstr("let program")));
  EXPECT_EQ(held(text, "relu_matmul.json.gz"), text_of(walk("relu_matmul")));
  EXPECT_THAT(script, HasSubstr("part.id = 'warpwalk-program';"));
  EXPECT_THAT(script, HasSubstr("part.textContent = 'QUJD';"));
  EXPECT_THAT(script, HasSubstr("let program = 1;"));
}

TEST(ExportVerb, ALessonBringsItsOwnTracesAlong) {
  const Folder folder;
  folder.file("mine.json.gz", text_of(walk("relu_matmul")));
  const std::string lesson = folder.file("lesson.json", R"({"warpwalk_lesson": 1, "title": "Two", "steps": [
        {"file": "mine.json.gz", "scene": "boardroom", "at": "b1", "text": "one"},
        {"file": "two_streams.json.gz", "scene": "boardroom", "at": "b1", "text": "two"}]})");
  const Outcome outcome =
      run({"export", lesson, "-o", folder.at("out.html"), "--page", folder.file("page.html", page)});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const std::string text = text_of(folder.at("out.html"));
  EXPECT_THAT(text, HasSubstr("data-link=\"file=lesson.json&class=1\""));
  EXPECT_EQ(held(text, "lesson.json"), text_of(lesson));
  EXPECT_EQ(held(text, "mine.json.gz"), text_of(walk("relu_matmul")));
  EXPECT_EQ(held(text, "two_streams.json.gz"), "missing") << "it comes with the program";
}

// What is given to a class has no notes.
TEST(ExportVerb, ALessonGoesWithoutItsNotesUnlessTheyAreWanted) {
  const Folder folder;
  const std::string lesson = folder.file("lesson.json", R"({"warpwalk_lesson": 1, "title": "One", "steps": [
        {"file": "two_streams.json.gz", "scene": "boardroom", "at": "b1", "text": "for all", "note": "zebra"}]})");
  const auto exported = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"export", lesson, "-o", folder.at("out.html"), "--page",
                                      folder.file("page.html", page)};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return text_of(folder.at("out.html"));
  };
  const std::string given = exported({});
  EXPECT_THAT(held(given, "lesson.json"), Not(HasSubstr("zebra")));
  EXPECT_THAT(held(given, "lesson.json"), HasSubstr("for all"));
  const std::string whole = exported({"--notes"});
  EXPECT_EQ(held(whole, "lesson.json"), text_of(lesson));
  EXPECT_THAT(whole, HasSubstr("data-link=\"file=lesson.json\""));
}

// Neither a picture nor its description has a note; a question's reason comes with its answer.
TEST(LessonPictures, HaveNoNotesAndNoAnswersBeforeTheyAreGiven) {
  const Folder folder;
  const std::string lesson = folder.file("lesson.json", R"({"warpwalk_lesson": 1, "title": "One", "steps": [
        {"file": "two_streams.json.gz", "scene": "boardroom", "at": "b1", "note": "zebra", "question":
          {"text": "Which?", "options": ["this", "that"], "right": 2, "why": "quagga", "wrong": ["okapi", ""]}}]})");
  for (const char* const present : {"", "--present"}) {
    std::vector<std::string> words = {"render", lesson, "--questions", "--format", "svg", "-o", folder.at("steps")};
    if (*present != '\0') words.emplace_back(present);
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto picture = [&](const char* name) { return text_of(folder.at("steps") + "/" + name); };
    const std::string asked = picture("01-boardroom-01.svg"), answered = picture("01-boardroom-01-answer.svg");
    EXPECT_THAT(asked, HasSubstr("Which?"));
    for (const char* const hidden : {"zebra", "quagga", "okapi"}) EXPECT_THAT(asked, Not(HasSubstr(hidden)));
    EXPECT_THAT(answered, HasSubstr("quagga"));
    EXPECT_THAT(answered, Not(HasSubstr("zebra")));
  }
  const Outcome handout = run({"render", lesson, "--questions", "-o", folder.at("handout.html")});
  ASSERT_EQ(handout.status, 0) << handout.error;
  const std::string pages = text_of(folder.at("handout.html"));
  EXPECT_THAT(pages, Not(HasSubstr("zebra")));
  EXPECT_GT(pages.find("quagga"), pages.find("Which?"));
  EXPECT_THAT(pages, HasSubstr("quagga"));
}

TEST(ExportVerb, RefusesInOneLineAndWritesNothing) {
  const Folder folder;
  const std::string good = folder.file("page.html", page), out = folder.at("out.html");
  const auto refused = [&](const std::vector<std::string>& rest, const char* why) {
    std::vector<std::string> words = {"export", "-o", out};
    words.insert(words.end(), rest.begin(), rest.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 2) << why;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr(why));
  };
  refused({walk("relu_matmul"), "--page", folder.file("other.html", "<body></body>")}, "not a page of warpwalk");
  refused({walk("relu_matmul"), "--page", folder.at("none.html")}, "none.html");
  refused({walk("relu_matmul"), "--page", good, "--scene", "attic"}, "--scene attic: not a scene");
  refused({walk("relu_matmul"), "--page", good, "--at", "late"}, "--at late: the scene boardroom has no such beat");
  refused({folder.file("text.json", "no trace"), "--page", good}, "text.json");
  refused({walk("relu_matmul"), "--page", good, "-o", folder.at("out.txt")}, "-o");
  EXPECT_EQ(text_of(out), "");
}

}  // namespace
}  // namespace warpwalk::testing
