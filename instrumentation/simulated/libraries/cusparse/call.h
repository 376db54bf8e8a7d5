#pragma once

// What the functions of cuSPARSE share: how matrices become parameters of kernels, scalars, launches, work areas.

#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cusparse/abi.h"
#include "kernels/libraries/cusparse/matrix.h"

namespace warpwalk::simulated::libraries {

using stand_in::cusparse::Complex;
using stand_in::cusparse::Dense;
using stand_in::cusparse::Scalar;
using stand_in::cusparse::Sparse;

/// execution_failed, unless the launch succeeded.
SparseStatus sparse_status(Error error);

/// Says that the stand-in does not have it.
SparseStatus sparse_not_supported(const char* function, const char* what);

/// Whether the data type is one of those that kernels have.
bool is_known(SparseData data);
std::size_t bytes_of(SparseData data);
/// The type in which values are computed with: single precision for halves.
SparseData computed_in(SparseData data);

/// A kernel with data types as the arguments of its template: "row_times_dense<float, float>".
std::string kernel_name(const char* kernel, std::initializer_list<SparseData> types);

/// The rows of a matrix as kernels read them; of CSC, the rows of its transpose.
Sparse rows_of(const SparseMatrix& matrix);
/// A matrix of CSR or BSR in arrays with 32-bit indices.
Sparse rows_of(const SparseMatDescr& descr, const int* offsets, const int* columns, const void* values,
               std::int64_t entries, int block = 1, bool columns_first = false);
Dense dense_of(const DenseMatrix& matrix, SparseOp op);
Dense dense_of(const DenseVector& vector);

/// A scalar that is in host memory, decoded. `data`: its type.
double sparse_scalar_part(const void* at, SparseData data, int part);

/// Alpha or beta as a kernel takes it, by the pointer mode of the handle. `data`: the type that `at` points to.
template <class Wide>
Scalar<Wide> scalar_of(const SparseHandle& handle, const void* at, SparseData data) {
  if (handle.scalars_on_device) return {{}, at, data == SparseData::r16 ? 1 : data == SparseData::r16b ? 2 : 0};
  if constexpr (std::is_floating_point_v<Wide>) {
    return {static_cast<Wide>(sparse_scalar_part(at, data, 0)), nullptr, 0};
  } else {
    using Real = decltype(Wide::re);
    return {{static_cast<Real>(sparse_scalar_part(at, data, 0)), static_cast<Real>(sparse_scalar_part(at, data, 1))},
            nullptr,
            0};
  }
}

/// Calls `body` with a number of the type in which values of a data type are computed with.
template <class Body>
SparseStatus with_computed(SparseData data, const Body& body) {
  switch (computed_in(data)) {
    case SparseData::r64: return body(double{});
    case SparseData::c32: return body(Complex<float>{});
    case SparseData::c64: return body(Complex<double>{});
    default: return body(float{});
  }
}

/// A thread per element, or a warp per element, and a row of blocks per matrix of a batch.
LaunchShape threads_over(std::int64_t elements, int batches = 1);
LaunchShape warps_over(std::int64_t elements, int batches = 1);

/// Waits for the stream and copies from device memory.
Error read_back(const SparseHandle& handle, void* to, const void* from, std::size_t bytes);

/// Cuts a buffer of the program into arrays. With a null buffer, only `bytes()` counts.
class SparseWork {
 public:
  explicit SparseWork(void* at) : begin_(reinterpret_cast<std::uintptr_t>(at)), next_(begin_) {}
  template <class Element>
  Element* take(std::int64_t count) {
    constexpr std::uintptr_t alignment = 16;
    next_ = (next_ + alignment - 1) / alignment * alignment;
    auto* const array = reinterpret_cast<Element*>(next_);
    next_ += static_cast<std::uintptr_t>(count) * sizeof(Element);
    return array;
  }
  /// Of all arrays. Never 0, since programs allocate as much and null pointers ask for the size.
  std::size_t bytes() const { return next_ - begin_ + 16; }

 private:
  std::uintptr_t begin_, next_;
};

}  // namespace warpwalk::simulated::libraries
