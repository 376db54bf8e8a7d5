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
  EXPECT_THAT(text, HasSubstr("data-link=\"file=lesson.json\""));
  EXPECT_EQ(held(text, "lesson.json"), text_of(lesson));
  EXPECT_EQ(held(text, "mine.json.gz"), text_of(walk("relu_matmul")));
  EXPECT_EQ(held(text, "two_streams.json.gz"), "missing") << "it comes with the program";
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
