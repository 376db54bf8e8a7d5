#include "app/verbs/record/record_walks.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/common/watch.h"
#include "core/analysis/device_match.h"
#include "core/analysis/ranks/read_ranks.h"
#include "core/platform/find_program.h"
#include "core/records/hardware.h"
#include "core/story/elements/walk.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/read/read_trace.h"
#include "instrumentation/cubin.h"
#include "instrumentation/inside_launches.h"
#include "instrumentation/kernel_code.h"
#include "instrumentation/recorded/read_recording.h"
#include "instrumentation/recorded/recorded_process.h"

namespace warpwalk::verbs {
namespace {

// For reading the machine code of all walks of a recording.
constexpr std::chrono::seconds code_patience{30};

/// Adds half and rounds up to two digits: the program may launch more kernels the next time.
std::uint64_t with_room(std::uint64_t number) {
  number += number / 2;
  std::uint64_t unit = 1;
  while (number / unit >= 100) unit *= 10;
  return (number / unit + 1) * unit;
}

/// The file as a person in the current folder would type it.
std::string typed_name(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path inside = error ? file : file.lexically_relative(here);
  return inside.empty() || *inside.begin() == ".." ? file.string() : inside.string();
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
    lines.push_back(fmt::format("warpwalk: {}: {}", typed_name(file), what));
  };
  say(fmt::format("{}, {}, {}, {} {}, {}", counted(ops, "op"), counted(calls, "call"), counted(kernels, "kernel"),
                  copies, copies == 1 ? "copy" : "copies", counted(sets, "set")));
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
  lack(account.findings, account.findings == 1 ? "error was found while it ran; it is named above"
                                               : "errors were found while it ran; they are named above");
}

void report(const std::filesystem::path& file, const instrumentation::CodeSummary& code,
            std::vector<std::string>& lines) {
  const auto say = [&](std::string_view what) {
    lines.push_back(fmt::format("warpwalk: {}: {}", typed_name(file), what));
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
    lines.push_back(fmt::format("warpwalk: {}: {}", typed_name(file), what));
  };
  if (inside.simulated > 0)
    say(fmt::format("{} launch{} with memory, which can be opened inside", inside.simulated,
                    inside.simulated == 1 ? "" : "es"));
  else if (const std::size_t ended = inside.launches - inside.failed; ended > 0)
    say(fmt::format("{} launch{} recorded inside; {} leave{} the same bits on the simulated GPU", ended,
                    ended == 1 ? "" : "es", inside.same_bits, inside.same_bits == 1 ? "s" : ""));
  for (const std::string& line : inside.lines) say(line);
}

/// The description of the recorded GPU, or of one with its compute capability, with the recorded sizes.
base::Result<gpu::Device> described_gpu(const trace::Trace& trace) {
  const auto assets = find_assets();
  if (!assets) return base::Error{"warpwalk's assets were not found, so the launches cannot be simulated"};
  const auto [hardware, error] = records::load_hardware(*assets / "devices");
  if (auto match = analysis::device_of(trace, story::default_walk(trace), hardware.devices); match.device)
    return *std::move(match.device);
  return base::Error{error.value_or(
      "assets/devices describes no GPU of this compute capability, so the launches cannot be simulated")};
}

/// Adds the launches that were recorded with their memory. A signal stops only this step.
instrumentation::InsideSummary add_inside(trace::Trace& trace, const instrumentation::LoadedCode& code, bool data,
                                          bool whole, const instrumentation::SourceOptions& sources,
                                          platform::BlockedSignals& signals) {
  if (code.inside.empty()) return {};
  run::KeepOptions how;
  auto device = described_gpu(trace);
  if (!device) return {.lines = {device.error()}};
  how.device = *std::move(device);
  how.leave_out_data = !data;
  how.whole = whole;
  Watch watch(signals);
  watch.progress("simulating the launches that were recorded inside", 0, 0);
  how.cancel = watch.cancel();
  return instrumentation::add_inside(trace, code, how, sources);
}

base::Result<void> check_ended(const instrumentation::Partial& partial, const RecordPlace& place) {
  if (!instrumentation::is_being_written(partial.file)) return {};
  return base::Error{
      fmt::format("{}: its process is still running; once it has ended, or ended the recording, finish it with "
                  "warpwalk record -o {}",
                  partial.file.string(), place.option.string())};
}

/// What all walks of a recording are made with.
struct Making {
  const instrumentation::CodeOptions* code = nullptr;  ///< null: without the kernels' machine code
  bool inside_data = true;
  bool inside_whole = false;
  instrumentation::SourceOptions sources;
  std::vector<trace::Trace> profiles;
  CompilerFiles* compilers = nullptr;
  std::uint64_t* findings = nullptr;  ///< receives the errors in kernels that the simulated GPU found
};

/// Turns a partial file into a walk and adds what there is to report to `lines`.
base::Result<void> make_walk(const instrumentation::Partial& partial, const instrumentation::PlannedWalk& walk,
                             const Making& making, const RecordPlace& place, platform::BlockedSignals& signals,
                             std::vector<std::string>& lines) {
  if (auto ended = check_ended(partial, place); !ended) return ended;
  auto read = instrumentation::read_recording(partial.file, {.profiles = &making.profiles, .rank = walk.rank});
  if (read.error) return base::Error{*read.error};
  std::error_code error;
  if (!read.account.fatal_error.empty()) {
    std::filesystem::remove(partial.file, error);
    return base::Error{fmt::format("nothing was recorded: {}", read.account.fatal_error)};
  }
  if (making.findings != nullptr) *making.findings += read.account.findings;
  if (making.compilers != nullptr) making.compilers->add(read.trace, read.code);
  instrumentation::CodeSummary code;
  if (making.code != nullptr) code = add_code(read.trace, read.code, *making.code, signals);
  const instrumentation::InsideSummary inside =
      add_inside(read.trace, read.code, making.inside_data, making.inside_whole, making.sources, signals);
  std::filesystem::create_directories(walk.output.parent_path(), error);
  if (auto done = trace::write_trace(read.trace, walk.output); !done) return done;
  std::filesystem::remove(partial.file, error);
  report(walk.output, read.trace, read.account, lines);
  report(walk.output, code, lines);
  report(walk.output, inside, lines);
  return {};
}

/// Reads what the program's torch.profiler wrote: the files, and the traces in the folders. What cannot be read is said
/// in `lines`.
std::vector<trace::Trace> read_profiles(const std::vector<std::filesystem::path>& named,
                                        std::vector<std::string>& lines) {
  std::vector<trace::Trace> profiles;
  for (const std::filesystem::path& place : named) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(place, error);
    const auto files = is_folder ? analysis::rank_files(place) : std::vector{place};
    if (files.empty())
      lines.push_back(fmt::format("warpwalk: --profile: {}: there are no traces in it", place.string()));
    for (const std::filesystem::path& file : files) {
      trace::ReadResult read = trace::read_trace(file);
      if (read.error)
        lines.push_back(fmt::format("warpwalk: --profile: {}; the walk has no Python frames", *read.error));
      else
        profiles.push_back(std::move(read.trace));
    }
  }
  return profiles;
}

