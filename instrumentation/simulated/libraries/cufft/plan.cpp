#include "instrumentation/simulated/libraries/cufft/plan.h"

#include <algorithm>
#include <numeric>

#include "instrumentation/simulated/libraries/common/kernel_set.h"

namespace warpwalk::simulated::libraries {
namespace {

constexpr std::size_t work_alignment = 256;

std::size_t total_work_bytes(const FftSteps& steps) {
  return std::accumulate(steps.bytes.begin(), steps.bytes.end(), std::size_t{0}, [](std::size_t sum, std::size_t part) {
    return sum + (part + work_alignment - 1) / work_alignment * work_alignment;
  });
}

FftResult check_request(const FftRequest& request) {
  if (request.rank < 1 || request.rank > 3) return FftResult::invalid_value;
  if (request.batch < 1) return FftResult::invalid_size;
  for (int i = 0; i < request.rank; ++i)
    if (const long long n = request.n[static_cast<std::size_t>(i)]; n < 1 || n > INT32_MAX)
      return FftResult::invalid_size;
  const FftData in = request.in.data, out = request.out.data;
  if (!fft_is_complex(in) && !fft_is_complex(out)) return FftResult::invalid_type;
  const auto real_bytes = [](FftData data) { return fft_element_bytes(data) / (fft_is_complex(data) ? 2 : 1); };
  const auto is_bfloat16 = [](FftData data) { return data == FftData::r16b || data == FftData::c16b; };
  if (real_bytes(in) != real_bytes(out) || is_bfloat16(in) != is_bfloat16(out)) return FftResult::invalid_type;
  return FftResult::success;
}

/// Both forms of a plan (FftPlan::forms_). False if there is no memory.
bool plan_forms(const FftRequest& request, std::array<FftSteps, 2>& forms) {
  const bool to_real = !fft_is_complex(request.out.data), from_real = !fft_is_complex(request.in.data);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const bool inverse = to_real || (!from_real && i == 1), in_place = (to_real || from_real) && i == 1;
    auto steps = plan_steps(request, inverse, in_place);
    if (!steps) return false;
    forms[i] = std::move(*steps);
  }
  return true;
}

Error launch_step(const FftStep& step, bool wide, const void* stream) {
  const auto name = [wide](std::string kernel) { return kernel + (wide ? "<double>" : "<float>"); };
  const stand_in::cufft::Chirped& chirped = step.chirped;
  switch (step.kind) {
    case FftStep::Kind::pass: {
      const stand_in::cufft::Pass& pass = step.pass;
      LaunchShape shape;
      constexpr std::uint32_t warp = 32, most_threads = 256;
      const std::uint32_t elements = pass.lines_per_block * pass.length;
      shape.block[0] = std::clamp((elements / 4 + warp - 1) / warp * warp, warp, most_threads);
      shape.grid[0] = (pass.lines + pass.lines_per_block - 1) / pass.lines_per_block;
      shape.dynamic_shared_bytes = std::size_t{2} * elements * (wide ? 16 : 8);
      return launch("pass", name("fft_pass"), shape, stream, pass, step.table);
    }
    case FftStep::Kind::chirp_in:
      return launch("bluestein", name("chirp_in"), shape_over(std::uint64_t{chirped.count} * chirped.padded), stream,
                    chirped, step.pass.in, step.table, step.pass.out.at);
    case FftStep::Kind::multiply:
      return launch("bluestein", name("multiply_spectra"), shape_over(std::uint64_t{chirped.count} * chirped.padded),
                    stream, chirped, step.table, step.pass.out.at);
    default:
      return launch("bluestein", name("chirp_out"), shape_over(std::uint64_t{chirped.count} * chirped.n), stream,
                    chirped, step.pass.out, step.table, step.pass.in.at);
  }
}

}  // namespace

FftPlan::~FftPlan() { free_work(); }

void FftPlan::free_work() {
  if (own_work_ == nullptr) return;
  Gpu& gpu = Gpu::the();
  gpu.queue.wait_all();
  if (gpu.memory.find(own_work_->address) == own_work_) gpu.memory.free(own_work_->address);
  own_work_ = nullptr;
}

