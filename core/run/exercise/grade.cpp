#include "core/run/exercise/grade.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/block_order.h"
#include "core/run/exercise/allowed_source.h"
#include "core/run/exercise/compile_help.h"
#include "core/run/exercise/deadline.h"
#include "core/run/exercise/submission_figures.h"

namespace warpwalk::run {
namespace {

constexpr std::uint8_t never_written =
    0xff;  // each type of number has a value that no result has: NaN, -1, the largest
constexpr std::array<std::uint32_t, 3> reference_grid = {64, 1, 1}, reference_block = {256, 1, 1};

KernelDraft draft_of(std::string source, std::string name, DraftLanguage language) {
  KernelDraft draft;
  draft.language = language;
  draft.name = std::move(name);
  draft.source = std::move(source);
  return draft;
}

std::string first_message(const DraftFailure& failure) {
  const auto error = std::ranges::find(failure.messages, false, &Diagnostic::warning);
  return error == failure.messages.end() ? "it failed" : error->with_place();
}

std::size_t buffer_of(const LaunchFile& file, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(file.buffers, name, &BufferSpec::name) - file.buffers.begin());
}

/// So that elements that the kernel does not write do not look like a result.
void fill_unwritten(gpu::Launch& launch) {
  for (gpu::Buffer& buffer : launch.buffers)
    if (!buffer.initialized && buffer.written.empty()) std::ranges::fill(buffer.bytes, never_written);
}

}  // namespace

DraftLimits exercise_limits() {
  DraftLimits limits;
  limits.max_buffer_bytes = std::uint64_t{256} << 20;
  limits.max_block_operations = std::uint64_t{1} << 22;
  limits.max_operations = std::uint64_t{1} << 24;
  limits.max_timed_warp_instructions = 10'000'000;
  return limits;
}

std::size_t Grade::passed_criteria() const {
  return static_cast<std::size_t>(std::ranges::count(verdicts, true, &Verdict::passed));
}

/// One source while it is graded.
class Submission {
 public:
  Submission(const Grader& grader, const std::string& source, const std::string& name)
      : grader_(grader),
        deadline_(submission_time, grader.options_.how.cancel),
        options_(grader.options_.how),
        draft_(draft_of(source, name, grader.options_.language)) {
    options_.limits = exercise_limits();
    options_.sanitize = true;
    options_.keep_timed_buffers = true;
    options_.cancel = deadline_.flag();
  }

  Grade grade() {
    for (const char* const criterion : {"compiles", "correct", "findings", "block_order"})
      grade_.verdicts.emplace_back().criterion = criterion;
    if (!compile()) return finish();
    bool all_ran = true;
    for (const Grader::Test& test : grader_.tests_) {
      all_ran = run(test);
      if (!all_ran) break;
    }
    if (all_ran) {
      pass_unless_failed(correct());
      pass_unless_failed(findings());
      if (correct().passed && findings().passed) check_block_order();
    }
    return finish();
  }

  /// The grade of a submission that cannot be graded, for this reason.
  Grade refuse(const std::string& reason) {
    for (const char* const criterion : {"compiles", "correct", "findings", "block_order"})
      grade_.verdicts.emplace_back().criterion = criterion;
    fail(compiles(), reason);
    return finish();
  }

  /// Whether everything holds but the figures, which are not judged. False if it was cancelled.
  bool is_sound() {
    times_ = false;
    const Grade graded = grade();
    return !graded.cancelled && std::all_of(graded.verdicts.begin(), graded.verdicts.begin() + 4,
                                            [](const Verdict& verdict) { return verdict.passed; });
  }

 private:
  Verdict& compiles() { return grade_.verdicts[0]; }
  Verdict& correct() { return grade_.verdicts[1]; }
  Verdict& findings() { return grade_.verdicts[2]; }
  Verdict& block_order() { return grade_.verdicts[3]; }

  static void fail(Verdict& verdict, std::string reason, std::uint32_t line = 0) {
    if (!verdict.reason.empty()) return;  // the first launch that fails is the reason
    // What other verbs offer is not for a student.
    constexpr std::string_view elsewhere = " (warpwalk simulate --limit N allows more)";
    if (const std::size_t at = reason.find(elsewhere); at != std::string::npos) reason.erase(at, elsewhere.size());
    verdict.passed = false;
    verdict.reason = std::move(reason);
    verdict.line = line;
  }
  static void pass_unless_failed(Verdict& verdict) { verdict.passed = verdict.reason.empty(); }

