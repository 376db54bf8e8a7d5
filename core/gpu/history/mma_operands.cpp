#include "core/gpu/history/mma_operands.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "core/gpu/alu/floating/half.h"
#include "core/gpu/alu/matrix/mma_fragment.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

namespace {

using ptx::Type;

int element_bytes(Type type) {
  switch (type) {
    case Type::u8:
    case Type::s8: return 1;
    case Type::f16:
    case Type::bf16: return 2;
    default: return 4;
  }
}

template <class T>
T read(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

double number_of(const std::uint8_t* bytes, Type type) {
  switch (type) {
    case Type::u8: return read<std::uint8_t>(bytes);
    case Type::s8: return read<std::int8_t>(bytes);
    case Type::f16: return alu::widen(alu::F16{read<std::uint16_t>(bytes)});
    case Type::bf16: return alu::widen(alu::Bf16{read<std::uint16_t>(bytes)});
    case Type::s32: return read<std::int32_t>(bytes);
    // The tensor core ignores the 13 lowest bits.
    case Type::tf32: return alu::f32_of(read<std::uint32_t>(bytes) & ~0x1fffU);
    default: return read<float>(bytes);
  }
}

/// `at`: register r of all lanes; null if it is not known.
using RegisterAt = std::function<const std::uint8_t*(const Slot&)>;
using PlaceOf = std::function<alu::Position(int lane, int r, int i)>;

std::optional<MatrixTile> tile_of(int rows, int columns, Type type, int register_bytes, const std::vector<Slot>& slots,
                                  const RegisterAt& at, const PlaceOf& place_of) {
  MatrixTile tile{rows, columns, std::vector<MatrixTile::Element>(static_cast<std::size_t>(rows * columns))};
  const int bytes = element_bytes(type);
  for (std::size_t r = 0; r < slots.size(); ++r) {
    const std::uint8_t* const values = at(slots[r]);
    if (values == nullptr) return {};
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < std::max(1, register_bytes / bytes); ++i) {
        const alu::Position place = place_of(lane, static_cast<int>(r), i);
        if (place.row >= rows || place.column >= columns) return {};
        tile.elements[static_cast<std::size_t>(place.row * columns + place.column)] = {
            lane, number_of(values + lane * register_bytes + i * bytes, type)};
      }
  }
  return tile;
}

}  // namespace

std::optional<MmaOperands> mma_operands(const Program& program, std::uint32_t instruction, const Warp& before,
                                        const Warp& after) {
  if (!program.machine_code) return {};
  const auto op = std::ranges::find_if(program.ops, [&](const Op& candidate) {
    return candidate.instruction == instruction && candidate.run == handlers::multiply_matrices;
  });
  if (op == program.ops.end()) return {};
  const MatrixOp& matrix = program.matrices[op->table_index];
  const Mma& mma = matrix.mma;
  // Doubles go through temporary registers, which the warp does not keep.
  if (mma.register_bytes != 4 || mma.m % 8 != 0 || (mma.k == 4 && mma.a_type == Type::f16)) return {};
  const auto in = [&](const Warp& warp) -> RegisterAt {
    return [&](const Slot& slot) -> const std::uint8_t* {
      const std::vector<std::uint8_t>* const from =
          slot.space() == static_cast<std::uint32_t>(SlotSpace::frame)      ? &warp.registers
          : slot.space() == static_cast<std::uint32_t>(SlotSpace::constant) ? &program.constants
                                                                            : nullptr;
      const std::size_t bytes = 32 * static_cast<std::size_t>(mma.register_bytes);
      return from != nullptr && slot.offset() + bytes <= from->size() ? from->data() + slot.offset() : nullptr;
    };
  };
  const auto count = [&](Type type) { return std::max(1, mma.register_bytes / element_bytes(type)); };
  const auto in_c = [&](Type type) {
    return [&mma, n = count(type)](int lane, int r, int i) { return alu::place_in_c(mma.m, n, lane, r, i); };
  };
  auto a = tile_of(mma.m, mma.k, mma.a_type, mma.register_bytes, matrix.a, in(before),
                   [&](int lane, int r, int i) { return alu::position_in_a(mma.m, count(mma.a_type), lane, r, i); });
  auto b = tile_of(mma.k, mma.n, mma.b_type, mma.register_bytes, matrix.b, in(before),
                   [&](int lane, int r, int i) { return alu::place_in_b(mma.n, count(mma.b_type), lane, r, i); });
  auto c = tile_of(mma.m, mma.n, mma.c_type, mma.register_bytes, matrix.c, in(before), in_c(mma.c_type));
  auto d = tile_of(mma.m, mma.n, mma.d_type, mma.register_bytes, matrix.d, in(after), in_c(mma.d_type));
  if (!a || !b || !c || !d) return {};
  return MmaOperands{std::move(*a), std::move(*b), std::move(*c), std::move(*d)};
}

}  // namespace warpwalk::gpu
