// The work area that a plan would need: cufftEstimate*, cufftGetSize*.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cufft/plan.h"
#include "instrumentation/simulated/libraries/cufft/request.h"

namespace warpwalk::simulated::libraries {
namespace {

FftResult simple_size(const char* function, int rank, std::array<long long, 3> n, FftType type, int batch,
                      std::size_t* bytes) {
  return guarded<FftResult>(function, FftResult::internal_error, [&] {
    const auto data = data_of(type);
    return data ? work_bytes_of(simple_request(rank, n, *data, batch), bytes) : FftResult::invalid_type;
  });
}

template <class Integer>
FftResult many_size(const char* function, int rank, const Integer* n, const FftSideArguments<Integer>& in,
                    const FftSideArguments<Integer>& out, FftType type, Integer batch, std::size_t* bytes) {
  return guarded<FftResult>(function, FftResult::internal_error, [&] {
    const auto data = data_of(type);
    if (!data) return FftResult::invalid_type;
    const auto request = many_request(rank, n, in, data->first, out, data->second, batch);
    return request ? work_bytes_of(*request, bytes) : FftResult::invalid_value;
  });
}

/// The same for the functions that take a plan, which must exist.
FftResult size_for_plan(const char* function, int handle, const std::function<FftResult()>& size) {
  return with_fft_plan(function, handle, [&](FftPlan&) { return size(); });
}

}  // namespace

extern "C" {

FftResult cufftEstimate1d(int nx, FftType type, int batch, std::size_t* bytes) {
  return simple_size("cufftEstimate1d", 1, {nx, 1, 1}, type, batch, bytes);
}
FftResult cufftEstimate2d(int nx, int ny, FftType type, std::size_t* bytes) {
  return simple_size("cufftEstimate2d", 2, {nx, ny, 1}, type, 1, bytes);
}
FftResult cufftEstimate3d(int nx, int ny, int nz, FftType type, std::size_t* bytes) {
  return simple_size("cufftEstimate3d", 3, {nx, ny, nz}, type, 1, bytes);
}
FftResult cufftEstimateMany(int rank, int* n, int* in_embed, int in_stride, int in_distance, int* out_embed,
                            int out_stride, int out_distance, FftType type, int batch, std::size_t* bytes) {
  return many_size<int>("cufftEstimateMany", rank, n, {in_embed, in_stride, in_distance},
                        {out_embed, out_stride, out_distance}, type, batch, bytes);
}

FftResult cufftGetSize1d(int handle, int nx, FftType type, int batch, std::size_t* bytes) {
  return size_for_plan("cufftGetSize1d", handle, [&] { return cufftEstimate1d(nx, type, batch, bytes); });
}
FftResult cufftGetSize2d(int handle, int nx, int ny, FftType type, std::size_t* bytes) {
  return size_for_plan("cufftGetSize2d", handle, [&] { return cufftEstimate2d(nx, ny, type, bytes); });
}
FftResult cufftGetSize3d(int handle, int nx, int ny, int nz, FftType type, std::size_t* bytes) {
  return size_for_plan("cufftGetSize3d", handle, [&] { return cufftEstimate3d(nx, ny, nz, type, bytes); });
}
FftResult cufftGetSizeMany(int handle, int rank, int* n, int* in_embed, int in_stride, int in_distance, int* out_embed,
                           int out_stride, int out_distance, FftType type, int batch, std::size_t* bytes) {
  return size_for_plan("cufftGetSizeMany", handle, [&] {
    return cufftEstimateMany(rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type,
                             batch, bytes);
  });
}
FftResult cufftGetSizeMany64(int handle, int rank, long long* n, long long* in_embed, long long in_stride,
                             long long in_distance, long long* out_embed, long long out_stride, long long out_distance,
                             FftType type, long long batch, std::size_t* bytes) {
  return size_for_plan("cufftGetSizeMany64", handle, [&] {
    return many_size<long long>("cufftGetSizeMany64", rank, n, {in_embed, in_stride, in_distance},
                                {out_embed, out_stride, out_distance}, type, batch, bytes);
  });
}
FftResult cufftXtGetSizeMany(int handle, int rank, long long* n, long long* in_embed, long long in_stride,
                             long long in_distance, FftData in_data, long long* out_embed, long long out_stride,
                             long long out_distance, FftData out_data, long long batch, std::size_t* bytes,
                             FftData computed_in) {
  return size_for_plan("cufftXtGetSizeMany", handle, [&] {
    if (fft_is_wide(computed_in) != fft_is_wide(in_data)) return FftResult::invalid_type;
    const auto request = many_request<long long>(rank, n, {in_embed, in_stride, in_distance}, in_data,
                                                 {out_embed, out_stride, out_distance}, out_data, batch);
    return request ? work_bytes_of(*request, bytes) : FftResult::invalid_value;
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
