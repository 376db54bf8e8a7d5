#pragma once

// This folder answers SQL about a trace: SQLite's virtual tables over the columns of the trace, without a copy.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace warpwalk::query {

/// The value of one cell of a table: nothing (NULL), a number, a text that lives as long as the trace, or a text that
/// was made for this cell.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view, std::string>;

/// One value of a result. A view is valid until the next row.
struct Value {
  enum class Kind : std::uint8_t { null, integer, real, text, blob };
  Kind kind = Kind::null;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view bytes = {};  ///< of a text or a blob
};

}  // namespace warpwalk::query
