#include "app/verbs/record.h"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/common/watch.h"
#include "app/verbs/probes.h"
#include "core/base/result.h"
#include "core/platform/blocked_signals.h"
#include "core/platform/find_program.h"
#include "core/platform/foreground_program.h"
#include "core/platform/probe.h"
#include "core/platform/read_file.h"
#include "core/story/elements/walk.h"
#include "core/story/records/device_match.h"
#include "core/story/records/hardware.h"
#include "core/trace/chrome/reader.h"
#include "core/trace/chrome/writer.h"
#include "instrumentation/inside_launches.h"
#include "instrumentation/inside_pattern.h"
#include "instrumentation/kernel_code.h"
#include "instrumentation/read_recording.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::verbs {
namespace {

constexpr const char* library_name = "libwarpwalk_inject.so";
// cuInit takes several seconds on a machine with many GPUs.
constexpr std::chrono::seconds driver_patience{20};
// For reading the machine code of all walks of a recording.
constexpr std::chrono::seconds code_patience{30};

/// Fails if nothing can be recorded, before the program is run.
base::Result<void> check_recording(const RecordOptions& options, const std::filesystem::path& out) {
  std::error_code error;
  if (!std::filesystem::is_directory(out.parent_path(), error))
    return base::Error{
        fmt::format("{}: there is no such folder; create it, or choose another", out.parent_path().string())};
  if (access(out.parent_path().c_str(), W_OK) != 0)
    return base::Error{fmt::format("{}: this folder is not writable; choose another", out.parent_path().string())};
  if (const auto left = instrumentation::find_partials(out); !left.empty())
    return base::Error{fmt::format(
        "{}: left over from a recording that was killed; finish it with warpwalk record -o {}, or delete it",
        left.front().file.string(), options.out.string())};
  for (const char* const variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
    if (const char* const value = std::getenv(variable); value != nullptr && *value != '\0')
      return base::Error{fmt::format(
          "{}={}: another tool is already injected; unset the variable, or run without that tool", variable, value)};
  return {};
}

/// Adds half and rounds up to two digits: the program may launch more kernels the next time.
std::uint64_t with_room(std::uint64_t number) {
  number += number / 2;
  std::uint64_t unit = 1;
  while (number / unit >= 100) unit *= 10;
  return (number / unit + 1) * unit;
}

/// Adds the figures of a walk as one line, and what it lacks.
void report(const std::filesystem::path& file, const trace::Trace& trace,
            const instrumentation::RecordingSummary& account, std::vector<std::string>& lines) {
  std::size_t kernels = 0, copies = 0, sets = 0, calls = 0, ops = 0;
  for (const trace::SliceKind kind : trace.slices.kind) {
    kernels += kind == trace::SliceKind::kernel;
    copies += kind == trace::SliceKind::memcpy;
    sets += kind == trace::SliceKind::memset;
    ops += kind == trace::SliceKind::op;
    calls += trace::is_call(kind);
  }
  const auto say = [&](std::string_view what) {
    lines.push_back(fmt::format("warpwalk: {}: {}", file.string(), what));
  };
  say(fmt::format("{} ops, {} calls, {} kernels, {} copies, {} sets", ops, calls, kernels, copies, sets));
  const auto lack = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) say(fmt::format("{} {}", count, what));
  };
  lack(account.dropped, "records were dropped by CUPTI and are missing");
  lack(account.untimed, "kernels came from CUPTI without times; the walk has no times for them");
  lack(account.graphs.work, "kernels, copies or sets of graph launches were not delivered by CUPTI and are missing");
  lack(account.graphs.empty_launches,
       "graph launches came from CUPTI without the work of their graphs, which is missing");
  lack(account.unwritten, "rows did not fit on the disk and are missing");
  lack(account.left_out, "rows are left out because the walk would not fit into memory; record a shorter run");
  lack(account.damaged_bytes, "bytes at the recording's end were cut off and are missing");
  lack(account.unknown, "records of a kind that warpwalk does not know were left out");
  lack(account.unfinished, "kernels or ranges had not ended when the recording ended; they are marked as unfinished");
  // If CUPTI's device buffers were full (see GraphLosses) and only graphs were launched, no kernel lacks its times.
  const std::uint64_t all = kernels + copies + sets + account.graphs.work;
  const bool full =
      account.untimed > 0 || all >= instrumentation::default_device_buffers * instrumentation::timed_kernels_per_buffer;
  if (full && account.graphs.work + account.graphs.empty_launches > 0)
    say(fmt::format("record again with --timed-kernels {}, which reserves GPU memory for their times", with_room(all)));
  for (const std::string& trouble : account.warnings) say(trouble);
}

