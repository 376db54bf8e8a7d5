#include "core/gpu/alu/matrix/mma_narrow.h"

#include <array>

#include "core/gpu/alu/integer/integer.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Type;

constexpr std::size_t max_narrow_m = 16, max_narrow_n = 8, max_narrow_k = 256;

template <std::size_t Lines>
using NarrowLines = std::array<std::array<s8, max_narrow_k>, Lines>;

int bits_of_narrow(Type type) { return type == Type::b1 ? 1 : 4; }

s8 narrow_value(Type type, u32 bits) {
  if (type == Type::b1) return static_cast<s8>(bits & 1);
  const u32 value = bits & 15;
  return static_cast<s8>(type == Type::s4 && value > 7 ? static_cast<s32>(value) - 16 : static_cast<s32>(value));
}

/// Rows of A, or columns of B: the fragments are each other's transpose.
template <std::size_t Lines>
void load_lines(NarrowLines<Lines>& lines, int count, Type type, int registers, const void* const* values) {
  const int bits = bits_of_narrow(type);
  for (int r = 0; r < registers; ++r)
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      for (int i = 0; i < 32 / bits; ++i) {
        const Position at = position_in_a(count, 32 / bits, lane, r, i);
        lines[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)] =
            narrow_value(type, load<u32>(values[r], lane) >> (bits * i));
      }
}

void run_narrow(const Mma& mma, const MmaCall& call) {
  NarrowLines<max_narrow_m> rows{};
  NarrowLines<max_narrow_n> columns{};
  load_lines(rows, mma.m, mma.a_type, mma.a_registers, call.a);
  load_lines(columns, mma.n, mma.b_type, mma.b_registers, call.b);
  for (int r = 0; r < mma.d_registers; ++r)
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      const Position at = place_in_c(mma.m, 1, lane, r, 0);
      const auto& row = rows[static_cast<std::size_t>(at.row)];
      const auto& column = columns[static_cast<std::size_t>(at.column)];
      s64 sum = load<s32>(call.c[r], lane);
      for (std::size_t k = 0; k < static_cast<std::size_t>(mma.k); ++k)
        sum += mma.by_xor ? row[k] ^ column[k] : row[k] * column[k];
      store<s32>(call.d[r], lane, mma.satfinite ? clamp_to<s32>(sum) : static_cast<s32>(sum));
    }
}

}  // namespace

bool is_nibble(Type type) { return type == Type::s4 || type == Type::u4; }

void (*find_narrow(const Mma& mma))(const Mma&, const MmaCall&) {
  if (mma.d_type != Type::s32 || mma.c_type != Type::s32) return nullptr;
  const bool wide = mma.m == 16;
  if (is_nibble(mma.a_type) && is_nibble(mma.b_type))
    return mma.k == 32 || (wide && mma.k == 64) ? &run_narrow : nullptr;
  if (mma.a_type != Type::b1 || mma.b_type != Type::b1 || mma.satfinite) return nullptr;
  return mma.k == 128 || (wide && mma.k == 256) ? &run_narrow : nullptr;
}

}  // namespace warpwalk::gpu::alu
