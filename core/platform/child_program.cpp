#include "core/platform/child_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "core/platform/pipe.h"
#include "core/platform/process.h"

namespace warpwalk::platform {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Why a program must be killed.
enum class Stop { none, timed_out, cancelled };

Stop stop_reason(const ChildLimits& limits) {
  if (limits.cancel != nullptr && *limits.cancel) return Stop::cancelled;
  return limits.deadline && Clock::now() >= *limits.deadline ? Stop::timed_out : Stop::none;
}

// Timeout for poll() in milliseconds until the limits must be checked again; -1: no timeout.
int poll_timeout_ms(const ChildLimits& limits) {
  constexpr milliseconds between_looks{20}, longest{60'000};
  if (!limits.any()) return -1;
  milliseconds left = limits.cancel != nullptr ? between_looks : longest;
  if (limits.deadline) left = std::min(left, std::chrono::ceil<milliseconds>(*limits.deadline - Clock::now()));
  return static_cast<int>(std::max(left, milliseconds(0)).count());
}

// Reads until the pipe's other end is closed or there is a reason to stop.
Stop read_all(int from, const ChildLimits& limits, std::string& printed) {
  std::array<char, 65536> piece;
  for (;;) {
    if (const Stop stop = stop_reason(limits); stop != Stop::none) return stop;
    pollfd readable = {from, POLLIN, 0};
    const int ready = poll(&readable, 1, poll_timeout_ms(limits));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t n = read(from, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Stop::none;
    printed.append(piece.data(), static_cast<std::size_t>(n));
  }
}

// Waits until the program has ended or there is a reason to stop. A program may close its output long before it ends.
Stop wait_for(const Process& program, const ChildLimits& limits) {
  constexpr int between_looks_ms = 2;
  while (limits.any() && !program.has_ended()) {
    if (const Stop stop = stop_reason(limits); stop != Stop::none) return stop;
    poll(nullptr, 0, between_looks_ms);
  }
  return Stop::none;
}

}  // namespace

std::optional<ChildRun> run_child(std::vector<std::string> words, const ChildLimits& limits) {
  Pipe printed;
  if (!printed.good()) return {};
  auto started = Process::start(std::move(words), {-1, printed.write_end(), printed.write_end()},
                                limits.any() ? Process::Group::own : Process::Group::inherited);
  if (!started) return {};
  printed.close_write_end();
  ChildRun run;
  Stop stop = read_all(printed.read_end(), limits, run.output);
  printed.close_read_end();
  if (stop == Stop::none) stop = wait_for(*started, limits);
  run.in_time = stop != Stop::timed_out;
  run.cancelled = stop == Stop::cancelled;
  if (stop != Stop::none) started->signal(SIGKILL);
  const auto end = started->wait();
  run.exit_status = end ? end->exit_status : -1;
  run.signal = end ? end->signal : 0;
  return run;
}

}  // namespace warpwalk::platform
