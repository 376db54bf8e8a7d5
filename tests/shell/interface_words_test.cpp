// The words of the window (assets/narration/en/interface.txt, keys.txt, walks.txt, parameters.txt): each is used, and
// each that is used is there.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/keymap.h"
#include "core/analysis/time/idle.h"
#include "core/gpu/device/parameters.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

// Section and key of each text of a file.
std::vector<std::pair<std::string, std::string>> texts_of(const std::string& file) {
  std::vector<std::pair<std::string, std::string>> texts;
  std::istringstream lines(file_text(WARPWALK_SOURCE_DIR "/assets/narration/en/" + file));
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#' || line.front() == ' ') continue;
    if (line.front() == '[')
      section = line.substr(1, line.find(']') - 1);
    else
      texts.emplace_back(section, line.substr(0, line.find(':')));
  }
  return texts;
}

std::string sources() {
  std::string all;
  for (const char* folder : {"/app", "/core/analysis", "/core/story", "/core/trace", "/core/words"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPWALK_SOURCE_DIR + std::string(folder)))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") all += file_text(entry.path());
  return all;
}

// The enumerators of the sources, which are names too (core/base/enum_names.h).
std::set<std::string> enumerators(const std::string& code) {
  const std::regex list(R"(enum class \w+[^{;]*\{([^}]*)\})"), comment("//[^\n]*"), word(R"([a-z]\w*)");
  std::set<std::string> names;
  for (std::sregex_iterator at(code.begin(), code.end(), list), end; at != end; ++at) {
    const std::string body = std::regex_replace((*at)[1].str(), comment, "");
    for (std::sregex_iterator name(body.begin(), body.end(), word); name != end; ++name) names.insert(name->str());
  }
  return names;
}

TEST(InterfaceWords, EachIsNamedInTheSources) {
  const std::string code = sources();
  const std::set<std::string> enumerated = enumerators(code);
  const auto named = [&](const std::string& word) {
    return code.find("\"" + word + "\"") != std::string::npos || enumerated.contains(word);
  };
  for (const char* file : {"interface.txt", "keys.txt", "learner.txt", "answers_pages.txt", "kernels_page.txt",
                           "modules_page.txt", "compiled_page.txt", "exercises_page.txt"})
    for (const auto& [section, key] : texts_of(file)) {
      EXPECT_TRUE(named(section)) << file << ": nothing uses [" << section << "]";
      // A key such as "run.tip" may be put together from "run" and ".tip".
      const std::size_t dot = key.rfind('.');
      const bool parts = dot != std::string::npos && named(key.substr(0, dot)) &&
                         code.find("{}" + key.substr(dot)) != std::string::npos;
      const bool name = section == "note" && key.starts_with("names.");
      // What the Kernel lab is doing, by the name of the step.
      const bool step = section == "kernel_lab" && key.starts_with("doing.") && named(key.substr(6));
      EXPECT_TRUE(named(key) || parts || name || step) << file << ": nothing uses [" << section << "] " << key;
    }
}

TEST(InterfaceWords, EveryShortcutAndParameterHasItsWords) {
  const auto missing = ::testing::HasSubstr("(no narration");
  for (const pages::Shortcut& shortcut : pages::shortcuts())
    EXPECT_THAT(pages::key_label(shortcut, english()), ::testing::Not(missing)) << shortcut.what;
  for (const gpu::ParameterInfo& info : gpu::parameter_infos())
    EXPECT_TRUE(english().has("parameter", info.name)) << info.name;
  EXPECT_EQ(english().keys("parameter").size(), gpu::parameter_infos().size());
}

// Every action stands once on the sheet of keys, with its words under a heading.
TEST(InterfaceWords, TheSheetOfKeysHasEveryAction) {
  std::set<pages::Action> listed, all;
  for (const pages::KeyGroup& group : pages::key_groups()) {
    EXPECT_TRUE(english().has("key_group", group.name)) << group.name;
    for (const pages::KeyLine& line : group.lines) {
      EXPECT_TRUE(english().has("keys", line.what)) << line.what;
      const std::string keys = pages::keys_of(line, english());
      EXPECT_FALSE(keys.empty()) << line.what;
      EXPECT_THAT(keys, ::testing::Not(::testing::HasSubstr("(no narration"))) << line.what;
      for (const pages::Action action : line.actions) EXPECT_TRUE(listed.insert(action).second) << line.what;
    }
  }
  for (const pages::Shortcut& shortcut : pages::shortcuts()) all.insert(shortcut.action);
  EXPECT_EQ(listed, all);
}

// A key of the narration: "late launch" is late_launch.
std::string key_of(std::string_view name) {
  std::string key(name);
  for (char& c : key) c = c == ' ' || c == '-' ? '_' : c;
  return key;
}

TEST(InterfaceWords, EveryCauseAndVerdictOfIdleTimeHasItsWords) {
  for (std::size_t i = 0; i < analysis::idle_causes; ++i) {
    const std::string key = key_of(analysis::name_of(static_cast<analysis::IdleCause>(i)));
    EXPECT_TRUE(english().has("idle_cause", key)) << key;
  }
  EXPECT_EQ(english().keys("idle_cause").size(), analysis::idle_causes);
  std::size_t verdicts = 0;
  for (auto verdict = analysis::IdleVerdict::nothing; !analysis::name_of(verdict).empty();
       verdict = static_cast<analysis::IdleVerdict>(++verdicts)) {
    const std::string key = key_of(analysis::name_of(verdict));
    EXPECT_TRUE(english().has("idle_verdict", key)) << key;
  }
  EXPECT_EQ(english().keys("idle_verdict").size(), verdicts);
  const std::string code = sources();
  for (const char* section : {"idle", "idle_column"})
    for (const std::string& key : english().keys(section))
      EXPECT_NE(code.find("\"" + key + "\""), std::string::npos) << "nothing uses [" << section << "] " << key;
}

TEST(InterfaceWords, KeysAreLabelledAsTheyArePrinted) {
  using pages::Action;
  const auto label_of = [](Action action) { return pages::key_of(action, english()); };
  EXPECT_EQ(label_of(Action::next), "Right");
  EXPECT_EQ(label_of(Action::search), "/");
  EXPECT_EQ(label_of(Action::save_walk), "Ctrl+S");
  EXPECT_EQ(label_of(Action::save_svg), "Shift+C");
  EXPECT_EQ(label_of(Action::start), "I");
  EXPECT_EQ(label_of(Action::close), "Esc");
}

}  // namespace
}  // namespace warpwalk::shell
