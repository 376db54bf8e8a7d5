#include "instrumentation/simulated/libraries/cublas/vectors.h"

namespace warpwalk::simulated::libraries {

Error copy_and_wait(const BlasHandle& handle, void* to, const void* from, std::size_t bytes) {
  const auto with_stream = [&](const char* function, const std::function<Error(Gpu&, Stream&)>& body) {
    return api_call(Api::runtime, function, [&](Gpu& gpu) {
      Stream* const stream = gpu.streams.find(handle.stream);
      return stream == nullptr ? Error::invalid_resource_handle : body(gpu, *stream);
    });
  };
  Copy copy;
  copy.to.address = reinterpret_cast<std::uint64_t>(to);
  copy.from.address = reinterpret_cast<std::uint64_t>(from);
  copy.extent = {bytes, 1, 1};
  const Error error =
      with_stream("cudaMemcpyAsync", [&](Gpu& gpu, Stream& stream) { return gpu.copy(copy, stream, false); });
  if (error != Error::success) return error;
  return with_stream("cudaStreamSynchronize", [](Gpu& gpu, Stream& stream) { return gpu.synchronize(stream); });
}

BlasStatus with_result(const BlasHandle& handle, void* result, std::size_t bytes,
                       const std::function<Error(void* on_device)>& compute) {
  if (result == nullptr) return BlasStatus::invalid_value;
  if (handle.scalars_on_device()) return blas_status(compute(result));
  void* const own = reinterpret_cast<void*>(handle.scratch->address);
  const Error error = compute(own);
  return blas_status(error == Error::success ? copy_and_wait(handle, result, own, bytes) : error);
}

}  // namespace warpwalk::simulated::libraries
