#include "core/platform/blocked_signals.h"

#include <ctime>
#include <initializer_list>

namespace warpwalk::platform {
namespace {

sigset_t make_signal_set(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

// Removes and returns a pending signal of the set; 0 if none is pending.
int take_pending(const sigset_t& set) {
  constexpr timespec at_once = {0, 0};
  const int signal = sigtimedwait(&set, nullptr, &at_once);
  return signal > 0 ? signal : 0;
}

}  // namespace

BlockedSignals::BlockedSignals() {
  const sigset_t held = make_signal_set({SIGINT, SIGTERM, SIGHUP, SIGPIPE});
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

BlockedSignals::~BlockedSignals() {
  stop_requested();
  take_pending(make_signal_set({SIGPIPE}));
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  if (received_ != 0) raise(received_);
}

bool BlockedSignals::stop_requested() {
  if (received_ == 0) received_ = take_pending(make_signal_set({SIGINT, SIGTERM, SIGHUP}));
  return received_ != 0;
}

}  // namespace warpwalk::platform
