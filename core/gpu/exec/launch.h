#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/exec/access_counts.h"
#include "core/gpu/exec/counters.h"
#include "core/gpu/exec/finding.h"
#include "core/gpu/texture/texture.h"

namespace warpwalk::ptx {
struct Function;
struct Module;
}  // namespace warpwalk::ptx

namespace warpwalk::gpu {

struct Device;

/// Eight bytes of an argument or a buffer that receive an address when the launch starts: that of a buffer, a module
/// variable or a device function, or the handle of a texture or surface.
struct AddressField {
  std::uint64_t at = 0;       ///< its first byte
  std::int32_t buffer = -1;   ///< index into Launch::buffers
  std::int32_t texture = -1;  ///< index into Launch::textures
  std::string variable = {};  ///< the module's name of a variable
  std::string function = {};  ///< the module's name of a function; prepare() must have been asked for it
  std::uint64_t offset = 0;   ///< bytes from the start of the buffer or variable
};

/// Bytes `begin` to `end` - 1.
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
};

/// An allocation in the simulated GPU's global memory. The simulator places it apart from all others and aligned to at
/// least 512 bytes, as cudaMalloc would. With an explicit address it may directly follow another buffer, as under a
/// caching allocator.
struct Buffer {
  std::string name;                 ///< used in messages
  std::vector<std::uint8_t> bytes;  ///< contents before the launch; replaced by the kernel's results
  bool initialized = true;          ///< false: never written, so the contents are undefined
  std::uint64_t address = 0;        ///< outside the simulator's own windows; 0: the simulator chooses
  /// The module's name of the variable whose memory this is, of the same size; empty for an allocation. If the buffer
  /// is not initialized, its contents before the launch are those that the module gives the variable.
  std::string variable = {};
  std::vector<ByteRange> written = {};       ///< if `initialized` is false: the parts that are written nevertheless
  std::vector<AddressField> addresses = {};  ///< among its contents
};

/// Global memory of the caller, which outlives the launch, such as an allocation of a running program.
struct OuterMemory {
  std::string name;           ///< used in messages, e.g. "buffer `x`"
  std::uint64_t address = 0;  ///< as the kernel sees it, where holds_buffers() allows
  std::uint64_t bytes = 0;
  std::uint8_t* data = nullptr;     ///< the contents; up to 3 bytes behind them may be accessed
  std::uint8_t* written = nullptr;  ///< with the sanitizer: a flag per byte, 0: never written; null: all initialised
  bool read_only = false;
  bool shared_with_host = false;  ///< threads of the host may access it while the kernel runs
};

/// A texture or surface object of a launch. Its texels are the contents of a buffer, or outer memory.
struct TextureObject {
  std::string name;  ///< used in messages
  TextureDescriptor descriptor;
  std::size_t buffer = 0;  ///< index into Launch::buffers
  bool surface = false;
  std::uint64_t address = 0;  ///< of the texels in Launch::outer; 0: `buffer` has them
  std::uint64_t handle = 0;   ///< 0: that of its index (texture_handle)
};

/// One kernel argument: the bytes of a scalar or struct, the address of a buffer plus an offset, or the handle of a
/// texture or surface.
struct Argument {
  std::vector<std::uint8_t> bytes;           ///< little-endian; used if buffer < 0 and texture < 0
  std::int32_t buffer = -1;                  ///< index into Launch::buffers
  std::uint64_t offset = 0;                  ///< bytes from the start of the buffer
  std::int32_t texture = -1;                 ///< index into Launch::textures
  std::vector<AddressField> addresses = {};  ///< among `bytes`
};

/// A texture or surface variable of the module (.texref, .surfref), bound to an object.
struct TextureReference {
  std::string variable;
  std::size_t texture = 0;  ///< index into Launch::textures
};

/// Contents of a module variable before the launch, instead of those that the module gives it.
struct VariableValue {
  std::string variable;
  std::vector<std::uint8_t> bytes;
};

class DeviceHeap;

struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  /// Blocks per thread block cluster; nullopt: that of the kernel (.reqnctapercluster), or no clusters.
  std::optional<std::array<std::uint32_t, 3>> cluster;
  bool nonportable_cluster = false;  ///< allows clusters of up to 16 blocks instead of 8
  bool cooperative = false;          ///< all blocks are resident at once, so the kernel may use grid.sync()
  std::uint32_t dynamic_shared_bytes = 0;
  std::optional<int> registers;  ///< per thread; nullopt: estimated from the PTX
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
  std::vector<OuterMemory> outer;  ///< by ascending address, apart from all buffers
  std::vector<TextureObject> textures;
  std::vector<TextureReference> references;
  std::vector<VariableValue> variables;
  /// For malloc() and free() of the kernel (memory/device_heap.h). Null: an empty heap of the default size, if the
  /// kernel allocates.
  std::shared_ptr<DeviceHeap> heap = {};
};

