#include <algorithm>
#include <array>

#include "core/gpu/alu/matrix/mma_fragment.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/run/matrix_place.h"
#include "core/gpu/history/origin/backward_slice.h"

namespace warpwalk::gpu {

namespace {

using Entry = OperationLog::Entry;

bool is_register(Slot slot) {
  return slot.space() == static_cast<std::uint32_t>(SlotSpace::frame) && slot.offset() != 0;
}

std::uint32_t take(const Entry& entry, Slot slot, WantedValues& wanted) {
  return is_register(slot) ? wanted.take(entry.warp, entry.frame + slot.offset(), all_lanes) : 0;
}

void want(const Entry& entry, Slot slot, std::uint32_t lanes, WantedValues& wanted) {
  if (is_register(slot)) wanted.want(entry.warp, entry.frame + slot.offset(), lanes);
}

int bits_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::b1: return 1;
    case ptx::Type::u4:
    case ptx::Type::s4: return 4;
    case ptx::Type::tf32: return 32;
    default: return std::max(4, ptx::bytes_of(type) * 8);
  }
}

/// Elements of a type in one register of a fragment.
int count_of(ptx::Type type, int register_bytes) { return std::max(1, register_bytes * 8 / bits_of(type)); }

/// Rows and columns of D of which an element is wanted.
struct Lines {
  std::array<bool, 256> rows{}, columns{};
};

/// m8n8k4 of f16: four products, each of eight lanes. All operands of the product count.
void visit_quarters(const MatrixOp& matrix, const Entry& entry, WantedValues& wanted) {
  std::uint32_t lanes = 0;
  for (const Slot d : matrix.d) lanes |= take(entry, d, wanted);
  std::uint32_t sources = 0;
  for (int lane = 0; lane < lanes_per_warp; ++lane)
    for_lanes(lanes, [&](int of) {
      if (alu::quarter_of(lane) == alu::quarter_of(of)) sources |= 1U << lane;
    });
  for (const std::vector<Slot>* const operands : {&matrix.a, &matrix.b})
    for (const Slot slot : *operands) want(entry, slot, sources, wanted);
  for (const Slot slot : matrix.c) want(entry, slot, lanes, wanted);
}

}  // namespace

void visit_mma(const Program& program, const Op& op, const Entry& entry, WantedValues& wanted) {
  const MatrixOp& matrix = program.matrices[op.table_index];
  const Mma& mma = matrix.mma;
  if (mma.k == 4 && mma.m == 8 && mma.a_type == ptx::Type::f16) return visit_quarters(matrix, entry, wanted);
  const int in_a = count_of(mma.a_type, mma.register_bytes), in_b = count_of(mma.b_type, mma.register_bytes);
  const int in_c = count_of(mma.c_type, mma.register_bytes), in_d = count_of(mma.d_type, mma.register_bytes);
  // An element of D comes from its row of A, its column of B and its element of C.
  Lines lines;
  std::vector<alu::Position> elements;
  for (std::size_t r = 0; r < matrix.d.size(); ++r)
    for_lanes(take(entry, matrix.d[r], wanted), [&](int lane) {
      for (int i = 0; i < in_d; ++i) {
        const alu::Position at = alu::place_in_c(mma.m, in_d, lane, static_cast<int>(r), i);
        lines.rows[static_cast<std::size_t>(at.row)] = lines.columns[static_cast<std::size_t>(at.column)] = true;
        elements.push_back(at);
      }
    });
  if (elements.empty()) return;
  const auto want_where = [&](const std::vector<Slot>& slots, int count, auto counts) {
    for (std::size_t r = 0; r < slots.size(); ++r) {
      std::uint32_t lanes = 0;
      for (int lane = 0; lane < lanes_per_warp; ++lane)
        for (int i = 0; i < count; ++i)
          if (counts(lane, static_cast<int>(r), i)) lanes |= 1U << lane;
      want(entry, slots[r], lanes, wanted);
    }
  };
  want_where(matrix.a, in_a, [&](int lane, int r, int i) {
    return lines.rows[static_cast<std::size_t>(alu::position_in_a(mma.m, in_a, lane, r, i).row)];
  });
  want_where(matrix.b, in_b, [&](int lane, int r, int i) {
    return lines.columns[static_cast<std::size_t>(alu::place_in_b(mma.n, in_b, lane, r, i).column)];
  });
  want_where(matrix.c, in_c, [&](int lane, int r, int i) {
    const alu::Position at = alu::place_in_c(mma.m, in_c, lane, r, i);
    return std::ranges::any_of(elements,
                               [&](const alu::Position& p) { return p.row == at.row && p.column == at.column; });
  });
}

