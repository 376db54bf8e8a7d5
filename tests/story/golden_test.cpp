// Golden test of the texts about the recorded walks. It shows each change of wording before users see it. Walks that
// show the same in a scene share a file, as in labs that do not depend on the walk.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string golden_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The first line that differs, from both sides; empty where none does.
std::string first_difference(const std::string& wanted, const std::string& got) {
  const std::vector<std::string> a = lines_of(wanted), b = lines_of(got);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || a[i] != b[i])
      return fmt::format("line {}\n  was: {}\n  now: {}", i + 1, i < a.size() ? a[i] : "(the end)",
                         i < b.size() ? b[i] : "(the end)");
  return wanted == got ? "" : "the end of the last line";
}

const std::filesystem::path golden_folder = WARPWALK_SOURCE_DIR "/tests/story/golden";

/// The walks whose default walk has goldens: the recorded ones, and one without times.
const std::vector<std::string>& golden_walks() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(std::begin(sample_names), std::end(sample_names));
    all.push_back("unclocked");
    return all;
  }();
  return names;
}

/// The transcripts of all beats of a scene, by walk.
using WalkTexts = std::map<std::string, std::string>;

/// By scene, as it is written in the names of files: "lab-tiling".
const std::map<std::string, WalkTexts>& golden_texts() {
  static const std::map<std::string, WalkTexts> all = [] {
    std::map<std::string, WalkTexts> made;
    for (const std::string& name : golden_walks()) {
      const bool untimed = name == "unclocked";
      const Trace& trace = untimed ? crafted_named("untimed: counted, with conflicts").trace : sample(name);
      const Walk walk = untimed ? crafted_named("untimed: counted, with conflicts").walk : default_walk(trace);
      for_each_beat(trace, walk, english(), [&](const Scene& scene, const Stage& stage) {
        // These repeat assets/devices; labs/labs_test.cpp compares them.
        if (scene.name == "lab/parameters" || scene.name == "lab/validation" || scene.name == "ranks" ||
            scene.name == "crash")
          return;
        std::string in_file(scene.name);
        std::ranges::replace(in_file, '/', '-');
        std::string& text = made[in_file][name];
        text.append(text.empty() ? "" : "\n").append(transcript(stage));
      });
    }
    return made;
  }();
  return all;
}

/// The name of the file of a scene for walks that show the same: "lab-tiling.txt" for all walks, else
/// "relu_matmul+mlp_train-lab-tiling.txt".
std::string golden_name(const std::string& scene, const std::vector<std::string>& walks) {
  return walks == golden_walks() ? scene + ".txt" : fmt::format("{}-{}.txt", fmt::join(walks, "+"), scene);
}

/// The walks that a file has the transcript of; none if it is not of this scene.
std::vector<std::string> walks_of(const std::string& file, const std::string& scene) {
  const std::string end = scene + ".txt";
  if (file == end) return golden_walks();
  if (!file.ends_with("-" + end)) return {};
  std::vector<std::string> walks;
  std::istringstream names(file.substr(0, file.size() - end.size() - 1));
  for (std::string name; std::getline(names, name, '+');) {
    if (std::ranges::find(golden_walks(), name) == golden_walks().end()) return {};
    walks.push_back(name);
  }
  return walks;
}

/// The goldens of a scene: files with the walks that each is for.
std::map<std::string, std::vector<std::string>> stored_goldens(const std::string& scene) {
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder)) {
    const std::string file = entry.path().filename().string();
    if (auto walks = walks_of(file, scene); !walks.empty()) files.emplace(file, std::move(walks));
  }
  return files;
}

/// Walks that show the same in a scene, in the order of golden_walks().
std::vector<std::vector<std::string>> equal_walks(const WalkTexts& texts) {
  std::vector<std::vector<std::string>> groups;
  for (const std::string& walk : golden_walks()) {
    if (!texts.contains(walk)) continue;
    const auto same = std::ranges::find_if(
        groups, [&](const std::vector<std::string>& group) { return texts.at(group.front()) == texts.at(walk); });
    if (same != groups.end())
      same->push_back(walk);
    else
      groups.push_back({walk});
  }
  return groups;
}

