#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/run/replay/history.h"
#include "core/trace/trace.h"

namespace warpwalk::run::testing {

/// The H200 device description in assets/devices.
gpu::Device h200();
/// Histories on it, with the shipped PTX and kernels.
HistoryOptions h200_options();
std::filesystem::path assets_folder();

/// The history of a kernel; the test fails, and it is empty, if it cannot be built.
std::shared_ptr<const History> built_history(const trace::Trace& trace, trace::SliceId kernel);
/// Why it cannot be built.
std::string refused_history(const trace::Trace& trace, trace::SliceId kernel,
                            const HistoryOptions& options = h200_options());

/// Builds a trace of launches with records, as warpwalk's own recorders write it: one CPU thread, one stream, no GPU
/// times.
class RecordedTrace {
 public:
  /// Adds an allocation and returns its row in Records::allocations.
  std::size_t buffer(std::string_view name, std::uint64_t elements);
  /// Adds a module from assets/ptx and returns its row in Records::modules.
  std::size_t module(std::string_view name);
  /// Adds a launch and returns its record, which must be filled before the next launch is added.
  trace::KernelRecord& launch(std::string_view entry, std::size_t module, std::array<std::uint32_t, 3> grid,
                              std::array<std::uint32_t, 3> block);
  /// Returns the linked trace.
  trace::Trace take();

 private:
  void slice(trace::SliceKind kind, std::string_view name, trace::TrackId track, std::int64_t start,
             std::int64_t duration, std::uint32_t detail);
  trace::Trace trace_;
};

trace::KernelArgument pointer(std::size_t allocation, std::uint64_t offset = 0);
trace::KernelArgument scalar(std::int32_t value);
trace::InitialBuffer random(std::size_t allocation, std::uint64_t count, std::uint64_t seed);
trace::InitialBuffer produced(std::size_t allocation, std::uint64_t count);

/// The slice of kernel:n.
inline trace::SliceId kernel_at(const trace::Trace& trace, std::size_t n) { return trace.kernel_order[n]; }

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values);

}  // namespace warpwalk::run::testing
