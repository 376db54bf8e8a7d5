#include "app/verbs/record/record.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/find_device.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/probes.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/record/record_checks.h"
#include "app/verbs/record/record_walks.h"
#include "core/base/result.h"
#include "core/gpu/device/device_file.h"
#include "core/platform/blocked_signals.h"
#include "core/platform/find_program.h"
#include "core/platform/foreground_program.h"
#include "core/platform/probe.h"
#include "core/platform/read_file.h"
#include "core/trace/json/json_text.h"
#include "instrumentation/inside_pattern.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::verbs {
namespace {

constexpr const char* library_name = "libwarpwalk_inject.so";
// cuInit takes several seconds on a machine with many GPUs.
constexpr std::chrono::seconds driver_patience{20};

/// Removes the folder at the end if nothing is in it.
struct NoEmptyFolder {
  const RecordPlace& place;
  explicit NoEmptyFolder(const RecordPlace& of) : place(of) {}
  NoEmptyFolder(const NoEmptyFolder&) = delete;
  NoEmptyFolder& operator=(const NoEmptyFolder&) = delete;
  ~NoEmptyFolder() {
    std::error_code not_empty;
    if (place.names_folder) std::filesystem::remove(place.folder, not_empty);
  }
};

/// CUDA's driver, then the runtime and the stand-ins for NVIDIA's other libraries, in the order of their names.
std::vector<std::filesystem::path> libraries_of_cuda(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (const std::string name = entry.path().filename().string();
        name.starts_with("lib") && name.find(".so.") != std::string::npos && name != "libcuda.so.1")
      found.push_back(entry.path());
  std::ranges::sort(found);
  found.insert(found.begin(), folder / "libcuda.so.1");
  return found;
}

/// What the program gets in its environment to run on the simulated GPU: our libraries of CUDA before NVIDIA's.
base::Result<std::vector<std::pair<std::string, std::string>>> simulated_environment(
    const RecordOptions& options, const std::filesystem::path& libraries) {
  const std::filesystem::path folder = libraries / "simulated_cuda";
  if (std::error_code error; !std::filesystem::exists(folder / "libcuda.so.1", error))
    return base::Error{fmt::format("{} has no libcuda.so.1; build or install warpwalk again", folder.string())};
  const auto device = find_device_file(options.gpu);
  if (!device) return base::Error{device.error()};
  if (const auto good = gpu::load_device(*device); !good) return base::Error{good.error()};
  const auto with_others = [](const char* variable, const std::string& own) {
    const char* const others = std::getenv(variable);
    return others == nullptr || *others == '\0' ? own : fmt::format("{}:{}", own, others);
  };
  // A library may name the folder of its own CUDA libraries, as PyTorch's do, which comes before LD_LIBRARY_PATH.
  std::string preloaded;
  for (const std::filesystem::path& library : libraries_of_cuda(folder))
    preloaded += (preloaded.empty() ? "" : ":") + library.string();
  std::error_code error;
  std::vector<std::pair<std::string, std::string>> environment = {
      {"LD_LIBRARY_PATH", with_others("LD_LIBRARY_PATH", folder.string())},
      {"WARPWALK_GPU", std::filesystem::absolute(*device, error).string()},
      {"WARPWALK_SANITIZE", options.sanitize ? "1" : ""},
      {"WARPWALK_CYCLES", options.cycles ? "1" : ""},
      {"WARPWALK_EXACT", options.exact ? "1" : ""},
      {"WARPWALK_THREADS", std::to_string(host_threads(options.threads))},
      // PyTorch prefers cuDNN's attention, which its stand-in lacks, and has others of its own.
      {"TORCH_CUDNN_SDPA_DEPRIORITIZED", "1"}};
  // The loader takes a space for the end of a name.
  if (preloaded.find(' ') == std::string::npos)
    environment.emplace_back("LD_PRELOAD", with_others("LD_PRELOAD", preloaded));
  return environment;
}

/// Prints what a program needs that starts the simulated GPU itself, as the Python package does.
int print_environment(const RecordOptions& options) {
  const auto libraries = find_libraries();
  if (!libraries)
    return refuse(fmt::format("{} was not found beside the program; build or install warpwalk again", library_name));
  const auto environment = simulated_environment(options, *libraries);
  if (!environment) return refuse(environment.error());
  const auto list = [](std::string& text, std::string_view value, std::string_view name = {}) {
    if (text.back() == '"') text += ", ";
    if (!name.empty()) text += fmt::format("\"{}\": ", name);
    trace::append_quoted(text, value);
  };
  std::string text = "{\"environment\": {";
  for (const auto& [name, value] : *environment) list(text, value, name);
  text += "}, \"libraries\": [";
  for (const std::filesystem::path& library : libraries_of_cuda(*libraries / "simulated_cuda"))
    list(text, library.string());
  text += "], ";
  list(text, (*libraries / library_name).string(), "recorder");
  text += '}';
  fmt::print("{}\n", text);
  return 0;
}

}  // namespace