/// Writes one file for each distinct transcript of a scene.
void renew(const std::string& scene, const WalkTexts& texts) {
  for (const auto& [file, walks] : stored_goldens(scene)) std::filesystem::remove(golden_folder / file);
  for (const std::vector<std::string>& walks : equal_walks(texts))
    std::ofstream(golden_folder / golden_name(scene, walks), std::ios::binary) << texts.at(walks.front());
}

const char* const how_to_renew =
    "\n  to renew: WARPWALK_RENEW=1 build/release/tests/story/story_tests --gtest_filter='*Golden*'";

/// Compares every walk with the file that is for it, so that walks which share a file have to show the same.
void expect_as_before(const std::string& scene, const WalkTexts& texts) {
  std::set<std::string> compared;
  std::map<std::string, std::string> file_of_text;
  for (const auto& [file, walks] : stored_goldens(scene)) {
    const std::string stored = golden_text(golden_folder / file);
    const auto [same, is_new] = file_of_text.emplace(stored, file);
    EXPECT_TRUE(is_new) << file << " is the same as " << same->second << how_to_renew;
    for (const std::string& walk : walks) {
      EXPECT_TRUE(compared.insert(walk).second) << scene << " of " << walk << " has two files" << how_to_renew;
      const auto text = texts.find(walk);
      const std::string difference = first_difference(stored, text == texts.end() ? "" : text->second);
      EXPECT_TRUE(difference.empty()) << file << ", " << walk << ", " << difference << how_to_renew;
    }
  }
  for (const auto& [walk, text] : texts)
    EXPECT_TRUE(compared.contains(walk)) << scene << " of " << walk << " has no file" << how_to_renew;
}

TEST(Golden, EveryBeatOfTheDefaultWalks) {
  const char* const asked_to_renew = std::getenv("WARPWALK_RENEW");
  ASSERT_GT(golden_texts().size(), 30u);
  for (const auto& [scene, texts] : golden_texts())
    if (asked_to_renew != nullptr && *asked_to_renew != '\0')
      renew(scene, texts);
    else
      expect_as_before(scene, texts);
}

TEST(Golden, EveryFileIsCompared) {
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder)) {
    const std::string file = entry.path().filename().string();
    if (file == "questions.txt" || file.starts_with("made-")) continue;  // of question_test.cpp, ranks, crash
    EXPECT_TRUE(std::ranges::any_of(golden_texts(), [&](const auto& scene) {
      return !walks_of(file, scene.first).empty();
    })) << file;
  }
}

TEST(GoldenFiles, AreNamedAfterTheWalksThatShowTheSame) {
  EXPECT_EQ(golden_name("sm", golden_walks()), "sm.txt");
  EXPECT_EQ(golden_name("lab-tiling", {"two_streams", "unclocked"}), "two_streams+unclocked-lab-tiling.txt");
  EXPECT_EQ(walks_of("sm.txt", "sm"), golden_walks());
  EXPECT_EQ(walks_of("two_streams+unclocked-lab-tiling.txt", "lab-tiling"),
            (std::vector<std::string>{"two_streams", "unclocked"}));
  EXPECT_TRUE(walks_of("mlp_train-lab-tiling.txt", "tiling").empty());
  EXPECT_TRUE(walks_of("another-sm.txt", "sm").empty());
  EXPECT_EQ(equal_walks({{"mlp_train", "a"}, {"relu_matmul", "b"}, {"two_streams", "a"}}),
            (std::vector<std::vector<std::string>>{{"relu_matmul"}, {"two_streams", "mlp_train"}}));
}

TEST(GoldenText, TheFirstDifferenceIsFound) {
  EXPECT_EQ(first_difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(first_difference("a\nb\n", "a\nc\n"), "line 2\n  was: b\n  now: c");
  EXPECT_EQ(first_difference("a\n", "a\nc\n"), "line 2\n  was: (the end)\n  now: c");
  EXPECT_EQ(first_difference("", "a\n"), "line 1\n  was: (the end)\n  now: a");
}

}  // namespace
}  // namespace warpwalk::story::testing
