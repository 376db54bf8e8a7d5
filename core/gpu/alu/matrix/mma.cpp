#include "core/gpu/alu/matrix/mma.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/gpu/alu/floating/convert.h"
#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/floating/half.h"
#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/matrix/mma_float.h"
#include "core/gpu/alu/matrix/mma_fragment.h"
#include "core/gpu/alu/matrix/mma_narrow.h"

namespace warpwalk::gpu {
namespace alu {
namespace {

using ptx::Modifier;
using ptx::Type;

int bits_of_element(Type type) {
  switch (type) {
    case Type::b1: return 1;
    case Type::s4:
    case Type::u4: return 4;
    case Type::s8:
    case Type::u8:
    case Type::e4m3:
    case Type::e5m2: return 8;
    case Type::f16:
    case Type::bf16: return 16;
    case Type::f64: return 64;
    default: return 32;
  }
}

int elements_per_register(Type type) { return std::max(1, 32 / bits_of_element(type)); }

/// Element i of a lane's register.
u64 element(const void* values, int lane, Type type, int i) {
  if (type == Type::f64) return load<u64>(values, lane);
  const int bits = bits_of_element(type);
  const u64 mask = bits == 32 ? 0xffffffffU : (u64{1} << bits) - 1;
  return load<u32>(values, lane) >> (bits * i) & mask;
}

/// Calls f(row, column, bits) for every element of A.
template <class F>
void for_each_in_a(const Mma& mma, const MmaCall& call, F f) {
  const int count = elements_per_register(mma.a_type);
  for (int r = 0; r < mma.a_registers; ++r)
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      for (int i = 0; i < count; ++i) {
        const Position at = position_in_a(mma.m, count, lane, r, i);
        f(at.row, at.column, element(call.a[r], lane, mma.a_type, i));
      }
}

template <class F>
void each_of_b(const Mma& mma, const MmaCall& call, F f) {
  const int count = elements_per_register(mma.b_type);
  for (int r = 0; r < mma.b_registers; ++r)
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      for (int i = 0; i < count; ++i) {
        const Position at = place_in_b(mma.n, count, lane, r, i);
        f(at.row, at.column, element(call.b[r], lane, mma.b_type, i));
      }
}

template <class T>
using Grid = std::array<std::array<T, max_k>, max_m>;

/// Stores value(place, c) for every element of D, which has type T. D may use the same registers as C.
template <class T, class F>
void each_of_d(const Mma& mma, const MmaCall& call, F value) {
  constexpr int count = sizeof(T) == 2 ? 2 : 1;
  for (int r = 0; r < mma.d_registers; ++r)
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      for (int i = 0; i < count; ++i) {
        const int at = lane * count + i;
        store<T>(call.d[r], at, value(place_in_c(mma.m, count, lane, r, i), load<T>(call.c[r], at)));
      }
}

void run_integers(const Mma& mma, const MmaCall& call) {
  Grid<s32> a{};
  Grid<s32> b{};  // stored by columns
  const auto value = [](Type type, u64 bits) {
    return type == Type::s8 ? s32{static_cast<s8>(bits)} : static_cast<s32>(bits);
  };
  for_each_in_a(mma, call, [&](int row, int column, u64 bits) { a[row][column] = value(mma.a_type, bits); });
  each_of_b(mma, call, [&](int row, int column, u64 bits) { b[column][row] = value(mma.b_type, bits); });
  each_of_d<s32>(mma, call, [&](Position at, s32 c) {
    s64 sum = c;
    for (int i = 0; i < mma.k; ++i) sum += a[at.row][i] * b[at.column][i];
    return mma.satfinite ? clamp_to<s32>(sum) : static_cast<s32>(sum);
  });
}

void run_f64(const Mma& mma, const MmaCall& call) {
  Grid<double> a{};
  Grid<double> b{};
  for_each_in_a(mma, call, [&](int row, int column, u64 bits) { a[row][column] = std::bit_cast<double>(bits); });
  each_of_b(mma, call, [&](int row, int column, u64 bits) { b[column][row] = std::bit_cast<double>(bits); });
  each_of_d<double>(mma, call, [&](Position at, double c) {
    double sum = c;
    for (int i = 0; i < mma.k; ++i)
      sum = mma.rounding == ptx::Rounding::rn
                ? std::fma(a[at.row][i], b[at.column][i], sum)
                : fused_directed(mma.rounding, a[at.row][i], b[at.column][i], sum);
    return sum;
  });
}

const FloatFormat& accumulator_format(Type type) { return type == Type::f16 ? format_f16 : format_f32; }

void run_floats(const Mma& mma, const MmaCall& call) {
  const MatrixInput input = matrix_input(mma.a_type);
  std::array<Line, max_m> rows{};
  std::array<Line, max_n> columns{};
  for_each_in_a(mma, call, [&](int row, int column, u64 bits) {
    rows[static_cast<std::size_t>(row)].set(column, *input.format, bits >> input.dropped);
  });
  each_of_b(mma, call, [&](int row, int column, u64 bits) {
    columns[static_cast<std::size_t>(column)].set(row, *input.format, bits >> input.dropped);
  });
  const Dot dot = dot_for(host_isa());
  const FloatFormat& c_format = accumulator_format(mma.c_type);
  const FloatFormat& d_format = accumulator_format(mma.d_type);
  const auto value = [&](Position at, u32 c) {
    return dot(2 * input.format->fraction_bits, rows[static_cast<std::size_t>(at.row)],
               columns[static_cast<std::size_t>(at.column)], c_format, c, d_format);
  };
  const int c_count = elements_per_register(mma.c_type);
  const int d_count = elements_per_register(mma.d_type);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    // C and D may share registers, and their order differs if only one of them holds f16.
    std::array<u32, 8> d{};
    for (int at = 0; at < mma.d_registers * d_count; ++at) {
      const auto c = static_cast<u32>(element(call.c[at / c_count], lane, mma.c_type, at % c_count));
      d[static_cast<std::size_t>(at / d_count)] |= value(place_in_c(mma.m, 1, lane, at, 0), c)
                                                   << (32 / d_count * (at % d_count));
    }
    for (int r = 0; r < mma.d_registers; ++r) store<u32>(call.d[r], lane, d[static_cast<std::size_t>(r)]);
  }
}

bool is_fp8(Type type) { return type == Type::e4m3 || type == Type::e5m2; }

/// The f16 with the value of each fp8, as cvt makes it.
std::array<u16, 256> widened_bytes(Type type) {
  std::array<u16, 256> all{};
  for (std::size_t bits = 0; bits < all.size(); ++bits)
    all[bits] = static_cast<u16>(convert({.to = Type::f16, .from = type, .rounding = ptx::Rounding::rn}, bits));
  return all;
}

/// m16n8k16 and m16n8k32 on fp8, which mma.sync does not execute as one tensor core operation: the factors become f16;
/// of every four neighbors in k, the lower two are summed, then the upper two are added, then c is added, all in d's
/// type (observed on an H200).
void run_fp8(const Mma& mma, const MmaCall& call) {
  using Lines = std::array<std::array<Line, max_m>, 2>;
  Lines rows{};
  Lines columns{};
  static const std::array<u16, 256> e4m3 = widened_bytes(Type::e4m3), e5m2 = widened_bytes(Type::e5m2);
  const auto set = [](Lines& lines, int line, int k, Type type, u64 bits) {
    lines[static_cast<std::size_t>(k / 2 % 2)][static_cast<std::size_t>(line)].set(
        k / 4 * 2 + k % 2, format_f16, (type == Type::e4m3 ? e4m3 : e5m2)[static_cast<std::size_t>(bits)]);
  };
  for_each_in_a(mma, call, [&](int row, int column, u64 bits) { set(rows, row, column, mma.a_type, bits); });
  each_of_b(mma, call, [&](int row, int column, u64 bits) { set(columns, column, row, mma.b_type, bits); });
  constexpr int product_bits = 2 * format_f16.fraction_bits;
  const FloatFormat& format = accumulator_format(mma.d_type);
  const Dot dot = dot_for(host_isa());
  const auto products = [&](Position at) {
    u32 sum = 0;
    for (std::size_t half = 0; half < 2; ++half)
      sum = dot(product_bits, rows[half][static_cast<std::size_t>(at.row)],
                columns[half][static_cast<std::size_t>(at.column)], format, sum, format);
    return sum;
  };
  if (mma.d_type == Type::f32)
    each_of_d<u32>(mma, call, [&](Position at, u32 c) { return bits_of(canonical(f32_of(products(at)) + f32_of(c))); });
  else
    each_of_d<u16>(mma, call, [&](Position at, u16 c) {
      return narrow_f16(widen(F16{static_cast<u16>(products(at))}) + widen(F16{c})).bits;
    });
}

/// m8n8k4 on f16: four multiplications, each in one quarter of the lanes. Tensor cores of this generation lack this
/// shape. Each sum in f32 is a chain of f32 fma over k, to which c is added (observed on an H200). In f16, the products of
/// the lower two and then of the upper two are added to c, in f32 (as in the code that ptxas 13.0 generates).
void run_quarters(const Mma& mma, const MmaCall& call) {
  using Matrix = std::array<std::array<float, 4>, 8>;
  std::array<Matrix, 4> rows{};
  std::array<Matrix, 4> columns{};
  const auto half = [](u64 bits) { return widen(F16{static_cast<u16>(bits)}); };
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    const auto quarter = static_cast<std::size_t>(quarter_of(lane));
    const auto line = static_cast<std::size_t>(line_of_quarter(lane)), half_line = static_cast<std::size_t>(lane % 4);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto at = static_cast<int>(i);
      const std::size_t other = i + line - half_line;  // the register's elements are along the other dimension
      rows[quarter][mma.a_by_columns ? other : line][mma.a_by_columns ? half_line : i] =
          half(element(call.a[at / 2], lane, Type::f16, at % 2));
      columns[quarter][mma.b_by_rows ? other : line][mma.b_by_rows ? half_line : i] =
          half(element(call.b[at / 2], lane, Type::f16, at % 2));
    }
  }
  const auto dot_product = [&](const std::array<float, 4>& a, const std::array<float, 4>& b, float c) {
    const float first = std::fma(a[1], b[1], a[0] * b[0]);
    if (mma.d_type == Type::f16) return c + first + std::fma(a[3], b[3], a[2] * b[2]);
    return std::fma(a[3], b[3], std::fma(a[2], b[2], first)) + c;
  };
  const auto addend = [&](int lane, int at, Position place) {
    if (mma.c_type == Type::f32) return f32_of(load<u32>(call.c[at], lane));
    const int holder = 4 * quarter_of(lane) + place.row % 4 + (place.row >= 4 ? 16 : 0);
    return half(element(call.c[place.column / 2], holder, Type::f16, place.column % 2));
  };
  // C may be in the registers of D.
  std::array<std::array<u32, lanes_per_warp>, 8> results{};
  const int count = elements_per_register(mma.d_type);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    const auto quarter = static_cast<std::size_t>(quarter_of(lane));
    for (int at = 0; at < mma.d_registers * count; ++at) {
      const Position place = count == 1 ? place_in_quarter(lane, at) : Position{line_of_quarter(lane), at};
      const float sum = dot_product(rows[quarter][static_cast<std::size_t>(place.row)],
                                    columns[quarter][static_cast<std::size_t>(place.column)], addend(lane, at, place));
      results[static_cast<std::size_t>(at / count)][static_cast<std::size_t>(lane)] |=
          (count == 1 ? bits_of(canonical(sum)) : u32{narrow_f16(sum).bits}) << (16 * (at % count));
    }
  }
  for (int r = 0; r < mma.d_registers; ++r)
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      store<u32>(call.d[r], lane, results[static_cast<std::size_t>(r)][static_cast<std::size_t>(lane)]);
}