void report(const std::filesystem::path& file, const instrumentation::CodeSummary& code,
            std::vector<std::string>& lines) {
  const auto say = [&](std::string_view what) {
    lines.push_back(fmt::format("warpwalk: {}: {}", file.string(), what));
  };
  if (code.with_code > 0) say(fmt::format("machine code of {} of {} different kernels", code.with_code, code.kernels));
  if (code.with_source > 0) say(fmt::format("source of {} of {} different kernels", code.with_source, code.kernels));
  for (const std::string& lack : code.missing) say(lack);
  for (const std::string& lack : code.missing_sources) say(fmt::format("no source: {}", lack));
}

/// Adds the kernels' machine code to the walk. A signal stops only this step; nothing that was recorded is lost.
instrumentation::CodeSummary add_code(trace::Trace& trace, const instrumentation::LoadedCode& code,
                                      instrumentation::CodeOptions how, platform::BlockedSignals& signals) {
  Watch watch(signals);
  watch.progress("reading the kernels' machine code", 0, 0);
  how.cancel = watch.cancel();
  return instrumentation::add_code(trace, code, how);
}

void report(const std::filesystem::path& file, const instrumentation::InsideSummary& inside,
            std::vector<std::string>& lines) {
  const auto say = [&](std::string_view what) {
    lines.push_back(fmt::format("warpwalk: {}: {}", file.string(), what));
  };
  if (inside.launches > 0)
    say(fmt::format("{} launch{} recorded inside; {} leave{} the same bits on the simulated GPU", inside.launches,
                    inside.launches == 1 ? "" : "es", inside.same_bits, inside.same_bits == 1 ? "s" : ""));
  for (const std::string& line : inside.lines) say(line);
}

/// The description of the recorded GPU, or of one with its compute capability, with the recorded sizes.
base::Result<gpu::Device> described_gpu(const trace::Trace& trace) {
  const auto assets = find_assets();
  if (!assets) return base::Error{"warpwalk's assets were not found, so the launches cannot be simulated"};
  const auto [hardware, error] = story::load_hardware(*assets / "devices");
  if (auto match = story::device_of(trace, story::default_walk(trace), hardware); match.device)
    return *std::move(match.device);
  return base::Error{error.value_or(
      "assets/devices describes no GPU of this compute capability, so the launches cannot be simulated")};
}

/// Adds the launches that were recorded with their memory. A signal stops only this step.
instrumentation::InsideSummary add_inside(trace::Trace& trace, const instrumentation::LoadedCode& code, bool data,
                                          platform::BlockedSignals& signals) {
  if (code.inside.empty()) return {};
  run::KeepOptions how;
  auto device = described_gpu(trace);
  if (!device) return {0, 0, {device.error()}};
  how.device = *std::move(device);
  how.leave_out_data = !data;
  Watch watch(signals);
  watch.progress("simulating the launches that were recorded inside", 0, 0);
  how.cancel = watch.cancel();
  return instrumentation::add_inside(trace, code, how);
}