/// "0 to 3", "0, 2 and 5".
std::string rank_list(const std::vector<std::uint32_t>& ranks) {
  const bool consecutive = ranks.back() - ranks.front() + 1 == ranks.size();
  if (consecutive && ranks.size() > 2) return fmt::format("{} to {}", ranks.front(), ranks.back());
  std::string list;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ", ranks[i]);
  return list;
}

void report(const std::vector<instrumentation::RecordedProcess>& processes, const instrumentation::WalkPlan& plan,
            const RecordPlace& place, std::vector<std::string>& lines) {
  if (!plan.left_out.empty()) {
    std::string names;
    constexpr std::size_t most_named = 4;
    for (std::size_t i = 0; i < std::min(plan.left_out.size(), most_named); ++i) {
      const instrumentation::RecordedProcess& one = processes[plan.left_out[i]];
      constexpr std::size_t most_letters = 60;
      names += fmt::format("{}{} ({}{})", i == 0 ? "" : ", ", one.pid, one.program.substr(0, most_letters),
                           one.program.size() > most_letters ? "..." : "");
    }
    if (plan.left_out.size() > most_named) names += ", ...";
    lines.push_back(
        fmt::format("warpwalk: {} without GPU work {} left out: {}",
                    plan.left_out.size() == 1 ? "1 process" : fmt::format("{} processes", plan.left_out.size()),
                    plan.left_out.size() == 1 ? "is" : "are", names));
  }
  if (plan.others > 0)
    lines.push_back(fmt::format("warpwalk: {}: {} of other processes, apart from those of the ranks",
                                (plan.folder / "other_processes").string(),
                                plan.others == 1 ? "1 walk" : fmt::format("{} walks", plan.others)));
  if (plan.folder.empty() || place.own) return;
  if (plan.ranks.size() < plan.world)
    lines.push_back(fmt::format("warpwalk: {}: rank{} {} of {}; put the walks of the others into this folder, too",
                                plan.folder.string(), plan.ranks.size() == 1 ? "" : "s", rank_list(plan.ranks),
                                plan.world));
  if (plan.ranks.size() > 1)
    lines.push_back(fmt::format("warpwalk: {}: {} ranks; open them together with warpwalk {}", plan.folder.string(),
                                plan.ranks.size(), plan.folder.string()));
}

}  // namespace

