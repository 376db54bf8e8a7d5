#include "core/run/exercise/grade_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/trace/json/json_text.h"

namespace warpwalk::run {
namespace {

using Figures = std::map<std::string, double, std::less<>>;
using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

void key(JsonWriter& json, std::string_view name) {
  json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  key(json, name);
  std::string quoted;  // valid UTF-8 whatever a compiler's message holds
  trace::append_quoted(quoted, text);
  json.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
}

void write_number(JsonWriter& json, std::string_view name, double value) {
  key(json, name);
  json.Double(value);
}

void write_flag(JsonWriter& json, std::string_view name, bool value) {
  key(json, name);
  json.Bool(value);
}

void write_figures(JsonWriter& json, std::string_view name, const Figures& figures) {
  key(json, name);
  json.StartObject();
  for (const auto& [figure, value] : figures) write_number(json, figure, value);
  json.EndObject();
}

void write_verdict(JsonWriter& json, const Verdict& verdict) {
  json.StartObject();
  write_text(json, "criterion", verdict.criterion);
  write_flag(json, "passed", verdict.passed);
  write_flag(json, "judged", verdict.judged);
  write_text(json, "reason", verdict.reason);
  if (verdict.line != 0) {
    key(json, "line");
    json.Uint(verdict.line);
  }
  if (verdict.value) write_number(json, "value", *verdict.value);
  if (verdict.limit) write_number(json, verdict.at_least ? "at_least" : "at_most", *verdict.limit);
  if (verdict.of_starter) write_text(json, "of", "starter");
  json.EndObject();
}

void write_grade(JsonWriter& json, const Grade& grade) {
  write_flag(json, "passed", grade.passed);
  write_text(json, "code", grade.compiler);
  key(json, "criteria");
  json.StartArray();
  for (const Verdict& verdict : grade.verdicts) write_verdict(json, verdict);
  json.EndArray();
  write_figures(json, "figures", grade.figures);
}

std::optional<double> cycles_of(const Figures& figures) {
  const auto found = figures.find("cycles");
  return found == figures.end() ? std::nullopt : std::optional(found->second);
}

/// A cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe.
std::string cell(std::string_view text) {
  std::string out;
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) out = "'";
  out += text;
  if (out.find_first_of(",\"\r\n") == std::string::npos) return out;
  for (std::size_t at = out.find('"'); at != std::string::npos; at = out.find('"', at + 2)) out.insert(at, 1, '"');
  return "\"" + out + "\"";
}

/// The reasons of the criteria that were not met.
std::string failures(const Grade& grade) {
  std::string text;
  for (const Verdict& verdict : grade.verdicts)
    if (!verdict.passed && verdict.judged)
      text += fmt::format("{}{}: {}", text.empty() ? "" : " | ", verdict.criterion, verdict.reason);
  return text;
}

}  // namespace

std::string grade_json(const Grade& grade) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.StartObject();
  write_grade(json, grade);
  json.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

std::string report_json(const GradeReport& report) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.StartObject();
  write_text(json, "exercise", report.exercise.name);
  write_text(json, "gpu", report.gpu);
  key(json, "seed");
  json.Uint64(report.seed);
  write_figures(json, "starter", report.starter);
  key(json, "attempts");
  json.StartArray();
  for (const GradedAttempt& graded : report.attempts) {
    json.StartObject();
    write_text(json, "student", graded.attempt.student);
    write_text(json, "file", graded.attempt.file.string());
    write_text(json, "time", graded.attempt.time);
    write_grade(json, graded.grade);
    write_number(json, "host_seconds", graded.host_seconds);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string report_csv(const GradeReport& report) {
  std::string out =
      "student,exercise,passed,criteria_passed,criteria,cycles,times_as_fast_as_starter,seed,time,file,reasons\n";
  const auto starter = cycles_of(report.starter);
  for (const GradedAttempt& graded : report.attempts) {
    const Grade& grade = graded.grade;
    const auto cycles = cycles_of(grade.figures);
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", cell(graded.attempt.student), cell(report.exercise.name),
                       grade.passed ? "yes" : "no", grade.passed_criteria(), grade.verdicts.size(),
                       cycles ? fmt::format("{:.0f}", *cycles) : "",
                       cycles && starter && *cycles > 0 ? fmt::format("{:.3f}", *starter / *cycles) : "", report.seed,
                       cell(graded.attempt.time), cell(graded.attempt.file.string()), cell(failures(grade)));
  }
  return out;
}

std::string report_text(const GradeReport& report) {
  std::string out;
  for (const GradedAttempt& graded : report.attempts) {
    const Grade& grade = graded.grade;
    out += fmt::format("{}: {} ({} of {} criteria)\n", graded.attempt.student, grade.passed ? "passed" : "not passed",
                       grade.passed_criteria(), grade.verdicts.size());
    for (const Verdict& verdict : grade.verdicts) {
      const std::string_view sign = !verdict.judged ? "-" : verdict.passed ? "ok" : "no";
      out +=
          fmt::format("  {:2}  {}{}{}\n", sign, verdict.criterion, verdict.reason.empty() ? "" : ": ", verdict.reason);
    }
  }
  const auto passed = std::ranges::count_if(report.attempts, [](const GradedAttempt& a) { return a.grade.passed; });
  out += fmt::format("{}: {} of {} passed; inputs and sizes of --seed {}, {} simulated\n", report.exercise.name, passed,
                     report.attempts.size(), report.seed, report.gpu);
  return out;
}

}  // namespace warpwalk::run
