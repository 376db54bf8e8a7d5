#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::run {

/// What a submission may not contain, with its line.
struct ForbiddenText {
  std::uint32_t line = 0;
  std::string message;
};

/// Checks that a submission reads no files of this machine: it may include headers of CUDA and C++ by name, in angle
/// brackets, and nothing else, so that neither an exercise's reference nor anybody's files get into its code or into
/// messages. Looks at the text as the preprocessor sees it: without comments, with continued lines joined and digraphs
/// and trigraphs replaced.
std::optional<ForbiddenText> forbidden_text(std::string_view source);

}  // namespace warpwalk::run
