// Handouts: `render -o FILE.html` of a lesson or of a trace.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/image.h"
#include "core/base/base64.h"
#include "tests/app/program.h"
#include "tests/app/xml.h"

namespace warpwalk::testing {
namespace {

std::string text_of(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// The file is HTML that is also well-formed XML after its first line.
Xml parsed_html(const std::string& html) {
  const std::size_t line = html.find('\n');
  EXPECT_EQ(html.substr(0, line), "<!DOCTYPE html>");
  Xml xml = parse_xml(std::string_view(html).substr(line + 1));
  EXPECT_FALSE(xml.error) << *xml.error;
  return xml;
}

std::string texts_named(const Xml& xml, std::string_view name) {
  std::string all;
  for (const Element* element : xml.all(name)) all += element->text + "\n";
  return all;
}

draw::Image picture_of(const Element& image, const Folder& folder) {
  constexpr std::string_view head = "data:image/png;base64,";
  const std::string source = image.attributes.at("src");
  EXPECT_TRUE(source.starts_with(head));
  const auto bytes = base::from_base64(std::string_view(source).substr(head.size()));
  EXPECT_TRUE(bytes);
  const std::string file = folder.file("picture.png", {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  const auto picture = draw::read_png(file);
  EXPECT_TRUE(picture);
  return picture.value_or(draw::Image{});
}

constexpr std::string_view lesson = R"({"warpwalk_lesson": 1, "title": "Who <multiplies> & why", "steps": [
  {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "b2", "note": "Say this."},
  {"scene": "sm", "at": "b2", "set": {"sm.registers": 64},
   "question": {"text": "What is 2 < 3?", "options": ["no", "yes"], "right": 2, "why": "It is."}},
  {"file": "two_streams.json.gz", "scene": "lab/coalescing", "at": "b2"}]})";

TEST(Handout, HasAPageForEachStepOfALesson) {
  const Folder folder;
  const std::string out = folder.at("handout.html");
  const Outcome outcome = run({"render", folder.file("lesson.json", lesson), "-o", out});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "3 pages in " + out + "\n");
  const Xml xml = parsed_html(text_of(out));
  EXPECT_EQ(xml.all("section").size(), 3u);
  EXPECT_EQ(texts_named(xml, "title"), "Who <multiplies> & why\n");
  EXPECT_THAT(texts_named(xml, "span"), ::testing::HasSubstr("two_streams.json.gz\npage 3 of 3\n"));
  EXPECT_EQ(texts_named(xml, "li"), "");                                         // questions are off
  EXPECT_THAT(text_of(out), ::testing::Not(::testing::HasSubstr("Say this.")));  // notes too
  EXPECT_THAT(texts_named(xml, "small"), ::testing::HasSubstr("derived"));       // facts have their origins
  std::set<std::string> pictures;
  for (const Element* image : xml.all("img")) {
    const draw::Image picture = picture_of(*image, folder);
    EXPECT_GT(picture.width, 2 * picture.height);
    EXPECT_GT(std::set(picture.pixels.begin(), picture.pixels.end()).size(), 20u);
    pictures.insert(image->attributes.at("src"));
  }
  EXPECT_EQ(pictures.size(), 3u);
}

TEST(Handout, QuestionsComeBeforeTheirAnswers) {
  const Folder folder;
  const std::string out = folder.at("handout.html");
  ASSERT_EQ(run({"render", folder.file("lesson.json", lesson), "--questions", "--notes", "-o", out}).status, 0);
  const std::string html = text_of(out);
  const Xml xml = parsed_html(html);
  EXPECT_THAT(html, ::testing::HasSubstr("Say this."));
  const std::size_t asked = html.find("<li>yes</li>"), answered = html.find("<li class=\"right\">yes</li>");
  ASSERT_NE(asked, std::string::npos);
  ASSERT_NE(answered, std::string::npos);
  EXPECT_LT(asked, answered);
  EXPECT_GT(html.find("It is."), asked);
  EXPECT_GT(xml.all("section").size(), 3u);
  // The answers are at the end, not on the next page.
  const std::size_t last = html.find("page 3 of");
  ASSERT_NE(last, std::string::npos);
  EXPECT_GT(answered, last);
  EXPECT_GT(html.find("Answer to page"), last);
}

// A lesson also gives pictures, lecturer's pages, text, and films.
TEST(RenderLesson, MakesAPictureForEachStep) {
  const Folder folder;
  const std::string file = folder.file("lesson.json", lesson);
  const auto files = [](const std::string& in) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(in)) count += entry.path().extension() == ".png";
    return count;
  };
  const Outcome pictures = run({"render", file, "-o", folder.at("pictures"), "--size", "960x540"});
  ASSERT_EQ(pictures.status, 0) << pictures.error;
  EXPECT_EQ(pictures.out, "3 pictures in " + folder.at("pictures") + "\n");
  EXPECT_EQ(files(folder.at("pictures")), 3u);
  ASSERT_EQ(run({"render", file, "-o", folder.at("asked"), "--questions", "--size", "960x540"}).status, 0);
  EXPECT_GT(files(folder.at("asked")), 3u);
  ASSERT_EQ(run({"render", file, "-o", folder.at("lecturer"), "--lecturer", "--size", "960x540"}).status, 0);
  EXPECT_EQ(files(folder.at("lecturer")), 3u);
  const Outcome text = run({"render", file, "--text"});
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_THAT(text.out, ::testing::HasSubstr("boardroom"));
  const Outcome one = run({"render", file, "-o", folder.at("one.png")});
  EXPECT_EQ(one.status, 2);
  EXPECT_EQ(one.error_lines(), 1u);
  EXPECT_THAT(one.error, ::testing::HasSubstr("give a folder"));
  EXPECT_EQ(run({"render", file, "-o", folder.at("x"), "--at", "b2"}).status, 2);
}

