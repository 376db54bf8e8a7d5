#include "tests/alu/device/inputs.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace warpwalk::device_forms {
namespace {

using Values = std::vector<std::uint64_t>;

const Values f32_edges = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000, 0x80800000,
    0x00800001, 0x00ffffff, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40000000, 0x3f000000, 0x40400000,
    0x3eaaaaab, 0x3fc00000, 0x40200000, 0xbf000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0xffc12345, 0x7f800001, 0xff812345, 0x7fffffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0xdf000000,
    0x477fe000, 0x477ff000, 0x33000000, 0x7e800000, 0x7f000000, 0x34000001, 0x4b000001, 0x38800000, 0x00200000};

const Values f64_edges = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0x0010000000000001, 0x001fffffffffffff, 0x3ff0000000000000,
    0xbff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x4000000000000000, 0x3fe0000000000000,
    0xbfe0000000000000, 0x4008000000000000, 0x3fd5555555555555, 0x3ff8000000000000, 0x4004000000000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
    0xfff8000000012345, 0x7ff0000000000001, 0xfff4000000054321, 0x7fffffffffffffff, 0x41dfffffffc00000,
    0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000,
    0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x380fffffe0000000, 0x36a0000000000000,
    0x3690000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x3810000000000000, 0x40effc0000000000};

const Values f16_edges = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x3c00,
                          0xbc00, 0x3bff, 0x3c01, 0x4000, 0x3800, 0x4200, 0x3555, 0x7bff, 0xfbff, 0x7c00,
                          0xfc00, 0x7e00, 0xfe12, 0x7c01, 0xfd23, 0x7fff, 0x5bff, 0x0200, 0x77ff, 0x1400};

const Values bf16_edges = {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081, 0x3f80,
                           0xbf80, 0x3f7f, 0x3f81, 0x4000, 0x3f00, 0x4040, 0x3eab, 0x7f7f, 0xff7f, 0x7f80,
                           0xff80, 0x7fc0, 0xffd2, 0x7f81, 0xff93, 0x7fff, 0x4b80, 0x0040, 0x7f00, 0x1000};

const Values amounts = {0,   1,   2,   7,   8,   15,  16,         17,         24,         30,
                        31,  32,  33,  40,  48,  63,  64,         65,         127,        128,
                        200, 255, 256, 257, 264, 288, 0x80000000, 0xffffffff, 5,          100,
                        511, 512, 3,   4,   12,  20,  28,         0x10000000, 0x80000001, 0xffffff00};

Values integer_edges(int bits) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  Values edges = {0,
                  1,
                  2,
                  3,
                  5,
                  7,
                  10,
                  ~std::uint64_t{0},
                  ~std::uint64_t{1},
                  ~std::uint64_t{2},
                  ~std::uint64_t{6},
                  top,
                  top - 1,
                  top + 1,
                  top - 2,
                  top >> 1,
                  (top >> 1) - 1,
                  (top >> 1) + 1,
                  ~(top >> 1),
                  0x55,
                  0xaa,
                  0x5555555555555555,
                  0xaaaaaaaaaaaaaaaa,
                  0x0123456789abcdef,
                  0xfedcba9876543210,
                  0x7f,
                  0x80,
                  0xff,
                  0x7fff,
                  0x8000,
                  0xffff,
                  0x10000,
                  0x7fffff,
                  0x800000,
                  0xffffff,
                  0x1000000,
                  0x7fffffff,
                  0x80000000,
                  0xffffffff,
                  0x100000000,
                  0x8000000080000000,
                  0xffffffff00000000};
  return edges;
}

enum class Kind {
  tiny,
  ratio,
  huge,
  low64,
  tiny16,
  integer,
  f32,
  f64,
  f16,
  bf16,
  pair_f16,
  pair_bf16,
  amount,
  lane,
  offset
};

struct Pool {
  Kind kind = Kind::integer;
  int bits = 32;  ///< of an integer type
  Values edges;
};