void visit_group_mma(const Program& program, const Op& op, const Entry& entry, const std::uint64_t* values,
                     WantedValues& wanted) {
  const GroupProduct& product = program.group_products[op.table_index];
  const int count = product.mma.d_type == ptx::Type::f16 ? 2 : 1;
  Lines lines;
  for (std::size_t r = 0; r < product.d.size(); ++r) {
    const std::uint32_t lanes = take(entry, product.d[r], wanted);
    for_lanes(lanes, [&](int lane) {
      for (int i = 0; i < count; ++i) {
        const alu::Position at = alu::place_in_c(group_warp_rows, count, lane, static_cast<int>(r), i);
        lines.rows[static_cast<std::size_t>(at.row)] = lines.columns[static_cast<std::size_t>(at.column)] = true;
      }
    });
    if (values[2] != 0 && r < product.c.size()) want(entry, product.c[r], lanes, wanted);
  }
  if (!wanted.counts()) return;
  const std::uint64_t base = values[3] | shared_tag;
  const auto want_line = [&](const MatrixPlace& place, bool transposed, std::uint32_t line) {
    for (std::uint32_t k = 0; k < 16 && transposed; ++k)
      wanted.want_bytes(base + place.across_k(line / 8, k) + line % 8 * 2, 2);
    for (std::uint32_t half = 0; half < 2 && !transposed; ++half)
      wanted.want_bytes(base + place.along_k(line, half), 16);
  };
  const auto first_row = static_cast<std::uint32_t>(values[4]) * group_warp_rows;
  for (std::uint32_t row = 0; row < group_warp_rows; ++row) {
    if (!lines.rows[row]) continue;
    if (product.a.empty()) want_line(MatrixPlace::of(values[0]), product.transposes_a, first_row + row);
    // From registers: register r has a part of row lane / 4, plus 8 if r is odd.
    for (std::size_t r = 0; r < product.a.size(); ++r)
      if (row / 8 == r % 2) want(entry, product.a[r], 0xfU << row % 8 * 4, wanted);
  }
  for (std::uint32_t column = 0; column < static_cast<std::uint32_t>(product.mma.columns); ++column)
    if (lines.columns[column]) want_line(MatrixPlace::of(values[1]), product.transposes_b, column);
}

void visit_matrix_move(const Program& program, const Op& op, OperationFlow::Kind kind, const Entry& entry,
                       const std::uint64_t* values, WantedValues& wanted) {
  // A lane holds two elements of a matrix of 8 x 8: row lane / 4, columns 2 (lane % 4) and the next.
  const auto holder = [](int row, int column) { return row * 4 + column / 2; };
  if (kind == OperationFlow::Kind::move_matrix) {
    std::uint32_t sources = 0;
    for_lanes(take(entry, op.d, wanted), [&](int lane) {
      for (int i = 0; i < 2; ++i) sources |= 1U << holder(lane % 4 * 2 + i, lane / 4);
    });
    return want(entry, op.a, sources, wanted);
  }
  const MatrixOp& matrix = program.matrices[op.target];
  const auto row_address = [&](std::size_t k, int row) { return values[8 * k + static_cast<std::size_t>(row)]; };
  const auto as_shared = [](std::uint64_t address) { return address | shared_tag; };
  if (kind == OperationFlow::Kind::load_matrix) {
    for (std::size_t k = 0; k < matrix.d.size(); ++k)
      for_lanes(take(entry, matrix.d[k], wanted), [&](int lane) {
        for (int i = 0; i < 2; ++i) {
          const int row = matrix.transposed ? lane % 4 * 2 + i : lane / 4;
          const int column = matrix.transposed ? lane / 4 : lane % 4 * 2 + i;
          const std::uint64_t address = as_shared(row_address(k, row)) + static_cast<std::uint64_t>(column) * 2;
          wanted.note_access(lane, address, 2);
          wanted.want_bytes(address, 2);
        }
      });
    return;
  }
  for (std::size_t k = matrix.a.size(); k-- > 0;)
    for (int row = 8; row-- > 0;)
      for (int column = 0; column < 8; ++column) {
        const std::uint64_t address = as_shared(row_address(k, row)) + static_cast<std::uint64_t>(column) * 2;
        const int lane = matrix.transposed ? holder(column, row) : holder(row, column);
        if (wanted.take_bytes(address, 2, lane, address)) want(entry, matrix.a[k], 1U << lane, wanted);
      }
}

void visit_fragment(const Program& program, const Op& op, bool loads, const Entry& entry, const std::uint64_t* values,
                    WantedValues& wanted) {
  const MatrixOp& matrix = program.matrices[op.target];
  const std::uint32_t bytes = program.accesses[op.table_index].bytes;
  const auto address_of = [&](int lane, std::size_t r, int i) {
    const auto [row, column] = element_position(matrix.wmma, lane, static_cast<int>(r), i);
    return values[0] +
           (static_cast<std::uint64_t>(row) * values[1] + static_cast<std::uint64_t>(column) * values[2]) * bytes;
  };
  for (std::size_t r = 0; r < matrix.d.size(); ++r) {
    if (loads) {
      for_lanes(take(entry, matrix.d[r], wanted), [&](int lane) {
        for (int i = 0; i < matrix.wmma.elements_per_register; ++i) {
          wanted.note_access(lane, address_of(lane, r, i), bytes);
          wanted.want_bytes(address_of(lane, r, i), bytes);
        }
      });
      continue;
    }
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      for (int i = 0; i < matrix.wmma.elements_per_register; ++i) {
        const std::uint64_t address = address_of(lane, r, i);
        if (wanted.take_bytes(address, bytes, lane, address)) want(entry, matrix.d[r], 1U << lane, wanted);
      }
  }
}

}  // namespace warpwalk::gpu
