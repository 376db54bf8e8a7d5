#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

/// .relu: negative results become 0.
template <class T, T (*F)(T, T)>
T relu(T a, T b) {
  return maximum<T>(F(a, b), 0);
}

template <class T>
Found find_compare_of(const Request& request) {
  const Opcode opcode = request.instruction.opcode;
  if constexpr (std::is_same_v<T, s32>) {
    if (request.has(Modifier::relu) && request.has_only({Modifier::relu})) {
      if (opcode == Opcode::min) return request.lanewise<&relu<s32, minimum<s32>>>();
      if (opcode == Opcode::max) return request.lanewise<&relu<s32, maximum<s32>>>();
    }
  }
  if (!request.has_only({})) return request.unsupported();
  if (opcode == Opcode::min) return request.lanewise<&minimum<T>>();
  if (opcode == Opcode::max) return request.lanewise<&maximum<T>>();
  if constexpr (std::is_signed_v<T>) {
    if (opcode == Opcode::abs) return request.lanewise<&absolute<T>>();
    if (opcode == Opcode::neg) return request.lanewise<&negate<T>>();
  }
  return request.unsupported();
}

}  // namespace

Found find_integer(const Request& request) {
  return for_integer(request, [&request]<class T>() { return find_compare_of<T>(request); });
}

}  // namespace warpwalk::gpu::alu