struct Shape {
  Modifier modifier;
  int m, n, k;
};

constexpr std::array shapes = {
    Shape{Modifier::m8n8k4, 8, 8, 4},   Shape{Modifier::m8n8k16, 8, 8, 16},   Shape{Modifier::m16n8k4, 16, 8, 4},
    Shape{Modifier::m16n8k8, 16, 8, 8}, Shape{Modifier::m16n8k16, 16, 8, 16}, Shape{Modifier::m16n8k32, 16, 8, 32},
    Shape{Modifier::m8n8k32, 8, 8, 32}, Shape{Modifier::m16n8k64, 16, 8, 64}, Shape{Modifier::m8n8k128, 8, 8, 128},
    Shape{Modifier::m16n8k128, 16, 8, 128}, Shape{Modifier::m16n8k256, 16, 8, 256},
};

bool is_byte(Type type) { return type == Type::s8 || type == Type::u8; }

/// Returns the function for a shape and its types; null if PTX for sm_90 does not have this mma.
void (*find_run(const Mma& mma))(const Mma&, const MmaCall&) {
  const Type d = mma.d_type;
  const bool same = mma.a_type == mma.b_type && mma.c_type == d;
  const bool wide = mma.m == 16;
  if (is_nibble(mma.a_type) || mma.a_type == Type::b1) return find_narrow(mma);
  if (is_byte(mma.a_type) && is_byte(mma.b_type) && d == Type::s32 && mma.c_type == d)
    return mma.k == 16 || (wide && mma.k == 32) ? &run_integers : nullptr;
  if (is_fp8(mma.a_type) && is_fp8(mma.b_type) && !mma.satfinite && mma.c_type == d)
    return wide && (mma.k == 16 || mma.k == 32) && (d == Type::f32 || d == Type::f16) ? &run_fp8 : nullptr;
  const bool widens = mma.a_type == Type::f16 && mma.b_type == Type::f16 && d == Type::f32 && mma.c_type == Type::f16;
  if (widens && !wide && mma.k == 4 && !mma.satfinite) return &run_quarters;
  if (!same || mma.satfinite) return nullptr;
  switch (mma.a_type) {
    case Type::f64: return d == Type::f64 && mma.k <= 16 && (wide || mma.k == 4) ? &run_f64 : nullptr;
    case Type::f16:
      if (d != Type::f16 && d != Type::f32) return nullptr;
      if (!wide) return mma.k == 4 ? &run_quarters : nullptr;
      return mma.k == 8 || mma.k == 16 ? &run_floats : nullptr;
    case Type::bf16: return wide && d == Type::f32 && (mma.k == 8 || mma.k == 16) ? &run_floats : nullptr;
    case Type::tf32: return wide && d == Type::f32 && (mma.k == 4 || mma.k == 8) ? &run_floats : nullptr;
    default: return nullptr;
  }
}

