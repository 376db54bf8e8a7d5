#include "instrumentation/nvml_sampler.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpwalk::instrumentation {
namespace {

using Clock = std::chrono::steady_clock;

GpuHistoryPoint point_of(const GpuSample& sample, double at) {
  return {at, sample.busy_pct, sample.memory_busy_pct, sample.power_mw, sample.memory_used};
}

// The watch with one more sample of every GPU. GPUs are matched by index: NVML's order does not change while it is
// open.
std::shared_ptr<const GpuSnapshot> with_sample(const GpuSnapshot& before, std::vector<GpuSample> samples, double at,
                                               double reach) {
  auto watch = std::make_shared<GpuSnapshot>();
  watch->at = at;
  if (samples.empty()) watch->error = "NVML found no GPU; nvidia-smi -L lists the GPUs that the driver sees";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    GpuHistory gpu;
    if (i < before.gpus.size())
      std::ranges::copy_if(before.gpus[i].points, std::back_inserter(gpu.points),
                           [&](const GpuHistoryPoint& point) { return point.at >= at - reach; });
    gpu.points.push_back(point_of(samples[i], at));
    gpu.now = std::move(samples[i]);
    watch->gpus.push_back(std::move(gpu));
  }
  return watch;
}

}  // namespace

NvmlSampler::NvmlSampler(Options options) : options_(std::move(options)) {}

NvmlSampler::~NvmlSampler() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void NvmlSampler::start() {
  {
    const std::lock_guard lock(mutex_);
    if (sampling_) return;
    sampling_ = true;
    ++generation_;
    watch_ = std::make_shared<GpuSnapshot>();
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.notify_all();
}

void NvmlSampler::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (!sampling_) return;
    sampling_ = false;
    watch_ = std::make_shared<GpuSnapshot>();
  }
  changed_.notify_all();
}

bool NvmlSampler::sampling() const {
  const std::lock_guard lock(mutex_);
  return sampling_;
}

std::shared_ptr<const GpuSnapshot> NvmlSampler::snapshot() const {
  const std::lock_guard lock(mutex_);
  return watch_;
}

void NvmlSampler::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return end_ || sampling_; });
    if (end_) return;
    const std::uint64_t start = generation_;
    lock.unlock();
    sample_until_stopped(start);
  }
}

// NVML is opened, queried and shut down without holding the mutex, because the UI takes it every frame.
void NvmlSampler::sample_until_stopped(std::uint64_t start) {
  const auto nvml = Nvml::open(options_.library);
  const Clock::time_point began = Clock::now();
  const double reach = std::chrono::duration<double>(options_.history).count();
  Clock::time_point next = began;
  std::shared_ptr<const GpuSnapshot> seen = std::make_shared<GpuSnapshot>();
  for (;;) {
    if (!nvml) {
      auto none = std::make_shared<GpuSnapshot>();
      none->error = nvml.error();
      seen = std::move(none);
    } else {
      std::vector<GpuSample> samples = (*nvml)->sample();
      const double at = std::chrono::duration<double>(Clock::now() - began).count();
      seen = with_sample(*seen, std::move(samples), at, reach);
    }
    std::unique_lock lock(mutex_);
    if (stopped(start)) return;
    watch_ = seen;
    if (!nvml) {  // do not retry before the next start
      changed_.wait(lock, [&] { return stopped(start); });
      return;
    }
    next = std::max(next + options_.interval, Clock::now());  // after a slow reply, missed samples are skipped
    if (changed_.wait_until(lock, next, [&] { return stopped(start); })) return;
  }
}

}  // namespace warpwalk::instrumentation