Pool pool_of(const std::string& name) {
  if (name == "tiny") return {Kind::tiny, 32, {0}};
  if (name == "ratio") return {Kind::ratio, 32, {0}};
  if (name == "huge") return {Kind::huge, 32, {0}};
  if (name == "low64") return {Kind::low64, 64, {0}};
  if (name == "tiny16") return {Kind::tiny16, 16, {0}};
  if (name == "f32") return {Kind::f32, 32, f32_edges};
  if (name == "f64") return {Kind::f64, 64, f64_edges};
  if (name == "f16") return {Kind::f16, 16, f16_edges};
  if (name == "bf16") return {Kind::bf16, 16, bf16_edges};
  if (name == "amount") return {Kind::amount, 32, amounts};
  if (name == "lane") return {Kind::lane, 32, {0, 1, 15, 30, 31, 32, 0xffffffff}};
  if (name == "offset") return {Kind::offset, 32, {0, 1, 2, 0xffffffff, 0xfffffffe, 31, 32, 0x7fffffff, 0x80000000}};
  if (name == "f16x2" || name == "bf16x2") {
    Pool pool = {name == "f16x2" ? Kind::pair_f16 : Kind::pair_bf16, 32, {}};
    const Values& halves = name == "f16x2" ? f16_edges : bf16_edges;
    for (std::size_t i = 0; i < halves.size(); ++i)
      pool.edges.push_back(halves[i] << 16 | halves[(i * 7 + 3) % halves.size()]);
    return pool;
  }
  if (name == "u16x2" || name == "s16x2" || name == "e4m3x2" || name == "e5m2x2")
    return {Kind::integer, 16, integer_edges(16)};
  const int bits = std::atoi(name.c_str() + 1);
  return {Kind::integer, bits, integer_edges(bits)};
}

