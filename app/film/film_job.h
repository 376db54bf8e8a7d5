#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/shell/shell.h"
#include "core/platform/pipe.h"
#include "core/platform/process.h"

namespace warpwalk::film {

/// A film that is being made beside the window, by this program's own render verb in a process of its own: the window
/// stays quick, and to cancel is to end that process.
class FilmJob {
 public:
  FilmJob() = default;
  FilmJob(const FilmJob&) = delete;
  FilmJob& operator=(const FilmJob&) = delete;
  ~FilmJob() { cancel(); }

  /// `arguments` are those of the program, without its name; `out` is what will be written. Answers what went wrong.
  std::string start(std::vector<std::string> arguments, std::string out);
  shell::FilmProgress poll();
  void cancel();

 private:
  void read();
  /// Waits for its end.
  platform::ProcessEnd reap();

  std::optional<platform::Process> child_;  // while it runs
  std::optional<platform::Pipe> words_;     // what it writes on stderr
  bool cancelled_ = false;
  std::string out_;
  std::string text_;       // of the last, unfinished line
  std::string last_line_;  // that is not about progress: why it failed
  double share_ = 0;
};

}  // namespace warpwalk::film
