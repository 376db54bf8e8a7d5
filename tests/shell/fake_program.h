#pragma once

#include <filesystem>
#include <string>

namespace warpwalk::shell {

/// A script in place of warpwalk's own program, in a folder of its own that goes away with it. The script finds in
/// $verb its first word, in $walk what follows -o, in $report what follows --json, in $here its folder.
class FakeProgram {
 public:
  /// `run`: what it does as `warpwalk run`; `doctor`: the same.
  explicit FakeProgram(const std::string& run, const std::string& doctor = all_is_there);
  ~FakeProgram();
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

  std::filesystem::path path() const { return folder_ / "warpwalk"; }
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  /// What the script wrote into a file of its folder; empty where there is none.
  std::string text_of(const std::string& name) const;
  /// Waits until it has written something there.
  bool has_written(const std::string& name) const;
  /// The process whose number it wrote there has ended.
  bool has_ended(const std::string& name) const;

  static const std::string all_is_there;
  /// Writes the walk recorded on an H200, and this report.
  static std::string walks(const std::string& report, int exit_status = 0);
  static std::string good_report();

 private:
  std::filesystem::path folder_;
};

}  // namespace warpwalk::shell
