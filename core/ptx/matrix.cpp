#include "core/ptx/matrix.h"

namespace warpwalk::ptx {
namespace {

struct Shape {
  int m, n, k;
};

Shape shape_of(const Instruction& mma) {
  if (mma.has(Modifier::m8n8k4)) return {8, 8, 4};
  if (mma.has(Modifier::m8n8k16)) return {8, 8, 16};
  if (mma.has(Modifier::m16n8k4)) return {16, 8, 4};
  if (mma.has(Modifier::m16n8k8)) return {16, 8, 8};
  if (mma.has(Modifier::m16n8k16)) return {16, 8, 16};
  return {16, 8, 32};
}

}  // namespace

Fragment fragment_of(const Instruction& mma, std::size_t place) {
  const Shape shape = shape_of(mma);
  const Type type = mma.type(place);
  int elements = shape.m * shape.n;
  if (place == 1) elements = shape.m * shape.k;
  if (place == 2) elements = shape.k * shape.n;
  // m8n8k4 of f16 is four multiplications, each by 8 of the lanes.
  if (mma.has(Modifier::m8n8k4) && mma.type(1) == Type::f16) elements *= 4;
  const int a_lane = elements / 32;
  switch (type) {
    case Type::f64:
    case Type::f32:
    case Type::s32: return {a_lane, type};
    case Type::tf32: return {a_lane, Type::b32};
    case Type::f16:
    case Type::bf16: return {a_lane / 2, Type::b32};
    default: return {a_lane / 4, Type::b32};
  }
}

}  // namespace warpwalk::ptx
