// No text of the opening walk and of the projected lessons is cut off. A picture wraps it into more lines, or leaves
// out what there is no room for.
#include <cctype>
#include <set>

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "tests/app/program.h"
#include "tests/app/xml.h"

namespace warpwalk::testing {
namespace {

constexpr std::string_view ellipsis = "…";

// Without the white space at its ends.
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// Whether the transcripts have a text: names that are shortened in the stage itself, with the whole in a tip. The label
// of a bar may end early where the bar does.
bool is_meant(const std::string& transcripts, std::string_view text) {
  if (transcripts.find(text) != std::string::npos) return true;
  if (!text.ends_with(ellipsis)) return false;
  const std::string_view begins = trimmed(text.substr(0, text.size() - ellipsis.size()));
  for (std::size_t at = 0; (at = transcripts.find("\n  bar: ", at)) != std::string::npos; ++at) {
    const std::size_t end = transcripts.find('\n', at + 1);
    if (transcripts.substr(at, end - at).find(begins) != std::string::npos) return true;
  }
  return false;
}

void expect_whole_texts(const std::vector<std::string>& options) {
  const std::string file = walk("h200_relu_matmul_inside");
  static const Outcome told = run({"render", file, "--text"});
  ASSERT_EQ(told.status, 0) << told.error;
  const Folder folder;
  std::vector<std::string> arguments = {"render", file, "-o", folder.at("all"), "--format", "svg"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome rendered = run(arguments);
  ASSERT_EQ(rendered.status, 0) << rendered.error;
  std::size_t texts = 0;
  for (const std::string& name : folder.names("all")) {
    const Xml page = parse_xml(text_of(folder.path() / "all" / name));
    ASSERT_FALSE(page.error) << name;
    for (const Element& element : page.elements) {
      if (element.name != "text" || element.text.empty()) continue;
      ++texts;
      if (element.text.find(ellipsis) != std::string::npos && !is_meant(told.out, element.text))
        ADD_FAILURE() << name << ", " << options.back() << ": \"" << element.text << '"';
    }
  }
  EXPECT_GT(texts, 1000u);
}

TEST(WholeTexts, At1280By720) { expect_whole_texts({"--size", "1280x720"}); }
TEST(WholeTexts, At1920By1080) { expect_whole_texts({"--size", "1920x1080"}); }
TEST(WholeTexts, At960By600) { expect_whole_texts({"--size", "960x600"}); }

// All different steps of the shipped lessons, as one lesson: a launch that several of them show is simulated once.
std::string all_lessons() {
  std::set<std::string> seen;
  std::string steps;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons")) {
    rapidjson::Document lesson;
    lesson.Parse(text_of(entry.path()).c_str());
    std::string file;
    for (rapidjson::Value& step : lesson["steps"].GetArray()) {
      if (step.HasMember("file")) file = step["file"].GetString();
      step.RemoveMember("file");
      step.AddMember("file", rapidjson::StringRef(file.c_str(), file.size()), lesson.GetAllocator());
      step.RemoveMember("note");
      rapidjson::StringBuffer written;
      rapidjson::Writer writer(written);
      step.Accept(writer);
      if (seen.insert(written.GetString()).second) steps.append(steps.empty() ? "" : ",").append(written.GetString());
    }
  }
  return R"({"warpwalk_lesson": 1, "title": "All lessons", "steps": [)" + steps + "]}";
}

// With their questions asked and answered. A name without a blank may be cut, and one in a table keeps its end as well.
// Takes 15 s: it draws 141 pictures.
TEST(WholeTexts, OfTheProjectedLessons) {
  const Folder folder;
  const Outcome rendered = run({"render", folder.file("all.json", all_lessons()), "-o", folder.at("all"), "--format",
                                "svg", "--size", "1280x720", "--present", "--questions"});
  ASSERT_EQ(rendered.status, 0) << rendered.error;
  std::size_t texts = 0;
  for (const std::string& name : folder.names("all"))
    for (const Element& element : parse_xml(text_of(folder.path() / "all" / name)).elements) {
      if (element.name != "text" || element.text.empty()) continue;
      ++texts;
      if (element.text.ends_with(ellipsis) && element.text.find(' ') != std::string::npos)
        ADD_FAILURE() << name << ": \"" << element.text << '"';
    }
  EXPECT_GT(texts, 3000u);
}

TEST(WholeTexts, OfAStandInHaveNoHoles) {
  const Outcome outcome = run({"render", walk("mlp_train"), "--scene", "map", "--at", "b9", "--text"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("Stand-in: addmm"), std::string::npos);
  EXPECT_EQ(outcome.out.find("(no narration"), std::string::npos);
}

}  // namespace
}  // namespace warpwalk::testing
