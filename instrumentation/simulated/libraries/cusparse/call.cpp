#include "instrumentation/simulated/libraries/cusparse/call.h"

#include <cmath>

namespace warpwalk::simulated::libraries {
namespace {

const char* kernel_type(SparseData data) {
  switch (data) {
    case SparseData::r64: return "double";
    case SparseData::r16: return "__half";
    case SparseData::c32: return "stand_in::cusparse::Complex<float>";
    case SparseData::c64: return "stand_in::cusparse::Complex<double>";
    case SparseData::r16b: return "__nv_bfloat16";
    default: return "float";
  }
}

double half_number(std::uint16_t bits) {
  constexpr int fraction_bits = 10, exponent_mask = 31, bias = 15;
  const int exponent = bits >> fraction_bits & exponent_mask, fraction = bits & ((1 << fraction_bits) - 1);
  double value = std::ldexp(fraction + (exponent == 0 ? 0 : 1 << fraction_bits),
                            (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
  if (exponent == exponent_mask) value = fraction == 0 ? HUGE_VAL : std::nan("");
  return bits >> 15 != 0 ? -value : value;
}

template <class Number>
Number number_at(const void* at, int index) {
  Number number{};
  std::memcpy(&number, static_cast<const std::uint8_t*>(at) + static_cast<std::size_t>(index) * sizeof(Number),
              sizeof(Number));
  return number;
}

}  // namespace

SparseStatus sparse_status(Error error) {
  return error == Error::success ? SparseStatus::success : SparseStatus::execution_failed;
}

SparseStatus sparse_not_supported(const char* function, const char* what) {
  tell_not_supported("cuSPARSE", function, what);
  return SparseStatus::not_supported;
}

bool is_known(SparseData data) {
  switch (data) {
    case SparseData::r32:
    case SparseData::r64:
    case SparseData::r16:
    case SparseData::c32:
    case SparseData::c64:
    case SparseData::r16b: return true;
  }
  return false;
}

std::size_t bytes_of(SparseData data) {
  switch (data) {
    case SparseData::r16:
    case SparseData::r16b: return 2;
    case SparseData::r32: return 4;
    case SparseData::c64: return 16;
    default: return 8;
  }
}

SparseData computed_in(SparseData data) {
  return data == SparseData::r16 || data == SparseData::r16b ? SparseData::r32 : data;
}

std::string kernel_name(const char* kernel, std::initializer_list<SparseData> types) {
  std::string name = kernel;
  name += '<';
  for (const SparseData type : types) {
    if (name.back() != '<') name += ", ";
    name += kernel_type(type);
  }
  return name + (name.back() == '>' ? " >" : ">");
}

Sparse rows_of(const SparseMatrix& matrix) {
  Sparse rows{};
  rows.rows = matrix.offsets, rows.columns = matrix.indices, rows.values = matrix.values;
  rows.entries = matrix.entries;
  rows.rows_step = matrix.offsets_step, rows.columns_step = matrix.indices_step;
  rows.values_step = matrix.values_step;
  rows.coordinates = matrix.format == SparseFormat::coo ? 1 : 0;
  rows.wide_rows = matrix.offset_type == SparseIndex::i64 ? 1 : 0;
  rows.wide_columns = matrix.index_type == SparseIndex::i64 ? 1 : 0;
  rows.base = matrix.base;
  rows.block = matrix.block;
  rows.columns_first = matrix.columns_first ? 1 : 0;
  return rows;
}

Sparse rows_of(const SparseMatDescr& descr, const int* offsets, const int* columns, const void* values,
               std::int64_t entries, int block, bool columns_first) {
  SparseMatrix matrix;
  matrix.offsets = offsets, matrix.indices = columns, matrix.values = const_cast<void*>(values);
  matrix.entries = entries;
  matrix.base = descr.base;
  matrix.block = block, matrix.columns_first = columns_first;
  return rows_of(matrix);
}

Dense dense_of(const DenseMatrix& matrix, SparseOp op) {
  const bool by_rows = (matrix.order == DenseOrder::row) == (op == SparseOp::none);
  return {matrix.values, by_rows ? matrix.leading : 1, by_rows ? 1 : matrix.leading,
          matrix.batches > 1 ? matrix.step : 0};
}

Dense dense_of(const DenseVector& vector) { return {vector.values, 1, 0, 0}; }

double sparse_scalar_part(const void* at, SparseData data, int part) {
  switch (data) {
    case SparseData::r64:
    case SparseData::c64: return number_at<double>(at, part);
    case SparseData::r16: return half_number(number_at<std::uint16_t>(at, part));
    case SparseData::r16b: {
      const std::uint32_t bits = std::uint32_t{number_at<std::uint16_t>(at, part)} << 16;
      return number_at<float>(&bits, 0);
    }
    default: return number_at<float>(at, part);
  }
}

LaunchShape threads_over(std::int64_t elements, int batches) {
  constexpr std::uint32_t threads = 128;
  LaunchShape shape = shape_over(static_cast<std::uint64_t>(elements), threads);
  shape.grid[1] = static_cast<std::uint32_t>(batches);
  return shape;
}

LaunchShape warps_over(std::int64_t elements, int batches) {
  constexpr std::int64_t warp = 32;
  return threads_over(elements * warp, batches);
}

Error read_back(const SparseHandle& handle, void* to, const void* from, std::size_t bytes) {
  return api_call(Api::runtime, "cudaMemcpyAsync", [&](Gpu& gpu) {
    Stream* const stream = gpu.streams.find(handle.stream);
    if (stream == nullptr) return Error::invalid_resource_handle;
    Copy copy;
    copy.from.address = reinterpret_cast<std::uint64_t>(from);
    copy.to.address = reinterpret_cast<std::uint64_t>(to);
    copy.extent[0] = bytes;
    copy.kind = CopyKind::device_to_host;
    return gpu.copy(copy, *stream, true);
  });
}

}  // namespace warpwalk::simulated::libraries
