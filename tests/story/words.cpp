#include "tests/story/words.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"

namespace warpwalk::story::testing {

namespace {

std::string text_of_files(const std::set<std::string>& left_out) {
  std::stringstream text;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets/narration/en"))
    if (!left_out.contains(entry.path().filename().string()))
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf() << "\n";
  EXPECT_FALSE(text.str().empty());
  return text.str();
}

// The section and the key of every text.
std::set<std::pair<std::string, std::string>> keys_in(std::string_view file) {
  std::set<std::pair<std::string, std::string>> keys;
  std::istringstream lines{std::string(file)};
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#' || line.front() == ' ') continue;
    if (line.front() == '[')
      section = line.substr(1, line.find(']') - 1);
    else
      keys.emplace(section, line.substr(0, line.find(':')));
  }
  return keys;
}

}  // namespace

std::string english_text() { return text_of_files({}); }

std::string english_scene_text() {
  return text_of_files({"keys.txt", "interface.txt", "walks.txt", "parameters.txt", "answers_pages.txt",
                        "kernels_page.txt", "modules_page.txt", "compiled_page.txt", "exercises_page.txt",
                        "what_if.txt"});
}

const Narration& english() {
  static const Narration narration = [] {
    auto loaded = Narration::load(WARPWALK_SOURCE_DIR "/assets/narration/en");
    EXPECT_TRUE(loaded) << loaded.error();
    return *std::move(loaded);
  }();
  return narration;
}

const Hardware& hardware() {
  static const Hardware shipped = [] {
    auto [loaded, error] = records::load_hardware(WARPWALK_SOURCE_DIR "/assets/devices");
    EXPECT_FALSE(error) << *error;
    return loaded;
  }();
  return shipped;
}

std::set<std::string> texts_in(std::string_view file) {
  std::set<std::string> texts;
  for (const auto& [section, key] : keys_in(file)) texts.insert(section + "/" + key);
  return texts;
}

Narration marked() {
  std::string text;
  for (const auto& [section, key] : keys_in(english_text()))
    text += fmt::format("[{0}]\n{1}: <{0}/{1}>\n", section, key);
  auto narration = Narration::parse(text, "marked");
  EXPECT_TRUE(narration) << narration.error();
  return *std::move(narration);
}

void for_each_beat(const Trace& trace, const Walk& walk, const Narration& narration,
                   const std::function<void(const Scene&, const Stage&)>& visit, const Controls& controls,
                   const HistoryView& history, const Predictions& predictions,
                   const std::function<bool(const Scene&)>& wanted) {
  for (const std::vector<Scene>* list : {&scenes(), &labs()})
    for (const Scene& scene : *list) {
      if (wanted && !wanted(scene)) continue;
      const auto beats = static_cast<std::int64_t>(scene.beats(trace, walk).size());
      for (std::int64_t beat = 1; beat <= beats; ++beat) {
        const auto stage = stage_at(scene, {trace,
                                            walk,
                                            narration,
                                            hardware(),
                                            {Moment::Kind::beat, beat, 1},
                                            controls,
                                            Naming::both,
                                            {},
                                            history,
                                            {},
                                            predictions});
        ASSERT_TRUE(stage) << stage.error();
        visit(scene, *stage);
      }
    }
}

bool is_of_the_walk(const Scene& scene) {
  return scene.number > 0 || scene.name == "lab/kernel" || scene.name == "lab/launch-anatomy" ||
         scene.name == "lab/receipts";
}

void for_each_walk(const Trace& trace, const std::function<void(const std::string& what, const Walk&)>& visit) {
  visit("default", default_walk(trace));
  for (std::size_t n = 0; n < trace.op_order.size(); n += walk_stride)
    visit(fmt::format("op:{}", n), follow_op(trace, trace.op_order[n]));
  for (std::size_t n = 0; n < trace.kernel_order.size(); n += walk_stride)
    visit(fmt::format("kernel:{}", n), follow_gpu_work(trace, trace.kernel_order[n]));
}

}  // namespace warpwalk::story::testing