int record(const RecordOptions& options) {
  if (options.armed) return record_armed(options);
  if (options.print_environment) return print_environment(options);
  const RecordPlace place = record_place(options.out);
  if (options.command.empty()) {
    platform::BlockedSignals signals;
    const auto left = instrumentation::find_partials(place.output);
    if (left.empty()) return refuse("give a program to record: warpwalk record -o walk.json.gz -- PROGRAM ARGUMENTS");
    CompilerFiles compilers(place);
    const auto done = finish_walks(left, options, place, signals, options.compiled ? &compilers : nullptr);
    return done ? 0 : refuse(done.error());
  }
  for (const std::string& pattern : options.inside)
    if (!instrumentation::parse_inside_pattern(pattern))
      return refuse(
          fmt::format("--inside {}: write a part of a kernel's or op's name, then :N for the Nth launch that "
                      "matches, or :each for one of each kernel",
                      pattern));
  if (const auto possible = check_recording(options, place); !possible) return refuse(possible.error());
  const NoEmptyFolder no_empty_folder(place);
  for (const std::filesystem::path& file : options.sources)
    if (const auto readable = platform::check_regular_file(file); !readable)
      return refuse(fmt::format("--source {}", readable.error()));
  const auto libraries = find_libraries();
  if (!libraries)
    return refuse(fmt::format("{} was not found beside the program; build or install warpwalk again", library_name));
  const std::string library = (*libraries / library_name).string();
  std::vector<std::pair<std::string, std::string>> simulated;
  if (options.simulated) {
    auto environment = simulated_environment(options, *libraries);
    if (!environment) return refuse(environment.error());
    simulated = std::move(*environment);
  } else {
    platform::Probe driver(look_at_driver);
    if (const platform::ProbeResult found = driver.wait(std::chrono::steady_clock::now() + driver_patience); !found.ok)
      return refuse(fmt::format("no GPU to record on: {}; --on sim runs the program on the simulated one", found.text));
  }

  if (options.profiles.empty())
    if (const auto note = other_profiler(options.command)) print_message(fmt::format("warpwalk: {}", *note));
  // Machine code is recorded only if it can be disassembled, or if launches are recorded with their memory.
  const bool code = options.simulated || !options.inside.empty() || (options.sass && platform::find_tool("nvdisasm"));
  const std::string timed = options.timed_kernels > 0 ? std::to_string(options.timed_kernels) : "";
  std::vector<std::pair<std::string, std::string>> environment = {
      {"CUDA_INJECTION64_PATH", library},
      {"NVTX_INJECTION64_PATH", library},
      {instrumentation::output_variable, place.output.string()},
      {instrumentation::code_variable, code ? "1" : ""},
      {instrumentation::inside_variable, instrumentation::join_patterns(options.inside)},
      {instrumentation::inside_limit_variable, std::to_string(options.inside_limit_mib << 20)},
      {instrumentation::inside_whole_variable, options.inside_whole ? "1" : ""},
      {instrumentation::inside_only_variable, options.inside_only ? "1" : ""},
      {instrumentation::owner_variable, options.for_verb ? std::to_string(::getpid()) : ""},
      {instrumentation::timed_kernels_variable, timed}};
  environment.insert(environment.end(), simulated.begin(), simulated.end());
  std::optional<CompilerFiles> compilers;
  if (options.compiled && !options.for_verb) {
    const auto more = compilers.emplace(place).begin();
    environment.insert(environment.end(), more.begin(), more.end());
  }
  const platform::ProgramEnd end = platform::run_program(
      options.command, environment, {options.for_verb, options.no_input, options.for_verb, options.cancel});
  const auto refuse_walk = [&](const std::string& line) {
    if (options.trouble == nullptr) return refuse(line);
    *options.trouble = line;
    return 2;
  };
  if (!end.error.empty()) return refuse_walk(end.error);
  if (options.ended != nullptr && end.forwarded != 0) {
    *options.ended = end.forwarded;
    std::error_code error;
    for (const auto& partial : instrumentation::find_partials(place.output))
      std::filesystem::remove(partial.file, error);
    return refuse_walk(fmt::format("{} was ended", options.command.front()));
  }

  platform::BlockedSignals signals;
  const auto partials = instrumentation::find_partials(place.output);
  std::uint64_t findings = 0;
  if (const auto done = finish_walks(partials, options, place, signals, compilers ? &*compilers : nullptr, &findings);
      !done)
    return refuse_walk(done.error());
  const std::string& program = options.command.front();
  if (end.failed()) {
    const std::string line = fmt::format(
        "{} {}; {}", program, end.description(),
        partials.empty() ? "it had not used CUDA, so nothing was recorded" : "everything up to then is recorded");
    if (options.trouble != nullptr && partials.empty())
      *options.trouble = line;
    else
      print_message("warpwalk: " + line);
    return options.simulated && end.signal == 0 ? end.exit_status : 1;
  }
  if (partials.empty()) return refuse_walk(fmt::format("{} did not use CUDA; nothing was recorded", program));
  return findings == 0 ? 0 : 1;
}

