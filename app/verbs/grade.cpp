#include "app/verbs/grade.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/runs/compile_child.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/find_device.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/common/watch.h"
#include "core/platform/blocked_signals.h"
#include "core/platform/executable_path.h"
#include "core/platform/stopwatch.h"
#include "core/run/exercise/class_folder.h"
#include "core/run/exercise/grade_report.h"
#include "core/run/exercise/read_grades.h"
#include "core/run/exercise/roster.h"
#include "core/run/exercise/same_code.h"

namespace warpwalk::verbs {
namespace {

int list_exercises(const std::filesystem::path& assets) {
  std::vector<std::string> errors;
  std::string text;
  for (const run::Exercise& exercise : run::shipped_exercises(assets, errors))
    text += fmt::format("{:22} {}\n", exercise.name, exercise.title);
  for (const std::string& line : errors) print_message(line);
  print_report(text);
  return errors.empty() ? 0 : 2;
}

/// A seed that nobody knows before. 53 bits, so that every reader of JSON keeps all of them.
std::uint64_t new_seed() {
  std::random_device random;
  return ((std::uint64_t{random()} << 32 | random()) >> 11) | 1;
}

/// Says which submissions have the same code as others.
void compare_sources(const run::Exercise& exercise, std::vector<run::GradedAttempt>& graded) {
  constexpr std::size_t most_copies = 50;
  for (const run::DraftLanguage language : {run::DraftLanguage::cuda, run::DraftLanguage::ptx}) {
    std::vector<std::string_view> sources;
    std::vector<run::GradedAttempt*> attempts;
    for (run::GradedAttempt& one : graded) {
      if (run::language_of(one.attempt.source) != language) continue;
      sources.push_back(one.attempt.source);
      attempts.push_back(&one);
    }
    const auto same = run::same_code(sources, exercise.starter_in(language));
    for (std::size_t i = 0; i < attempts.size(); ++i)
      for (const std::size_t other : same[i]) {
        if (attempts[i]->same_as.size() == most_copies) break;
        attempts[i]->same_as.push_back(attempts[other]->attempt.student);
      }
  }
}

/// The table that was asked for.
std::string table_of(const run::GradeReport& report, const std::string& format,
                     const std::vector<run::RosterRow>& roster) {
  return format == "moodle"   ? run::report_moodle(report, roster)
         : format == "canvas" ? run::report_canvas(report, roster)
                              : run::report_csv(report);
}

/// Writes a file of feedback for each submission. On failure: the line of the first one; the others are written.
base::Result<void> write_feedback(const run::GradeReport& report, const std::filesystem::path& folder) {
  base::Result<void> result;
  std::set<std::string> used;
  for (const run::GradedAttempt& graded : report.attempts) {
    if (graded.attempt.file.empty()) continue;
    const std::filesystem::path name = run::feedback_name(graded);
    std::string own = name.string();
    for (int n = 2; !used.insert(own).second; ++n) own = fmt::format("{} ({}).txt", name.stem().string(), n);
    if (auto done = write_file(folder / own, run::feedback_text(report, graded)); !done && result) result = done;
  }
  return result;
}

/// Makes the folder for feedback. It may not be among the submissions: they would be overwritten, or graded next time.
base::Result<void> make_feedback_folder(const GradeVerbOptions& options) {
  std::error_code error;
  const auto inside = [&](const std::filesystem::path& one, const std::filesystem::path& other) {
    const std::filesystem::path below = std::filesystem::weakly_canonical(one, error)
                                            .lexically_relative(std::filesystem::weakly_canonical(other, error));
    return !below.empty() && *below.begin() != "..";
  };
  for (const std::filesystem::path& path : options.submissions)
    if (std::filesystem::is_directory(path, error) && inside(options.feedback, path))
      return base::Error{fmt::format("--feedback: {} is in {}, a folder of submissions; take another one",
                                     options.feedback.string(), path.string())};
  std::filesystem::create_directories(options.feedback, error);
  if (error) return base::Error{fmt::format("--feedback: {}: {}", options.feedback.string(), error.message())};
  return {};
}

/// A grader for each language of a submission.
struct Graders {
  run::Grader cuda, ptx;

