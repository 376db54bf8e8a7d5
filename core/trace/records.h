#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/shared_text.h"
#include "core/trace/origin.h"

namespace warpwalk::trace {

// The contents of a file's "warpwalk" key: data that the profiler's format cannot express. There are few rows, so they
// are plain objects. Texts are UTF-8.

constexpr std::size_t no_record = std::numeric_limits<std::size_t>::max();

/// Equality for comparing records: NaN equals NaN.
constexpr bool equal_or_both_nan(double a, double b) { return a == b || (a != a && b != b); }

/// Maps a machine instruction to its PTX and source line.
struct LineMapRow {
  std::uint32_t sass_offset = 0;  ///< bytes from the entry's start
  std::uint32_t ptx_line = 0;     ///< 0: not known
  std::uint32_t source_line = 0;  ///< in Module::source_file; 0: not known, or not from that file
  bool operator==(const LineMapRow&) const = default;
};

/// A compiled module, shared by its kernels.
struct Module {
  std::string name;
  std::string source_file;
  base::SharedText source;  ///< CUDA C++ or Triton text of source_file, if known; in a file, modules share it, too
  std::string ptx;
  std::string sass;  ///< disassembler output, if known
  std::vector<LineMapRow> line_map;
  std::vector<std::uint8_t> cubin;  ///< machine code (an ELF file) with its lines of the PTX and the source, if known
  bool operator==(const Module&) const = default;
};

/// Eight bytes of an argument or a buffer that hold an address: of an allocation, a module variable or a device
/// function.
struct AddressField {
  std::uint64_t at = 0;                ///< its first byte
  std::size_t allocation = no_record;  ///< row of Records::allocations
  std::string variable;                ///< the module's name
  std::string function;                ///< likewise
  std::uint64_t offset = 0;            ///< bytes into the allocation or variable
  bool operator==(const AddressField&) const = default;
};

/// One argument of a launch.
struct KernelArgument {
  enum class Kind : std::uint8_t { scalar, pointer };
  Kind kind = Kind::scalar;
  std::string dtype;                   ///< of the scalar, or of the elements pointed to
  std::vector<std::uint8_t> bytes;     ///< scalar: its value, little-endian
  std::size_t allocation = no_record;  ///< pointer: row of Records::allocations; no_record: a null or unknown pointer
  std::uint64_t offset = 0;            ///< pointer: bytes into the allocation; with no_record, the address itself
  std::vector<AddressField> addresses = {};  ///< scalar: a struct's addresses, which are zeros in `bytes`
  bool operator==(const KernelArgument&) const = default;
};

/// A buffer's contents before the kernel ran.
struct InitialBuffer {
  enum class Kind : std::uint8_t {
    fill,      ///< every element is `value`
    iota,      ///< 0, 1, 2 ...
    random,    ///< splitmix64 of `seed` and the index (see the launch file)
    bytes,     ///< `bytes`, at most max_initial_bytes
    digest,    ///< too large to store: only `sha256` of the bytes; cannot be replayed
    produced,  ///< written by an earlier kernel of the same trace, which a replay must run first
  };
  std::size_t allocation = no_record;
  std::string dtype;
  std::uint64_t count = 0;  ///< elements
  Kind kind = Kind::fill;
  double value = 0;
  std::uint64_t seed = 0;
  std::vector<std::uint8_t> bytes;
  std::string sha256;  ///< 64 hexadecimal digits
  /// Pairs of first element and number of elements: only these were written before the kernel. Empty: all.
  std::vector<std::array<std::uint64_t, 2>> written = {};
  std::vector<AddressField> addresses = {};  ///< among the contents
  bool operator==(const InitialBuffer& o) const {
    return allocation == o.allocation && dtype == o.dtype && count == o.count && kind == o.kind &&
           equal_or_both_nan(value, o.value) && seed == o.seed && bytes == o.bytes && sha256 == o.sha256 &&
           written == o.written && addresses == o.addresses;
  }
};
constexpr std::size_t max_initial_bytes = std::size_t{1} << 20;

/// The SM and time span of one thread block. Rows are in block order (x fastest).
struct BlockPlacement {
  std::uint32_t sm = 0;
  std::int64_t start = 0;  ///< ns after the first block's start (measured) or cycle (simulated)
  std::int64_t end = 0;    ///< same unit; equal to start if not recorded
  bool operator==(const BlockPlacement&) const = default;
};

struct NamedCounter {
  std::string name;  ///< as in the report, e.g. global_load_sectors
  double value = 0;
  Origin origin = Origin::measured;
  bool operator==(const NamedCounter& o) const {
    return name == o.name && equal_or_both_nan(value, o.value) && origin == o.origin;
  }
};

/// Hash of a buffer's contents after the kernel, to check a replay against.
struct BufferDigest {
  std::size_t allocation = no_record;
  std::string sha256;  ///< 64 hexadecimal digits
  bool operator==(const BufferDigest&) const = default;
};

/// A range of the GPU's memory that a recorded launch read or wrote.
struct MemoryRange {
  enum class Content : std::uint8_t {
    bytes,     ///< `before` holds the contents before the launch
    seed,      ///< left out of the file: random values of `dtype` from `seed`, as in a launch file
    unwritten  ///< not read before it was written, so its contents before the launch do not matter
  };
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string name;  ///< what points to it: "argument 2", "argument 0 at 24"; empty: only other memory
  Content content = Content::bytes;
  std::vector<std::uint8_t> before;
  std::string dtype;  ///< for Content::seed
  std::uint64_t seed = 0;
  std::string sha256_after;  ///< of the range after the launch; empty: not recorded
  bool operator==(const MemoryRange&) const = default;
};

/// The contents of a module variable (__device__ or __constant__) before a recorded launch.
struct VariableContents {
  std::string name;
  std::vector<std::uint8_t> bytes;
  bool operator==(const VariableContents&) const = default;
};

/// Everything that is needed to run a recorded launch again: with the kernel's cubin (KernelRecord::module), the shape
/// of its launch, the bytes of its parameters, and the memory that it accesses, at its addresses.
struct RecordedState {
  std::array<std::uint32_t, 3> cluster{};  ///< 0, 0, 0: launched without clusters
  bool cooperative = false;
  std::vector<std::uint8_t> parameters;  ///< from offset 0 of the kernel's parameters
  std::vector<MemoryRange> memory;       ///< by address, not overlapping
  std::vector<VariableContents> variables;
  std::vector<std::string> missing;  ///< what could not be recorded, one line each
  /// What the caches of the simulated GPU held before the launch (gpu::CacheState::saved); empty: not recorded.
  std::vector<std::uint8_t> caches;
  std::string recorded_in;  ///< the run that it is from, if not that of the event; scripts/walks/join_runs.py
  bool operator==(const RecordedState&) const = default;
};

/// The data of a launch that its event does not contain. The event's "warpwalk record" arg is the row number.
struct KernelRecord {
  std::size_t module = no_record;  ///< row of Records::modules
  std::string entry;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint32_t registers = 0;
  std::string registers_origin;  ///< given, cubin, ptxas or estimated; empty: not known
  /// What a simulation ran: "ptx", or machine code ("sass sm_90 from cubin"), whose instructions are counted and not
  /// estimated. Empty: PTX, or not known.
  std::string code;
  std::vector<KernelArgument> arguments;
  std::vector<InitialBuffer> buffers;
  std::vector<BufferDigest> digests;
  std::optional<RecordedState> state;  ///< of a launch that was recorded with its memory
  std::vector<BlockPlacement> placement;
  Origin placement_origin = Origin::measured;
  std::vector<NamedCounter> counters;
  std::int64_t cycles = -1;  ///< -1: not known
  Origin cycles_origin = Origin::measured;
  bool caches_carried = false;  ///< in `cycles`, the caches start as the program's earlier work left them
  std::string device_hash;      ///< of the device description that a simulation used
  std::string simulator_version;
  std::string measured_by;  ///< what recorded the launch, e.g. "CUPTI 13.0.1"
  bool operator==(const KernelRecord&) const = default;
};

/// One step of an op through the dispatcher.
struct DispatchStep {
  std::string key;                   ///< the dispatch key, e.g. AutogradCUDA
  std::string function;              ///< the function registered for the key
  std::string effect;                ///< kernel, fallthrough, composite or redispatch
  std::vector<std::string> key_set;  ///< keys still set before this step, highest first
  bool operator==(const DispatchStep&) const = default;
};

/// The dispatch steps of one op. The op event's "warpwalk dispatch" arg is the row number.
struct DispatchRecord {
  std::string op;
  Origin origin = Origin::simulated;
  std::vector<DispatchStep> steps;
  bool operator==(const DispatchRecord&) const = default;
};

struct Allocation {
  std::string name;         ///< of the tensor or buffer, if known
  std::int64_t device = 0;  ///< -1: the host
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;          ///< as requested
  std::uint64_t rounded_bytes = 0;  ///< as taken from the segment
  std::uint64_t segment = 0;        ///< address of the segment it was split from; 0: not known
  std::uint64_t segment_bytes = 0;
  std::int64_t allocated_ns = -1;  ///< since the file's base; -1: before the trace
  std::int64_t freed_ns = -1;      ///< -1: not in the trace
  std::string variable = {};       ///< the module's name of the variable whose memory this is; empty: allocated
  bool operator==(const Allocation&) const = default;
};

/// The source of a kind of figure in a file.
struct Source {
  std::string what;  ///< "times", "counters", "placement" ...
  std::string by;    ///< "torch.profiler", "CUPTI 13.0.1", "warpwalk 0.1.0 simulated h200"
  Origin origin = Origin::measured;
  bool operator==(const Source&) const = default;
};

struct Records {
  std::string expression;  ///< the op expression if warpwalk ran it, e.g. relu(a @ b)
  std::vector<Source> sources;
  std::vector<Module> modules;
  std::vector<Allocation> allocations;
  std::vector<DispatchRecord> dispatches;
  std::vector<KernelRecord> kernels;
  bool operator==(const Records&) const = default;

  bool empty() const { return *this == Records{}; }
  /// The origin of the times in the trace: measured unless a source says otherwise.
  Origin time_origin() const {
    for (const Source& source : sources)
      if (source.what == "times") return source.origin;
    return Origin::measured;
  }
};

}  // namespace warpwalk::trace
