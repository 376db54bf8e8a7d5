#include "core/run/expression/host_model.h"

#include <cmath>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

struct Cost {
  std::string_view parameter;
  gpu::RealParameter gpu::Device::*from;
  std::int64_t HostModel::*to;
};

constexpr Cost costs[] = {
    {"host_op", &gpu::Device::host_op, &HostModel::op},
    {"host_dispatch_step", &gpu::Device::host_dispatch_step, &HostModel::dispatch_step},
    {"host_kernel_setup", &gpu::Device::host_kernel_setup, &HostModel::kernel_setup},
    {"host_backward_node", &gpu::Device::host_backward_node, &HostModel::backward_node},
    {"host_allocation", &gpu::Device::host_allocation, &HostModel::allocation},
    {"host_segment_allocation", &gpu::Device::host_segment_allocation, &HostModel::segment_allocation},
    {"host_segment_free", &gpu::Device::host_segment_free, &HostModel::segment_free},
    {"host_launch_call", &gpu::Device::host_launch_call, &HostModel::launch_call},
    {"host_synchronize", &gpu::Device::host_synchronize, &HostModel::synchronize},
};
constexpr double longest_s = 1;  // per step, so that the sum over a run cannot overflow 64 bits

}  // namespace

base::Result<HostModel> host_model(const gpu::Device& device) {
  HostModel model;
  for (const Cost& cost : costs) {
    const gpu::RealParameter& seconds = device.*cost.from;
    if (!seconds)
      return base::Error{
          fmt::format("{}: parameters.{} is missing, but a run needs it for the host's times; add \"base\": \"h200\"",
                      device.id, cost.parameter)};
    if (*seconds > longest_s)
      return base::Error{fmt::format("{}: parameters.{}: {} s is too long for one step; the limit is {} s", device.id,
                                     cost.parameter, *seconds, longest_s)};
    model.*cost.to = std::llround(*seconds * 1e9);
  }
  return model;
}

}  // namespace warpwalk::run
