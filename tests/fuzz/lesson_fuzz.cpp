// Fuzzes the readers of lessons, of settings and of answers, JSON files that people edit by hand. A lesson is either
// refused in one line, or the same after it is written and read again; so are settings, which are always usable, and
// answers, and each line that is none is named in one line.
// Called by libFuzzer or driver.cpp.
#include <cstdint>
#include <string>
#include <string_view>

#include "app/answers/answer.h"
#include "app/lessons/lesson.h"
#include "app/lessons/lesson_writer.h"
#include "app/shell/session/settings.h"
#include "tests/fuzz/require.h"

namespace {

using warpwalk::fuzz::require;

bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == std::string::npos; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpwalk::shell;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr const char* walks = WARPWALK_SOURCE_DIR "/assets/walks";
  const auto lesson = warpwalk::lessons::parse_lesson(text, "lesson.json", walks);
  if (!lesson) {
    require(is_one_line(lesson.error()), "a refusal is one line");
  } else {
    require(!lesson->steps.empty(), "a lesson has steps");
    const std::string written = warpwalk::lessons::text_of(*lesson, walks);
    const auto same = warpwalk::lessons::parse_lesson(written, "lesson.json", walks);
    require(same && warpwalk::lessons::text_of(*same, walks) == written, "a lesson is the same when read again");
  }

  const auto [settings, problem] = parse_settings(text, "settings.json");
  if (problem) require(is_one_line(*problem), "a complaint is one line");
  const auto [again, none] = parse_settings(text_of(settings), "settings.json");
  require(!none && again == settings, "settings are the same when read again");

  const auto [answers, problems] = warpwalk::answers::parse_answers(text, "answers.jsonl");
  for (const std::string& one : problems) require(is_one_line(one), "a problem is one line");
  for (const warpwalk::answers::Answer& answer : answers) {
    const std::string line = json_line(answer);
    require(line.find('\n') == std::string::npos, "an answer is one line");
    if (line.size() > 60000) continue;  // about as long as a line may be
    const auto same = warpwalk::answers::parse_answers(line, "answers.jsonl");
    require(same.answers.size() == 1 && json_line(same.answers.front()) == line,
            "an answer is the same when read again");
  }
  return 0;
}