  run::Grader& of(const run::Attempt& attempt) {
    return run::language_of(attempt.source) == run::DraftLanguage::ptx ? ptx : cuda;
  }
  /// Prepares those that the attempts need. On failure: one line.
  base::Result<void> prepare(const std::vector<run::Attempt>& attempts) {
    for (run::Grader* const grader : {&cuda, &ptx})
      if (std::ranges::any_of(attempts,
                              [&](const run::Attempt& one) { return one.trouble.empty() && &of(one) == grader; }))
        if (auto ready = grader->prepare(); !ready) return ready;
    return {};
  }
};

/// Grades the attempts, several at a time.
std::vector<run::GradedAttempt> grade_all(Graders& graders, std::vector<run::Attempt> attempts, int threads,
                                          Watch& watch) {
  std::vector<run::GradedAttempt> graded(attempts.size());
  std::atomic<std::size_t> next = 0, done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < graded.size() && !*watch.cancel(); i = next++) {
      graded[i].attempt = std::move(attempts[i]);
      const platform::Stopwatch stopwatch;
      const run::Attempt& attempt = graded[i].attempt;
      const run::Grader& grader = graders.of(attempt);
      graded[i].grade =
          attempt.trouble.empty() ? grader.grade(attempt.source, "submission") : grader.refuse(attempt.trouble);
      graded[i].grade.run.reset();  // its buffers are not needed any more
      graded[i].host_seconds = stopwatch.seconds();
      watch.progress("submissions", ++done, graded.size());
    }
  };
  std::vector<std::thread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  return graded;
}

/// Which submissions this call grades.
struct GradedPart {
  std::size_t number = 1, of = 1;
};

/// "2/10". On failure: one line.
base::Result<GradedPart> parse_part(const std::string& text) {
  GradedPart part;
  const std::size_t slash = text.find('/');
  const auto number = [](std::string_view digits, std::size_t& into) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == std::string::npos || !number(std::string_view(text).substr(0, slash), part.number) ||
      !number(std::string_view(text).substr(slash + 1), part.of) || part.number == 0 || part.number > part.of)
    return base::Error{fmt::format("--part {}: write the number of the part and of all parts, such as 2/10", text)};
  return part;
}

/// The submissions that earlier calls have graded, with their grades; they are taken out of `attempts`. `places`: of
/// the attempts that stay, among all.
std::vector<std::pair<std::size_t, run::GradedAttempt>> take_graded(const run::EarlierGrades& earlier,
                                                                    std::vector<run::Attempt>& attempts,
                                                                    std::vector<std::size_t>& places) {
  std::vector<std::pair<std::size_t, run::GradedAttempt>> graded;
  std::vector<run::Attempt> rest;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const auto found = earlier.by_file.find(attempts[i].file.string());
    if (found == earlier.by_file.end()) {
      places.push_back(i);
      rest.push_back(std::move(attempts[i]));
      continue;
    }
    run::GradedAttempt& one = graded.emplace_back(i, run::GradedAttempt{}).second;
    one.attempt = std::move(attempts[i]);
    one.grade = found->second.grade;
    one.host_seconds = found->second.host_seconds;
  }
  attempts = std::move(rest);
  return graded;
}

/// The result of --check: the starter, which is the first attempt, must fail, and all others must pass.
int check_result(const run::GradeReport& report) {
  bool good = true;
  for (std::size_t i = 0; i < report.attempts.size(); ++i) {
    const run::GradedAttempt& graded = report.attempts[i];
    if (graded.grade.passed == (i != 0)) continue;
    good = false;
    print_message(i == 0 ? fmt::format("{}: the starter passes; it has to fail a criterion", report.exercise.name)
                         : fmt::format("{}: {} does not pass", report.exercise.name, graded.attempt.file.string()));
  }
  return good ? 0 : 1;
}

}  // namespace

