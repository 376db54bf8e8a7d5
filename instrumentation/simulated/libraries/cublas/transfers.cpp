// Copies of vectors and matrices between the host and device memory.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

/// Rows of bytes of one side of a copy.
struct TransferSide {
  const void* at;
  std::int64_t pitch;
};

BlasStatus transfer(const char* function, const TransferSide& to, const TransferSide& from, std::int64_t row_bytes,
                    std::int64_t rows, CopyKind kind, const void* stream, bool waits) {
  if (row_bytes < 0 || rows < 0 || to.pitch < row_bytes || from.pitch < row_bytes) return BlasStatus::invalid_value;
  if (row_bytes == 0 || rows == 0) return BlasStatus::success;
  Copy copy;
  copy.to.address = reinterpret_cast<std::uint64_t>(to.at);
  copy.to.pitch = static_cast<std::uint64_t>(to.pitch);
  copy.from.address = reinterpret_cast<std::uint64_t>(from.at);
  copy.from.pitch = static_cast<std::uint64_t>(from.pitch);
  copy.extent = {static_cast<std::uint64_t>(row_bytes), static_cast<std::uint64_t>(rows), 1};
  copy.kind = kind;
  const Error error = api_call(Api::runtime, function, [&](Gpu& gpu) {
    Stream* const found = gpu.streams.find(stream);
    return found == nullptr ? Error::invalid_resource_handle : gpu.copy(copy, *found, waits);
  });
  return error == Error::success ? BlasStatus::success : BlasStatus::mapping_error;
}

constexpr const char* copy_later_name = "cudaMemcpy2DAsync";
constexpr const char* copy_now_name = "cudaMemcpy2D";

}  // namespace

extern "C" {

BlasStatus cublasSetMatrix(int rows, int columns, int bytes, const void* from, int from_leading, void* to,
                           int to_leading) {
  const std::int64_t size = bytes;
  return transfer(copy_now_name, {to, to_leading * size}, {from, from_leading * size}, rows * size, columns,
                  CopyKind::host_to_device, nullptr, true);
}
BlasStatus cublasGetMatrix(int rows, int columns, int bytes, const void* from, int from_leading, void* to,
                           int to_leading) {
  const std::int64_t size = bytes;
  return transfer(copy_now_name, {to, to_leading * size}, {from, from_leading * size}, rows * size, columns,
                  CopyKind::device_to_host, nullptr, true);
}
BlasStatus cublasSetMatrixAsync(int rows, int columns, int bytes, const void* from, int from_leading, void* to,
                                int to_leading, const void* stream) {
  const std::int64_t size = bytes;
  return transfer(copy_later_name, {to, to_leading * size}, {from, from_leading * size}, rows * size, columns,
                  CopyKind::host_to_device, stream, false);
}
BlasStatus cublasGetMatrixAsync(int rows, int columns, int bytes, const void* from, int from_leading, void* to,
                                int to_leading, const void* stream) {
  const std::int64_t size = bytes;
  return transfer(copy_later_name, {to, to_leading * size}, {from, from_leading * size}, rows * size, columns,
                  CopyKind::device_to_host, stream, false);
}

BlasStatus cublasSetVector(int n, int bytes, const void* from, int from_step, void* to, int to_step) {
  return cublasSetMatrix(1, n, bytes, from, from_step, to, to_step);
}
BlasStatus cublasGetVector(int n, int bytes, const void* from, int from_step, void* to, int to_step) {
  return cublasGetMatrix(1, n, bytes, from, from_step, to, to_step);
}
BlasStatus cublasSetVectorAsync(int n, int bytes, const void* from, int from_step, void* to, int to_step,
                                const void* stream) {
  return cublasSetMatrixAsync(1, n, bytes, from, from_step, to, to_step, stream);
}
BlasStatus cublasGetVectorAsync(int n, int bytes, const void* from, int from_step, void* to, int to_step,
                                const void* stream) {
  return cublasGetMatrixAsync(1, n, bytes, from, from_step, to, to_step, stream);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
