#pragma once

// Matrices of the types of cuBLAS, with an independent conversion of their elements.

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <vector>

#include "called_library.h"

namespace warpwalk::libraries_test {

using Complex = std::complex<double>;

/// Numbers of cudaDataType.
enum NumberType : int {
  f32 = 0,
  f64 = 1,
  f16 = 2,
  s8 = 3,
  c32 = 4,
  c64 = 5,
  s32 = 10,
  bf16 = 14,
  e4m3 = 28,
  e5m2 = 29
};

inline std::size_t number_bytes(int type) {
  switch (type) {
    case s8:
    case e4m3:
    case e5m2: return 1;
    case f16:
    case bf16: return 2;
    case f64:
    case c32: return 8;
    case c64: return 16;
    default: return 4;
  }
}
inline bool is_complex(int type) { return type == c32 || type == c64; }

/// Bits of a number of a format of `exponent` and `mantissa` bits, rounded to the nearest value.
inline std::uint32_t small_float_bits(double value, int exponent, int mantissa) {
  const int bias = (1 << (exponent - 1)) - 1;
  const int power = value == 0 ? 1 - bias : std::max(std::ilogb(value), 1 - bias);
  auto bits = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(std::abs(value), mantissa - power)));
  bits += static_cast<std::uint32_t>(power + bias - 1) << mantissa;  // the leading one counts into the exponent
  return bits | (std::signbit(value) ? 1U << (exponent + mantissa) : 0U);
}
inline double small_float_value(std::uint32_t bits, int exponent, int mantissa) {
  const int bias = (1 << (exponent - 1)) - 1;
  const auto power = static_cast<int>(bits >> mantissa & ((1U << exponent) - 1));
  const double fraction = bits & ((1U << mantissa) - 1);
  const double value = power == 0 ? std::ldexp(fraction, 1 - bias - mantissa)
                                  : std::ldexp(fraction + (1 << mantissa), power - bias - mantissa);
  return (bits >> (exponent + mantissa) & 1) != 0 ? -value : value;
}

/// Stores a number in a type, and reads it.
inline void put_number(std::uint8_t* to, int type, Complex value) {
  const auto store = [&](auto number, std::size_t index = 0) {
    std::memcpy(to + index * sizeof number, &number, sizeof number);
  };
  switch (type) {
    case f64: store(value.real()); break;
    case f16: store(static_cast<std::uint16_t>(small_float_bits(value.real(), 5, 10))); break;
    case bf16: store(static_cast<std::uint16_t>(small_float_bits(value.real(), 8, 7))); break;
    case e4m3: store(static_cast<std::uint8_t>(small_float_bits(value.real(), 4, 3))); break;
    case e5m2: store(static_cast<std::uint8_t>(small_float_bits(value.real(), 5, 2))); break;
    case s8: store(static_cast<std::int8_t>(value.real())); break;
    case s32: store(static_cast<std::int32_t>(value.real())); break;
    case c32: store(static_cast<float>(value.real())), store(static_cast<float>(value.imag()), 1); break;
    case c64: store(value.real()), store(value.imag(), 1); break;
    default: store(static_cast<float>(value.real()));
  }
}
inline Complex get_number(const std::uint8_t* from, int type) {
  const auto load = [&](auto number, std::size_t index = 0) {
    std::memcpy(&number, from + index * sizeof number, sizeof number);
    return number;
  };
  switch (type) {
    case f64: return load(double{});
    case f16: return small_float_value(load(std::uint16_t{}), 5, 10);
    case bf16: return small_float_value(load(std::uint16_t{}), 8, 7);
    case e4m3: return small_float_value(load(std::uint8_t{}), 4, 3);
    case e5m2: return small_float_value(load(std::uint8_t{}), 5, 2);
    case s8: return load(std::int8_t{});
    case s32: return load(std::int32_t{});
    case c32: return {load(float{}), load(float{}, 1)};
    case c64: return {load(double{}), load(double{}, 1)};
    default: return load(float{});
  }
}

