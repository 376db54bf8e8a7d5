#include "tests/story/words.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpwalk::story::testing {

std::string english_text() {
  std::ifstream in(WARPWALK_SOURCE_DIR "/assets/narration/en.txt", std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty());
  return text.str();
}

const Narration& english() {
  static const Narration narration = [] {
    auto [loaded, error] = Narration::load(WARPWALK_SOURCE_DIR "/assets/narration/en.txt");
    EXPECT_FALSE(error) << *error;
    return loaded;
  }();
  return narration;
}

std::set<std::string> texts_in(std::string_view file) {
  std::set<std::string> texts;
  std::istringstream lines{std::string(file)};
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#' || line.front() == ' ') continue;
    if (line.front() == '[')
      section = line.substr(1, line.find(']') - 1);
    else
      texts.insert(section + "/" + line.substr(0, line.find(':')));
  }
  return texts;
}

Narration marked() {
  std::string text;
  for (const std::string& at : texts_in(english_text())) {
    const std::size_t slash = at.find('/');
    text += fmt::format("[{}]\n{}: <{}>\n", at.substr(0, slash), at.substr(slash + 1), at);
  }
  auto [narration, error] = Narration::parse(text, "marked");
  EXPECT_FALSE(error) << *error;
  return narration;
}

std::string all_words(const Stage& stage) {
  std::string words = transcript(stage);
  const auto add = [&](std::string_view word) { words.append(word).append("\n"); };
  for (const Stop& stop : stage.route) {
    add(stop.name);
    add(stop.value);
  }
  for (const std::string* word :
       {&stage.title, &stage.sentence, &stage.scene_label, &stage.head_facts, &stage.head_missing, &stage.place})
    add(*word);
  if (const auto* timeline = std::get_if<TimelinePicture>(&stage.picture)) {
    add(timeline->scale_note);
    for (const auto& [role, word] : timeline->legend) add(word);
    for (const RowGroup& group : timeline->groups) {
      add(group.name);
      for (const Row& row : group.rows) {
        add(row.name);
        for (const Bar& bar : row.bars) add(bar.label);
      }
    }
    for (const Measure& measure : timeline->measures) add(measure.label);
  }
  if (const auto* receipt = std::get_if<ReceiptPicture>(&stage.picture)) {
    for (const std::string* word : {&receipt->head_receipt, &receipt->head_time, &receipt->head_share,
                                    &receipt->word_profiler, &receipt->word_total})
      add(*word);
    for (const Station& station : receipt->stations)
      for (const std::string* word :
           {&station.company, &station.hardware, &station.value, &station.missing, &station.formula, &station.task})
        add(*word);
    for (const ReceiptLine& line : receipt->lines) {
      add(line.label);
      add(line.note);
      if (line.time) add(line.time->text() + line.time->formula());
      if (line.share) add(line.share->text() + line.share->formula());
    }
  }
  return words;
}

void for_each_beat(const Trace& trace, const Walk& walk, const Narration& narration,
                   const std::function<void(const Scene&, const Stage&)>& visit) {
  for (const Scene& scene : scenes()) {
    const auto beats = static_cast<std::int64_t>(scene.beats(trace, walk).size());
    for (std::int64_t beat = 1; beat <= beats; ++beat) {
      const auto [stage, error] = stage_at(scene, {trace, walk, narration, {Moment::Kind::beat, beat, 1}});
      ASSERT_FALSE(error) << *error;
      visit(scene, stage);
    }
  }
}

void for_each_walk(const Trace& trace, const std::function<void(const std::string& what, const Walk&)>& visit) {
  visit("default", default_walk(trace));
  for (std::size_t n = 0; n < trace.op_order.size(); ++n)
    visit(fmt::format("op:{}", n), follow_op(trace, trace.op_order[n]));
  for (std::size_t n = 0; n < trace.kernel_order.size(); ++n)
    visit(fmt::format("kernel:{}", n), follow_gpu_work(trace, trace.kernel_order[n]));
}

}  // namespace warpwalk::story::testing
