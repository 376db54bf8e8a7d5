#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/probes.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/record/record.h"
#include "app/verbs/record/record_walks.h"
#include "core/platform/foreground_program.h"
#include "core/platform/probe.h"
#include "core/words/crash/armed_text.h"
#include "core/words/crash/crash_sentence.h"
#include "core/words/crash/open_dump.h"
#include "instrumentation/inside_pattern.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::verbs {
namespace {

constexpr const char* armed_library = "libwarpwalk_armed.so";
constexpr std::chrono::seconds probe_patience{20};
// Variables of CUDA's driver: cuda-gdb's documentation, "GPU core dump support".
constexpr std::string_view on_exception = "CUDA_ENABLE_COREDUMP_ON_EXCEPTION",
                           on_request = "CUDA_ENABLE_USER_TRIGGERED_COREDUMP", dump_file = "CUDA_COREDUMP_FILE",
                           dump_pipe = "CUDA_COREDUMP_PIPE", dump_flags = "CUDA_COREDUMP_GENERATION_FLAGS";

/// The folder of an armed run; it is made. An error if it cannot be, or has files.
base::Result<std::filesystem::path> make_crash_folder(const std::filesystem::path& out) {
  std::error_code error;
  std::filesystem::path folder = out.empty() ? "crash" : out;
  for (int number = 2; out.empty() && std::filesystem::exists(folder, error); ++number)
    folder = fmt::format("crash-{}", number);
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error))
    return base::Error{fmt::format("{} exists and is not an empty folder; give another one with -o", folder.string())};
  std::filesystem::create_directories(folder, error);
  if (error) return base::Error{fmt::format("{}: cannot be created: {}", folder.string(), error.message())};
  return std::filesystem::absolute(folder, error);
}

/// Tells what a dump shows, in two lines.
void tell_of_dump(const std::filesystem::path& dump) {
  const auto opened = words::open_dump(dump);
  if (!opened) return print_message("warpwalk: " + opened.error());
  words::DumpReport& report = (*opened)->report;
  const auto words_of = [&](const crash::DumpThread& thread) {
    return words::kernel_words(*thread.grid, report.code_of(*thread.device), report.sources);
  };
  std::string what = "no warp failed, and none waits";
  if (report.crash && report.crash->thread.grid != nullptr)
    what = words::crash_sentence(*report.crash, words_of(report.crash->thread));
  else if (!report.waits.empty())
    what = words::wait_sentence(report.waits.front(), words_of(report.waits.front().thread));
  print_message(fmt::format("warpwalk: {}", what));
  if (report.calls && report.launch.call != nullptr) {
    const words::CallPlace place = words::call_place(*report.calls, *report.launch.call);
    print_message(fmt::format("warpwalk: launched {}by call {}, {}",
                              place.python.empty() ? "" : "at " + place.python + ", ", report.launch.call->number,
                              words::call_text(*report.calls, *report.launch.call)));
  }
  std::error_code error;
  print_message(
      fmt::format("warpwalk: look at it with: warpwalk {}", std::filesystem::proximate(dump, error).string()));
}

/// Removes what is of no use: all but the dumps with their calls, and the calls of a program that has failed. Returns
/// the dumps.
std::vector<std::filesystem::path> keep_dumps(const std::filesystem::path& folder, bool failed) {
  std::vector<std::filesystem::path> dumps;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".core") dumps.push_back(entry.path());
  std::ranges::sort(dumps);
  std::vector<std::filesystem::path> useless;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string process = entry.path().filename().string().substr(0, entry.path().filename().string().find('.'));
    const bool has_dump =
        std::ranges::any_of(dumps, [&](const std::filesystem::path& dump) { return dump.stem() == process; });
    if ((!has_dump && !failed) || entry.path().extension() == ".pipe") useless.push_back(entry.path());
  }
  for (const std::filesystem::path& path : useless) std::filesystem::remove(path, error);
  if (std::filesystem::is_empty(folder, error)) std::filesystem::remove(folder, error);
  return dumps;
}

FailedKernel failed_kernel(const std::filesystem::path& file) {
  FailedKernel failed;
  const auto opened = words::open_dump(file);
  if (!opened) return failed;
  words::DumpReport& report = (*opened)->report;
  const crash::DumpThread* const thread = report.crash           ? &report.crash->thread
                                          : report.waits.empty() ? nullptr
                                                                 : &report.waits.front().thread;
  if (thread != nullptr && thread->grid != nullptr)
    if (const auto entry = report.code_of(*thread->device).at(thread->grid->entry))
      failed.name = entry->loaded->function->name;
  for (const crash::DumpDevice& device : (*opened)->dump.devices)
    for (const crash::DumpModule& module : device.modules)
      failed.code.emplace_back(module.original.empty() ? module.relocated : module.original);
  return failed;
}

