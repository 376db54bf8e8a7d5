#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/libraries/cufft/steps.h"

namespace warpwalk::simulated::libraries {

/// What a cufftHandle means.
class FftPlan {
 public:
  FftPlan() = default;
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;
  ~FftPlan();

  /// Plans the launches, and allocates the work area unless the program does. A plan is made once.
  FftResult make(const FftRequest& request, std::size_t* work_bytes);
  FftResult execute(const void* input, void* output, int direction) const;
  bool is_made() const { return made_; }
  /// Whether the plan transforms these types.
  bool transforms(FftData in, FftData out) const { return request_.in.data == in && request_.out.data == out; }
  std::size_t work_bytes() const { return work_bytes_; }
  void set_work_area(void* at);

  const void* stream = nullptr;
  bool allocates = true;                ///< cufftSetAutoAllocation
  std::map<int, long long> properties;  ///< cufftSetPlanPropertyInt64

 private:
  bool is_real() const { return !fft_is_complex(request_.in.data) || !fft_is_complex(request_.out.data); }
  void free_work();

  bool made_ = false;
  FftRequest request_;
  /// Of transforms of complex numbers: forward and inverse; else: with output elsewhere, and in place.
  std::array<FftSteps, 2> forms_;
  std::size_t work_bytes_ = 0;
  void* work_ = nullptr;
  DeviceMemory::Place own_work_;
};

/// The bytes of work area that a plan would need.
FftResult work_bytes_of(const FftRequest& request, std::size_t* work_bytes);

/// The plans of the process, by handle. Thread-safe.
class FftPlans {
 public:
  static FftPlans& all();
  int create();
  /// Null if there is no such plan.
  std::shared_ptr<FftPlan> find(int handle);
  bool destroy(int handle);

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<FftPlan>> plans_;
  int next_ = 1;
};

/// Runs `body` with the plan of a handle; its exceptions become a result.
FftResult with_fft_plan(const char* function, int handle, const std::function<FftResult(FftPlan&)>& body);

}  // namespace warpwalk::simulated::libraries
