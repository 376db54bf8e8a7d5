#include "app/verbs/answers.h"

#include <algorithm>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "app/answers/read_answers.h"
#include "app/answers/summary.h"
#include "app/shell/session/settings.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "core/base/csv.h"

namespace warpwalk::verbs {
namespace {

using answers::QuestionSummary;
using answers::StudentSummary;

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

// An option with how often it was chosen, as a number and as a bar.
std::string option_line(const QuestionSummary& question, const QuestionSummary::Option& option) {
  constexpr std::size_t longest = 24;
  const std::size_t wide =
      question.answered == 0 ? 0 : (option.count * longest + question.answered / 2) / question.answered;
  return fmt::format("    {:>5} {:24} {} {}\n", option.count, std::string(wide, '#'),
                     option.words == question.right ? "right:" : "      ", option.words);
}

std::string table(const std::vector<QuestionSummary>& questions) {
  std::string out;
  const std::string* walk = nullptr;
  for (const QuestionSummary& one : questions) {
    if (walk == nullptr || *walk != one.walk) out += fmt::format("{}{}\n", walk == nullptr ? "" : "\n", one.walk);
    walk = &one.walk;
    out += fmt::format("\n  {}\n  {}, {}\n", one.question, one.key, one.about);
    out += fmt::format("    asked {}, answered {}, right {} ({}), median {:.1f} s\n", one.asked, one.answered,
                       one.correct, percent(one.correct, one.answered), one.median_seconds);
    out += fmt::format("    right answer: {}\n", one.right);
    for (const QuestionSummary::Option& option : one.options) out += option_line(one, option);
    if (one.days.size() > 1)
      for (const QuestionSummary::Day& day : one.days)
        out += fmt::format("    {}: right {} of {} ({})\n", day.date.empty() ? "without a time" : day.date, day.correct,
                           day.answered, percent(day.correct, day.answered));
    if (one.most_common_wrong_count > 0)
      out += fmt::format("    most common wrong answer: {} ({} of {})\n", one.most_common_wrong,
                         one.most_common_wrong_count, one.answered);
  }
  return out;
}

std::string table(const std::vector<StudentSummary>& students) {
  if (students.size() == 1 && students.front().student.empty()) return "";
  std::string out = "\nstudents\n";
  for (const StudentSummary& one : students)
    out += fmt::format("  {}: asked {}, answered {}, right {} ({})\n", one.student.empty() ? "(no name)" : one.student,
                       one.asked, one.answered, one.correct, percent(one.correct, one.answered));
  return out;
}

std::string json(const std::vector<QuestionSummary>& questions, const std::vector<StudentSummary>& students) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  const auto text = [&](const char* key, std::string_view value) {
    writer.Key(key);
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  const auto count = [&](const char* key, std::size_t value) {
    writer.Key(key);
    writer.Uint64(value);
  };
  writer.StartObject();
  writer.Key("questions");
  writer.StartArray();
  for (const QuestionSummary& one : questions) {
    writer.StartObject();
    text("walk", one.walk);
    text("scene", one.scene);
    text("key", one.key);
    text("about", one.about);
    text("question", one.question);
    text("right_answer", one.right);
    count("asked", one.asked);
    count("answered", one.answered);
    count("right", one.correct);
    text("most_common_wrong_answer", one.most_common_wrong);
    count("most_common_wrong_count", one.most_common_wrong_count);
    writer.Key("median_seconds");
    writer.Double(one.median_seconds);
    writer.Key("options");
    writer.StartArray();
    for (const QuestionSummary::Option& option : one.options) {
      writer.StartObject();
      text("option", option.words);
      count("count", option.count);
      writer.EndObject();
    }
    writer.EndArray();
    writer.Key("days");
    writer.StartArray();
    for (const QuestionSummary::Day& day : one.days) {
      writer.StartObject();
      text("date", day.date);
      count("answered", day.answered);
      count("right", day.correct);
      writer.EndObject();
    }
    writer.EndArray();
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("students");
  writer.StartArray();
  for (const StudentSummary& one : students) {
    writer.StartObject();
    text("student", one.student);
    count("asked", one.asked);
    count("answered", one.answered);
    count("right", one.correct);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string csv(const std::vector<answers::Answer>& all) {
  std::string out =
      "time,session,student,walk,scene,beat,key,about,question,answer,right_answer,right,seconds,attempt\n";
  for (const answers::Answer& one : all)
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.1f},{}\n", base::csv_words(one.time),
                       base::csv_words(one.session), base::csv_words(one.student), base::csv_words(one.walk),
                       base::csv_words(one.scene), one.beat, base::csv_words(one.key), base::csv_words(one.about),
                       base::csv_words(one.question), one.chosen ? base::csv_words(one.options[*one.chosen]) : "",
                       base::csv_words(one.options[one.right]), one.correct() ? "yes" : "no", one.seconds, one.attempt);
  return out;
}

}  // namespace

std::filesystem::path answers_file() {
  const std::filesystem::path settings = shell::settings_file();
  return settings.empty() ? settings : settings.parent_path() / "answers.jsonl";
}

int answers(const AnswersOptions& options) {
  std::vector<std::filesystem::path> files = options.files;
  if (files.empty()) {
    files = {answers_file()};
    std::error_code error;
    if (files.front().empty() || !std::filesystem::exists(files.front(), error))
      return refuse(fmt::format("{}: no answers have been kept yet; give a file: warpwalk answers FILE...",
                                files.front().string()));
  }
  auto [all, problems] = answers::read_answers(files);
  // Texts of times in UTC are in the order of the times.
  std::erase_if(all, [&](const answers::Answer& one) {
    return (!options.since.empty() && one.time < options.since) ||
           (!options.until.empty() && one.time >= options.until);
  });
  const std::size_t rehearsed =
      options.rehearsals ? 0 : std::erase_if(all, [](const answers::Answer& one) { return one.rehearsal; });
  std::vector<QuestionSummary> questions = answers::summarise(all);
  std::ranges::stable_sort(questions, {}, &QuestionSummary::walk);
  const std::vector<StudentSummary> students = answers::summarise_students(all);
  if (options.json != "-" && options.csv != "-") {
    const std::string left_out =
        rehearsed == 0 ? ""
                       : fmt::format("\nleft out: {} of rehearsals; --rehearsals counts them\n", rehearsed);
    print_report((all.empty() ? "no answers\n" : table(questions) + table(students)) + left_out);
  }
  if (!options.json.empty())
    if (const auto done = write_file(options.json, json(questions, students)); !done) return refuse(done.error());
  if (!options.csv.empty())
    if (const auto done = write_file(options.csv, csv(all)); !done) return refuse(done.error());
  if (problems.empty()) return 0;
  const std::string more = problems.size() > 1 ? fmt::format(" (and {} more)", problems.size() - 1) : "";
  return refuse(fmt::format("{}; left out{}", problems.front(), more));
}

Verb add_answers(CLI::App& app) {
  const auto options = std::make_shared<AnswersOptions>();
  CLI::App* const verb = app.add_subcommand("answers", "Collect what was answered to the questions of the scenes");
  verb->add_option("FILE", options->files,
                   "answers files, texts that were copied from the window, or folders of them; default: the file that "
                   "the window writes on this machine");
  verb->add_flag("--rehearsals", options->rehearsals, "also count what was answered with --rehearsal");
  verb->add_option("--json", options->json, "also write the result as JSON; -: to stdout, in place of the text");
  verb->add_option("--csv", options->csv, "also write a row for each answer; -: to stdout, in place of the text");
  const CLI::Validator time(
      [](std::string& text) {
        static constexpr std::string_view form = "0000-00-00T00:00:00Z";
        const bool good = text.size() >= 4 && text.size() <= form.size() &&
                          std::ranges::equal(text, form.substr(0, text.size()), [](char c, char like) {
                            return like == '0' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : c == like;
                          });
        return good ? std::string() : "expected a time in UTC such as 2026-11-23 or 2026-11-23T08:00";
      },
      "TIME");
  verb->add_option("--since", options->since, "only answers from this time on (UTC), such as after a rehearsal")
      ->check(time);
  verb->add_option("--until", options->until, "only answers before this time")->check(time);
  return {verb, [options] { return answers(*options); }};
}

}  // namespace warpwalk::verbs