/// Makes a walk of each launch that failed, or had not ended, and whose inputs were kept. Returns how many.
int make_replays(const std::filesystem::path& folder) {
  std::error_code error;
  int count = 0;
  std::vector<instrumentation::Partial> partials;
  constexpr std::string_view ending = ".partial";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ending)
      partials.push_back({entry.path(), entry.path().parent_path() / entry.path().stem()});
  std::ranges::sort(partials, {}, &instrumentation::Partial::file);
  platform::BlockedSignals signals;
  for (const instrumentation::Partial& partial : partials) {
    const std::string process = partial.file.filename().string().substr(0, partial.file.filename().string().find('.'));
    const auto made = finish_replay(partial, failed_kernel(folder / (process + ".core")), signals);
    if (!made) {
      print_message("warpwalk: " + made.error());
      continue;
    }
    for (const std::string& line : *made) print_message(line);
    if (std::filesystem::exists(partial.output, error)) ++count;
  }
  return count;
}

/// A file of /proc, which has no size.
std::string system_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The environment of a process; empty if it may not be read.
std::vector<std::pair<std::string, std::string>> environment_of(int pid) {
  std::vector<std::pair<std::string, std::string>> variables;
  const std::string text = system_text(fmt::format("/proc/{}/environ", pid));
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (const std::size_t equals = one.find('='); equals != std::string_view::npos)
      variables.emplace_back(one.substr(0, equals), one.substr(equals + 1));
  }
  return variables;
}

/// %p, %h and %% of a name of a dump: process, host and a percent sign.
std::string expanded_dump_name(std::string_view name, int pid) {
  std::string out;
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%' || i + 1 == name.size()) {
      out += name[i];
      continue;
    }
    switch (name[++i]) {
      case 'p': out += std::to_string(pid); break;
      case 'h': out += host; break;
      default: out += name[i];
    }
  }
  return out;
}

/// The processes that descend from one, itself first.
std::vector<int> family_of(int pid) {
  std::vector<std::pair<int, int>> all;  // process and parent
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = system_text(entry.path() / "stat");
    // "4711 (name) S 4700 ...": the name may have spaces and parentheses.
    const std::size_t end = stat.rfind(')');
    if (end != std::string::npos && end + 4 < stat.size())
      all.emplace_back(std::atoi(name.c_str()), std::atoi(stat.c_str() + end + 4));
  }
  std::vector<int> family = {pid};
  for (std::size_t i = 0; i < family.size(); ++i)
    for (const auto& [process, parent] : all)
      if (parent == family[i] && !std::ranges::count(family, process)) family.push_back(process);
  return family;
}

/// Where CUDA waits for a request in a process, and where it writes the dump.
struct DumpRequest {
  std::filesystem::path pipe, dump;
};
std::optional<DumpRequest> request_of(int pid) {
  const auto variables = environment_of(pid);
  const auto value = [&](std::string_view name) -> std::string {
    for (const auto& [variable, text] : variables)
      if (variable == name) return text;
    return {};
  };
  if (const std::string wanted = value(on_request); wanted.empty() || wanted == "0") return std::nullopt;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink(fmt::format("/proc/{}/cwd", pid), error);
  const std::string pipe = value(dump_pipe), dump = value(dump_file);
  DumpRequest request = {folder / expanded_dump_name(pipe.empty() ? "corepipe.cuda.%h.%p" : pipe, pid), {}};
  if (!dump.empty()) request.dump = folder / expanded_dump_name(dump, pid);
  return request;
}