/// A batch of matrices as cuBLAS has them, columns one after another, on the host.
struct HostMatrix {
  int type = f32;
  long long rows = 0, columns = 0, leading = 0, stride = 0, batches = 1;
  std::vector<std::uint8_t> bytes;

  /// With `gap` elements after each column and each matrix. `coarse`: multiples of 1/8, which all types have; integers
  /// are eight times as large.
  HostMatrix(int of, long long rows_, long long columns_, Noise& noise, bool coarse, long long gap = 0,
             long long batches_ = 1)
      : type(of),
        rows(rows_),
        columns(columns_),
        leading(rows_ + gap),
        stride(leading * columns_ + gap),
        batches(batches_),
        bytes(static_cast<std::size_t>(stride * batches_) * number_bytes(of)) {
    const auto number = [&] {
      const double value = noise.next();
      if (type == s8 || type == s32) return std::round(value * 8);
      return coarse ? std::round(value * 8) / 8 : value;
    };
    for (long long i = 0; i < stride * batches; ++i) {
      const double real = number();
      put_number(bytes.data() + static_cast<std::size_t>(i) * number_bytes(type), type,
                 {real, is_complex(type) ? number() : 0});
    }
  }

  std::size_t place(long long i, long long j, long long batch = 0) const {
    return static_cast<std::size_t>(batch * stride + j * leading + i) * number_bytes(type);
  }
  Complex at(long long i, long long j, long long batch = 0) const {
    return get_number(bytes.data() + place(i, j, batch), type);
  }
  /// Element (i, j) of op(A), with the numbers of cublasOperation_t.
  Complex of(int operation, long long i, long long j, long long batch = 0) const {
    if (operation == 0) return at(i, j, batch);
    const Complex value = at(j, i, batch);
    return operation == 2 ? std::conj(value) : value;
  }
  void set(long long i, long long j, Complex value, long long batch = 0) {
    put_number(bytes.data() + place(i, j, batch), type, value);
  }
};

/// The largest difference of two matrices that have the same shape, relative to the largest element.
inline double difference(const HostMatrix& a, const HostMatrix& b) {
  double largest = 0, scale = 1e-300;
  for (long long batch = 0; batch < a.batches; ++batch)
    for (long long j = 0; j < a.columns; ++j)
      for (long long i = 0; i < a.rows; ++i) {
        const double distance = std::abs(a.at(i, j, batch) - b.at(i, j, batch));
        largest = std::isnan(distance) ? INFINITY : std::max(largest, distance);
        scale = std::max(scale, std::abs(b.at(i, j, batch)));
      }
  return largest / scale;
}

/// Whether the elements outside of the matrices are the same bytes.
inline bool same_gaps(const HostMatrix& a, const HostMatrix& b) {
  HostMatrix other = b;
  for (long long batch = 0; batch < a.batches; ++batch)
    for (long long j = 0; j < a.columns; ++j)
      for (long long i = 0; i < a.rows; ++i) other.set(i, j, a.at(i, j, batch), batch);
  HostMatrix own = a;
  for (long long batch = 0; batch < a.batches; ++batch)
    for (long long j = 0; j < a.columns; ++j)
      for (long long i = 0; i < a.rows; ++i) own.set(i, j, a.at(i, j, batch), batch);
  return own.bytes == other.bytes;
}

/// A scalar in the memory of the host, in a type.
struct HostScalar {
  std::uint8_t bytes[16] = {};
  HostScalar(int type, Complex value) { put_number(bytes, type, value); }
};

/// cuBLAS, and a handle.
inline const CalledLibrary& cublas() {
  static const CalledLibrary& library = *new CalledLibrary{"libcublas.so.13", "libcublas.so.12"};
  return library;
}
inline void* blas_handle() {
  static void* const handle = [] {
    void* made = nullptr;
    if (cublas().call("cublasCreate_v2", &made) != 0) throw std::runtime_error("no handle");
    return made;
  }();
  return handle;
}

}  // namespace warpwalk::libraries_test