  bool compile() {
    const bool ptx = draft_.language == DraftLanguage::ptx;  // it names no files
    if (const auto forbidden = ptx ? std::nullopt : forbidden_text(draft_.source)) {
      grade_.messages.push_back({Diagnostic::Text::source, forbidden->line, 0, forbidden->message});
      // A program in Python has this word, and no kernel.
      const bool import = forbidden->message.find("`import`") != std::string::npos;
      const std::string help = import ? kernel_help(draft_.source, grader_.exercise_.kernel) : std::string();
      fail(compiles(), help.empty() ? forbidden->message : help, forbidden->line);
      return false;
    }
    std::uint32_t line = 0;
    auto choice = launch_choice(draft_.source, line);
    if (!choice) {
      grade_.messages.push_back({Diagnostic::Text::source, line, 0, choice.error()});
      fail(compiles(), fmt::format("The launch comment in line {}: {}.", line, choice.error()), line);
      return false;
    }
    choice_ = std::move(*choice);
    if (options_.progress) options_.progress("compile", 0, 0);
    auto compiled = compile_module(draft_, options_);
    if (const auto* const failure = std::get_if<DraftFailure>(&compiled)) {
      take_failure(*failure, compiles());
      return false;
    }
    module_ = std::move(std::get<CompiledModule>(compiled));
    if (const std::string variable = lasting_variable(module_.ptx); !variable.empty()) {
      fail(compiles(), fmt::format("The __device__ variable {} would keep its value from launch to launch. Use shared "
                                   "memory, or __constant__ for a table.",
                                   variable));
      return false;
    }
    compiles().passed = true;
    return true;
  }

  void take_failure(const DraftFailure& failure, Verdict& verdict) {
    grade_.cancelled = failure.cancelled;
    grade_.messages.insert(grade_.messages.end(), failure.messages.begin(), failure.messages.end());
    const auto error = std::ranges::find(failure.messages, false, &Diagnostic::warning);
    if (error == failure.messages.end()) return fail(verdict, first_message(failure));
    if (draft_.language == DraftLanguage::ptx) return fail(verdict, error->with_place(), error->line);
    std::string help = compile_help(draft_.source, error->message, error->line);
    if (help.empty() && !failure.cancelled) help = kernel_help(draft_.source, grader_.exercise_.kernel);
    fail(verdict, help.empty() ? first_message(failure) : help, error->line);
  }

  std::variant<CompiledDraft, DraftFailure> bind(const Grader::Test& test) {
    auto file =
        exercise_launch(grader_.exercise_, grader_.exercise_.kernel, test.sizes, grader_.options_.seed, choice_);
    if (!file) return DraftFailure{{{Diagnostic::Text::source, choice_.line, 0, file.error()}}, false};
    LaunchText launch;
    launch.file = std::move(*file);
    auto bound = bind_module(module_, draft_, std::move(launch), options_);
    auto* const ready = std::get_if<CompiledDraft>(&bound);
    if (ready == nullptr) return bound;
    fill_unwritten(ready->loaded.launch);
    return bound;
  }

  /// Runs a launch and compares. False: it could not be run to its end.
  bool run(const Grader::Test& test) {
    auto bound = bind(test);
    if (const auto* const failure = std::get_if<DraftFailure>(&bound)) {
      take_failure(*failure, compiles());
      compiles().passed = false;
      return false;
    }
    auto& ready = std::get<CompiledDraft>(bound);
    const std::vector<gpu::Buffer> before = ready.loaded.launch.buffers;
    const bool judged = times_ && test.timed && correct().reason.empty() && findings().reason.empty();
    options_.cycles = judged ? CyclesChoice::automatic : CyclesChoice::off;
    auto ran = run_compiled(std::move(ready), draft_, options_);
    const std::string where = fmt::format("With {}", text_of(test.sizes));
    if (const auto* const failure = std::get_if<DraftFailure>(&ran)) {
      grade_.cancelled = failure->cancelled;
      fail(correct(), fmt::format("{}: {}.", where, first_message(*failure)));
      return false;
    }
    const auto run = std::get<std::shared_ptr<const DraftRun>>(ran);
    grade_.compiler = run->loaded.code;
    if (!run->findings.empty()) {
      if (findings().reason.empty())
        grade_.messages.insert(grade_.messages.end(), run->findings.begin(), run->findings.end());
      if (findings().reason.empty() && !run->result.simulation.findings.empty())
        findings().finding = gpu::name_of(run->result.simulation.findings.front().kind);
      fail(findings(), fmt::format("{}: {}.", where, run->findings.front().with_place()), run->findings.front().line);
      if (run->result.simulation.stopped) return false;
    }
    compare_outputs(test, *run, before, where);
    if (judged) {
      grade_.run = run;
      grade_.figures = submission_figures(*run);
      compare_timed(test, *run);
    }
    return true;
  }

