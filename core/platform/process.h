#pragma once

// This folder calls the operating system: processes, files, pipes. Other folders of core do not.

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/base/result.h"

namespace warpwalk::platform {

/// How a program ended.
struct ProcessEnd {
  int exit_status = 0;  ///< valid if no signal ended it
  int signal = 0;       ///< signal that ended it; 0: none

  bool good() const { return signal == 0 && exit_status == 0; }
};

/// A running child process. The destructor kills it if wait() was not called.
class Process {
 public:
  /// The program's standard streams: file descriptors of this process, or -1 for /dev/null.
  struct Streams {
    int in = -1, out = -1, errors = -1;
  };
  enum class Group : unsigned char {
    inherited,  ///< this process's group: Ctrl-C reaches the program
    own         ///< a new group: signals go to the program and all its descendants
  };

  /// Starts a program (`words`: its path, then its arguments) with no signals blocked, even if this process blocks
  /// some. The error is the system's, e.g. "No such file or directory".
  static base::Result<Process> start(std::vector<std::string> words, const Streams& streams, Group group);
  /// Takes over a forked process. With Group::own, the child must create its process group itself.
  Process(pid_t number, Group group) : pid_(number), group_(group) {}
  ~Process();
  Process(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Sends a signal to the program or its group. Does nothing after wait().
  void signal(int what) const;
  /// True if wait() will return at once. Does not reap the process, so its PID is not reused.
  bool has_ended() const;
  /// Waits for the program to end, even if signals interrupt the wait; call it once. Returns nullopt if the exit status
  /// is unavailable because this process was started with SIGCHLD ignored.
  std::optional<ProcessEnd> wait();

 private:
  pid_t pid_;  // 0: already reaped
  Group group_;
};

/// An argument vector for execve: pointers into `words`, then a null pointer.
std::vector<char*> argv_pointers(std::vector<std::string>& words);

}  // namespace warpwalk::platform
