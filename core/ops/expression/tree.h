#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ops/definitions/function.h"

namespace warpwalk::ops {

/// A piece of an expression's text, in bytes.
struct Place {
  std::size_t position = 0;
  std::size_t length = 1;
};

/// One item between the brackets of x[1:3, 0].
struct IndexItem {
  enum class Kind : std::uint8_t { slice, index, new_dim, ellipsis };
  Kind kind = Kind::slice;
  Place place;
  std::optional<std::int64_t> start, stop;  ///< slice only; nullopt if omitted
  std::int64_t step = 1;                    ///< slice only; at least 1
  std::int64_t index = 0;                   ///< index only
};

/// An argument of a function.
struct WrittenArgument {
  /// An operand of the call, by its row in ExpressionNode::operands.
  struct Operand {
    std::size_t row = 0;
  };
  std::variant<None, Operand, std::int64_t, double, bool, Sizes, std::string> value;  ///< None: left out, or written
  Place place{};  ///< as written; its name if a flag
};

struct ExpressionNode {
  enum class Kind : std::uint8_t {
    name,
    number,
    negative,
    positive,
    add,
    subtract,
    multiply,
    divide,
    matmul,
    power,
    call,      ///< of a function
    reversed,  ///< x.T: all dimensions
    index,
  };
  Kind kind = Kind::name;
  Place place{};  ///< what an error marks: the operator, the function's name
  Place whole{};  ///< all of its text
  std::vector<std::shared_ptr<const ExpressionNode>> operands{};
  std::string name{};                            ///< of a name
  Number number{};                               ///< of a number
  const ExpressionFunction* function = nullptr;  ///< of a call
  std::vector<WrittenArgument> arguments{};      ///< of a call, one for each parameter
  std::vector<IndexItem> items{};                ///< of an index
  std::size_t height = 1;                        ///< nodes on the longest path down, bounded so that recursion is safe
};

}  // namespace warpwalk::ops
