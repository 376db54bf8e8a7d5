#include "core/platform/held_signals.h"

#include <ctime>
#include <initializer_list>

namespace warpwalk::platform {
namespace {

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

// Removes and returns a pending signal of the set; 0 if none is pending.
int taken(const sigset_t& set) {
  constexpr timespec at_once = {0, 0};
  const int signal = sigtimedwait(&set, nullptr, &at_once);
  return signal > 0 ? signal : 0;
}

}  // namespace

HeldSignals::HeldSignals() {
  const sigset_t held = set_of({SIGINT, SIGTERM, SIGHUP, SIGPIPE});
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() {
  stop();
  taken(set_of({SIGPIPE}));
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  if (came_ != 0) raise(came_);
}

bool HeldSignals::stop() {
  if (came_ == 0) came_ = taken(set_of({SIGINT, SIGTERM, SIGHUP}));
  return came_ != 0;
}

}  // namespace warpwalk::platform
