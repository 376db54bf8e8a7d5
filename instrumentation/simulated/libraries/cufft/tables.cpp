#include "instrumentation/simulated/libraries/cufft/tables.h"

#include <algorithm>
#include <cstring>
#include <numbers>

namespace warpwalk::simulated::libraries {
namespace {

/// exp(-2 pi i part / whole)
std::complex<double> unit_root(std::uint64_t part, std::uint64_t whole) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(part) / static_cast<double>(whole);
  return {std::cos(angle), std::sin(angle)};
}

std::complex<double> chirp_value(std::uint64_t j, std::uint64_t n) { return unit_root(j * j % (2 * n), 2 * n); }

/// The transform of a power of two of numbers, by halves.
void transform_in_place(std::vector<std::complex<double>>& values) {
  const std::size_t count = values.size();
  for (std::size_t i = 1, reversed = 0; i < count; ++i) {
    std::size_t bit = count / 2;
    for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed |= bit;
    if (i < reversed) std::swap(values[i], values[reversed]);
  }
  std::vector<std::complex<double>> roots(count / 2);
  for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = unit_root(k, count);
  for (std::size_t half = 1; half < count; half *= 2)
    for (std::size_t first = 0; first < count; first += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const auto even = values[first + k], odd = values[first + half + k] * roots[k * (count / 2 / half)];
        values[first + k] = even + odd, values[first + half + k] = even - odd;
      }
}

template <class Real>
void write_values(const std::vector<std::complex<double>>& values, std::uint8_t* to) {
  for (const auto& value : values) {
    const Real parts[] = {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
    std::memcpy(to, parts, sizeof parts);
    to += sizeof parts;
  }
}

}  // namespace

FftTables& FftTables::shared() {
  static FftTables& tables = *new FftTables;
  return tables;
}

const void* FftTables::find_or_upload(const Key& key, const std::function<Values()>& compute) {
  const std::lock_guard lock(mutex_);
  Gpu& gpu = Gpu::the();
  DeviceMemory::Place& place = tables_[key];
  // cudaDeviceReset frees the memory.
  if (place == nullptr || gpu.memory.find(place->address) != place) {
    const Values values = compute();
    const bool wide = std::get<bool>(key);
    place = gpu.memory.allocate(MemoryKind::device, values.size() * (wide ? 16 : 8), "cudaMalloc");
    if (place == nullptr) return nullptr;
    place->owned = true;
    if (wide)
      write_values<double>(values, place->data);
    else
      write_values<float>(values, place->data);
    std::ranges::fill(place->written, std::uint8_t{1});
  }
  return reinterpret_cast<const void*>(place->address);
}

const void* FftTables::roots(unsigned length, bool wide) {
  return find_or_upload({Kind::roots, length, 0, wide}, [=] {
    Values values(length);
    for (unsigned k = 0; k < length; ++k) values[k] = unit_root(k, length);
    return values;
  });
}

const void* FftTables::chirp(unsigned n, bool wide) {
  return find_or_upload({Kind::chirp, n, 0, wide}, [=] {
    Values values(n);
    for (unsigned j = 0; j < n; ++j) values[j] = chirp_value(j, n);
    return values;
  });
}

const void* FftTables::filter(unsigned n, unsigned padded, bool wide) {
  return find_or_upload({Kind::filter, n, padded, wide}, [=] {
    Values values(padded);
    for (unsigned j = 0; j < n; ++j) {
      values[j] = std::conj(chirp_value(j, n)) / static_cast<double>(padded);
      if (j != 0) values[padded - j] = values[j];
    }
    transform_in_place(values);
    return values;
  });
}

}  // namespace warpwalk::simulated::libraries