  /// What the launch left when its blocks and warps ran side by side, for the cycles.
  void compare_timed(const Grader::Test& test, const DraftRun& run) {
    const std::vector<gpu::Buffer>& buffers = run.result.cycles.buffers;
    if (buffers.empty()) return;
    for (std::size_t i = 0; i < test.expected.size(); ++i) {
      const ExerciseOutput& output = grader_.exercise_.outputs[i];
      const std::size_t buffer = buffer_of(run.loaded.file, output.buffer);
      const Comparison compared =
          compare(run.loaded.file.buffers[buffer].dtype, buffers[buffer].bytes, test.expected[i], output.tolerance);
      if (!compared.match)
        fail(block_order(),
             fmt::format("With {}, {}[{}] is {} if the thread blocks and warps run side by side, as on a "
                         "GPU; it has to be {}. Is an update lost between a load and a store?",
                         text_of(test.sizes), output.buffer, compared.first->index, compared.first->got,
                         compared.first->want));
    }
  }

  void compare_outputs(const Grader::Test& test, const DraftRun& run, const std::vector<gpu::Buffer>& before,
                       const std::string& where) {
    const LaunchFile& file = run.loaded.file;
    const std::vector<ExerciseOutput>& outputs = grader_.exercise_.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::size_t buffer = buffer_of(file, outputs[i].buffer);
      compare_output(outputs[i], file.buffers[buffer].dtype, run.loaded.launch.buffers[buffer].bytes, test.expected[i],
                     where);
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before[i].initialized &&
          std::ranges::find(outputs, before[i].name, &ExerciseOutput::buffer) == outputs.end() &&
          before[i].bytes != run.loaded.launch.buffers[i].bytes)
        fail(correct(), fmt::format("{}: the kernel changes {}, which is an input.", where, before[i].name));
  }

  void compare_output(const ExerciseOutput& output, ops::DType dtype, const std::vector<std::uint8_t>& got,
                      const std::vector<std::uint8_t>& want, const std::string& where) {
    const Comparison compared = compare(dtype, got, want, output.tolerance);
    if (compared.match) return;
    const std::uint64_t at = compared.first->index, bytes = ops::bytes_of(dtype);
    const auto* const element = got.data() + at * bytes;
    const bool unwritten =
        std::all_of(element, element + bytes, [](std::uint8_t byte) { return byte == never_written; });
    const std::string others =
        compared.mismatches == 1 ? "" : fmt::format(" {} elements are wrong in all.", compared.mismatches);
    if (unwritten)
      fail(correct(), fmt::format("{}: {}[{}] was never written; it has to be {}.{}", where, output.buffer, at,
                                  compared.first->want, others));
    else
      fail(correct(), fmt::format("{}: {}[{}] is {}; it has to be {}.{}", where, output.buffer, at, compared.first->got,
                                  compared.first->want, others));
  }

  /// Runs each launch with its blocks in the opposite order: a GPU promises none.
  void check_block_order() {
    for (const Grader::Test& test : grader_.tests_) {
      auto bound = bind(test);
      auto* const ready = std::get_if<CompiledDraft>(&bound);
      if (ready == nullptr) continue;
      gpu::SimulateOptions how;
      how.threads = options_.threads;
      how.cancel = options_.cancel;
      how.operation_limit = how.launch_operation_limit = options_.limits.max_operations;
      gpu::Launch& launch = ready->loaded.launch;
      const auto ran = gpu::simulate_last_block_first(options_.device, *ready->loaded.program, launch, how);
      if (*options_.cancel) {
        grade_.cancelled = true;
        return;
      }
      bool same = ran && ran->findings.empty();
      for (std::size_t i = 0; same && i < test.expected.size(); ++i) {
        const ExerciseOutput& output = grader_.exercise_.outputs[i];
        const std::size_t buffer = buffer_of(ready->loaded.file, output.buffer);
        same = compare(ready->loaded.file.buffers[buffer].dtype, launch.buffers[buffer].bytes, test.expected[i],
                       output.tolerance)
                   .match;
      }
      if (!same)
        fail(block_order(),
             fmt::format("With {}, the result depends on the order of the thread blocks: it is wrong if the "
                         "last block runs first. A GPU promises no order.",
                         text_of(test.sizes)));
    }
    pass_unless_failed(block_order());
  }

  Grade finish() {
    if (grade_.cancelled && deadline_.is_over()) {
      grade_.cancelled = false;
      const std::string reason = fmt::format(
          "It was stopped after {} s. Compute less in each thread, or look for a loop "
          "that takes too long.",
          submission_time.count());
      correct().reason = reason;
      correct().passed = false;
    }
    const bool sound = correct().passed && findings().passed && block_order().passed;
    for (Verdict& verdict : grade_.verdicts) {
      verdict.judged = verdict.passed || !verdict.reason.empty();
      if (!verdict.judged) verdict.reason = "It was not reached.";
    }
    for (const Criterion& criterion : grader_.exercise_.criteria) {
      Verdict& verdict = grade_.verdicts.emplace_back(judge(criterion, grade_, grader_.starter_));
      if (sound && grade_.run) continue;
      verdict.passed = verdict.judged = false;
      verdict.line = 0;
      verdict.reason = "It is judged once the results are right and nothing is found.";
    }
    grade_.passed = !grade_.cancelled && std::ranges::all_of(grade_.verdicts, &Verdict::passed);
    return std::move(grade_);
  }

  const Grader& grader_;
  Deadline deadline_;
  DraftOptions options_;
  KernelDraft draft_;
  LaunchChoice choice_;
  CompiledModule module_;
  Grade grade_;
  bool times_ = true;  // the cycles of the timed launch are simulated
};

