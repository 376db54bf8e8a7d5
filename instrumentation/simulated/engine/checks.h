#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/device/memory.h"
#include "instrumentation/simulated/device/work.h"
#include "instrumentation/simulated/engine/host_access.h"

namespace warpwalk::simulated {

class Gpu;
struct KernelLaunch;
struct Stream;

/// E.g. "the 400 bytes of allocation 1 (cudaMalloc)" or "variable `table`".
std::string describe_memory(const Allocation& allocation);

/// One side of a copy or memset that runs.
struct CopiedPart {
  DeviceMemory::Place place;  ///< null: memory that CUDA does not know
  std::uint64_t offset = 0, pitch = 0, slice = 0;
};

/// What the sanitizer checks beside the launches, which gpu::simulate checks: copies and memsets, frees, leaks, uses of
/// memory without waiting, errors that the program never asks for. Findings go to Gpu::find. Thread-safe.
class Checks {
 public:
  explicit Checks(Gpu& gpu) : gpu_(gpu) {}

  HostAccess host_access;

  /// Memory has been allocated in the order of a stream: work of other streams must wait for that.
  void allocated(const Allocation& allocation, Stream& stream);
  /// The memory is about to be freed.
  void forget(const Allocation& allocation);
  /// Before one of CUDA's functions: reports what the host has accessed too early.
  void begin_call();

  /// A copy or memset that was refused, because it leaves its memory or its kind does not fit.
  void refused(const Copy& copy);
  void refused(const Fill& fill);
  /// A copy of a part of a variable that has fewer bytes.
  void refused_part(const Allocation& variable, std::uint64_t offset, std::uint64_t bytes);
  /// A copy or memset runs. Called before the bytes are copied. `to_host`: to memory that only the host uses.
  void runs(const CopiedPart& from, const CopiedPart& to, const std::array<std::uint64_t, 3>& extent, bool to_host);
  void fills(const CopiedPart& to, std::uint64_t row_bytes, std::uint64_t rows);
  /// A kernel has run and touched this memory.
  void ran(const KernelLaunch& launch, const std::vector<gpu::TouchedRange>& touched);

  /// A free that was refused. `host`: of a function that frees host memory, such as cudaFreeHost.
  void refused_free(std::uint64_t address, bool host = false);
  /// Work that frees memory runs: work of other streams for which it does not wait must not have used it.
  void frees(const Allocation& allocation);

  /// Reports what was never freed. `when`: e.g. "before cudaDeviceReset"; empty: at the end of the program.
  void report_leaks(std::string_view when);

  /// One of the runtime's functions failed; the thread's last error is not success.
  void failed(const char* call, int error);
  /// The program has asked for the last error, or for the name of an error.
  void asked();
  /// At the end of the program.
  void report_unasked(int exit_status);

 private:
  void find(const std::string& line);
  /// E.g. "cudaMemcpy in main (prog.cu:31)", of the current call.
  static std::string here();
  /// The problem of one side of a refused copy; empty: it has none.
  std::string problem_of(const CopySide& side, const std::array<std::uint64_t, 3>& extent, bool writes) const;
  std::string problem_of_range(std::uint64_t first, std::uint64_t bytes, bool writes) const;
  std::string freed_memory(const Allocation& freed) const;
  /// Work that runs now has used a part of an allocation.
  void use(const DeviceMemory::Place& place, std::vector<UsedRange> ranges, const std::string& what,
           const std::string& kernel);
  void use(const CopiedPart& part, const std::array<std::uint64_t, 3>& extent, bool written);

  struct LastUse {
    std::uint64_t number = 0;  ///< Work::number
    std::string what, kernel;
    std::uint32_t site = 0;
  };
  /// Where in its stream memory is allocated: as Work::stream and Work::number.
  struct StreamPlace {
    std::uint32_t stream = 0;
    std::uint64_t number = 0;
  };
  /// True if the work does not wait for the stream-ordered allocation.
  bool is_before_allocation(const Allocation& allocation, const Work& work);

  struct FailedCall {
    std::string call, kernel;  ///< `kernel`: mangled name of the kernel that it should have launched
    int error = 0;
    call_sites::Call at;
  };

  Gpu& gpu_;
  std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> uninitialized_;  ///< allocations and call sites that were reported
  std::map<std::uint64_t, std::map<std::uint32_t, LastUse>> uses_;   ///< by number of the allocation and stream
  std::map<std::uint64_t, StreamPlace> allocations_;                 ///< stream-ordered ones, by number
  std::set<std::pair<std::uint64_t, std::uint32_t>> used_early_;     ///< allocations and call sites that were reported
  std::vector<FailedCall> failed_;
  std::size_t reported_graphs_ = 0;  ///< by report_leaks()
};

}  // namespace warpwalk::simulated
