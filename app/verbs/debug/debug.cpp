#include "app/verbs/debug/debug.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/common/compiled_file.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/common/watch.h"
#include "app/verbs/debug/adapter.h"
#include "app/verbs/debug/commands.h"
#include "app/verbs/debug/dump_view.h"
#include "app/verbs/debug/transport.h"

namespace warpwalk::verbs {
namespace {

base::Result<std::unique_ptr<DebugRun>> load_with_progress(DebugLoader loader, const DebugTarget& target) {
  // A program gets the signals itself while it runs.
  const auto prepared = loader.prepare(target);
  if (!prepared) return base::Error{prepared.error()};
  platform::BlockedSignals signals;
  Watch watch(signals);
  debug::RecordOptions how;
  how.cancel = watch.cancel();
  how.progress = [&](std::uint64_t done, std::uint64_t blocks) { watch.progress("cycles", done, blocks); };
  auto run = DebugRun::open_prepared(std::move(loader), *prepared, std::move(how));
  if (run) (*run)->set_control(target.cancel, {});
  return run;
}

/// While a command runs, Ctrl-C sets a flag instead of ending the process.
class CommandInterrupt {
 public:
  explicit CommandInterrupt(std::atomic<bool>& flag) : flag_(flag) {
    flag_ = false;
    sigemptyset(&interrupt_);
    sigaddset(&interrupt_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt_, &before_);
    watch_ = std::thread([this] {
      while (!done_) take(std::chrono::milliseconds(20));
    });
  }
  ~CommandInterrupt() {
    done_ = true;
    watch_.join();
    take({});
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    flag_ = false;
  }
  CommandInterrupt(const CommandInterrupt&) = delete;
  CommandInterrupt& operator=(const CommandInterrupt&) = delete;

 private:
  void take(std::chrono::nanoseconds wait) {
    const timespec until{0, static_cast<long>(wait.count())};
    if (sigtimedwait(&interrupt_, nullptr, &until) == SIGINT) flag_ = true;
  }

  std::atomic<bool>& flag_;
  std::atomic<bool> done_ = false;
  sigset_t interrupt_, before_;
  std::thread watch_;
};

/// Executes the commands; the first one that fails ends it.
template <class Commands>
int run_commands(Commands& commands, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const auto output = commands.execute(line);
    if (!output) return refuse(output.error());
    print_report(*output);
    if (commands.done()) break;
  }
  return 0;
}

/// Reads commands from a terminal.
template <class Commands>
int talk(Commands& commands, std::atomic<bool>& interrupt) {
  std::string line, last;
  while (!commands.done()) {
    std::fputs("(warpwalk) ", stdout);
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) break;
    // An empty line repeats the last command.
    if (line.empty()) line = last;
    last = line;
    const auto output = [&] {
      const CommandInterrupt interrupted(interrupt);
      return commands.execute(line);
    }();
    if (output)
      print_report(*output);
    else
      print_message(output.error());
  }
  return 0;
}

}  // namespace

int debug_launch(const DebugOptions& options, RecordProgram record_program) {
  const DebugLoader loader(std::move(record_program));
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  if (!options.commands.empty() || (terminal && !options.port)) {
    if (options.target.file.empty())
      return refuse(
          "FILE is required: a launch file, CUDA C++, a compiled kernel or a walk; see warpwalk debug --help");
    std::atomic<bool> interrupt = false;
    const auto execute = [&](auto& commands) {
      return options.commands.empty() ? talk(commands, interrupt) : run_commands(commands, options.commands);
    };
    if (words::is_core_dump_file(options.target.file)) {
      auto dump = DumpView::open(options.target.file);
      if (!dump) return refuse(dump.error());
      if (options.commands.empty()) print_report((*dump)->headline() + "\n");
      return execute(**dump);
    }
    DebugTarget target = options.target;
    std::atomic<int> ended = 0;
    target.cancel = &interrupt;
    target.ended = &ended;
    const auto run = load_with_progress(loader, target);
    if (!run) return refuse(run.error());
    DebugCommands commands(**run);
    return execute(commands);
  }
  std::atomic<int> ended = 0;
  DebugTarget target = options.target;
  target.ended = &ended;
  const auto serve = [&](std::function<void(std::string_view)> send) {
    auto adapter = std::make_shared<DebugAdapter>(loader, target, std::move(send));
    return MessageServer{[adapter](std::string_view message) { return adapter->handle(message); },
                         [adapter](std::optional<std::string_view> message) { adapter->arrives(message); }};
  };
  // Ends by a signal that has come while a program ran, once nothing of the session is left.
  const auto serve_client = [&](int in, int out) {
    serve_messages(in, out, serve);
    if (const int signal = ended; signal != 0) std::raise(signal);
  };
  std::signal(SIGPIPE, SIG_IGN);  // a client that is gone is not an error
  if (!options.port) {
    serve_client(STDIN_FILENO, STDOUT_FILENO);
    return 0;
  }
  return refuse(serve_port(
                    *options.port, [](int port) { print_message(fmt::format("listening on 127.0.0.1:{}", port)); },
                    [&](int client) { serve_client(client, client); })
                    .line);
}

Verb add_debug(CLI::App& app, RecordProgram record_program) {
  const auto options = std::make_shared<DebugOptions>();
  CLI::App* const verb = app.add_subcommand(
      "debug", "Debug a kernel on the simulated GPU, forwards and backwards: Debug Adapter Protocol, or gdb's words");
  verb->add_option(
      "FILE", options->words,
      "a launch file (JSON), a CUDA program (.cu) with main(), a compiled kernel (a cubin, or an entry of "
      "Triton's cache), a walk with launches that were recorded inside, a GPU core dump, or a program with "
      "its arguments (behind --); a client may name it instead");
  verb->add_option("--command", options->commands,
                   "a command, such as \"break kernel.cu:12\", run, bt, \"print a[3]\" or reverse-step; may be given "
                   "several times; \"help\" lists all. Without it: the protocol, or on a terminal a prompt")
      ->expected(1)
      ->allow_extra_args(false)  // else it takes the -- before a program for itself
      ->take_all();
  verb->add_option("--port", options->port, "the protocol on this port of this machine (0: any) instead of stdin")
      ->check(whole_number(0, 65535));
  verb->add_option("--launch", options->target.launch,
                   "which launch of a program, or of those that a walk has recorded inside, from 1 (default: 1)")
      ->check(whole_number(1, std::uint64_t{1} << 32));
  verb->add_option("--gpu", options->target.gpu,
                   "the GPU to simulate: a name in assets/devices or a description file (default: as the launch file "
                   "says, else h200)");
  verb->add_option(
      "--code", options->target.code,
      "what to run: auto (machine code if the launch has some that can be executed, else PTX), sass or ptx");
  add_given_launch(*verb, options->target.given);
  verb->add_flag("-G,--device-debug", options->target.device_debug,
                 "compile CUDA C++ without optimisation, so that each variable of the source is kept in memory");
  verb->add_option("--instructions", options->target.max_instructions,
                   "warp instructions that are simulated at most (default: 20,000,000, which take about 1 GB)")
      ->check(whole_number(1));
  verb->add_option("--threads", options->target.threads, "host threads (default: all)")->check(whole_number(1, 4096));
  return {verb, [options, record_program] {
            if (!options->words.empty()) {
              options->target.file = options->words.front();
              options->target.arguments.assign(options->words.begin() + 1, options->words.end());
            }
            return debug_launch(*options, record_program);
          }};
}

}  // namespace warpwalk::verbs
