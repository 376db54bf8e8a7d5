#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/counters.h"
#include "core/gpu/exec/finding.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// A piece of the simulated GPU's global memory: as cudaMalloc gives it, 512 B aligned and apart from all others, or
/// where a caching allocator has put it, perhaps right beside another.
struct Buffer {
  std::string name;                 ///< for messages
  std::vector<std::uint8_t> bytes;  ///< before the launch its contents, after it what the kernel left
  bool initialized = true;          ///< false: nothing was ever written here, its contents mean nothing
  std::uint64_t address = 0;        ///< from buffers_base on, none in another; 0: the simulator chooses
};

/// One argument of a kernel: the bytes of a scalar or struct, or the address of a buffer (plus an offset).
struct Argument {
  std::vector<std::uint8_t> bytes;  ///< little-endian; used where buffer < 0
  std::int32_t buffer = -1;         ///< index into Launch::buffers
  std::uint64_t offset = 0;         ///< bytes into the buffer
};

struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::optional<int> registers;  ///< per thread; none: estimated from the PTX
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
};

/// An entry of a module made ready to run: checked and lowered. Shared and unchanging.
class Program;

/// Checks everything that the entry can reach and lowers it. The error is one line without a file name:
/// "line 12: `tex.1d.v4...`: not supported by the simulated GPU". The module is kept by the program.
std::variant<std::shared_ptr<const Program>, std::string> prepare(std::shared_ptr<const ptx::Module> module,
                                                                  std::string_view entry);

/// Bytes of static shared memory of a block.
std::uint32_t static_shared_bytes(const Program& program);
const ptx::Function& entry_of(const Program& program);

struct SimulateOptions {
  int threads = 1;                            ///< of the host; results are the same for any number
  bool sanitize = false;                      ///< look for uninitialised reads, races and barrier misuse too
  const std::atomic<bool>* cancel = nullptr;  ///< set by somebody else: stop soon
  std::function<void(std::uint64_t done, std::uint64_t blocks)> progress;  ///< called now and then, from one thread
};

struct Simulation {
  Counters counters;
  Occupancy occupancy;
  int registers = 0;
  bool registers_estimated = false;
  std::vector<Finding> findings;  ///< in order of kind and line
  std::string printed;            ///< what printf wrote: by block, within it in the order of the simulation
  bool cancelled = false;
  bool stopped = false;     ///< a finding ended the launch early (deadlock, runaway)
  double host_seconds = 0;  ///< wall time of the simulation alone
  int threads_used = 1;
};

/// Runs a launch to its end. The buffers hold the results afterwards. The error, one line, is a launch that no GPU of
/// this description would accept (too many threads, registers or shared memory, argument count or sizes).
std::variant<Simulation, std::string> simulate(const Device& device, const Program& program, Launch& launch,
                                               const SimulateOptions& options = {});

}  // namespace warpwalk::gpu
