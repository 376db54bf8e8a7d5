#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

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
  std::optional<std::int64_t> start, stop;  ///< of a slice, where written
  std::int64_t step = 1;                    ///< of a slice, at least 1
  std::int64_t index = 0;                   ///< of an index
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
    relu,
    exp,
    sqrt,
    sum,
    t,         ///< x.t(): of at most two dimensions
    reversed,  ///< x.T: all dimensions
    index,
  };
  Kind kind = Kind::name;
  Place place{};  ///< what is marked where it does not fit: the operator, the function's name
  Place whole{};  ///< all of its text
  std::vector<std::shared_ptr<const ExpressionNode>> operands{};
  std::string name{};                 ///< of a name
  Number number{};                    ///< of a number
  std::optional<std::int64_t> dim{};  ///< of sum
  Place dim_place{};
  bool keepdim = false;            ///< of sum
  std::vector<IndexItem> items{};  ///< of an index
  std::size_t height = 1;          ///< nodes on the longest way down, bounded so that walking the tree may recurse
};

}  // namespace warpwalk::ops
