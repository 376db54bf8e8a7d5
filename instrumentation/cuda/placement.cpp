#include "instrumentation/cuda/placement.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/base/result.h"
#include "core/ops/tensor/error.h"
#include "core/platform/read_file.h"
#include "instrumentation/cuda/cuda_memory.h"
#include "instrumentation/cuda/placement_probe.h"

namespace warpwalk::cuda {
namespace {

template <class T>
T value_or_throw(base::Result<T> result, std::string_view what) {
  if (!result) throw ops::OpError(fmt::format("{}: {}", what, result.error()));
  return std::move(*result);
}

/// A GPU allocation, freed by the destructor.
class DeviceBuffer {
 public:
  DeviceBuffer(const CudaLibrary& library, std::uint64_t bytes) : library_(library) {
    check(library.calls().allocate(bytes, &address_), "placement");
  }
  ~DeviceBuffer() { library_.calls().free(address_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  std::uint64_t address() const { return address_; }

 private:
  const CudaLibrary& library_;
  std::uint64_t address_ = 0;
};

}  // namespace

PlacementRun::PlacementRun(std::shared_ptr<const CudaLibrary> library, std::filesystem::path ptx_folder)
    : library_(std::move(library)),
      ptx_folder_(std::move(ptx_folder)),
      driver_(value_or_throw(CudaDriver::open(), "placement")) {}

const CudaDriver::Kernel& PlacementRun::kernel(const std::string& module, const std::string& entry) {
  auto& kernel = kernels_[entry];
  if (kernel != nullptr) return *kernel;
  const platform::Text ptx = value_or_throw(platform::read_text_file(ptx_folder_ / (module + ".ptx")), "placement");
  auto with_probe = insert_placement_probe(ptx.text, entry);
  if (!with_probe) throw ops::OpError(fmt::format("placement: {}", with_probe.error()));
  kernel = value_or_throw(driver_->compile(*with_probe, entry), "placement");
  return *kernel;
}

PlacementRun::Result PlacementRun::launch(const std::string& module, const std::string& entry,
                                          const std::array<std::uint32_t, 3>& grid,
                                          const std::array<std::uint32_t, 3>& block, std::uint32_t dynamic_shared_bytes,
                                          void* stream, std::vector<void*> arguments) {
  const CudaDriver::Kernel& probe = kernel(module, entry);
  std::vector<BlockStamp> stamps(std::size_t{grid[0]} * grid[1] * grid[2]);
  const DeviceBuffer piece(*library_, stamps.size() * sizeof(BlockStamp));
  std::uint64_t address = piece.address();
  arguments.push_back(&address);
  const WarpwalkCudaLibrary& calls = library_->calls();
  check(calls.copy_in(address, stamps.data(), stamps.size() * sizeof(BlockStamp), stream), "placement");
  if (const std::string error = probe.launch(grid, block, dynamic_shared_bytes, stream, arguments.data());
      !error.empty())
    throw ops::OpError(fmt::format("placement of {}: {}", entry, error));
  check(calls.copy_out(stamps.data(), address, stamps.size() * sizeof(BlockStamp), stream), "placement");

  Result placed;
  placed.entry = entry;
  placed.registers = probe.registers();
  const std::uint64_t first = std::ranges::min_element(stamps, {}, &BlockStamp::start)->start;
  for (const BlockStamp& stamp : stamps) {
    placed.blocks.push_back(
        {stamp.sm, static_cast<std::int64_t>(stamp.start - first), static_cast<std::int64_t>(stamp.end - first)});
    placed.span_ns = std::max(placed.span_ns, placed.blocks.back().end);
  }
  return placed;
}

}  // namespace warpwalk::cuda