/// Registers per lane for a matrix with this many elements.
int registers_for(int elements, Type type) { return elements / 32 / elements_per_register(type); }

struct WmmaShape {
  Modifier modifier;
  int m, n, k;
};

constexpr std::array wmma_shapes = {
    WmmaShape{Modifier::m16n16k16, 16, 16, 16}, WmmaShape{Modifier::m8n32k16, 8, 32, 16},
    WmmaShape{Modifier::m32n8k16, 32, 8, 16},   WmmaShape{Modifier::m16n16k8, 16, 16, 8},
    WmmaShape{Modifier::m8n8k4, 8, 8, 4},
};

/// Sets the types of D, A, B and C. A wmma on f16 lists only the first and the last.
void set_wmma_types(const ptx::Instruction& instruction, Mma& mma) {
  const std::size_t count = instruction.types.size();
  mma.d_type = instruction.type(0);
  mma.a_type = count == 4 ? instruction.type(1) : Type::f16;
  mma.b_type = count == 4 ? instruction.type(2) : Type::f16;
  mma.c_type = instruction.type(count == 0 ? 0 : count - 1);
}

void set_registers(Mma& mma, int times) {
  mma.a_registers = registers_for(times * mma.m * mma.k, mma.a_type);
  mma.b_registers = registers_for(times * mma.k * mma.n, mma.b_type);
  mma.c_registers = registers_for(times * mma.m * mma.n, mma.c_type);
  mma.d_registers = registers_for(times * mma.m * mma.n, mma.d_type);
  mma.register_bytes = mma.a_type == Type::f64 ? 8 : 4;
}

}  // namespace
}  // namespace alu