Verb add_record(CLI::App& app) {
  const auto options = std::make_shared<RecordOptions>();
  CLI::App* const verb =
      app.add_subcommand("record", "Record any CUDA program, unmodified: -o walk.json.gz -- PROGRAM ARGUMENTS");
  verb->add_option("-o,--output", options->out,
                   "the trace to write (walk.json.gz), or a folder; ranks of a distributed run get a folder of traces");
  verb->add_flag("!--no-sass", options->sass,
                 "leave out the kernels' machine code, which is disassembled if nvdisasm is installed");
  verb->add_flag("!--no-source", options->source,
                 "leave out the kernels' source files, which the line tables of the machine code name (-lineinfo)");
  verb->add_flag(
      "!--no-compiled", options->compiled,
      "leave out what torch.compile and Triton write of the kernels, which is kept in a folder beside the walk");
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
  verb->add_option("--inside-limit", options->inside_limit_mib,
                   "MiB of memory that --inside and --replay record (default: 256)")
      ->check(whole_number(1, 65536));
  verb->add_flag("!--inside-no-data", options->inside_data,
                 "leave out the contents of that memory; random values take their place");
  verb->add_flag("--inside-whole", options->inside_whole,
                 "keep whole allocations of that memory, so that a changed kernel can access more of them");
  verb->add_option("--profile", options->profiles,
                   "a trace that the program's own torch.profiler writes, with CPU activities, or a folder of them: "
                   "its Python frames, ops and memory events join the walk; may be given several times")
      ->allow_extra_args(false);
  verb->add_option_function<std::string>(
          "--on", [options](const std::string& where) { options->simulated = where == "sim"; },
          "gpu: the GPU of this machine (default); sim: the simulated GPU, for machines without one. The program is "
          "built with nvcc -cudart shared")
      ->check(CLI::IsMember({"gpu", "sim"}));
  verb->add_option("--gpu", options->gpu, "with --on sim: the GPU to simulate, by name or description (default: h200)");
  verb->add_flag("--sanitize", options->sanitize,
                 "with --on sim: find races, uninitialised reads, leaks and misuse of memory");
  verb->add_flag("--cycles", options->cycles,
                 "with --on sim: simulate the cycles of each kernel; without, its time is a lower bound");
  verb->add_flag("--exact", options->exact,
                 "with --on sim: simulate every block of every launch; without, the host computes large launches of "
                 "the libraries, and launches like earlier ones take their cycles");
  verb->add_option("--threads", options->threads, "with --on sim: host threads (default: one per hardware thread)")
      ->check(whole_number(0, 1024));
  verb->add_flag("--print-environment", options->print_environment,
                 "with --on sim: start no program, but print what one needs to run on the simulated GPU, as JSON");
  CLI::Option* const armed = verb->add_flag("--armed", options->armed,
                                            "record no walk; if a kernel fails, leave CUDA's core dump of the GPU and "
                                            "the program's last calls in a folder (-o; "
                                            "default: crash)");
  verb->add_flag("--armed-memory", options->armed_memory,
                 "with --armed: put the contents of the GPU's memory into the dump")
      ->needs(armed);
  verb->add_option(
          "--replay", options->replay,
          "with --armed: keep the inputs of each launch of a kernel until its next one; if it fails, it can be "
          "run again on the simulated GPU, forwards and backwards: a part of the kernel's name; may be given "
          "several times")
      ->allow_extra_args(false)
      ->needs(armed);
  for (CLI::Option* const other : verb->get_options())
    if (const std::string name = other->get_name(); name != "--armed" && name != "--armed-memory" &&
                                                    name != "--replay" && name != "--inside-limit" &&
                                                    name != "--output" && name != "--help" && !name.empty())
      armed->excludes(other);
  verb->add_option("PROGRAM", options->command, "after --: the program and its arguments");
  return {verb, [options] { return record(*options); }};
}

}  // namespace warpwalk::verbs
