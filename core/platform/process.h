#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <sys/types.h>

namespace warpwalk::platform {

/// How a program ended.
struct ProcessEnd {
  int exit_status = 0;  ///< where no signal ended it
  int signal = 0;       ///< that ended it; 0: none

  bool good() const { return signal == 0 && exit_status == 0; }
};

/// A program that was started and is waited for: where its owner does not, it is killed when its owner goes.
class Process {
 public:
  /// What a program has as its standard streams: descriptors of this process, or nothing (/dev/null).
  struct Streams {
    int in = -1, out = -1, errors = -1;
  };
  enum class Group : unsigned char {
    ours,  ///< where Ctrl-C reaches it
    own    ///< which is signalled as a whole, with all that it started
  };

  /// Starts a program (`words`: its path, then its arguments) that holds back no signal, whatever this process does.
  /// The error is the system's, as "No such file or directory".
  static std::variant<Process, std::string> start(std::vector<std::string> words, const Streams& streams, Group group);
  /// One that was forked, and makes its own group where it is to have one.
  Process(pid_t number, Group group) : number_(number), group_(group) {}
  ~Process();
  Process(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Sends it to the program or to its group; to nobody once it was waited for.
  void signal(int what) const;
  /// Whether wait() will answer at once. It stays to be waited for, so that its number stays its own.
  bool has_ended() const;
  /// Waits for its end, whatever signals come meanwhile; once. None where nobody is told how it ended, since this
  /// process was started with SIGCHLD ignored.
  std::optional<ProcessEnd> wait();

 private:
  pid_t number_;  // 0: it was waited for
  Group group_;
};

/// What execve takes: pointers into the words, then a null.
std::vector<char*> pointers_to(std::vector<std::string>& words);

}  // namespace warpwalk::platform
