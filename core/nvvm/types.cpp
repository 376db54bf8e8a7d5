#include <algorithm>

#include "core/nvvm/ir.h"

namespace warpwalk::nvvm {
namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

std::uint64_t size_of(const Type& type) {
  using Kind = Type::Kind;
  switch (type.kind) {
    case Kind::integer: {
      std::uint64_t bytes = 1;
      while (8 * bytes < type.bits) bytes *= 2;
      return bytes;
    }
    case Kind::f16:
    case Kind::bf16: return 2;
    case Kind::f32: return 4;
    case Kind::f64:
    case Kind::pointer: return 8;
    case Kind::array:
    case Kind::vector: return type.count * size_of(*type.elements.front());
    case Kind::structure: {
      std::uint64_t bytes = 0;
      for (const TypePtr& one : type.elements)
        bytes = (type.packed ? bytes : rounded_up(bytes, alignment_of(*one))) + size_of(*one);
      return rounded_up(bytes, alignment_of(type));
    }
    case Kind::nothing:
    case Kind::other: break;
  }
  return 0;
}

std::uint64_t alignment_of(const Type& type) {
  using Kind = Type::Kind;
  if (type.kind == Kind::array) return alignment_of(*type.elements.front());
  if (type.kind != Kind::structure) return std::max<std::uint64_t>(size_of(type), 1);
  std::uint64_t most = 1;
  if (!type.packed)
    for (const TypePtr& one : type.elements) most = std::max(most, alignment_of(*one));
  return most;
}

std::uint64_t offset_of(const Type& type, std::uint64_t i) {
  if (type.kind != Type::Kind::structure) return i * size_of(*type.elements.front());
  std::uint64_t at = 0;
  for (std::uint64_t k = 0; k <= i && k < type.elements.size(); ++k) {
    const Type& one = *type.elements[k];
    if (!type.packed) at = rounded_up(at, alignment_of(one));
    if (k < i) at += size_of(one);
  }
  return at;
}

std::vector<Scalar> scalars_of(const TypePtr& type) {
  if (type->is_scalar()) return {{type, 0}};
  std::vector<Scalar> all;
  const std::uint64_t count = type->kind == Type::Kind::structure ? type->elements.size() : type->count;
  for (std::uint64_t i = 0; i < count; ++i)
    for (Scalar& one : scalars_of(type->kind == Type::Kind::structure ? type->elements[i] : type->elements.front())) {
      one.offset += offset_of(*type, i);
      all.push_back(std::move(one));
    }
  return all;
}

}  // namespace warpwalk::nvvm