/// Turns a partial file into a walk, with the kernels' machine code if `how` is not null, and adds what there is to
/// report to `lines`.
base::Result<void> finish(const instrumentation::Partial& partial, const instrumentation::CodeOptions* how,
                          bool inside_data, const trace::Trace* profile, platform::BlockedSignals& signals,
                          std::vector<std::string>& lines) {
  if (instrumentation::is_being_written(partial.file))
    return base::Error{
        fmt::format("{}: its process is still running; once it has ended, finish it with warpwalk record -o {}",
                    partial.file.string(), partial.output.string())};
  auto read = instrumentation::read_recording(partial.file, profile);
  if (read.error) return base::Error{*read.error};
  std::error_code error;
  if (!read.account.fatal_error.empty()) {
    std::filesystem::remove(partial.file, error);
    return base::Error{fmt::format("nothing was recorded: {}", read.account.fatal_error)};
  }
  instrumentation::CodeSummary code;
  if (how != nullptr) code = add_code(read.trace, read.code, *how, signals);
  const instrumentation::InsideSummary inside = add_inside(read.trace, read.code, inside_data, signals);
  if (auto done = trace::write_trace(read.trace, partial.output); !done) return done;
  std::filesystem::remove(partial.file, error);
  report(partial.output, read.trace, read.account, lines);
  report(partial.output, code, lines);
  report(partial.output, inside, lines);
  return {};
}

/// Reads what the program's torch.profiler wrote; null if there is nothing, with the reason in `lines`.
std::unique_ptr<const trace::Trace> read_profile(const std::filesystem::path& file, std::vector<std::string>& lines) {
  if (file.empty()) return nullptr;
  trace::ReadResult read = trace::read_trace(file);
  if (read.error) {
    lines.push_back(fmt::format("warpwalk: --profile: {}; the walk has no Python frames", *read.error));
    return nullptr;
  }
  return std::make_unique<const trace::Trace>(std::move(read.trace));
}

/// Finishes all partial files. Returns the first error.
base::Result<void> finish_all(const std::vector<instrumentation::Partial>& partials, const RecordOptions& options,
                              platform::BlockedSignals& signals) {
  base::Result<void> first;
  std::vector<std::string> lines;
  instrumentation::CodeOptions code;
  if (options.sass) code.nvdisasm = platform::find_tool("nvdisasm");
  code.deadline = std::chrono::steady_clock::now() + code_patience;
  code.sources.keep = options.source;
  code.sources.files = options.sources;
  const std::unique_ptr<const trace::Trace> profile = read_profile(options.profile, lines);
  for (const instrumentation::Partial& partial : partials)
    if (auto one = finish(partial, options.sass ? &code : nullptr, options.inside_data, profile.get(), signals, lines);
        !one && first)
      first = std::move(one);
  // With an error, its line is the only one on stderr.
  if (first)
    for (const std::string& line : lines) print_message(line);
  return first;
}

}  // namespace

