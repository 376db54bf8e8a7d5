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

/// Checks that a submission reads no files of this machine, so that neither an exercise's reference nor anybody's files
/// get into its code or into messages. The words of directives that name files (include, import, embed) may stand only
/// in a line of the form `#include <cuda_fp16.h>`, with a plain name, and nowhere else, not even in a comment: that can
/// be checked without doing again what a preprocessor does. What could hide them from this check is not allowed either:
/// trigraphs, raw strings, control characters, `__has_include`, and pragmas other than unroll.
std::optional<ForbiddenText> forbidden_text(std::string_view source);

}  // namespace warpwalk::run