Grader::Grader(Exercise exercise, GradeOptions options)
    : exercise_(std::move(exercise)), options_(std::move(options)) {}

base::Result<void> Grader::prepare() {
  if (exercise_.reference_in(options_.language).empty() || exercise_.starter_in(options_.language).empty())
    return base::Error{
        fmt::format("{}: submissions in PTX need starter.ptx and reference.ptx in it", exercise_.folder.string())};
  std::uint64_t number = 0;
  for (const SizeSpec& spec : exercise_.sizes)
    tests_.push_back({drawn_sizes(spec, options_.seed, number++), false, {}});
  // Without a seed, a person tries a submission; what else is checked then stays unknown.
  if (options_.seed != 0)
    for (const SizeSpec& spec : exercise_.hidden)
      tests_.push_back({drawn_sizes(spec, options_.seed, number++), false, {}});
  tests_.push_back({drawn_sizes(exercise_.timed, options_.seed, number), true, {}});
  if (auto done = compute_expected(); !done) return done;
  return measure_starter();
}

base::Result<std::shared_ptr<const DraftRun>> Grader::run_own(const CompiledModule& module, const KernelDraft& draft,
                                                              LaunchFile file, const DraftOptions& how) const {
  const auto failed = [&](const DraftFailure& failure) {
    if (failure.cancelled) return base::Error{"cancelled"};
    return base::Error{fmt::format("{}: {}", (exercise_.folder / draft.file_name()).string(), first_message(failure))};
  };
  LaunchText launch;
  launch.file = std::move(file);
  auto bound = bind_module(module, draft, std::move(launch), how);
  if (const auto* const failure = std::get_if<DraftFailure>(&bound)) return failed(*failure);
  fill_unwritten(std::get<CompiledDraft>(bound).loaded.launch);
  auto ran = run_compiled(std::move(std::get<CompiledDraft>(bound)), draft, how);
  if (const auto* const failure = std::get_if<DraftFailure>(&ran)) return failed(*failure);
  return std::get<std::shared_ptr<const DraftRun>>(std::move(ran));
}

base::Result<CompiledModule> Grader::compile_own(const KernelDraft& draft, const DraftOptions& how) const {
  auto compiled = compile_module(draft, how);
  if (auto* const module = std::get_if<CompiledModule>(&compiled)) return std::move(*module);
  const auto& failure = std::get<DraftFailure>(compiled);
  if (failure.cancelled) return base::Error{"cancelled"};
  return base::Error{fmt::format("{}: {}", (exercise_.folder / draft.file_name()).string(), first_message(failure))};
}

