// The SM resources that the followed launch needs, and the range over which each can be changed.
#include <algorithm>
#include <cmath>

#include "core/records/hardware.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

// The largest SM that the picture can draw. Real GPUs stay far below; a damaged record may not.
bool drawable(const gpu::Device& device) {
  return *device.warps_per_sm <= 256 && *device.blocks_per_sm <= 256 && *device.sub_partitions <= 16 &&
         *device.warps_per_sm % *device.sub_partitions == 0 && *device.threads_per_block <= 1 << 16 &&
         *device.registers_per_sm <= 1 << 24 && (!device.barriers_per_sm || *device.barriers_per_sm <= 1024);
}

// No launch has more, but a damaged record may say so. The limit also keeps all products small.
constexpr std::int64_t limit = std::int64_t{1} << 29;

std::int64_t threads_of(const std::array<std::int32_t, 3>& block) {
  std::int64_t threads = 1;
  for (const std::int32_t n : block) threads = std::min(threads * std::max(n, 1), limit);
  return threads;
}

std::uint64_t blocks_in(const std::array<std::int32_t, 3>& grid) {
  if (grid[0] <= 0) return 0;
  std::uint64_t blocks = 1;
  for (const std::int32_t n : grid) {
    const auto factor = static_cast<std::uint64_t>(std::max(n, 1));
    if (blocks > (std::uint64_t{1} << 62) / factor) return std::uint64_t{1} << 62;
    blocks *= factor;
  }
  return blocks;
}

std::optional<std::int64_t> set_within(const SceneInput& input, std::string_view control, std::int64_t low,
                                       std::int64_t high) {
  const std::optional<double> value = input.set("sm", control);
  if (!value) return {};
  return static_cast<std::int64_t>(
      std::llround(std::clamp(*value, static_cast<double>(low), static_cast<double>(high))));
}

std::int64_t blocks_with(const SmSubject& sm, const gpu::BlockNeeds& needs) {
  return gpu::occupancy_of(*sm.device, needs).blocks_per_sm;
}

SmGains gains_of(const SmSubject& sm) {
  SmGains gains;
  const std::int64_t now = sm.fit.blocks_per_sm;
  for (std::int64_t r = std::min(sm.needs.registers - 1, *sm.device->registers_per_thread); r > 0 && !gains.registers;
       --r)
    if (blocks_with(sm, with_registers(sm.needs, r)) > now) gains.registers = r;

  // Less shared memory never means fewer blocks, so the edge is found by bisection.
  const auto more_with = [&](std::int64_t bytes) {
    return blocks_with(sm, with_shared(*sm.device, sm.needs, bytes)) > now;
  };
  if (sm.shared() > 0 && more_with(0)) {
    std::int64_t low = 0, high = sm.shared();
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (more_with(middle) ? low : high) = middle;
    }
    gains.shared = low;
  }

  std::int64_t warps = sm.fit.warps_per_sm;
  const std::int64_t lanes = *sm.device->threads_per_warp;
  for (std::int64_t threads = lanes; threads <= *sm.device->threads_per_block; threads += lanes) {
    const std::int64_t resident = gpu::occupancy_of(*sm.device, with_threads(sm.needs, threads)).warps_per_sm;
    const bool nearer =
        gains.threads && std::abs(threads - sm.needs.threads) < std::abs(*gains.threads - sm.needs.threads);
    if (resident < warps || (resident == warps && !nearer)) continue;
    warps = resident;
    gains.threads = threads;
  }
  return gains;
}

}  // namespace

std::int64_t SmSubject::last_warp_threads() const {
  const std::int64_t lanes = device ? *device->threads_per_warp : 32;
  return (needs.threads - 1) % lanes + 1;
}

double SmSubject::mean_blocks() const {
  const auto max_blocks = static_cast<double>(fit.blocks_per_sm);
  if (grid == 0 || !device) return max_blocks;
  return std::min(static_cast<double>(grid) / static_cast<double>(*device->sm_count), max_blocks);
}

std::string SmSubject::gpu_name() const { return device ? device->name : match.recorded; }

bool sm_recorded(const trace::KernelDetail& kernel) {
  return kernel.block[0] > 0 && kernel.registers != trace::absent && kernel.registers >= 0 &&
         kernel.shared_bytes != trace::absent && kernel.shared_bytes >= 0;
}

gpu::BlockNeeds with_threads(gpu::BlockNeeds needs, std::int64_t threads) {
  needs.threads = threads;
  return needs;
}

gpu::BlockNeeds with_registers(gpu::BlockNeeds needs, std::int64_t registers) {
  needs.registers = registers;
  return needs;
}

gpu::BlockNeeds with_shared(const gpu::Device& device, gpu::BlockNeeds needs, std::int64_t bytes) {
  needs.static_shared = bytes;
  needs.shared_optin = bytes > *device.shared_per_block;
  return needs;
}

SmSubject sm_subject(const Here& here) {
  const SceneInput& input = here.input;
  SmSubject sm{input};
  sm.kernel = kernel_detail(input.trace, input.walk);
  sm.match = analysis::device_of(input.trace, input.walk, input.hardware.devices);
  if (sm.match.device && !drawable(*sm.match.device)) {
    sm.match.device.reset();
    sm.match.how = analysis::DeviceMatch::How::unknown;
  }
  const auto devices = static_cast<std::int64_t>(input.hardware.devices.size());
  sm.gpu_choice = static_cast<std::size_t>(set_within(input, "gpu", 0, devices).value_or(0));
  if (sm.gpu_choice > 0)
    sm.device = input.hardware.devices[sm.gpu_choice - 1];
  else
    sm.device = sm.match.device;
  sm.grid = blocks_in(sm.kernel->grid);
  // The record has static and dynamic shared memory as one number, which is enough for the occupancy.
  sm.launched.threads = threads_of(sm.kernel->block);
  sm.launched.registers = std::min(sm.kernel->registers, limit);
  sm.launched.static_shared = std::min(sm.kernel->shared_bytes, limit);
  sm.needs = sm.launched;
  sm.values = common_values(input);
  if (!sm.device) {
    add_sm_values(sm);
    return sm;
  }

  const gpu::Device& device = *sm.device;
  sm.needs = with_shared(device, sm.needs, sm.needs.static_shared);
  if (const auto threads = set_within(input, "block", 1, *device.threads_per_block)) {
    sm.needs = with_threads(sm.needs, *threads);
    sm.threads_set = *threads != sm.launched.threads;
  }
  if (const auto registers = set_within(input, "registers", 1, *device.registers_per_thread)) {
    sm.needs = with_registers(sm.needs, *registers);
    sm.registers_set = *registers != sm.launched.registers;
  }
  if (const auto bytes = set_within(input, "shared", 0, *device.shared_per_block_optin)) {
    sm.needs = with_shared(device, sm.needs, *bytes);
    sm.shared_set = *bytes != sm.launched.static_shared;
  }
  sm.fit = gpu::occupancy_of(device, sm.needs);
  if (sm.runs()) sm.gains = gains_of(sm);
  add_sm_values(sm);
  return sm;
}

}  // namespace warpwalk::story
