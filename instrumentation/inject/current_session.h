#pragma once

#include <functional>
#include <string>

#include "instrumentation/inject/session.h"

namespace warpwalk::instrumentation {

/// The recording of this process, while a call of the program uses it: it is not destroyed before the end of the scope.
/// Null if this process is not recorded now. The first use creates the recording that the environment asks for.
class UsedSession {
 public:
  UsedSession();
  ~UsedSession();
  UsedSession(const UsedSession&) = delete;
  UsedSession& operator=(const UsedSession&) = delete;

  explicit operator bool() const { return session_ != nullptr; }
  Session* operator->() const { return session_; }
  Session& operator*() const { return *session_; }

 private:
  Session* session_ = nullptr;
  bool counted_ = false;
};

/// True if this process is recorded now. Costs less than a UsedSession.
bool is_recorded();

/// Begins a recording of this process, whether or not CUDA has started. `output` is the absolute path of its walk.
/// Returns one line that says why it did not begin, or an empty text. If it did not, there is no file and CUPTI is as
/// it was.
std::string begin_recording(const char* output);
/// Writes everything, ends the recording and gives CUPTI back. Returns false if none had begun.
bool end_recording();

/// Starts the thread that flushes the session of the process, and has the session end with the process.
void flush_regularly();

}  // namespace warpwalk::instrumentation