int record(const RecordOptions& options) {
  std::error_code error;
  const std::filesystem::path out = std::filesystem::absolute(options.out, error).lexically_normal();
  if (options.command.empty()) {
    platform::BlockedSignals signals;
    const auto left = instrumentation::find_partials(out);
    if (left.empty()) return refuse("give a program to record: warpwalk record -o walk.json.gz -- PROGRAM ARGUMENTS");
    const auto done = finish_all(left, options, signals);
    return done ? 0 : refuse(done.error());
  }
  for (const std::string& pattern : options.inside)
    if (!instrumentation::parse_inside_pattern(pattern))
      return refuse(
          fmt::format("--inside {}: write a part of a kernel's or op's name, then :N for the Nth launch that "
                      "matches, or :each for one of each kernel",
                      pattern));
  if (const auto possible = check_recording(options, out); !possible) return refuse(possible.error());
  for (const std::filesystem::path& file : options.sources)
    if (const auto readable = platform::check_regular_file(file); !readable)
      return refuse(fmt::format("--source {}", readable.error()));
  const auto libraries = find_libraries();
  if (!libraries)
    return refuse(fmt::format("{} was not found beside the program; build or install warpwalk again", library_name));
  const std::string library = (*libraries / library_name).string();
  platform::Probe driver(look_at_driver);
  if (const platform::ProbeResult found = driver.wait(std::chrono::steady_clock::now() + driver_patience); !found.ok)
    return refuse(fmt::format("no GPU to record on: {}", found.text));

  // Machine code is recorded only if it can be disassembled, or if launches are recorded with their memory.
  const bool code = !options.inside.empty() || (options.sass && platform::find_tool("nvdisasm"));
  const std::string timed = options.timed_kernels > 0 ? std::to_string(options.timed_kernels) : "";
  const platform::ProgramEnd end = platform::run_program(
      options.command, {{"CUDA_INJECTION64_PATH", library},
                        {"NVTX_INJECTION64_PATH", library},
                        {instrumentation::output_variable, out.string()},
                        {instrumentation::code_variable, code ? "1" : ""},
                        {instrumentation::inside_variable, instrumentation::join_patterns(options.inside)},
                        {instrumentation::inside_limit_variable, std::to_string(options.inside_limit_mb << 20)},
                        {instrumentation::timed_kernels_variable, timed}});
  if (!end.error.empty()) return refuse(end.error);

  platform::BlockedSignals signals;
  const auto partials = instrumentation::find_partials(out);
  if (const auto done = finish_all(partials, options, signals); !done) return refuse(done.error());
  const std::string& program = options.command.front();
  if (end.failed()) {
    print_message(fmt::format(
        "warpwalk: {} {}; {}", program, end.description(),
        partials.empty() ? "it had not used CUDA, so nothing was recorded" : "everything up to then is recorded"));
    return 1;
  }
  if (partials.empty()) return refuse(fmt::format("{} did not use CUDA; nothing was recorded", program));
  return 0;
}

Verb add_record(CLI::App& app) {
  const auto options = std::make_shared<RecordOptions>();
  CLI::App* const verb =
      app.add_subcommand("record", "Record any CUDA program, unmodified: -o walk.json.gz -- PROGRAM ARGUMENTS");
  verb->add_option("-o,--output", options->out, "the trace to write (walk.json.gz)")->required();
  verb->add_flag("!--no-sass", options->sass,
                 "leave out the kernels' machine code, which is disassembled if nvdisasm is installed");
  verb->add_flag("!--no-source", options->source,
                 "leave out the kernels' source files, which the line tables of the machine code name (-lineinfo)");
  verb->add_option("--source", options->sources,
                   "a source file of kernels that is not where the line tables say; may be given several times")
      ->allow_extra_args(false);
  verb->add_option("--timed-kernels", options->timed_kernels,
                   "reserve GPU memory for the times of this many kernels, for programs that launch more of them or "
                   "CUDA graphs (default: 16666666; 48 bytes per kernel)")
      ->check(whole_number(1, 10'000'000'000));
  verb->add_option(
          "--inside", options->inside,
          "record a launch with its memory, so that its kernel can be opened and run again: PATTERN, a part of "
          "the name of the kernel or of an op around it; PATTERN:N for the Nth launch that matches; "
          "PATTERN:each for one launch of each kernel; may be given several times")
      ->allow_extra_args(false);
  verb->add_option("--inside-limit", options->inside_limit_mb, "MB of memory that --inside records (default: 256)")
      ->check(whole_number(1, 65536));
  verb->add_flag("!--inside-no-data", options->inside_data,
                 "leave out the contents of that memory; random values take their place");
  verb->add_option("--profile", options->profile,
                   "a trace that the program's own torch.profiler writes, with CPU activities: its Python frames, ops "
                   "and memory events join the walk");
  verb->add_option("PROGRAM", options->command, "after --: the program and its arguments");
  return {verb, [options] { return record(*options); }};
}

}  // namespace warpwalk::verbs