DraftOptions Grader::own_options(CyclesChoice cycles) const {
  DraftOptions how = options_.how;
  how.limits = exercise_limits();
  how.sanitize = false;
  how.cycles = cycles;
  return how;
}

base::Result<void> Grader::compute_expected() {
  const std::string described = (exercise_.folder / "exercise.json").string();
  const DraftOptions how = own_options(CyclesChoice::off);
  const KernelDraft draft = draft_of(exercise_.reference_in(options_.language), "reference", options_.language);
  const auto module = compile_own(draft, how);
  if (!module) return base::Error{module.error()};
  for (Test& test : tests_) {
    auto file = exercise_launch(exercise_, "reference", test.sizes, options_.seed, {});
    if (!file) return base::Error{fmt::format("{}: launch.{}", described, file.error())};
    file->grid = reference_grid;
    file->block = reference_block;
    file->cluster.reset();
    file->dynamic_shared_bytes = 0;
    for (const ExerciseOutput& output : exercise_.outputs)
      if (buffer_of(*file, output.buffer) == file->buffers.size())
        return base::Error{fmt::format("{}: outputs.{}: is no buffer of args", described, output.buffer)};
    const auto run = run_own(*module, draft, std::move(*file), how);
    if (!run) return base::Error{run.error()};
    if (!(*run)->findings.empty())
      return base::Error{fmt::format("{}: {}", (exercise_.folder / draft.file_name()).string(),
                                     (*run)->findings.front().with_place())};
    const LoadedLaunch& loaded = (*run)->loaded;
    for (const ExerciseOutput& output : exercise_.outputs)
      test.expected.push_back(loaded.launch.buffers[buffer_of(loaded.file, output.buffer)].bytes);
  }
  return {};
}

base::Result<void> Grader::measure_starter() {
  const bool wanted = std::ranges::any_of(exercise_.criteria, &Criterion::of_starter);
  if (!wanted) return {};
  DraftOptions how = own_options(CyclesChoice::automatic);
  how.keep_timed_buffers = true;
  const std::string& starter = exercise_.starter_in(options_.language);
  const KernelDraft draft = draft_of(starter, "starter", options_.language);
  const auto failed = [&](const std::string& why) {
    return base::Error{fmt::format("{}: {}", (exercise_.folder / draft.file_name()).string(), why)};
  };
  const auto module = compile_own(draft, how);
  if (!module) return base::Error{module.error()};
  std::uint32_t line = 0;
  const auto choice = launch_choice(starter, line);
  if (!choice) return failed(choice.error());
  auto file = exercise_launch(exercise_, exercise_.kernel, tests_.back().sizes, options_.seed, *choice);
  if (!file) return failed(file.error());
  const auto run = run_own(*module, draft, std::move(*file), how);
  if (!run) return base::Error{run.error()};
  const Cycles& cycles = (*run)->result.cycles;
  if (!cycles.timing) return failed("its cycles could not be simulated: " + cycles.missing);
  starter_ = submission_figures(**run);
  starter_matches_ = has_expected((*run)->loaded.launch.buffers, **run) &&
                     ((*run)->result.cycles.buffers.empty() || has_expected((*run)->result.cycles.buffers, **run));
  return {};
}

bool Grader::has_expected(const std::vector<gpu::Buffer>& buffers, const DraftRun& run) const {
  const Test& timed = tests_.back();
  for (std::size_t i = 0; i < timed.expected.size(); ++i) {
    const ExerciseOutput& output = exercise_.outputs[i];
    const std::size_t buffer = buffer_of(run.loaded.file, output.buffer);
    if (!compare(run.loaded.file.buffers[buffer].dtype, buffers[buffer].bytes, timed.expected[i], output.tolerance)
             .match)
      return false;
  }
  return true;
}

bool Grader::starter_is_right() {
  if (!starter_right_) {
    const bool right =
        starter_matches_ && Submission(*this, exercise_.starter_in(options_.language), "starter").is_sound();
    const std::atomic<bool>* const cancel = options_.how.cancel;
    if (cancel != nullptr && *cancel) return right;  // the launches did not end
    starter_right_ = right;
  }
  return *starter_right_;
}

Grade Grader::grade(const std::string& source, const std::string& name) const {
  return Submission(*this, source, name).grade();
}

Grade Grader::refuse(const std::string& reason) const { return Submission(*this, {}, {}).refuse(reason); }

}  // namespace warpwalk::run