void FftPlan::set_work_area(void* at) {
  free_work();
  work_ = at;
}

FftResult FftPlan::make(const FftRequest& request, std::size_t* work_bytes) {
  if (made_) return FftResult::invalid_plan;
  if (work_bytes == nullptr) return FftResult::invalid_value;
  if (const FftResult wrong = check_request(request); wrong != FftResult::success) return wrong;
  if (!plan_forms(request, forms_)) return FftResult::alloc_failed;
  request_ = request;
  work_bytes_ = std::max(total_work_bytes(forms_[0]), total_work_bytes(forms_[1]));
  if (allocates && work_bytes_ != 0) {
    own_work_ = Gpu::the().memory.allocate(MemoryKind::device, work_bytes_, "cudaMalloc");
    if (own_work_ == nullptr) return FftResult::alloc_failed;
    own_work_->owned = true;
    work_ = reinterpret_cast<void*>(own_work_->address);
  }
  *work_bytes = work_bytes_;
  made_ = true;
  return FftResult::success;
}

FftResult FftPlan::execute(const void* input, void* output, int direction) const {
  if (!made_) return FftResult::invalid_plan;
  if (input == nullptr || output == nullptr) return FftResult::invalid_value;
  if (!is_real() && direction != fft_forward && direction != fft_inverse) return FftResult::invalid_value;
  if (work_bytes_ != 0 && work_ == nullptr) return FftResult::no_workspace;
  const FftSteps& form = forms_[is_real() ? (input == output ? 1 : 0) : (direction == fft_inverse ? 1 : 0)];
  std::array<void*, fft_buffers> at{const_cast<void*>(input), output};
  std::uint8_t* next = static_cast<std::uint8_t*>(work_);
  for (std::size_t i = 2; i < fft_buffers; ++i) {
    at[i] = next;
    next += (form.bytes[i] + work_alignment - 1) / work_alignment * work_alignment;
  }
  for (FftStep step : form.steps) {
    step.pass.in.at = at[static_cast<std::size_t>(step.in)];
    step.pass.out.at = at[static_cast<std::size_t>(step.out)];
    if (launch_step(step, fft_is_wide(request_.in.data), stream) != Error::success) return FftResult::exec_failed;
  }
  return FftResult::success;
}

FftResult work_bytes_of(const FftRequest& request, std::size_t* work_bytes) {
  if (work_bytes == nullptr) return FftResult::invalid_value;
  if (const FftResult wrong = check_request(request); wrong != FftResult::success) return wrong;
  std::array<FftSteps, 2> forms;
  if (!plan_forms(request, forms)) return FftResult::alloc_failed;
  *work_bytes = std::max(total_work_bytes(forms[0]), total_work_bytes(forms[1]));
  return FftResult::success;
}

FftPlans& FftPlans::all() {
  static FftPlans& plans = *new FftPlans;
  return plans;
}

int FftPlans::create() {
  const std::lock_guard lock(mutex_);
  plans_.emplace(next_, std::make_shared<FftPlan>());
  return next_++;
}

std::shared_ptr<FftPlan> FftPlans::find(int handle) {
  const std::lock_guard lock(mutex_);
  const auto found = plans_.find(handle);
  return found == plans_.end() ? nullptr : found->second;
}

bool FftPlans::destroy(int handle) {
  std::shared_ptr<FftPlan> plan;
  const std::lock_guard lock(mutex_);
  const auto found = plans_.find(handle);
  if (found == plans_.end()) return false;
  plan = std::move(found->second);
  plans_.erase(found);
  return true;
}

FftResult with_fft_plan(const char* function, int handle, const std::function<FftResult(FftPlan&)>& body) {
  return guarded<FftResult>(function, FftResult::internal_error, [&] {
    const std::shared_ptr<FftPlan> plan = FftPlans::all().find(handle);
    return plan == nullptr ? FftResult::invalid_plan : body(*plan);
  });
}

}  // namespace warpwalk::simulated::libraries
