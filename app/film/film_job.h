#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/shell/session/host.h"
#include "core/base/result.h"
#include "core/platform/pipe.h"
#include "core/platform/process.h"

namespace warpwalk::film {

/// Makes a film with this program's render verb in a child process: the window stays responsive, and cancelling ends
/// the child.
class FilmJob {
 public:
  FilmJob() = default;
  FilmJob(const FilmJob&) = delete;
  FilmJob& operator=(const FilmJob&) = delete;
  ~FilmJob() { cancel(); }

  /// Starts the program with `arguments` (without its name); `out` is the file or folder that it writes. On
  /// failure: one line.
  base::Result<void> start(std::vector<std::string> arguments, std::string out);
  shell::FilmProgress poll();
  void cancel();

 private:
  void read();
  /// Waits for the end of the child.
  platform::ProcessEnd reap();

  std::optional<platform::Process> child_;  // while it runs
  std::optional<platform::Pipe> words_;     // its stderr
  bool cancelled_ = false;
  std::string out_;
  std::string text_;       // the last, unfinished line
  std::string last_line_;  // the last line that is not about progress: why it failed
  double share_ = 0;
};

}  // namespace warpwalk::film
