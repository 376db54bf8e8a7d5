#include "core/compiled/evaluate/whole_numbers.h"

#include <algorithm>
#include <limits>

namespace warpwalk::compiled {
namespace {

std::optional<std::int64_t> compared(std::string_view predicate, std::int64_t a, std::int64_t b, std::uint64_t ua,
                                     std::uint64_t ub) {
  if (predicate == "eq") return a == b;
  if (predicate == "ne") return a != b;
  if (predicate == "slt") return a < b;
  if (predicate == "sle") return a <= b;
  if (predicate == "sgt") return a > b;
  if (predicate == "sge") return a >= b;
  if (predicate == "ult") return ua < ub;
  if (predicate == "ule") return ua <= ub;
  if (predicate == "ugt") return ua > ub;
  if (predicate == "uge") return ua >= ub;
  return {};
}

}  // namespace

std::optional<std::int64_t> whole_number_result(std::string_view op, std::string_view word, int bits, std::int64_t a,
                                                std::int64_t b) {
  const std::uint64_t mask = bits > 0 && bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
  const std::uint64_t ua = static_cast<std::uint64_t>(a) & mask, ub = static_cast<std::uint64_t>(b) & mask;
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  if (op == "tt.mulhiui" && bits == 32) return number(ua * ub >> 32);
  if (op == "math.absi") return a < 0 ? number(0 - static_cast<std::uint64_t>(a)) : a;
  constexpr std::string_view dialect = "arith.";
  if (!op.starts_with(dialect)) return {};
  op.remove_prefix(dialect.size());
  if (op == "cmpi") return compared(word, a, b, ua, ub);
  if (op == "addi") return wrapped_sum(a, b);
  if (op == "subi") return number(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  if (op == "muli") return wrapped_product(a, b);
  if (op == "andi") return a & b;
  if (op == "ori") return a | b;
  if (op == "xori") return a ^ b;
  if (op == "minsi") return std::min(a, b);
  if (op == "maxsi") return std::max(a, b);
  if (op == "minui") return number(std::min(ua, ub));
  if (op == "maxui") return number(std::max(ua, ub));
  if (op == "extsi") return bits == 1 ? -a : a;  // true is 1 here
  if (op == "extui") return number(ua);
  if (op == "trunci" || op == "index_castui") return a;
  const bool shifts = ub < static_cast<std::uint64_t>(bits > 0 ? bits : 64);
  if (op == "shli") return shifts ? std::optional(number(ua << ub)) : std::nullopt;
  if (op == "shrui") return shifts ? std::optional(number(ua >> ub)) : std::nullopt;
  if (op == "shrsi") return shifts ? std::optional(a >> ub) : std::nullopt;
  if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return {};
  if (op == "divsi") return a / b;
  if (op == "remsi") return a % b;
  if (op == "divui") return number(ua / ub);
  if (op == "remui") return number(ua % ub);
  if (op == "ceildivsi") return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
  if (op == "floordivsi") return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  return {};
}

}  // namespace warpwalk::compiled
