#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace warpwalk::words {

/// The source files that a core dump names, as far as they are on this machine: at their path, or beside the dump.
class SourceTexts {
 public:
  /// `beside`: the folder of the dump.
  explicit SourceTexts(std::filesystem::path beside) : beside_(std::move(beside)) {}

  /// A line (1 is the first) without the white space around it; empty if the file is not here.
  std::string_view line(std::string_view file, std::uint32_t number);
  /// All lines as they are, without their ends; none if the file is not here.
  std::vector<std::string_view> lines(std::string_view file) { return base::lines_of(text(file)); }
  /// The names of the parameters of a function that the file defines, in CUDA C++ or as a Triton kernel in Python, if
  /// they are as many as `count`; empty otherwise. Triton leaves out parameters that are constants, and adds two.
  std::vector<std::string> parameters(std::string_view file, std::string_view function, std::size_t count);

 private:
  const std::string& text(std::string_view file);

  std::filesystem::path beside_;
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace warpwalk::words