base::Result<void> finish_walks(const std::vector<instrumentation::Partial>& partials, const RecordOptions& options,
                                const RecordPlace& place, platform::BlockedSignals& signals, CompilerFiles* compilers,
                                std::uint64_t* findings) {
  base::Result<void> first;
  std::vector<std::string> lines;
  instrumentation::CodeOptions code;
  if (options.sass) code.nvdisasm = platform::find_tool("nvdisasm");
  code.deadline = std::chrono::steady_clock::now() + code_patience;
  code.sources.keep = options.source;
  code.sources.files = options.sources;
  Making making;
  // The simulated GPU decodes its machine code itself.
  making.code = options.sass && (!options.simulated || code.nvdisasm) ? &code : nullptr;
  making.inside_data = options.inside_data;
  making.inside_whole = options.inside_whole;
  making.sources = code.sources;
  making.compilers = compilers;
  making.findings = findings;
  making.profiles = read_profiles(options.profiles, lines);

  std::vector<instrumentation::RecordedProcess> processes;
  for (const instrumentation::Partial& partial : partials)
    processes.push_back(instrumentation::look_at_recording(partial));
  const instrumentation::WalkPlan plan = instrumentation::plan_walks(processes, place.output, place.folder);
  for (const instrumentation::PlannedWalk& walk : plan.walks)
    if (auto one = make_walk(processes[walk.process].partial, walk, making, place, signals, lines); !one && first)
      first = std::move(one);
  for (const std::size_t idle : plan.left_out) {
    const instrumentation::Partial& partial = processes[idle].partial;
    std::error_code error;
    if (auto ended = check_ended(partial, place); ended)
      std::filesystem::remove(partial.file, error);
    else if (first)
      first = std::move(ended);
  }
  report(processes, plan, place, lines);
  if (compilers != nullptr)
    if (std::string kept = compilers->keep(); !kept.empty()) lines.push_back(std::move(kept));
  // With an error, its line is the only one on stderr.
  if (first && !options.for_verb)
    for (const std::string& line : lines) print_message(line);
  return first;
}

base::Result<std::vector<std::string>> finish_replay(const instrumentation::Partial& partial,
                                                     const FailedKernel& failed, platform::BlockedSignals& signals) {
  auto read = instrumentation::read_recording(partial.file, {.launches_failed = !failed.name.empty()});
  if (read.error) return base::Error{*read.error};
  std::vector<std::string> lines;
  std::erase_if(read.code.inside, [&](const run::LaunchRecording& launch) {
    return !launch.failed || (!failed.name.empty() && launch.entry != failed.name);
  });
  if (!read.code.inside.empty()) {
    read.code.cubins.insert(read.code.cubins.end(), failed.code.begin(), failed.code.end());
    report(partial.output, add_inside(read.trace, read.code, true, false, {}, signals), lines);
    if (auto done = trace::write_trace(read.trace, partial.output); !done) return base::Error{done.error()};
    const std::string& entry = read.code.inside.front().entry;
    const bool has_code = std::ranges::any_of(read.code.cubins, [&](const std::string& cubin) {
      return std::ranges::any_of(instrumentation::parse_cubin(cubin).functions,
                                 [&](const instrumentation::CubinFunction& one) { return one.name == entry; });
    });
    std::error_code error;
    if (has_code)
      lines.push_back(fmt::format("warpwalk: run the launch again with: warpwalk simulate {} --launch 1",
                                  std::filesystem::proximate(partial.output, error).string()));
  }
  std::error_code error;
  std::filesystem::remove(partial.file, error);
  return lines;
}

}  // namespace warpwalk::verbs
