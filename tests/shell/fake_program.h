#pragma once

#include <filesystem>
#include <string>

namespace warpwalk::shell {

/// A script in place of warpwalk's own program, in a temporary folder. The script gets its first argument in $verb, the
/// file after -o in $walk, the file after --json in $report, and its folder in $here.
class FakeProgram {
 public:
  /// `run`, `doctor`: the scripts for these verbs.
  explicit FakeProgram(const std::string& run, const std::string& doctor = all_is_there);
  ~FakeProgram();
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

  std::filesystem::path path() const { return folder_ / "warpwalk"; }
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  /// The text of a file that the script wrote into its folder; empty if there is none.
  std::string text_of(const std::string& name) const;
  /// Waits until it has written this file.
  bool has_written(const std::string& name) const;
  /// True if the process whose id it wrote into this file has ended.
  bool has_ended(const std::string& name) const;

  static const std::string all_is_there;
  /// A script that writes a walk recorded on an H200, and this report.
  static std::string walks(const std::string& report, int exit_status = 0);
  static std::string good_report();

 private:
  std::filesystem::path folder_;
};

}  // namespace warpwalk::shell
