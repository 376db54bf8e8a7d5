#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpwalk::testing {

struct Outcome {
  int status = -1;  ///< exit status; 128 plus the signal's number if a signal ended the program
  std::string out;
  std::string error;
  /// The number of lines on stderr.
  std::size_t error_lines() const;
};

/// A temporary folder that is removed with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string at(std::string_view name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it and returns its path.
  std::string file(std::string_view name, std::string_view text) const;
  /// The names of all files and folders in it or below it, sorted.
  std::vector<std::string> names(std::string_view below = "") const;

 private:
  std::filesystem::path path_;
};

/// The built program as a running process.
class Program {
 public:
  /// `environment`: additions ("NAME=value"). Its stdout goes into `out` of the outcome, or into the named file. It
  /// starts in the named folder, or in the current one.
  explicit Program(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
                   const std::string& stdout_to = {}, const std::string& start_in = {});
  /// Kills the process if it is still running.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int pid() const { return child_; }
  bool running();
  /// Waits until the program blocks or handles the signal, as far as it is still running: before, a signal ends it.
  void wait_until_it_handles(int signal);
  /// Its stderr so far.
  std::string error() const;
  /// Waits for its end.
  Outcome wait();

 private:
  std::unique_ptr<Folder> folder_;
  std::string out_;  // empty: nothing to read back
  int child_ = 0;    // 0: never started, or waited for
  int status_ = -1;
};

/// Runs the built program with these additions to the environment ("NAME=value"). Its stdout goes into `out` of the
/// outcome, or into the named file.
Outcome run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
            const std::string& stdout_to = {});

std::string text_of(const std::filesystem::path& file);

/// The path of a recorded walk.
std::string walk(std::string_view name);

}  // namespace warpwalk::testing