/// Draws a number of a binary format: any bits, an exponent near that of 1, or few bits in the fraction.
std::uint64_t drawn_float(std::uint64_t& state, int exponent_bits, int fraction_bits) {
  const std::uint64_t random = next(state);
  const std::uint64_t how = next(state);
  const std::uint64_t all = (std::uint64_t{1} << fraction_bits << exponent_bits << 1) - 1;
  if (how % 4 == 0) return random & (fraction_bits == 52 ? ~std::uint64_t{0} : all);
  const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  const std::uint64_t exponent = bias - 4 + (how >> 8) % 9;
  std::uint64_t fraction = random & ((std::uint64_t{1} << fraction_bits) - 1);
  if (how % 4 == 1) fraction &= ~std::uint64_t{0} << ((how >> 16) % static_cast<std::uint64_t>(fraction_bits + 1));
  return (random >> 63) << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

std::uint64_t drawn(const Pool& pool, std::uint64_t& state) {
  const std::uint64_t how = next(state);
  if (how % 5 == 0) return pool.edges[(how >> 8) % pool.edges.size()];
  switch (pool.kind) {
    case Kind::f32: return drawn_float(state, 8, 23);
    case Kind::f64: return drawn_float(state, 11, 52);
    case Kind::f16: return drawn_float(state, 5, 10);
    case Kind::bf16: return drawn_float(state, 8, 7);
    case Kind::pair_f16: return drawn_float(state, 5, 10) << 16 | drawn_float(state, 5, 10);
    case Kind::pair_bf16: return drawn_float(state, 8, 7) << 16 | drawn_float(state, 8, 7);
    case Kind::amount: return (how >> 8) % 71;
    case Kind::lane: return (how >> 8) % 34;
    case Kind::offset: return (how >> 8) % 21 - 10;
    default: break;
  }
  const std::uint64_t random = next(state);
  // Numbers of every length and both signs.
  return how % 5 == 1 ? random : static_cast<std::uint64_t>(static_cast<std::int64_t>(random) >> (how >> 8) % 64);
}

template <class Float, class Bits>
Bits bits_of(Float value) {
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Draws sources whose result is within a few units of the smallest normal number. a is the first source.
std::uint64_t about_tiny(Kind kind, std::size_t source, std::uint64_t a, std::uint64_t& state) {
  const std::uint64_t random = next(state);
  const std::uint64_t sign = random >> 63;
  const std::uint64_t step = random % 7 - 3;
  float x;
  const auto a_bits = static_cast<std::uint32_t>(a & 0x7fffffff);
  std::memcpy(&x, &a_bits, sizeof x);
  if (kind == Kind::low64)
    return sign << 63 | ((std::uint64_t{0x381} << 52) + ((random >> 8) % 65 - 32) * 0x2000000 + random % 3 - 1);
  if (kind == Kind::huge) return sign << 31 | (0x7e800000 + step);
  if (kind == Kind::tiny16) {
    if (source == 0) return sign << 15 | 0x2000 | (random >> 8 & 0x3ff);  // 2^-7
    if (source == 2) return random % 3 == 0 ? sign << 15 | 0x0400 : sign << 15;
    const double b = 512.0 / (1024 + static_cast<double>(a & 0x3ff)) * 2;  // 2^-7 / a, of 2^-7
    const auto bits = static_cast<std::uint64_t>(0x2000 + (b < 1 ? (b - 1) * 2048 : (b - 1) * 1024));
    return sign << 15 | (bits + random % 3 - 1);
  }
  if (source == 0) return sign << 31 | 0x20000000 | (random >> 8 & 0x7fffff) >> (random >> 40) % 23;  // 2^-63
  if (source == 2) return random % 3 == 0 ? sign << 31 | 0x00800000 : sign << 31;
  const float b = kind == Kind::tiny ? 0x1p-126F / x : x * 0x1p126F;
  return sign << 31 | (bits_of<float, std::uint32_t>(b) + step);
}

template <class Float, class Bits>
std::uint64_t cancelling(std::uint64_t a, std::uint64_t b, std::uint64_t step) {
  Float x, y;
  const auto a_bits = static_cast<Bits>(a);
  const auto b_bits = static_cast<Bits>(b);
  std::memcpy(&x, &a_bits, sizeof x);
  std::memcpy(&y, &b_bits, sizeof y);
  const Float product = -(x * y);
  if (!std::isfinite(product)) return step;
  return static_cast<Bits>(bits_of<Float, Bits>(product) + step % 3 - 1);
}

std::uint64_t kept(std::uint64_t value, int bytes) {
  return bytes == 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

}  // namespace

std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

std::uint32_t hash_of(const std::string& name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

std::uint64_t digested(std::uint64_t digest, std::uint64_t d, std::uint64_t flags) {
  digest = (digest ^ d) * 0x100000001b3U;
  digest ^= digest >> 29;
  return (digest ^ flags) * 0x100000001b3U;
}

Inputs inputs_of(const Form& form) {
  Inputs inputs;
  std::vector<std::pair<std::size_t, Operand>> sources;
  for (const Operand& operand : form.operands) {
    const std::size_t at = std::string("abce").find(operand.name);
    if (at != std::string::npos) sources.emplace_back(at, operand);
  }
  std::vector<Pool> pools;
  for (const auto& source : sources) pools.push_back(pool_of(source.second.pool));

  const bool pair = pools[0].kind == Kind::pair_f16 || pools[0].kind == Kind::pair_bf16;
  const bool all = sources.size() == 1 && !form.approximate && (sources[0].second.bytes == 2 || pair);
  inputs.count = all && pools[0].kind > Kind::tiny16 ? 65536 : 2048;
  for (auto& slots : inputs.slots) slots.assign(static_cast<std::size_t>(inputs.count), 0);
  std::uint64_t state = hash_of(form.name);
  const std::size_t edges = pools[0].edges.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(inputs.count); ++i) {
    inputs.slots[4][i] = next(state) & 3;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      std::uint64_t value = drawn(pools[s], state);
      const std::uint64_t how = next(state);
      if (all) value = pair ? ((i * 40503) & 0xffff) | ((i * 25717 + 99) & 0xffff) << 16 : (i * 40503) & 0xffff;
      const bool crossed = sources.size() == 1 ? i < edges : sources.size() == 2 && i < edges * pools[1].edges.size();
      if (!all && crossed) value = s == 0 ? pools[0].edges[i % edges] : pools[1].edges[i / edges];
      std::uint64_t* const before = inputs.slots[sources[0].first].data() + i;
      // The second term of a sum often nearly cancels the first.
      if (!crossed && s == 1 && how % 4 == 0 && pools[1].kind == pools[0].kind && pools[0].kind != Kind::integer)
        value = *before ^ (how >> 8 & 1) << (8 * sources[1].second.bytes - 1) ^ (how >> 16 & 3);
      // The addend often nearly cancels the product.
      if (s == 2 && how % 3 == 0 && pools[2].kind == Kind::f32)
        value = cancelling<float, std::uint32_t>(inputs.slots[0][i], inputs.slots[1][i], how >> 8);
      if (s == 2 && how % 3 == 0 && pools[2].kind == Kind::f64)
        value = cancelling<double, std::uint64_t>(inputs.slots[0][i], inputs.slots[1][i], how >> 8);
      if (pools[s].kind <= Kind::tiny16) value = about_tiny(pools[s].kind, s, *before, state);
      inputs.slots[sources[s].first][i] = kept(value, sources[s].second.bytes);
    }
  }
  return inputs;
}

}  // namespace warpwalk::device_forms
