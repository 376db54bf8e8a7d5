#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/records/host_device_times.h"
#include "core/records/lab_runs.h"

namespace warpwalk::story {

/// The time until an operation on this many bytes was done, in ns: a straight line between recorded sizes if both axes
/// are logarithmic; below the smallest recorded size its time, above the largest one in proportion. 0 without a record.
double done_between(const records::HostDeviceRecord& record, std::string_view name, double bytes);

/// The cost of a number of kernels on the same buffer, including all transfers of the data; ns.
struct UseCosts {
  double copied = 0;      ///< pinned memory: copy, kernels on device memory, copy back
  double mapped = 0;      ///< pinned memory: every kernel reads and writes it over PCIe
  double managed = 0;     ///< pages move in the first kernel, and back when the CPU reads
  double prefetched = 0;  ///< managed memory with a prefetch in each direction, and the CPU's read
};
/// None if something was not recorded at this size.
std::optional<UseCosts> use_costs(const records::HostDeviceRecord& record, double bytes, int uses);

/// The same work on the CPU and, with copies, on the GPU.
struct ComparedSize {
  double elements = 0;
  double cpu = 0;     ///< ns; one core or all of them, whichever is faster
  double kernel = 0;  ///< ns, with the launch
  double copies = 0;  ///< ns, 4 bytes per element there and 4 back
  double gpu() const { return kernel + copies; }
};
/// By size, for work with this many multiply-adds per element: a straight line through the times recorded with 1
/// (saxpy) and 256 (busy). Sizes that were not recorded with both are left out.
std::vector<ComparedSize> compared_sizes(const records::HostDeviceRecord& record,
                                         const std::vector<records::CoreTimes>& cores, double multiply_adds,
                                         bool pinned);
/// The smallest size from which on the GPU with copies is faster; none if it is not even at the largest one.
std::optional<double> break_even(const std::vector<ComparedSize>& sizes);

}  // namespace warpwalk::story
