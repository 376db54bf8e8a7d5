#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpwalk::testing {

struct Outcome {
  int status = -1;  ///< exit status; 128 and the signal's number where one ended the program
  std::string out;
  std::string error;
  /// How many lines stand on stderr.
  std::size_t error_lines() const;
};

/// A folder of its own that goes away with it.
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
  /// The names of what lies in it, or in a folder below, sorted.
  std::vector<std::string> names(std::string_view below = "") const;

 private:
  std::filesystem::path path_;
};

/// The built program while it runs.
class Program {
 public:
  /// With these additions to the environment ("NAME=value"). Its stdout goes into `out` of the outcome, or to the file
  /// named. It starts in the folder named, or in that of the test.
  explicit Program(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
                   const std::string& stdout_to = {}, const std::string& start_in = {});
  /// Kills it where it still runs.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int pid() const { return child_; }
  bool running();
  /// What it has written on stderr so far.
  std::string error() const;
  /// Waits for its end.
  Outcome wait();

 private:
  std::unique_ptr<Folder> folder_;
  std::string out_;  // empty: nothing to read back
  int child_ = 0;    // 0: never started, or waited for
  int status_ = -1;
};

/// Runs the built program, with these additions to the environment ("NAME=value"). Its stdout goes into `out` of the
/// outcome, or to the file named.
Outcome run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
            const std::string& stdout_to = {});

std::string text_of(const std::filesystem::path& file);

/// The path of a recorded walk.
std::string walk(std::string_view name);

}  // namespace warpwalk::testing
