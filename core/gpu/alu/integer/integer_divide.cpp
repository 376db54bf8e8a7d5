#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Opcode;
using ptx::Type;

/// The magnitude as an unsigned number.
template <class T>
Unsigned<T> magnitude(T a) {
  return static_cast<Unsigned<T>>(a < 0 ? negate(a) : a);
}

/// PTX leaves the result of division by zero to the machine: all bits set. The most negative number divided by -1 wraps
/// to itself.
template <class T>
T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(~Unsigned<T>{0});
  if constexpr (std::is_signed_v<T>) {
    const auto q = static_cast<T>(static_cast<Unsigned<T>>(magnitude(a) / magnitude(b)));
    return (a < 0) != (b < 0) ? negate(q) : q;
  } else {
    return static_cast<T>(a / b);
  }
}

/// The remainder has the sign of the dividend.
template <class T>
T remainder(T a, T b) {
  if (b == 0) return static_cast<T>(~Unsigned<T>{0});
  if constexpr (std::is_signed_v<T>) {
    const auto r = static_cast<T>(static_cast<Unsigned<T>>(magnitude(a) % magnitude(b)));
    return a < 0 ? negate(r) : r;
  } else {
    return static_cast<T>(a % b);
  }
}

template <class T>
Found find_divide_of(const Request& request) {
  if (!request.has_only({})) return request.unsupported();
  return request.instruction.opcode == Opcode::div ? request.lanewise<&quotient<T>>()
                                                   : request.lanewise<&remainder<T>>();
}

}  // namespace

Found find_divide(const Request& request) {
  return for_integer(request, [&request]<class T>() { return find_divide_of<T>(request); });
}

}  // namespace warpwalk::gpu::alu
