// Plans of one to three dimensions and with all parameters: cufftPlan*, cufftMakePlan*, cufftXtMakePlanMany.
#include "instrumentation/simulated/libraries/cufft/plan.h"
#include "instrumentation/simulated/libraries/cufft/request.h"

namespace warpwalk::simulated::libraries {
namespace {

using Sizes = std::array<long long, 3>;

FftResult make_simple(const char* function, int handle, int rank, Sizes n, FftType type, int batch,
                      std::size_t* work_bytes) {
  return with_fft_plan(function, handle, [&](FftPlan& plan) {
    const auto data = data_of(type);
    return data ? plan.make(simple_request(rank, n, *data, batch), work_bytes) : FftResult::invalid_type;
  });
}

template <class Integer>
FftResult make_many(const char* function, int handle, int rank, const Integer* n, const FftSideArguments<Integer>& in,
                    const FftSideArguments<Integer>& out, FftType type, Integer batch, std::size_t* work_bytes) {
  return with_fft_plan(function, handle, [&](FftPlan& plan) {
    const auto data = data_of(type);
    if (!data) return FftResult::invalid_type;
    const auto request = many_request(rank, n, in, data->first, out, data->second, batch);
    return request ? plan.make(*request, work_bytes) : FftResult::invalid_value;
  });
}

/// Creates a plan and makes it with `make`. On failure there is no plan.
FftResult create_and_make(int* handle, const std::function<FftResult(int, std::size_t*)>& make) {
  if (handle == nullptr) return FftResult::invalid_value;
  const int created = FftPlans::all().create();
  std::size_t work_bytes = 0;
  const FftResult result = make(created, &work_bytes);
  if (result == FftResult::success)
    *handle = created;
  else
    FftPlans::all().destroy(created);
  return result;
}

}  // namespace

extern "C" {

FftResult cufftMakePlan1d(int handle, int nx, FftType type, int batch, std::size_t* work_bytes) {
  return make_simple("cufftMakePlan1d", handle, 1, {nx, 1, 1}, type, batch, work_bytes);
}
FftResult cufftMakePlan2d(int handle, int nx, int ny, FftType type, std::size_t* work_bytes) {
  return make_simple("cufftMakePlan2d", handle, 2, {nx, ny, 1}, type, 1, work_bytes);
}
FftResult cufftMakePlan3d(int handle, int nx, int ny, int nz, FftType type, std::size_t* work_bytes) {
  return make_simple("cufftMakePlan3d", handle, 3, {nx, ny, nz}, type, 1, work_bytes);
}

FftResult cufftMakePlanMany(int handle, int rank, int* n, int* in_embed, int in_stride, int in_distance, int* out_embed,
                            int out_stride, int out_distance, FftType type, int batch, std::size_t* work_bytes) {
  return make_many<int>("cufftMakePlanMany", handle, rank, n, {in_embed, in_stride, in_distance},
                        {out_embed, out_stride, out_distance}, type, batch, work_bytes);
}

FftResult cufftMakePlanMany64(int handle, int rank, long long* n, long long* in_embed, long long in_stride,
                              long long in_distance, long long* out_embed, long long out_stride, long long out_distance,
                              FftType type, long long batch, std::size_t* work_bytes) {
  return make_many<long long>("cufftMakePlanMany64", handle, rank, n, {in_embed, in_stride, in_distance},
                              {out_embed, out_stride, out_distance}, type, batch, work_bytes);
}

FftResult cufftXtMakePlanMany(int handle, int rank, long long* n, long long* in_embed, long long in_stride,
                              long long in_distance, FftData in_data, long long* out_embed, long long out_stride,
                              long long out_distance, FftData out_data, long long batch, std::size_t* work_bytes,
                              FftData computed_in) {
  return with_fft_plan("cufftXtMakePlanMany", handle, [&](FftPlan& plan) {
    if (fft_is_wide(computed_in) != fft_is_wide(in_data)) return FftResult::invalid_type;
    const auto request = many_request<long long>(rank, n, {in_embed, in_stride, in_distance}, in_data,
                                                 {out_embed, out_stride, out_distance}, out_data, batch);
    return request ? plan.make(*request, work_bytes) : FftResult::invalid_value;
  });
}

FftResult cufftPlan1d(int* handle, int nx, FftType type, int batch) {
  return create_and_make(
      handle, [=](int made, std::size_t* work_bytes) { return cufftMakePlan1d(made, nx, type, batch, work_bytes); });
}
FftResult cufftPlan2d(int* handle, int nx, int ny, FftType type) {
  return create_and_make(
      handle, [=](int made, std::size_t* work_bytes) { return cufftMakePlan2d(made, nx, ny, type, work_bytes); });
}
FftResult cufftPlan3d(int* handle, int nx, int ny, int nz, FftType type) {
  return create_and_make(
      handle, [=](int made, std::size_t* work_bytes) { return cufftMakePlan3d(made, nx, ny, nz, type, work_bytes); });
}

FftResult cufftPlanMany(int* handle, int rank, int* n, int* in_embed, int in_stride, int in_distance, int* out_embed,
                        int out_stride, int out_distance, FftType type, int batch) {
  return create_and_make(handle, [=](int made, std::size_t* work_bytes) {
    return cufftMakePlanMany(made, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type,
                             batch, work_bytes);
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
