// Fuzzes the readers of lessons and of settings, both small JSON files that people edit by hand. A lesson is either
// refused in one line or has steps; settings are always usable, and are the same after they are written and read again.
// Called by libFuzzer or driver.cpp.
#include <cstdint>
#include <string>
#include <string_view>

#include "app/shell/lesson.h"
#include "app/shell/settings.h"
#include "tests/fuzz/require.h"

namespace {

using warpwalk::fuzz::require;

bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == std::string::npos; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpwalk::shell;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto [lesson, error] = parse_lesson(text, "lesson.json", WARPWALK_SOURCE_DIR "/assets/walks");
  if (error)
    require(is_one_line(*error), "a refusal is one line");
  else
    require(!lesson.steps.empty(), "a lesson has steps");

  const auto [settings, problem] = parse_settings(text, "settings.json");
  if (problem) require(is_one_line(*problem), "a complaint is one line");
  const auto [again, none] = parse_settings(text_of(settings), "settings.json");
  require(!none && again == settings, "settings are the same when read again");
  return 0;
}
