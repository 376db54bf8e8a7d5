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
/// in a line that includes a header by a plain name in angle brackets, and nowhere else, not even in a comment: that
/// can be checked without doing again what a preprocessor does. Whatever could hide them from this check is not allowed
/// either: trigraphs, raw strings, control characters, `__has_include`, and pragmas other than unroll.
std::optional<ForbiddenText> forbidden_text(std::string_view source);

/// The first variable in global memory that the code of a module (PTX) uses: it would keep its value from launch to
/// launch. Empty if there is none. Numbers that are constexpr are variables of the module, too, but no instruction
/// names them; the texts of printf and assert do not count.
std::string lasting_variable(std::string_view ptx);

}  // namespace warpwalk::run
