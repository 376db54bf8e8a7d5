#include "tests/run/history_trace.h"

#include <cstring>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/trace/link.h"

namespace warpwalk::run::testing {

gpu::Device h200() {
  auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  EXPECT_TRUE(device) << device.error();
  return *std::move(device);
}

HistoryOptions h200_options() {
  HistoryOptions options;
  options.device = h200();
  options.ptx_folder = WARPWALK_SOURCE_DIR "/assets/ptx";
  options.source_folder = WARPWALK_SOURCE_DIR "/kernels";
  return options;
}

std::filesystem::path assets_folder() { return std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets"; }

std::shared_ptr<const History> built_history(const trace::Trace& trace, trace::SliceId kernel) {
  auto history = build_history(trace, kernel, h200_options());
  if (const auto* const none = std::get_if<NoHistory>(&history)) {
    ADD_FAILURE() << none->reason;
    return std::make_shared<History>();
  }
  return std::get<0>(history);
}

std::string refused_history(const trace::Trace& trace, trace::SliceId kernel, const HistoryOptions& options) {
  auto history = build_history(trace, kernel, options);
  const auto* const none = std::get_if<NoHistory>(&history);
  return none == nullptr ? "it was built" : none->reason;
}

std::size_t RecordedTrace::buffer(std::string_view name, std::uint64_t elements) {
  trace::Allocation& row = trace_.records.allocations.emplace_back();
  row.name = name;
  row.bytes = elements * sizeof(float);
  return trace_.records.allocations.size() - 1;
}

std::size_t RecordedTrace::module(std::string_view name) {
  std::ifstream in(std::string(WARPWALK_SOURCE_DIR "/assets/ptx/").append(name).append(".ptx"));
  std::ostringstream text;
  text << in.rdbuf();
  trace::Module& row = trace_.records.modules.emplace_back();
  row.name = name;
  row.ptx = text.str();
  return trace_.records.modules.size() - 1;
}

void RecordedTrace::slice(trace::SliceKind kind, std::string_view name, trace::TrackId track, std::int64_t start,
                          std::int64_t duration, std::uint32_t detail) {
  trace::Slices& rows = trace_.slices;
  rows.start.push_back(start);
  rows.duration.push_back(duration);
  rows.name.push_back(trace_.strings.intern(name));
  rows.extra.push_back(0);
  rows.track.push_back(track);
  rows.detail.push_back(detail);
  rows.kind.push_back(kind);
}

trace::KernelRecord& RecordedTrace::launch(std::string_view entry, std::size_t module,
                                           std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block) {
  const auto n = static_cast<std::int64_t>(trace_.records.kernels.size());
  trace::CallDetail call;
  call.correlation = n + 1;
  trace_.calls.push_back(call);
  trace::KernelDetail kernel;
  kernel.correlation = n + 1;
  kernel.device = 0;
  kernel.stream = 7;
  kernel.record = n;
  for (std::size_t i = 0; i < 3; ++i) {
    kernel.grid[i] = static_cast<std::int32_t>(grid[i]);
    kernel.block[i] = static_cast<std::int32_t>(block[i]);
  }
  trace_.kernels.push_back(kernel);
  slice(trace::SliceKind::runtime, "cudaLaunchKernel", 0, 10000 * (n + 1), 5000, static_cast<std::uint32_t>(n));
  slice(trace::SliceKind::kernel, entry, 1, 0, 0, static_cast<std::uint32_t>(n));
  trace::KernelRecord& record = trace_.records.kernels.emplace_back();
  record.module = module;
  record.entry = entry;
  record.grid = grid;
  record.block = block;
  return record;
}

trace::Trace RecordedTrace::take() {
  for (const bool gpu : {false, true}) {
    trace::Track& track = trace_.tracks.emplace_back();
    track.gpu = gpu;
    track.pid = trace_.strings.intern(gpu ? "0" : "1");
    track.tid = trace_.strings.intern(gpu ? "7" : "1");
  }
  trace::Problems problems;
  trace::link(trace_, problems);
  return std::move(trace_);
}

trace::KernelArgument pointer(std::size_t allocation, std::uint64_t offset) {
  trace::KernelArgument argument;
  argument.kind = trace::KernelArgument::Kind::pointer;
  argument.dtype = "f32";
  argument.allocation = allocation;
  argument.offset = offset;
  return argument;
}

trace::KernelArgument scalar(std::int32_t value) {
  trace::KernelArgument argument;
  argument.dtype = "i32";
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

trace::InitialBuffer random(std::size_t allocation, std::uint64_t count, std::uint64_t seed) {
  trace::InitialBuffer row;
  row.allocation = allocation;
  row.dtype = "f32";
  row.count = count;
  row.kind = trace::InitialBuffer::Kind::random;
  row.seed = seed;
  return row;
}

trace::InitialBuffer produced(std::size_t allocation, std::uint64_t count) {
  trace::InitialBuffer row = random(allocation, count, 0);
  row.kind = trace::InitialBuffer::Kind::produced;
  return row;
}

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace warpwalk::run::testing
