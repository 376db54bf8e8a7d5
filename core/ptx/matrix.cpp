#include "core/ptx/matrix.h"

#include <array>

namespace warpwalk::ptx {
namespace {

struct Shape {
  Modifier name;
  int m, n, k;
};

constexpr std::array shapes{
    Shape{Modifier::m8n8k4, 8, 8, 4},       Shape{Modifier::m8n8k16, 8, 8, 16},   Shape{Modifier::m16n8k4, 16, 8, 4},
    Shape{Modifier::m16n8k8, 16, 8, 8},     Shape{Modifier::m16n8k16, 16, 8, 16}, Shape{Modifier::m16n8k32, 16, 8, 32},
    Shape{Modifier::m8n8k32, 8, 8, 32},     Shape{Modifier::m16n8k64, 16, 8, 64}, Shape{Modifier::m8n8k128, 8, 8, 128},
    Shape{Modifier::m16n8k128, 16, 8, 128}, Shape{Modifier::m16n8k256, 16, 8, 256},
    Shape{Modifier::m16n16k16, 16, 16, 16}, Shape{Modifier::m16n16k8, 16, 16, 8}, Shape{Modifier::m8n32k16, 8, 32, 16},
    Shape{Modifier::m32n8k16, 32, 8, 16},
};

int elements_of(const Instruction& instruction, char matrix) {
  for (const Shape& shape : shapes)
    if (instruction.has(shape.name))
      return matrix == 'a' ? shape.m * shape.k : matrix == 'b' ? shape.k * shape.n : shape.m * shape.n;
  return 0;
}

bool is_wmma(Opcode opcode) { return opcode >= Opcode::wmma_load_a && opcode <= Opcode::wmma_mma; }

Type element_type(const Instruction& instruction, char matrix) {
  const std::size_t types = instruction.types.size();
  if (types == 1) return instruction.type();
  if (matrix == 'd') return instruction.type();
  if (matrix == 'c') return instruction.type(types - 1);
  // wmma.mma on f16 lists only the types of d and c.
  return types == 2 ? Type::f16 : instruction.type(matrix == 'a' ? 1 : 2);
}

}  // namespace

Fragment fragment_of(const Instruction& instruction, char matrix) {
  if (instruction.opcode == Opcode::wgmma_mma_async) {
    if (matrix == 'a') return {4, Type::f16x2};
    return instruction.type() == Type::f16 ? Fragment{instruction.columns() / 4, Type::f16x2}
                                           : Fragment{instruction.columns() / 2, instruction.type()};
  }
  const Type type = element_type(instruction, matrix);
  // A matrix is distributed evenly over the 32 lanes. Elements smaller than 32 bits are packed.
  int per_lane = elements_of(instruction, matrix) / 32;
  // mma.m8n8k4 on f16 computes four products, each on 8 lanes.
  const bool quads = instruction.opcode == Opcode::mma && instruction.has(Modifier::m8n8k4);
  if (quads && instruction.type(1) == Type::f16) per_lane *= 4;
  // wmma fragments of f16 have 8 registers for every shape.
  const bool is_factor = matrix == 'a' || matrix == 'b';
  if (is_wmma(instruction.opcode) && type == Type::f16 && is_factor) return {8, Type::b32};
  switch (type) {
    case Type::f64:
    case Type::f32:
    case Type::s32: return {per_lane, type};
    case Type::tf32: return {per_lane, Type::b32};
    case Type::f16:
    case Type::bf16: return {per_lane / 2, Type::b32};
    case Type::u4:
    case Type::s4: return {per_lane / 8, Type::b32};
    case Type::b1: return {per_lane / 32, Type::b32};
    default: return {per_lane / 4, Type::b32};
  }
}

}  // namespace warpwalk::ptx
