#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::crash {

// A GPU core dump: what was on the GPUs when a program stopped. The names are those of the format's description,
// cudacoredump.h of cuda-gdb (github.com/NVIDIA/cuda-gdb). All views point into the file's bytes.

/// x, y and z.
using Extent3 = std::array<std::uint32_t, 3>;

/// Contents of 32-bit registers, predicates or masks, as in the file.
class Words {
 public:
  Words() = default;
  explicit Words(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size() / 4; }
  /// nullopt for a register that the dump does not have.
  std::optional<std::uint32_t> at(std::size_t index) const;

 private:
  std::string_view bytes_;
};

/// A function that called the one above it.
struct DumpFrame {
  std::uint32_t level = 0;           ///< 0: the caller of the function in which the thread is
  std::uint64_t return_address = 0;  ///< in the GPU's memory
};

/// A thread.
struct DumpLane {
  std::uint32_t lane = 0;  ///< 0 to 31
  Extent3 thread{};        ///< threadIdx
  std::uint64_t pc = 0;    ///< in the GPU's memory
  std::uint32_t exception = 0;
  std::uint32_t call_depth = 0;         ///< with the frames of the next number
  std::uint32_t system_call_depth = 0;  ///< frames in functions of the driver, such as that behind assert()
  Words registers, predicates;          ///< R0, R1, ...; P0, P1, ...: each 0 or 1
  std::uint64_t local_address = 0;      ///< where local_memory begins in the thread's local memory
  std::string_view local_memory;        ///< empty: not in the dump
  std::vector<DumpFrame> frames;        ///< callers, the nearest first
};

struct DumpWarp {
  std::uint32_t warp = 0;  ///< its slot in the SM
  std::uint32_t valid_lanes = 0, active_lanes = 0;
  std::optional<std::uint64_t> error_pc;  ///< the instruction that failed, in the GPU's memory
  bool at_breakpoint = false;
  std::uint32_t registers = 0;                     ///< per thread; 0: not in the dump (drivers before r525)
  std::optional<std::uint32_t> shared_bytes;       ///< of its block; since r570
  std::optional<std::uint32_t> system_call_lanes;  ///< lanes in a function of the driver; since r575
  std::optional<std::uint32_t> exited_lanes;       ///< since r575
  Words uniform_registers, uniform_predicates;
  Words convergence_barriers;  ///< lanes that take part in B0, B1, ...; since r575
  std::vector<DumpLane> lanes;
};

struct DumpBlock {
  std::uint64_t grid = 0;          ///< DumpGrid::id
  Extent3 block{};                 ///< blockIdx
  std::optional<Extent3> cluster;  ///< since r525
  std::string_view shared_memory;  ///< empty: not in the dump, or the block has none
  std::vector<DumpWarp> warps;
};

struct DumpSm {
  std::uint32_t sm = 0;
  std::uint32_t exception = 0;            ///< of a warp that may have ended since; r555
  std::optional<std::uint64_t> error_pc;  ///< r555
  std::optional<Extent3> target_block;    ///< of a failed access to another block of the cluster; r565
  std::vector<DumpBlock> blocks;
};

/// A constant bank of a grid; its contents are global memory.
struct DumpConstantBank {
  std::uint32_t bank = 0;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

struct DumpGrid {
  std::uint64_t id = 0, context = 0, module = 0, parent = 0;
  std::uint64_t entry = 0;              ///< address of the kernel's first instruction
  std::uint64_t parameters_offset = 0;  ///< in constant bank 0
  std::uint32_t status = 0, registers = 0;
  Extent3 grid{}, block{};
  std::optional<Extent3> cluster;                ///< since r525
  std::string_view parameters;                   ///< empty: not in the dump
  std::vector<DumpConstantBank> constant_banks;  ///< since r550
};

struct DumpModule {
  std::uint64_t handle = 0, context = 0;
  std::string_view relocated;  ///< the cubin as it was in memory: sections have addresses
  std::string_view original;   ///< the cubin as it was loaded; empty: not in the dump
};

struct DumpContext {
  std::uint64_t id = 0;
  std::uint64_t shared_window = 0, local_window = 0;  ///< addresses from which generic pointers mean these memories
  std::uint32_t host_thread = 0;
};

struct DumpDevice {
  std::string_view name, type, sm_type;  ///< "NVIDIA H200", "GH100", "sm_90"
  std::uint32_t id = 0, sm_count = 0, warps_per_sm = 0, lanes_per_warp = 0;
  std::uint32_t sm_major = 0, sm_minor = 0;  ///< compute capability
  std::vector<DumpContext> contexts;
  std::vector<DumpModule> modules;
  std::vector<DumpGrid> grids;
  std::vector<DumpSm> sms;
};

/// Global memory: an allocation, or what the driver put in one mapping.
struct DumpMemory {
  std::uint64_t address = 0;
  std::string_view bytes;
  bool managed = false;

  std::uint64_t end() const { return address + bytes.size(); }
};

/// Memory that the program had allocated from the driver; known if the program was armed (call_ring.h).
struct DumpAllocation {
  std::uint64_t address = 0, bytes = 0;
  bool is_released = false;

  std::uint64_t end() const { return address + bytes; }
};

struct CoreDump {
  std::string_view generator;                        ///< empty: before r565
  std::uint32_t driver_major = 0, driver_minor = 0;  ///< 580, 159; 0: not in the dump
  std::uint32_t cuda_major = 0, cuda_minor = 0;      ///< of the driver
  std::optional<std::uint32_t> flags;                ///< CUDA_COREDUMP_GENERATION_FLAGS as bits
  std::uint32_t time = 0;                            ///< seconds since 1970 began
  std::vector<DumpDevice> devices;
  std::vector<DumpMemory> memory;  ///< by address, without overlaps
  /// Not in the file: whoever opens it adds them. Empty: not known.
  std::vector<DumpAllocation> allocations;

  /// Global memory at an address; empty if any of it is not in the dump.
  std::string_view memory_at(std::uint64_t address, std::uint64_t bytes) const;
};

/// True if the bytes begin an ELF file that is a core dump of a GPU. `begin`: at least 20 bytes of it.
bool is_core_dump(std::string_view begin);

/// Reads a GPU core dump. Accepts any bytes; every offset is checked. The error is one line.
base::Result<CoreDump> read_core_dump(std::string_view bytes);

}  // namespace warpwalk::crash
