#include "core/gpu/alu/matrix/group_mma.h"

#include <array>
#include <cstring>
#include <memory>

#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/matrix/mma_float.h"
#include "core/gpu/alu/matrix/mma_fragment.h"

namespace warpwalk::gpu {
namespace alu {
namespace {

using ptx::Type;

int element_bytes(Type type) {
  switch (type) {
    case Type::f16:
    case Type::bf16: return 2;
    case Type::tf32: return 4;
    default: return 1;
  }
}

u32 element(const u8* line, int bytes, int i) {
  u32 value = 0;
  std::memcpy(&value, line + bytes * i, static_cast<std::size_t>(bytes));
  return value;
}

template <class L>
void set_line(L& line, Type type, bool negates, const u8* from) {
  const MatrixInput input = matrix_input(type);
  const int bytes = element_bytes(type);
  for (int i = 0; i < group_line_bytes / bytes; ++i) {
    const u64 bits = element(from, bytes, i) >> input.dropped;
    line.set(i, *input.format, negates ? bits ^ input.format->sign() : bits);
  }
}

/// Calls value(row, column, c) for every element of D. The elements of C and D lie as those of mma.m16n8 do, for one
/// group of eight columns after another.
template <class T, class F>
void for_each_of_d(const GroupMma& mma, const GroupMmaCall& call, F value) {
  constexpr int count = sizeof(T) == 2 ? 2 : 1;
  for (int r = 0; r < mma.registers(); ++r)
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      for (int i = 0; i < count; ++i) {
        const int at = lane * count + i;
        const Position place = place_in_c(group_warp_rows, count, lane, r, i);
        const T c = call.c == nullptr ? T{} : load<T>(call.c[r], at);
        store<T>(call.d[r], at, static_cast<T>(value(place.row, place.column, c)));
      }
}

template <class L, class D>
void run_group_floats(const GroupMma& mma, const GroupMmaCall& call, D dot) {
  std::array<L, group_warp_rows> rows;
  const auto columns = std::make_unique<std::array<L, group_max_columns>>();
  for (int i = 0; i < group_warp_rows; ++i)
    set_line(rows[static_cast<std::size_t>(i)], mma.a_type, mma.negates_a, call.a + group_line_bytes * i);
  for (int i = 0; i < mma.columns; ++i)
    set_line((*columns)[static_cast<std::size_t>(i)], mma.b_type, mma.negates_b, call.b + group_line_bytes * i);
  const int product_bits =
      matrix_input(mma.a_type).format->fraction_bits + matrix_input(mma.b_type).format->fraction_bits;
  const FloatFormat& format = mma.d_type == Type::f16 ? format_f16 : format_f32;
  const auto value = [&](int row, int column, u32 c) {
    return dot(product_bits, rows[static_cast<std::size_t>(row)], (*columns)[static_cast<std::size_t>(column)], format,
               c, format);
  };
  if (mma.d_type == Type::f16)
    for_each_of_d<u16>(mma, call, value);
  else
    for_each_of_d<u32>(mma, call, value);
}

void run_group_integers(const GroupMma& mma, const GroupMmaCall& call) {
  const auto value = [](Type type, u8 bits) { return type == Type::s8 ? s32{static_cast<s8>(bits)} : s32{bits}; };
  for_each_of_d<u32>(mma, call, [&](int row, int column, u32 c) {
    s64 sum = static_cast<s32>(c);
    for (int i = 0; i < group_line_bytes; ++i)
      sum += value(mma.a_type, call.a[group_line_bytes * row + i]) *
             value(mma.b_type, call.b[group_line_bytes * column + i]);
    return static_cast<u32>(mma.saturates ? clamp_to<s32>(sum) : static_cast<s32>(sum));
  });
}

}  // namespace
}  // namespace alu

int GroupMma::k() const { return group_line_bytes / alu::element_bytes(a_type); }

void run(const GroupMma& mma, const GroupMmaCall& call) {
  if (mma.d_type == ptx::Type::s32) return alu::run_group_integers(mma, call);
  if (alu::element_bytes(mma.a_type) == 1)
    return alu::run_group_floats<alu::ByteLine>(mma, call, alu::byte_dot_for(host_isa()));
  alu::run_group_floats<alu::Line>(mma, call, alu::dot_for(host_isa()));
}

}  // namespace warpwalk::gpu
