#include "core/story/transcript.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "core/story/pictures/panels.h"
#include "core/story/pictures/plane.h"
#include "core/story/pictures/slide.h"
#include "core/story/pictures/visit.h"
#include "core/story/scenes/launch/picture.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/scenes/ranks/picture.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/scenes/translator/picture.h"
#include "core/story/scenes/warehouse/picture.h"

namespace warpwalk::story {
namespace {

std::string line_of(const Fact& fact) { return fmt::format("  {}: {}\n", fact.label, text_with_origin(fact.figure)); }

// Pictures are held by value or by pointer.
template <class Picture>
const Picture& held(const Picture& picture) {
  return picture;
}
template <class Picture>
const Picture& held(const std::shared_ptr<const Picture>& picture) {
  return *picture;
}

std::string text_of(const Question& question) {
  if (!question.asked())
    return fmt::format("  question: {}\n  answer: {}\n  why: {}\n", question.text, question.verdict, question.why);
  std::string out;
  for (std::size_t i = 0; i < question.options.size(); ++i)
    out += fmt::format("  option {}: {}{}\n", i + 1, question.options[i],
                       question.was_tried(i)  ? " (wrong)"
                       : question.chosen == i ? " (chosen)"
                                              : "");
  if (!question.tried.empty()) out += fmt::format("  answer: {}\n  why: {}\n", question.verdict, question.why);
  return out;
}

template <class Visitor>
std::string picture_text(const Stage& stage) {
  Visitor visitor;
  std::visit(
      [&](const auto& picture) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(picture)>, std::monostate>) held(picture).visit(visitor);
      },
      stage.picture);
  return visitor.text();
}

}  // namespace

std::string transcript(const Stage& stage) {
  const base::WithNumberMarks numbers(stage.marks);
  std::string out = fmt::format("{} {}/{}  {}\n{}\n{}\n", stage.scene, stage.beat, stage.beats, stage.scene_label,
                                stage.title, stage.sentence);
  if (!stage.own_words.empty()) out += fmt::format("  lesson: {}\n", stage.own_words);
  if (stage.number) {
    const std::string origin = stage.number_origin();
    out += fmt::format("  followed: {}{}\n", stage.number->text, origin.empty() ? "" : fmt::format(" ({})", origin));
  }
  if (stage.question) out += text_of(*stage.question);
  for (const Fact& fact : stage.facts) out += line_of(fact);
  out += picture_text<TranscriptVisitor>(stage);
  for (const Control& control : stage.controls)
    if (control.kind != Control::Kind::hidden)
      out += fmt::format("  control: {}: {} ({})\n", control.label, control.shown,
                         control.set ? stage.word_set : control.source);
  for (const std::string& missing : stage.missing) out += "  not in this trace: " + missing + "\n";
  return out;
}

std::string words_on(const Stage& stage) {
  const base::WithNumberMarks numbers(stage.marks);
  std::string text =
      fmt::format("{} {} {} {} {}", stage.title, stage.sentence, stage.own_words, stage.scene_label, stage.place);
  if (stage.number) text += fmt::format(" {} {}", stage.number->text, stage.number_origin());
  for (const Fact& fact : stage.facts) text += fmt::format(" {} {}", fact.label, stage.word_of(fact.figure.origin()));
  for (const Control& control : stage.controls) text += " " + control.label;
  for (const std::string& missing : stage.missing) text += " " + missing;
  if (stage.question) text += " " + text_of(*stage.question);
  return text;
}

std::string everything_on(const Stage& stage) {
  const base::WithNumberMarks numbers(stage.marks);
  std::string out = transcript(stage);
  const auto add = [&](std::string_view word) { out.append(word).append("\n"); };
  for (const Stop& stop : stage.route) add(fmt::format("{} {} {}", stop.name, stop.value, stop.here));
  for (const std::string* word : {&stage.head_facts, &stage.head_missing, &stage.place, &stage.note, &stage.word_set})
    add(*word);
  for (const std::string& word : stage.origin_words) add(word);
  for (const Control& control : stage.controls) {
    add(fmt::format("{} {} {} {}", control.label, control.value, control.shown, control.source));
    for (const std::string& word : control.words) add(word);
  }
  if (stage.question) add(stage.question->hint + " " + stage.question->word_answer);
  add(fmt::format("{} {} {} {}", stage.beat, stage.beats, stage.phase, stage.now.value_or(-1)));
  return out + picture_text<ContentVisitor>(stage);
}

double pause_seconds_of(const Stage& stage) {
  constexpr double least = 2.5, seconds_per_word = 60.0 / 250;
  std::size_t words = 0;
  const auto count = [&](const std::string& text) {
    std::istringstream in(text);
    for (std::string word; in >> word;) ++words;
  };
  for (const std::string* const text : {&stage.title, &stage.sentence, &stage.own_words}) count(*text);
  if (const auto* const slide = std::get_if<std::shared_ptr<const SlidePicture>>(&stage.picture))
    for (const SlideLine& line : (*slide)->lines) count(line.text);
  return std::max(least, seconds_per_word * static_cast<double>(words) - stage.motion_seconds);
}

}  // namespace warpwalk::story
