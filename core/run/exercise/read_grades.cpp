#include "core/run/exercise/read_grades.h"

#include <utility>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/platform/read_file.h"

namespace warpwalk::run {
namespace {

using GradeFigures = std::map<std::string, double, std::less<>>;

std::optional<std::string> text_member(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd() || !at->value.IsString()) return {};
  return std::string(at->value.GetString(), at->value.GetStringLength());
}

std::optional<double> number_member(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  return at == object.MemberEnd() || !at->value.IsNumber() ? std::nullopt : std::optional(at->value.GetDouble());
}

std::optional<bool> flag_member(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  return at == object.MemberEnd() || !at->value.IsBool() ? std::nullopt : std::optional(at->value.GetBool());
}

GradeFigures figures_member(const rapidjson::Value& object, const char* key) {
  GradeFigures figures;
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd() || !at->value.IsObject()) return figures;
  for (const auto& figure : at->value.GetObject())
    if (figure.value.IsNumber()) figures[figure.name.GetString()] = figure.value.GetDouble();
  return figures;
}

std::optional<Verdict> verdict_of_json(const rapidjson::Value& json) {
  if (!json.IsObject()) return {};
  const auto criterion = text_member(json, "criterion"), reason = text_member(json, "reason");
  const auto passed = flag_member(json, "passed"), judged = flag_member(json, "judged");
  if (!criterion || !reason || !passed || !judged) return {};
  Verdict verdict;
  verdict.criterion = *criterion;
  verdict.passed = *passed;
  verdict.judged = *judged;
  verdict.reason = *reason;
  verdict.line = static_cast<std::uint32_t>(number_member(json, "line").value_or(0));
  verdict.value = number_member(json, "value");
  const auto at_least = number_member(json, "at_least");
  verdict.limit = at_least ? at_least : number_member(json, "at_most");
  verdict.at_least = at_least.has_value();
  verdict.of_starter = text_member(json, "of") == "starter";
  return verdict;
}

std::optional<EarlierGrade> grade_of_json(const rapidjson::Value& json) {
  const auto passed = flag_member(json, "passed");
  const auto criteria = json.FindMember("criteria");
  if (!passed || criteria == json.MemberEnd() || !criteria->value.IsArray()) return {};
  EarlierGrade earlier;
  earlier.grade.passed = *passed;
  earlier.grade.compiler = text_member(json, "code").value_or("");
  earlier.grade.figures = figures_member(json, "figures");
  earlier.host_seconds = number_member(json, "host_seconds").value_or(0);
  for (const rapidjson::Value& one : criteria->value.GetArray()) {
    auto verdict = verdict_of_json(one);
    if (!verdict) return {};
    earlier.grade.verdicts.push_back(*std::move(verdict));
  }
  return earlier;
}

// Adds the grades of a report. On failure: what is wrong with it.
base::Result<void> add_report(const rapidjson::Document& json, bool first, EarlierGrades& all) {
  constexpr const char* no_report = "has no grades; give files that warpwalk grade --json wrote";
  if (!json.IsObject()) return base::Error{no_report};
  const auto exercise = text_member(json, "exercise"), gpu = text_member(json, "gpu");
  const auto seed = json.FindMember("seed"), attempts = json.FindMember("attempts");
  if (!exercise || !gpu || seed == json.MemberEnd() || !seed->value.IsUint64() || attempts == json.MemberEnd() ||
      !attempts->value.IsArray())
    return base::Error{no_report};
  if (!first && (all.exercise != *exercise || all.gpu != *gpu || all.seed != seed->value.GetUint64()))
    return base::Error{fmt::format("is of {}, {} and seed {}, the first file of {}, {} and seed {}", *exercise, *gpu,
                                   seed->value.GetUint64(), all.exercise, all.gpu, all.seed)};
  all.exercise = *exercise;
  all.gpu = *gpu;
  all.seed = seed->value.GetUint64();
  if (auto figures = figures_member(json, "starter"); !figures.empty()) all.starter = std::move(figures);
  if (auto figures = figures_member(json, "starter_ptx"); !figures.empty()) all.starter_ptx = std::move(figures);
  for (const rapidjson::Value& attempt : attempts->value.GetArray()) {
    const auto file = attempt.IsObject() ? text_member(attempt, "file") : std::nullopt;
    auto grade = file ? grade_of_json(attempt) : std::nullopt;
    if (!grade) return base::Error{"has a damaged grade; grade this part again"};
    if (!file->empty()) all.by_file.insert_or_assign(*file, *std::move(grade));
  }
  return {};
}

}  // namespace

base::Result<EarlierGrades> read_grades(const std::vector<std::filesystem::path>& files) {
  EarlierGrades all;
  for (const std::filesystem::path& file : files) {
    const auto text = platform::read_text_file(file);
    if (!text) return base::Error{text.error()};
    rapidjson::Document json;
    json.Parse<rapidjson::kParseIterativeFlag>(text->text.data(), text->text.size());
    if (json.HasParseError())
      return base::Error{
          fmt::format("{}: is damaged at byte {}; grade this part again", file.string(), json.GetErrorOffset())};
    if (const auto added = add_report(json, &file == files.data(), all); !added)
      return base::Error{fmt::format("{}: {}", file.string(), added.error())};
  }
  return all;
}

}  // namespace warpwalk::run