base::Result<Mma> find_mma(const ptx::Instruction& instruction) {
  Mma mma;
  for (const alu::Shape& shape : alu::shapes)
    if (instruction.has(shape.modifier)) mma.m = shape.m, mma.n = shape.n, mma.k = shape.k;
  mma.d_type = instruction.type(0);
  mma.a_type = instruction.type(1);
  mma.b_type = instruction.type(2);
  mma.c_type = instruction.type(3);
  mma.satfinite = instruction.has(ptx::Modifier::satfinite);
  mma.by_xor = instruction.action == ptx::Action::xor_;
  mma.a_by_columns = instruction.has(ptx::Modifier::a_col);
  mma.b_by_rows = instruction.has(ptx::Modifier::b_row);
  if (instruction.rounding != ptx::Rounding::none) mma.rounding = instruction.rounding;
  mma.run = mma.m == 0 ? nullptr : alu::find_run(mma);
  const bool row_by_column = !mma.a_by_columns && !mma.b_by_rows;
  const bool rounded = mma.rounding == ptx::Rounding::rn || mma.run == &alu::run_f64;
  if (mma.run == nullptr || (!row_by_column && mma.run != &alu::run_quarters) || !rounded) {
    std::string text = "mma";
    for (const ptx::Type type : instruction.types) text.append(".").append(ptx::name_of(type));
    return base::Error{text + " of this shape, layout or rounding is not supported"};
  }
  // m8n8k4 on f16 has four matrices at once.
  const int times = mma.run == &alu::run_quarters ? 4 : 1;
  alu::set_registers(mma, times);
  return mma;
}

