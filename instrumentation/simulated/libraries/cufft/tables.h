#pragma once

#include <complex>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated::libraries {

/// Tables of complex numbers in device memory that plans share. They are computed in double precision. Thread-safe.
class FftTables {
 public:
  /// The tables of the process. Never destroyed, because programs call libraries until they end.
  static FftTables& shared();

  /// exp(-2 pi i k / length), k < length. `wide`: in double precision. Null if there is no memory.
  const void* roots(unsigned length, bool wide);
  /// exp(-pi i j^2 / n), j < n.
  const void* chirp(unsigned n, bool wide);
  /// The spectrum of the convolution of Bluestein's algorithm, divided by `padded`, which is a power of two.
  const void* filter(unsigned n, unsigned padded, bool wide);

 private:
  enum class Kind { roots, chirp, filter };
  using Key = std::tuple<Kind, unsigned, unsigned, bool>;
  using Values = std::vector<std::complex<double>>;
  const void* find_or_upload(const Key& key, const std::function<Values()>& compute);

  std::mutex mutex_;
  std::map<Key, DeviceMemory::Place> tables_;
};

}  // namespace warpwalk::simulated::libraries
