#include "instrumentation/inject/recorder_thread.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace warpwalk::instrumentation {
namespace {

constexpr int flush_every_ms = 100;
// The longest time that a dying program waits for its recording. CUPTI has been observed to take a few milliseconds.
constexpr int max_shutdown_wait_ms = 2000;

// Added to `wake`, it wakes the thread. Signal numbers are smaller.
constexpr std::uint64_t nudge = std::uint64_t{1} << 32;

// The state used by the signal handler, which can run at any time on any thread.
struct SignalState {
  std::atomic<int> wake = -1;  // an eventfd; the handler writes the signal number to it
  std::atomic<pid_t> process = 0;
  std::atomic<bool> done = false;
  std::atomic<bool> flushes = false;  // false: the thread only waits for a signal
};
SignalState& signal_state() {
  static SignalState* const state = new SignalState;
  return *state;
}

void raise_default(int signal, bool fault) {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  // On return, a faulting instruction runs again and raises its fault again.
  if (!fault) raise(signal);
}

void on_fatal(int signal, siginfo_t* info, void*) {
  const int kept_errno = errno;
  SignalState& state = signal_state();
  // A forked child has no recorder thread.
  if (state.process == getpid()) {
    const std::uint64_t number = static_cast<std::uint64_t>(signal);
    if (write(state.wake, &number, sizeof number) == sizeof number) {
      constexpr timespec millisecond = {0, 1'000'000};
      for (int waited = 0; waited < max_shutdown_wait_ms && !state.done; ++waited) nanosleep(&millisecond, nullptr);
    }
  }
  const bool is_fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  raise_default(signal, is_fault && info != nullptr && info->si_code > 0);
  errno = kept_errno;
}

void run(const std::function<void()>& flush, const std::function<void(std::uint32_t)>& end, int wake) {
  SignalState& state = signal_state();
  for (;;) {
    pollfd what = {wake, POLLIN, 0};
    const int ready = poll(&what, 1, state.flushes ? flush_every_ms : -1);
    std::uint64_t read_value = 0;
    if (ready > 0 && read(wake, &read_value, sizeof read_value) == sizeof read_value) {
      if (const std::uint64_t signal = read_value % nudge; signal != 0) {
        end(static_cast<std::uint32_t>(signal));
        state.done = true;
        return;
      }
    }
    if (state.flushes) flush();
  }
}

}  // namespace

void start_recorder_thread(std::function<void()> flush, std::function<void(std::uint32_t signal)> end) {
  SignalState& state = signal_state();
  state.flushes = true;
  if (state.process == getpid()) {
    [[maybe_unused]] const ssize_t written = write(state.wake, &nudge, sizeof nudge);
    return;
  }
  const int wake = eventfd(0, EFD_CLOEXEC);
  if (wake < 0) return;
  // The recorder's thread blocks all signals: they are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([flush = std::move(flush), end = std::move(end), wake] { run(flush, end, wake); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);

  state.done = false;
  state.wake = wake;
  state.process = getpid();
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    struct sigaction now_set {};
    if (sigaction(signal, nullptr, &now_set) != 0 || (now_set.sa_flags & SA_SIGINFO) != 0 ||
        now_set.sa_handler != SIG_DFL)
      continue;
    struct sigaction ours {};
    ours.sa_sigaction = &on_fatal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&ours.sa_mask);
    sigdelset(&ours.sa_mask, SIGKILL);
    sigaction(signal, &ours, nullptr);
  }
}

void pause_recorder_thread() { signal_state().flushes = false; }

}  // namespace warpwalk::instrumentation