/// The addresses that the caller gives to variables of a module in global memory, by the module's names.
using VariablePlaces = std::map<std::string, std::uint64_t, std::less<>>;

/// A checked and lowered kernel entry, ready to run. Immutable, so it can be shared.
class Program;

/// Checks and lowers all code that the entry can reach. On failure, returns a one-line message without a file name,
/// e.g. "line 12: `tex.1d.v4...`: not supported by the simulated GPU". The program keeps the module alive. `functions`:
/// the module's names of the device functions whose addresses launches pass; their code is reachable, too. `places`:
/// the module's variables that are in Launch::outer.
base::Result<std::shared_ptr<const Program>> prepare(std::shared_ptr<const ptx::Module> module, std::string_view entry,
                                                     std::span<const std::string> functions = {},
                                                     const VariablePlaces& places = {});

/// The names of the device functions whose addresses a launch passes, sorted, each once.
std::vector<std::string> passed_functions(const Launch& launch);

/// Bytes of static shared memory per block.
std::uint32_t static_shared_bytes(const Program& program);
const ptx::Function& entry_of(const Program& program);

/// A limit of operations per block that ends a runaway within seconds: 16,777,216 take about 2 s on one core, 8 s with
/// the sanitizer, and 20 s if almost all of them are multiplications on tensor cores. No block of the shipped launches
/// issues a sixteenth of them.
inline constexpr std::uint64_t runaway_limit = std::uint64_t{1} << 24;

class LaunchObserver;

/// Global memory that a launch accessed.
struct TouchedRange {
  std::uint64_t address = 0, bytes = 0;
  bool read_first = false;                ///< at least a part was read, or changed by an atomic, before it was written
  bool written = false;                   ///< at least a part was written
  std::vector<std::uint8_t> before = {};  ///< with SimulateOptions::keep_before: its contents before the launch
};

struct SimulateOptions {
  int threads = 1;        ///< host threads; the results do not depend on the number
  bool sanitize = false;  ///< also check for uninitialised reads, races and barrier misuse
  /// Host memory that the search for races on global memory may take; further accesses are not checked. It is enough
  /// for about 50 MiB of global memory.
  std::size_t global_race_bytes = std::size_t{1} << 30;
  const std::atomic<bool>* cancel = nullptr;  ///< the caller sets it to stop the simulation early
  /// Operations of a block, after which it is reported as running forever even without proof. The default takes a few
  /// minutes on one core.
  std::uint64_t operation_limit = std::uint64_t{1} << 32;
  /// The simulation stores here, many times a second, how many operations its current block has issued so far.
  std::atomic<std::uint64_t>* block_operations = nullptr;
  /// Operations of the whole launch, after which it is given up (Simulation::over_limit). It is checked between blocks.
  std::uint64_t launch_operation_limit = ~std::uint64_t{0};
  std::function<void(std::uint64_t done, std::uint64_t blocks)> progress;  ///< at the start and then often; one thread
  /// If not null, receives the sectors (32 bytes) of the buffers that the launch accessed, by address; adjacent ones of
  /// the same kind are one range. The launch then runs on one thread.
  std::vector<TouchedRange>* touched = nullptr;
  bool keep_before = false;     ///< with `touched`: keeps what these sectors held before the launch
  bool by_instruction = false;  ///< also counts each instruction (Simulation::by_instruction)
  /// If not null, watches the launch (machine/launch_observer.h), which then runs on one thread. Not with `touched`.
  LaunchObserver* observer = nullptr;
};

struct Simulation {
  Counters counters;
  /// If SimulateOptions::by_instruction asked for them: the counts of each instruction of the program, by its index in
  /// Program::sources.
  std::vector<InstructionCounts> by_instruction;
  Occupancy occupancy;
  int registers = 0;
  bool registers_estimated = false;
  std::vector<Finding> findings;  ///< ordered by kind and line
  /// printf output, by block; within a block in simulation order. Threads that fail an assertion print the line that
  /// CUDA prints to stderr: "FILE:LINE: FUNCTION: block: [0,0,0], thread: [31,0,0] Assertion `CONDITION` failed."
  std::string printed;
  bool cancelled = false;
  bool over_limit = false;  ///< SimulateOptions::launch_operation_limit ended it early
  bool stopped = false;     ///< a finding ended the launch early (deadlock, runaway)
  /// With SimulateOptions::sanitize: false if some accesses to global memory were not checked for races, because the
  /// shadow memory had reached its limit.
  bool sanitized_all = true;
  double host_seconds = 0;  ///< wall-clock time of the simulation, set by callers that measure it
  int threads_used = 1;
};

/// Runs a launch to completion and leaves the results in its buffers. Returns a one-line message if such a GPU would
/// reject the launch (too many threads, registers or shared memory, wrong argument count or sizes).
base::Result<Simulation> simulate(const Device& device, const Program& program, Launch& launch,
                                  const SimulateOptions& options = {});

}  // namespace warpwalk::gpu
