#include "tests/alu/approximations.h"

namespace warpwalk::gpu {
namespace {

using ptx::Opcode;
using ptx::Type;

std::optional<ApproximationBound> of_f32(Opcode opcode) {
  switch (opcode) {
    case Opcode::div: return ApproximationBound{.ulp = 2, .where = "div.approx: |b| in [2^-126, 2^126]"};
    case Opcode::rcp: return ApproximationBound{.ulp = 1, .where = ""};
    case Opcode::sqrt: return ApproximationBound{.relative = 0x1p-23, .where = ""};
    case Opcode::rsqrt: return ApproximationBound{.relative = 1.28e-7, .where = ""};  // 2^-22.9
    case Opcode::sin:
    case Opcode::cos: return ApproximationBound{.absolute = 6.75e-7, .where = "[-2 pi, 2 pi]"};  // 2^-20.5
    case Opcode::lg2: return ApproximationBound{.relative = 0x1p-22, .absolute = 0x1p-22, .where = ""};
    case Opcode::ex2: return ApproximationBound{.ulp = 2, .where = ""};
    case Opcode::tanh: return ApproximationBound{.relative = 0x1p-11, .where = ""};
    default: return {};
  }
}

}  // namespace

std::optional<ApproximationBound> approximation_bound(Opcode opcode, Type type) {
  const bool f16 = type == Type::f16 || type == Type::f16x2;
  const bool bf16 = type == Type::bf16 || type == Type::bf16x2;
  if (type == Type::f32) return of_f32(opcode);
  if (opcode == Opcode::ex2 && f16) return ApproximationBound{.relative = 1.047e-3, .where = ""};  // 2^-9.9
  if (opcode == Opcode::ex2 && bf16) return ApproximationBound{.relative = 0x1p-7, .where = ""};
  if (opcode == Opcode::tanh && f16) return ApproximationBound{.absolute = 4.927e-4, .where = ""};  // 2^-10.987
  if (opcode == Opcode::tanh && bf16) return ApproximationBound{.relative = 0x1p-8, .where = ""};
  return {};
}

}  // namespace warpwalk::gpu
