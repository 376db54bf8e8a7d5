#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/language.h"
#include "app/verbs/info/overview_json.h"
#include "core/words/advice_text.h"
#include "core/words/time_column.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t most_lines_of_advice = 5;

std::optional<words::Narration> info_words() {
  const auto assets = find_assets();
  if (!assets) return {};
  auto words = load_words(*assets, std::string(default_language));
  return words ? std::optional(*std::move(words)) : std::nullopt;
}

std::int64_t path_length(InfoFigures& figures) {
  std::int64_t sum = 0;
  for (const std::int64_t time : figures.path().time) sum += time;
  return sum;
}

}  // namespace

std::string advice_table(InfoFigures& figures) {
  const std::vector<analysis::Advice>& all = figures.advice();
  const std::optional<words::Narration> words = info_words();
  if (all.empty() || !words) return {};
  const words::TimeColumn times(all.front().at_most);
  std::string out = "\nchange this first\n";
  for (std::size_t i = 0; i < std::min(all.size(), most_lines_of_advice); ++i) {
    const words::AdviceText text = words::advice_text(*words, all[i], path_length(figures));
    out += fmt::format("  at most {:>9}  {}\n{:21}{} {}\n", times.text(all[i].at_most), text.what, "", text.action,
                       text.unless);
  }
  return out;
}

void write_advice(JsonWriter& json, InfoFigures& figures) {
  const std::optional<words::Narration> words = info_words();
  json.array("advice", figures.advice(), [&](const analysis::Advice& advice) {
    json.object([&] {
      words::AdviceText text;
      if (words) text = words::advice_text(*words, advice, path_length(figures));
      json.text("kind", name_of(advice.kind));
      json.text("what", words ? std::string_view(text.what) : name_of(advice.kind));
      json.text_or_null("action", text.action);
      json.text_or_null("unless", text.unless);
      const auto place = analysis::parse_frame_name(advice.line);
      json.text_or_null("file", place ? place->file : std::string_view());
      if (place)
        json.integer("line", place->line);
      else
        json.null("line");
      json.text_or_null("function", place ? place->function : std::string_view());
      json.text_or_null("module", advice.module);
      json.real("at_most_ms", static_cast<double>(advice.at_most) / 1e6);
      json.text("basis", advice.kind == analysis::AdviceKind::synchronise ? "idle time of the GPU" : "critical path");
    });
  });
}

}  // namespace warpwalk::verbs