// A step that asks is in the film twice: with the question, then with its answer.
TEST(RenderLesson, MakesAFilmOfAllSteps) {
  const Folder folder;
  const std::string file = folder.file("lesson.json", lesson);
  const auto film = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"render", file, "-o",     folder.at(name), "--frames",
                                          "--fps",  "2",  "--size", "640x360"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return folder.names(name);
  };
  const auto picture = [&](const std::string& name) {
    const auto read = draw::read_png(folder.at(name));
    EXPECT_TRUE(read) << name;
    return read.value_or(draw::Image{});
  };
  ASSERT_EQ(run({"render", file, "-o", folder.at("steps"), "--size", "640x360"}).status, 0);
  const std::vector<std::string> steps = folder.names("steps"), plain = film("plain", {});
  ASSERT_EQ(steps.size(), 3u);
  ASSERT_GT(plain.size(), steps.size());
  EXPECT_EQ(picture("plain/" + plain.back()), picture("steps/" + steps.back()));
  // Each step's last moment is there, in the order of the steps.
  std::size_t next = 0;
  for (const std::string& name : plain)
    if (next < steps.size() && picture("plain/" + name) == picture("steps/" + steps[next])) ++next;
  EXPECT_EQ(next, steps.size());
  const std::vector<std::string> asked = film("asked", {"--questions"});
  EXPECT_GT(asked.size(), plain.size());
}

// Data that a file has lost is reported once, even if several steps show that file.
TEST(RenderLesson, NamesWhatAFileHasLost) {
  const Folder folder;
  const std::string whole = text_of(walk("relu_matmul"));
  const std::string cut = folder.file("cut.json.gz", whole.substr(0, whole.size() * 9 / 10));
  const Outcome trace = run({"render", cut, "--text"});
  ASSERT_EQ(trace.status, 0) << trace.error;
  ASSERT_THAT(trace.error, ::testing::HasSubstr("cut.json.gz: "));
  const std::string file = folder.file("lesson.json", R"({"warpwalk_lesson": 1, "title": "Cut", "steps": [
    {"file": "cut.json.gz", "scene": "boardroom", "at": "b1"}, {"scene": "boardroom", "at": "b2"}]})");
  const std::vector<std::vector<std::string>> all = {
      {"render", file, "--text"},
      {"render", file, "-o", folder.at("pictures"), "--size", "640x360"},
      {"render", file, "-o", folder.at("film"), "--frames", "--fps", "1", "--size", "640x360"},
      {"render", file, "-o", folder.at("lesson.html")},
      {"render", cut, "--scene", "boardroom", "-o", folder.at("trace.html")}};
  for (const std::vector<std::string>& arguments : all) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.error, trace.error) << arguments.back();
  }
}

// Every step of every course has its file, scene and beat.
TEST(Handout, CoursesHaveAPageForEachStep) {
  const Folder folder;
  for (const char* course : {"first_walk", "from_zero", "pytorch_engineer", "the_machine"}) {
    const std::string file = std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/" + course + ".json";
    const std::string text = text_of(file), out = folder.at(std::string(course) + ".html");
    std::size_t steps = 0;
    for (std::size_t at = 0; (at = text.find("\"scene\":", at)) != std::string::npos; ++at) ++steps;
    EXPECT_GT(steps, 10u) << course;
    const Outcome outcome = run({"render", file, "--notes", "-o", out});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(parsed_html(text_of(out)).all("section").size(), steps) << course;
    EXPECT_EQ(parsed_html(text_of(out)).all("aside").size(), steps) << course;
  }
}

TEST(Handout, OfATraceHasItsBeats) {
  const Folder folder;
  const std::string out = folder.at("handout.html");
  const Outcome outcome = run({"render", walk("relu_matmul"), "--scene", "warehouse", "-o", out});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  std::size_t beats = 0;
  const std::string text = run({"render", walk("relu_matmul"), "--scene", "warehouse", "--text"}).out;
  for (std::size_t at = 0; (at = text.find("warehouse ", at)) != std::string::npos; ++at)
    beats += at == 0 || text[at - 1] == '\n';
  EXPECT_GT(beats, 3u);
  EXPECT_EQ(parsed_html(text_of(out)).all("section").size(), beats);
}

TEST(Handout, BadUseIsOneLine) {
  const Folder folder;
  const std::string good = folder.file("lesson.json", lesson), out = folder.at("handout.html");
  const std::string no_beat = folder.file("no_beat.json", R"({"warpwalk_lesson": 1, "steps": [
      {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "b2"}, {"scene": "map", "at": "b99"}]})");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{good, "--at", "b2"}, "--at"},
      {{good, "--present"}, "--present"},
      {{good, "--scene", "map"}, "--scene"},
      {{good, "--theme", "pink"}, "pink"},
      {{walk("relu_matmul"), "--scene", "cellar"}, "cellar"},
      {{walk("relu_matmul"), "--follow", "op:999"}, "op:999"},
      {{no_beat}, "step 2"},
      {{folder.at("nothing.json")}, "nothing.json"}};
  for (const auto& [arguments, word] : cases) {
    std::vector<std::string> all = {"render", "-o", out};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.status, 2) << word;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_THAT(outcome.error, ::testing::HasSubstr(word));
  }
  EXPECT_EQ(run({"render", walk("relu_matmul"), "--notes", "-o", folder.at("a.png")}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace warpwalk::testing
