#include "instrumentation/inject/last_words.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "instrumentation/inject/session.h"

namespace warpwalk::recording {
namespace {

constexpr int flush_every_ms = 100;
// The longest time that a dying program waits for its recording. CUPTI has been observed to take a few milliseconds.
constexpr int last_words_ms = 2000;

// The state used by the signal handler, which can run at any time on any thread.
struct Shared {
  std::atomic<int> wake = -1;  // an eventfd; the handler writes the signal number to it
  std::atomic<pid_t> process = 0;
  std::atomic<bool> done = false;
};
Shared& shared() {
  static Shared* const the_shared = new Shared;
  return *the_shared;
}

void pass_on(int signal, bool fault) {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  // On return, a faulting instruction runs again and raises its fault again.
  if (!fault) raise(signal);
}

void on_fatal(int signal, siginfo_t* info, void*) {
  const int kept_errno = errno;
  Shared& the_shared = shared();
  // A forked child has no recorder thread.
  if (the_shared.process == getpid()) {
    const std::uint64_t number = static_cast<std::uint64_t>(signal);
    if (write(the_shared.wake, &number, sizeof number) == sizeof number) {
      constexpr timespec millisecond = {0, 1'000'000};
      for (int waited = 0; waited < last_words_ms && !the_shared.done; ++waited) nanosleep(&millisecond, nullptr);
    }
  }
  const bool is_fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  pass_on(signal, is_fault && info != nullptr && info->si_code > 0);
  errno = kept_errno;
}

void run(Session& session, int wake) {
  Shared& the_shared = shared();
  for (;;) {
    pollfd what = {wake, POLLIN, 0};
    const int ready = poll(&what, 1, flush_every_ms);
    std::uint64_t signal = 0;
    if (ready > 0 && read(wake, &signal, sizeof signal) == sizeof signal) {
      session.end(static_cast<std::uint32_t>(signal));
      the_shared.done = true;
      return;
    }
    session.flush();
  }
}

}  // namespace

void watch(Session& session) {
  const int wake = eventfd(0, EFD_CLOEXEC);
  if (wake < 0) return;
  // The recorder's thread blocks all signals: they are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([&session, wake] { run(session, wake); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);

  shared().done = false;
  shared().wake = wake;
  shared().process = getpid();
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

}  // namespace warpwalk::recording