base::Result<Mma> find_wmma(const ptx::Instruction& instruction) {
  Mma mma;
  for (const alu::WmmaShape& shape : alu::wmma_shapes)
    if (instruction.has(shape.modifier)) mma.m = shape.m, mma.n = shape.n, mma.k = shape.k;
  alu::set_wmma_types(instruction, mma);
  mma.satfinite = instruction.has(ptx::Modifier::satfinite);
  switch (mma.a_type) {
    case ptx::Type::s8:
    case ptx::Type::u8: mma.run = &alu::run_integers; break;
    case ptx::Type::f64: mma.run = &alu::run_f64; break;
    default: mma.run = &alu::run_floats; break;
  }
  const bool rounded = instruction.rounding == ptx::Rounding::none || instruction.rounding == ptx::Rounding::rn;
  const bool clamped = mma.satfinite && mma.run != &alu::run_integers;
  if (mma.m == 0 || !rounded || clamped) return base::Error{"of this shape or rounding is not supported"};
  alu::set_registers(mma, 1);
  return mma;
}

WmmaMatrix wmma_matrix(const ptx::Instruction& instruction, char matrix) {
  WmmaMatrix found;
  found.matrix = matrix;
  for (const alu::WmmaShape& shape : alu::wmma_shapes) {
    if (!instruction.has(shape.modifier)) continue;
    found.m = shape.m;
    found.n = shape.n;
    found.rows = matrix == 'b' ? shape.k : shape.m;
    found.columns = matrix == 'a' ? shape.k : shape.n;
  }
  const ptx::Type type = instruction.type();
  found.element_bytes = alu::bits_of_element(type) / 8;
  found.elements_per_register = alu::elements_per_register(type);
  found.registers = alu::registers_for(found.rows * found.columns, type);
  return found;
}

std::pair<int, int> element_position(const WmmaMatrix& matrix, int lane, int r, int i) {
  const int count = matrix.elements_per_register;
  const alu::Position place = matrix.matrix == 'a'   ? alu::position_in_a(matrix.m, count, lane, r, i)
                              : matrix.matrix == 'b' ? alu::place_in_b(matrix.n, count, lane, r, i)
                                                     : alu::place_in_c(matrix.m, count, lane, r, i);
  return {place.row, place.column};
}

}  // namespace warpwalk::gpu
