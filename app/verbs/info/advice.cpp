#include <algorithm>
#include <optional>
#include <ranges>
#include <string>

#include <fmt/format.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/language.h"
#include "app/verbs/info/overview_json.h"
#include "core/words/advice_text.h"
#include "core/words/rank_text.h"
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

std::string_view basis_of(analysis::AdviceKind kind) {
  switch (kind) {
    case analysis::AdviceKind::synchronise: return "critical path and idle time of the GPU";
    case analysis::AdviceKind::unrecorded_cpu: return "idle time of the GPU";
    case analysis::AdviceKind::unrecorded_gpu: return "not in the trace";
    default: return "critical path";
  }
}

// ns by which the run would be shorter at most.
std::int64_t at_most_of(const analysis::LateCause& cause) {
  return cause.late * static_cast<std::int64_t>(cause.times);
}

// The words for what delays a rank.
std::string action_key_of(const analysis::LateCause& cause) {
  switch (cause.kind) {
    case analysis::LateKind::line: return cause.slept ? "blocked" : "host";
    case analysis::LateKind::kernel:
    case analysis::LateKind::more_work: return "more_work";
    case analysis::LateKind::synchronize: return "synchronise";
    case analysis::LateKind::copy: return "copy";
    case analysis::LateKind::unknown: break;
  }
  return "unrecorded_cpu";
}

std::int64_t path_length(InfoFigures& figures) {
  std::int64_t sum = 0;
  for (const std::int64_t time : figures.path().time) sum += time;
  return sum;
}

// "graph:step: a step would take 3.1 ms instead of 3.9 ms (2.9 to 3.4 ms)".
std::string predicted_line(const analysis::AdvicePrediction& one) {
  if (one.change.empty()) return "What if: predict knows no change for this.";
  if (!one.step) return fmt::format("What if {}: cannot tell: {}.", one.change, one.cannot);
  return fmt::format("What if {}: a step takes {:.3f} ms instead of {:.3f} ms ({:.3f} to {:.3f} ms).", one.change,
                     *one.step / 1e6, one.before / 1e6, *one.low / 1e6, *one.high / 1e6);
}

void write_predicted(JsonWriter& json, const analysis::AdvicePrediction& one) {
  if (one.change.empty()) return json.null("prediction");
  const auto ms = [](const std::optional<double>& ns) { return ns ? std::optional(*ns / 1e6) : std::nullopt; };
  json.object("prediction", [&] {
    json.text("change", one.change);
    json.real("before_ms", one.before / 1e6);
    json.real_or_null("step_ms", ms(one.step));
    json.real_or_null("low_ms", ms(one.low));
    json.real_or_null("high_ms", ms(one.high));
    json.text_or_null("cannot", one.cannot);
  });
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
    if (!figures.predicted().empty()) out += fmt::format("{:21}{}\n", "", predicted_line(figures.predicted()[i]));
  }
  return out;
}

void write_advice(JsonWriter& json, InfoFigures& figures) {
  const std::optional<words::Narration> words = info_words();
  std::size_t number = 0;
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
      json.text("basis", basis_of(advice.kind));
      if (!figures.predicted().empty()) write_predicted(json, figures.predicted()[number++]);
    });
  });
}

std::string rank_advice_table(const words::Narration& words, const analysis::RankReport& report) {
  if (report.causes.empty()) return {};
  const words::TimeColumn times(at_most_of(report.causes.front()));
  std::string out = "\nchange this first\n";
  for (const analysis::LateCause& cause : report.causes | std::views::take(most_lines_of_advice)) {
    const std::string key = action_key_of(cause);
    out += fmt::format("  at most {:>9}  {}: {}\n{:21}{} {}\n", times.text(at_most_of(cause)),
                       words::rank_name(words, report, cause.rank), words::late_cause_text(words, cause), "",
                       words.text("advice.action", key), words.text("advice.unless", key));
  }
  return out;
}

void write_rank_advice(JsonWriter& json, const analysis::RankReport& report) {
  const std::optional<words::Narration> words = info_words();
  json.array("advice", report.causes, [&](const analysis::LateCause& cause) {
    json.object([&] {
      const std::string key = action_key_of(cause);
      json.integer("rank", report.ranks[cause.rank].identity.rank);
      json.text("kind", name_of(cause.kind));
      json.text("what", words ? words::late_text(*words, report, cause) : std::string(name_of(cause.kind)));
      json.text_or_null("action", words ? words->text("advice.action", key) : std::string());
      json.text_or_null("unless", words ? words->text("advice.unless", key) : std::string());
      json.text_or_null("file", cause.file);
      if (cause.line > 0)
        json.integer("line", cause.line);
      else
        json.null("line");
      json.text_or_null("function", cause.function);
      json.real("at_most_ms", static_cast<double>(at_most_of(cause)) / 1e6);
      json.text("basis", "delays of the rank");
    });
  });
}

}  // namespace warpwalk::verbs
