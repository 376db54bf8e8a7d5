#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwalk::compiled {

/// Sum and product as two's complement has them.
inline std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapped_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// The result of an operation of MLIR's dialect arith on whole numbers, before it is cut to its type. `word`: what
/// stands behind its name, the predicate of arith.cmpi. `bits`: of the operands. nullopt: the operation is not known,
/// or its result is undefined.
std::optional<std::int64_t> whole_number_result(std::string_view op, std::string_view word, int bits, std::int64_t a,
                                                std::int64_t b);

}  // namespace warpwalk::compiled