int grade(const GradeVerbOptions& options) {
  const auto assets = find_assets();
  if (!assets) return refuse("the folder of the assets was not found; set WARPWALK_ASSETS");
  if (options.list) return list_exercises(*assets);
  if (options.check && (!options.part.empty() || !options.graded.empty()))
    return refuse("--check: grades all versions of an exercise; leave out --part and --graded");
  if (options.exercise.empty()) return refuse("grade: name the exercise, with --exercise; --list lists them");
  if (options.submissions.empty()) return refuse("grade: name a submission (.cu, .ptx) or a folder of them");
  const auto folder = run::find_exercise(*assets, options.exercise);
  if (!folder) return refuse("--exercise: " + folder.error());
  auto exercise = run::open_exercise(*folder);
  if (!exercise) return refuse(exercise.error());
  const auto device = find_device(options.gpu);
  if (!device) return refuse(device.error());
  for (const std::filesystem::path& file : {options.csv, options.json})
    if (!file.empty() && file != "-")
      if (const auto may = check_writable(file); !may) return refuse(may.error());
  std::vector<run::RosterRow> roster;
  if (!options.roster.empty()) {
    auto read = run::read_roster(options.roster);
    if (!read) return refuse("--roster: " + read.error());
    roster = std::move(*read);
  }
  auto attempts = run::read_class(options.submissions, *exercise);
  if (!attempts) return refuse(attempts.error());
  run::take_roster(roster, *attempts);
  if (!options.feedback.empty())
    if (const auto made = make_feedback_folder(options); !made) return refuse(made.error());
  run::EarlierGrades earlier;
  if (!options.graded.empty()) {
    auto read = run::read_grades(options.graded);
    if (!read) return refuse("--graded: " + read.error());
    earlier = std::move(*read);
    if (earlier.exercise != exercise->name || earlier.gpu != device->name)
      return refuse(fmt::format("--graded: the grades are of {} on {}, and this call is of {} on {}", earlier.exercise,
                                earlier.gpu, exercise->name, device->name));
    if (options.seed && *options.seed != earlier.seed)
      return refuse(fmt::format("--graded: the grades are of seed {}; leave out --seed", earlier.seed));
  }
  if (!options.part.empty()) {
    const auto part = parse_part(options.part);
    if (!part) return refuse(part.error());
    if (!options.seed && options.graded.empty())
      return refuse("--part: give the same --seed to all parts, so that their inputs are the same");
    std::size_t place = 0;
    std::erase_if(*attempts, [&](const run::Attempt&) { return place++ % part->of != part->number - 1; });
  }
  std::vector<std::size_t> places;
  auto graded_before = take_graded(earlier, *attempts, places);
  if (options.check)
    attempts->insert(attempts->begin(), {.exercise = exercise->name,
                                         .student = "starter",
                                         .time = {},
                                         .source = exercise->starter,
                                         .file = *folder / "starter.cu",
                                         .id = {},
                                         .trouble = {},
                                         .platform = {}});

  run::GradeOptions how;
  how.seed = !options.graded.empty() ? earlier.seed : options.seed.value_or(new_seed());
  how.how.device = *device;
  if (const auto program = platform::executable_path(); !program.empty())
    how.how.compile_cuda = runs::compiler_in_child(program);
  const int threads = std::clamp(static_cast<int>(attempts->size()), 1, host_threads(options.threads));
  how.how.threads = threads > 1 ? 1 : host_threads(options.threads);

  for (run::Attempt& one : *attempts)
    if (one.trouble.empty() && !exercise->has_ptx() && run::language_of(one.source) == run::DraftLanguage::ptx)
      one.trouble = "This exercise takes CUDA C++, not PTX. Hand in the source of the kernel as a .cu file.";

  platform::BlockedSignals signals;
  std::optional<Graders> graders;
  run::GradeReport report{*exercise, device->name, how.seed, {}, {}, options.points, options.assignment};
  {
    Watch watch(signals);
    how.how.cancel = watch.cancel();
    run::GradeOptions how_ptx = how;
    how_ptx.language = run::DraftLanguage::ptx;
    graders.emplace(run::Grader(*exercise, std::move(how)), run::Grader(*exercise, std::move(how_ptx)));
    watch.progress("the reference and the starter", 0, 0);
    const auto ready = graders->prepare(*attempts);
    // The signal is raised again when `signals` is destroyed, and ends the program.
    if (signals.stop_requested()) return refuse("stopped before the end; nothing was written");
    if (!ready) return refuse(ready.error());
    report.attempts = grade_all(*graders, std::move(*attempts), threads, watch);
  }
  if (signals.stop_requested()) return refuse("stopped before the end; nothing was written");
  report.starter = graders->cuda.starter_figures();
  report.starter_ptx = graders->ptx.starter_figures();
  if (report.starter.empty()) report.starter = earlier.starter;
  if (report.starter_ptx.empty()) report.starter_ptx = earlier.starter_ptx;
  if (!graded_before.empty()) {
    for (std::size_t i = 0; i < report.attempts.size(); ++i)
      graded_before.emplace_back(places[i], std::move(report.attempts[i]));
    std::ranges::sort(graded_before, {}, [](const auto& one) { return one.first; });
    report.attempts.clear();
    for (auto& [place, one] : graded_before) report.attempts.push_back(std::move(one));
  }
  compare_sources(*exercise, report.attempts);
  if (!options.csv.empty())
    if (const auto done = write_file(options.csv, table_of(report, options.format, roster)); !done)
      return refuse(done.error());
  if (!options.json.empty())
    if (const auto done = write_file(options.json, run::report_json(report)); !done) return refuse(done.error());
  if (!options.feedback.empty())
    if (const auto done = write_feedback(report, options.feedback); !done) return refuse(done.error());
  if (options.csv != "-" && options.json != "-") print_report(run::report_text(report));
  if (options.check) return check_result(report);
  const bool all = std::ranges::all_of(report.attempts, [](const run::GradedAttempt& a) { return a.grade.passed; });
  return all ? 0 : 1;
}