int ask_for_dump(int pid) {
  std::error_code error;
  if (!std::filesystem::exists(fmt::format("/proc/{}", pid), error)) return refuse(fmt::format("no process {}", pid));
  std::vector<DumpRequest> asked;
  bool armed = false;
  for (const int process : family_of(pid)) {
    const auto request = request_of(process);
    if (!request) continue;
    armed = true;
    const int pipe = ::open(request->pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0) continue;  // CUDA has not started in it
    const bool written = ::write(pipe, "d", 1) == 1;
    ::close(pipe);
    if (written) asked.push_back(*request);
  }
  if (asked.empty() && !armed)
    return refuse(
        fmt::format("process {} was not started armed: start it with warpwalk record --armed -- PROGRAM, or "
                    "with {}=1",
                    pid, on_request));
  if (asked.empty())
    return refuse(fmt::format("process {} has not started CUDA, or its dump was written already", pid));
  int told = 0;
  for (const DumpRequest& request : asked) {
    if (request.dump.empty()) {
      print_message(fmt::format("warpwalk: process {} writes the dump where CUDA's driver does by default", pid));
      ++told;
      continue;
    }
    constexpr auto patience = std::chrono::seconds(60);
    const auto end = std::chrono::steady_clock::now() + patience;
    bool complete = false;
    while (!complete && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      complete = words::is_core_dump_file(request.dump) && static_cast<bool>(words::open_dump(request.dump));
    }
    if (!complete) {
      print_message(fmt::format("warpwalk: {}: not complete after {} s", request.dump.string(), patience.count()));
      continue;
    }
    tell_of_dump(request.dump);
    ++told;
  }
  return told > 0 ? 0 : 2;
}

}  // namespace

int record_armed(const RecordOptions& options) {
  if (options.command.empty())
    return refuse("give a program to run armed: warpwalk record --armed -- PROGRAM ARGUMENTS");
  const auto libraries = find_libraries();
  std::error_code error;
  if (!libraries || !std::filesystem::exists(*libraries / armed_library, error))
    return refuse(fmt::format("{} was not found beside the program; build or install warpwalk again", armed_library));
  const std::string library = (*libraries / armed_library).string();
  if (library.find_first_of(" :") != std::string::npos)
    return refuse(
        fmt::format("{}: the loader takes no library from a folder with a space or a colon in its name", library));
  platform::Probe driver(look_at_driver);
  if (const platform::ProbeResult found = driver.wait(std::chrono::steady_clock::now() + probe_patience); !found.ok)
    return refuse(
        fmt::format("no GPU: {}; record --on sim --sanitize finds errors of kernels without one", found.text));
  for (const std::string& pattern : options.replay)
    if (pattern.empty() || pattern.find('\n') != std::string::npos)
      return refuse("--replay: write a part of a kernel's name");
  const auto folder = make_crash_folder(options.out);
  if (!folder) return refuse(folder.error());
  const char* const others = std::getenv("LD_PRELOAD");
  const std::string preloaded = others == nullptr || *others == '\0' ? library : fmt::format("{}:{}", library, others);
  // Without global memory, which may be the whole GPU's; allocations are among what the program writes itself. Without
  // it, the constant banks must be left out, too: otherwise driver 580 fails to write the dump of a failed assert() in
  // PyTorch. The program goes on after the dump, so that it can tell where it noticed the failure.
  const std::vector<std::pair<std::string, std::string>> environment = {
      {"LD_PRELOAD", preloaded},
      {instrumentation::armed_variable, folder->string()},
      {std::string(on_exception), "1"},
      {std::string(on_request), "1"},
      {std::string(dump_file), (*folder / "%p.core").string()},
      {std::string(dump_pipe), (*folder / "%p.pipe").string()},
      {instrumentation::replay_variable, instrumentation::join_patterns(options.replay)},
      {instrumentation::replay_limit_variable, std::to_string(options.inside_limit_mib << 20)},
      {std::string(dump_flags),
       fmt::format("skip_abort{}{}", options.replay.empty() ? ",skip_nonrelocated_elf_images" : "",
                   options.armed_memory ? "" : ",skip_global_memory,skip_constbank_memory")}};
  const platform::ProgramEnd end = platform::run_program(options.command, environment);
  const auto dumps = keep_dumps(*folder, end.failed());
  if (!end.error.empty()) return refuse(end.error);
  for (const std::filesystem::path& one : dumps) tell_of_dump(one);
  const int replays = make_replays(*folder);
  if (end.failed()) {
    print_message(fmt::format("warpwalk: {} {}{}", options.command.front(), end.description(),
                              !dumps.empty() || replays > 0 ? ""
                              : !std::filesystem::exists(*folder, error)
                                  ? "; it had not used CUDA"
                                  : "; no kernel failed. Its last calls are in " + folder->string()));
    return 1;
  }
  return dumps.empty() ? 0 : 1;
}

Verb add_dump(CLI::App& app) {
  const auto pid = std::make_shared<int>(0);
  CLI::App* const verb = app.add_subcommand(
      "dump", "Ask a program that hangs, and was started with record --armed, for a core dump of its GPU");
  verb->add_option("PID", *pid, "the process, or one of which it descends")
      ->required()
      ->check(whole_number(1, 4194304));
  return {verb, [pid] { return ask_for_dump(*pid); }};
}

}  // namespace warpwalk::verbs
