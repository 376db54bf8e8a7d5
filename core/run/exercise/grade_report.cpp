#include "core/run/exercise/grade_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/base/csv.h"
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

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : std::string(between)) + text;
  return all;
}

/// The first of many names: "A, B and 3 more".
std::string first_of(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most) return joined(names, ", ");
  return fmt::format("{} and {} more", joined({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most)}, ", "),
                     names.size() - most);
}

/// A criterion in words; the figures have theirs in the reason.
std::string_view criterion_text(std::string_view criterion) {
  static constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"compiles", "it compiles"},
      {"correct", "its results are right"},
      {"findings", "the sanitizer finds nothing"},
      {"block_order", "the blocks may run in any order"}};
  for (const auto& [key_of, text] : words)
    if (key_of == criterion) return text;
  return criterion;
}

/// "80", "66.67"
std::string points_text(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// Nothing to grade was handed in, according to a class list.
bool is_absent(const GradedAttempt& graded) { return graded.attempt.file.empty() && !graded.attempt.trouble.empty(); }

/// The reasons of the criteria that were not met.
std::string failures(const Grade& grade) {
  std::string text;
  for (const Verdict& verdict : grade.verdicts)
    if (!verdict.passed && verdict.judged)
      text += fmt::format("{}{}: {}", text.empty() ? "" : " | ", verdict.criterion, verdict.reason);
  return text;
}

}  // namespace

double points_of(const GradeReport& report, const Grade& grade) {
  if (grade.verdicts.empty()) return 0;
  return report.points * static_cast<double>(grade.passed_criteria()) / static_cast<double>(grade.verdicts.size());
}

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
  if (!report.starter_ptx.empty()) write_figures(json, "starter_ptx", report.starter_ptx);
  key(json, "attempts");
  json.StartArray();
  for (const GradedAttempt& graded : report.attempts) {
    json.StartObject();
    write_text(json, "student", graded.attempt.student);
    write_text(json, "file", graded.attempt.file.string());
    write_text(json, "time", graded.attempt.time);
    if (!graded.attempt.id.empty()) write_text(json, "id", graded.attempt.id);
    if (graded.attempt.late) write_flag(json, "late", true);
    write_number(json, "points", points_of(report, graded.grade));
    write_number(json, "of", report.points);
    if (!graded.same_as.empty()) {
      key(json, "same_as");
      json.StartArray();
      for (const std::string& other : graded.same_as) {
        std::string quoted;
        trace::append_quoted(quoted, other);
        json.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
      }
      json.EndArray();
    }
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
      "student,exercise,passed,criteria_passed,criteria,cycles,times_as_fast_as_starter,seed,time,file,reasons,id,"
      "points,of,same_as\n";
  for (const GradedAttempt& graded : report.attempts) {
    const Grade& grade = graded.grade;
    const bool ptx = language_of(graded.attempt.source) == DraftLanguage::ptx;
    const auto starter = cycles_of(ptx ? report.starter_ptx : report.starter);
    const auto cycles = cycles_of(grade.figures);
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", base::csv_words(graded.attempt.student),
                       base::csv_words(report.exercise.name), grade.passed ? "yes" : "no", grade.passed_criteria(),
                       grade.verdicts.size(), cycles ? fmt::format("{:.0f}", *cycles) : "",
                       cycles && starter && *cycles > 0 ? fmt::format("{:.3f}", *starter / *cycles) : "", report.seed,
                       base::csv_words(graded.attempt.time), base::csv_words(graded.attempt.file.string()),
                       base::csv_words(failures(grade)), base::csv_words(graded.attempt.id),
                       points_text(points_of(report, grade)), points_text(report.points),
                       base::csv_words(joined(graded.same_as, "; ")));
  }
  return out;
}

std::string report_text(const GradeReport& report) {
  std::string out;
  for (const GradedAttempt& graded : report.attempts) {
    const Grade& grade = graded.grade;
    out += fmt::format("{}: {} ({} of {} criteria)\n", graded.attempt.student, grade.passed ? "passed" : "not passed",
                       grade.passed_criteria(), grade.verdicts.size());
    if (!graded.same_as.empty())
      out += fmt::format("  !!  the same code, names and layout apart: {}\n", first_of(graded.same_as, 4));
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

std::string report_moodle(const GradeReport& report, const std::vector<RosterRow>& roster) {
  // The importer needs the first, the third and the fifth column, and takes the last one if the assignment has
  // comments.
  std::string out = "Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments\n";
  for (const GradedAttempt& graded : report.attempts) {
    const RosterRow* const row = find_student(roster, graded.attempt);
    const std::string& id = graded.attempt.id;
    const bool absent = is_absent(graded);
    out += fmt::format("{},{},{},{},{},{}\n", id.empty() ? "" : base::csv_words("Participant " + id),
                       base::csv_words(graded.attempt.student),
                       absent ? "" : points_text(points_of(report, graded.grade)), points_text(report.points),
                       row == nullptr || row->modified.empty() ? "-" : base::csv_words(row->modified),
                       absent ? "" : base::csv_words(feedback_text(report, graded)));
  }
  return out;
}

std::string report_canvas(const GradeReport& report, const std::vector<RosterRow>& roster) {
  const std::string& title = report.assignment.empty() ? report.exercise.title : report.assignment;
  std::string out = fmt::format("Student,ID,SIS User ID,SIS Login ID,Section,{}\n    Points Possible,,,,,{}\n",
                                base::csv_words(title), points_text(report.points));
  for (const GradedAttempt& graded : report.attempts) {
    static const RosterRow none;
    const RosterRow* const found = find_student(roster, graded.attempt);
    const RosterRow& row = found == nullptr ? none : *found;
    out +=
        fmt::format("{},{},{},{},{},{}\n", base::csv_words(graded.attempt.student), base::csv_words(graded.attempt.id),
                    base::csv_words(row.sis_user), base::csv_words(row.sis_login), base::csv_words(row.section),
                    is_absent(graded) ? "" : points_text(points_of(report, graded.grade)));
  }
  return out;
}

std::string feedback_text(const GradeReport& report, const GradedAttempt& graded) {
  const Grade& grade = graded.grade;
  std::string out = fmt::format("{}: {} of {} points, {} of {} criteria\n", report.exercise.title,
                                points_text(points_of(report, grade)), points_text(report.points),
                                grade.passed_criteria(), grade.verdicts.size());
  for (const Verdict& verdict : grade.verdicts)
    out += fmt::format("{} {}{}{}\n", verdict.passed ? "[x]" : "[ ]", criterion_text(verdict.criterion),
                       verdict.reason.empty() ? "" : ": ", verdict.reason);
  return out;
}

std::string feedback_name(const GradedAttempt& graded) {
  const Attempt& attempt = graded.attempt;
  // No folder, no control character, and short enough for every file system.
  const auto safe = [](std::string text, std::size_t most) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c == '/' || c == '\\' || c < ' ' || c == 0x7f; }, '_');
    if (text.size() > most) {
      while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;  // not within a character
      text.resize(most);
    }
    if (text.empty() || text.front() == '.') text.insert(0, "_");
    return text;
  };
  constexpr std::size_t most_name = 120, most_id = 40, most_stem = 200;
  if (attempt.platform == LearningPlatform::canvas) return safe(attempt.file.stem().string(), most_stem) + ".txt";
  const std::string name = safe(attempt.student, most_name);
  if (attempt.id.empty()) return name + ".txt";
  return fmt::format("{}_{}_assignfeedback_file_feedback.txt", name, safe(attempt.id, most_id));
}

}  // namespace warpwalk::run