Verb add_grade(CLI::App& app) {
  const auto options = std::make_shared<GradeVerbOptions>();
  CLI::App* const verb =
      app.add_subcommand("grade", "Grade submissions of an exercise, with the reason for each criterion");
  verb->add_option(
      "SUBMISSION", options->submissions,
      "a kernel in CUDA C++ (.cu) or PTX (.ptx), an attempt exported from the window (.json) or copied from "
      "it as text (.txt), or a folder of them, with "
      "subfolders as Moodle and Canvas make them");
  verb->add_option("--exercise", options->exercise, "the exercise: a name that --list shows, or a folder (./mine)");
  verb->add_option("--gpu", options->gpu,
                   "the GPU to simulate: a name in assets/devices or a description file (default: h200)");
  verb->add_option("--seed", options->seed,
                   "draws the sizes and the random inputs; the report names the seed (default: a new one)")
      ->check(whole_number(0));
  verb->add_option("--threads", options->threads, "submissions that are graded at the same time (default: all cores)")
      ->check(whole_number(1, 4096));
  verb->add_option("-o,--output", options->csv, "write the grades as CSV, a row for each submission (- for stdout)");
  verb->add_option("--format", options->format,
                   "the columns of -o: csv (all that is known), or those that Moodle or Canvas import")
      ->check(CLI::IsMember({"csv", "moodle", "canvas"}));
  verb->add_option("--points", options->points, "the points for all criteria (default: 100)")
      ->check(number_above_zero());
  verb->add_option("--assignment", options->assignment,
                   "the assignment's name in Canvas' gradebook (default: the exercise's title)");
  verb->add_option("--roster", options->roster,
                   "a class list in CSV: Moodle's grading worksheet, Canvas' gradebook, or columns name and id");
  verb->add_option("--feedback", options->feedback, "write a text for each student into this folder");
  verb->add_option("--json", options->json, "write the grades with their reasons as JSON (- for stdout)");
  verb->add_option("--part", options->part,
                   "grade a part of the submissions, such as 2/10: each tenth, from the second on (with --seed)");
  verb->add_option("--graded", options->graded,
                   "files that --json wrote, of parts or of a call that was stopped: their grades are taken over, and "
                   "what they do not have is graded")
      ->check(CLI::ExistingFile)
      ->expected(1, -1);
  verb->add_flag("--check", options->check,
                 "check an exercise: its starter has to fail a criterion, and each submission has to pass");
  verb->add_flag("--list", options->list, "list the exercises");
  return {verb, [options] { return grade(*options); }};
}

}  // namespace warpwalk::verbs
