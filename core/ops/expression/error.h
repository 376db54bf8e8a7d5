#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::ops {

/// An error in an expression, described for the user who will correct it.
struct ExpressionError {
  std::size_t position = 0;  ///< byte in the text, from 0
  std::size_t length = 1;    ///< bytes to mark
  std::string message;       ///< one line: what is wrong, with the shapes or types in question
  std::string hint;          ///< one line: what would fit ("b needs 128 rows: --shape b=128x64"); may be empty
  /// The text, a line with ^~~~ under the place, the message and the hint.
  std::string text(std::string_view expression) const;
  /// The same on one line: "columns 1 to 3 of `foo(b)`: there is no function called foo; hint: ...".
  std::string line(std::string_view expression) const;
};

/// Reads what ExpressionError::line() wrote about this expression. nullopt if the line names no place in it.
std::optional<ExpressionError> read_error_line(std::string_view line, std::string_view expression);

}  // namespace warpwalk::ops
