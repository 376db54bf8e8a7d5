#pragma once

// This folder has the trace as a model and links its events. chrome and snapshot read and write files.

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/column.h"
#include "core/trace/records.h"
#include "core/trace/string_pool.h"

namespace warpwalk::trace {

/// A row number of Trace::slices. Rows are sorted by track, start, then longest first, so a parent precedes its
/// children.
using SliceId = std::uint32_t;
using TrackId = std::uint32_t;
constexpr SliceId no_slice = std::numeric_limits<SliceId>::max();

/// Sentinel for "not in the file", used by all 64-bit integers below.
constexpr std::int64_t absent = std::numeric_limits<std::int64_t>::min();
/// The same for doubles; test with is_absent.
constexpr double absent_real = -std::numeric_limits<double>::max();
constexpr bool is_absent(double value) { return value == absent_real; }

enum class SliceKind : std::uint8_t {
  python,          ///< a Python frame
  op,              ///< a PyTorch operator (cpu_op)
  runtime,         ///< a CUDA runtime call
  driver,          ///< a CUDA driver call
  kernel,          ///< a kernel on the GPU
  memcpy,          ///< a copy by the GPU
  memset,          ///< a fill by the GPU
  sync,            ///< a synchronization as recorded on the GPU
  annotation,      ///< a range named by the program
  gpu_annotation,  ///< the same range on the GPU
  overhead,        ///< time the profiler itself took
  profiler,        ///< the profiler's own bookkeeping span
  other,
};
constexpr std::size_t slice_kinds = static_cast<std::size_t>(SliceKind::other) + 1;

/// The display name: "Python frame", "op", "runtime call" ...
std::string_view name_of(SliceKind kind);
constexpr bool is_call(SliceKind kind) { return kind == SliceKind::runtime || kind == SliceKind::driver; }
/// Work done by the GPU: kernels, memcpys and memsets.
constexpr bool is_gpu_work(SliceKind kind) {
  return kind == SliceKind::kernel || kind == SliceKind::memcpy || kind == SliceKind::memset;
}

/// One row per slice. Times are nanoseconds since Trace::base_time_ns.
struct Slices {
  Column<std::int64_t> start;
  Column<std::int64_t> duration;
  Column<StringId> name;
  Column<StringId> extra;  ///< args that have no column: `"key": value, "key": value` in strict JSON
  Column<TrackId> track;
  Column<std::uint32_t> detail;  ///< row in the kind's detail table; for `other`, the category's StringId; else 0
  Column<SliceId> parent;        ///< the innermost slice of the same track that encloses this one, or no_slice
  Column<SliceKind> kind;

  std::size_t size() const { return start.size(); }
  std::int64_t end(SliceId s) const { return start[s] + duration[s]; }
  std::size_t bytes() const;
};

/// Ops and annotations.
struct OpDetail {
  std::int64_t external_id = absent;
  std::int64_t sequence = absent;  ///< pairs a forward op with its backward
  std::int64_t forward_thread = absent;
  std::int64_t record_function = absent;
  std::int64_t event_index = absent;
  std::int64_t dispatch = absent;  ///< row of Records::dispatches
  StringId input_dims = 0;         ///< this and the next three are JSON arrays as text
  StringId input_strides = 0;
  StringId input_types = 0;
  StringId concrete_inputs = 0;
  StringId call_stack = 0;        ///< JSON text
  StringId module_hierarchy = 0;  ///< JSON text
};

struct PythonDetail {
  std::int64_t id = absent;
  std::int64_t parent_id = absent;
  std::int64_t module_id = absent;
  std::int64_t thread = absent;
  std::int64_t event_index = absent;
};

/// Runtime and driver calls.
struct CallDetail {
  std::int64_t external_id = absent;
  std::int64_t cbid = absent;         ///< CUPTI's callback id of the function
  std::int64_t correlation = absent;  ///< shared with the GPU work that the call starts
};

struct KernelDetail {
  std::int64_t external_id = absent;
  std::int64_t correlation = absent;
  std::int64_t queued = absent;     ///< ns since base; PyTorch's profiler writes 0, which means not recorded
  std::int64_t submitted = absent;  ///< ns since base; warpwalk's own recorder only
  std::int64_t device = absent;
  std::int64_t context = absent;
  std::int64_t stream = absent;
  std::int64_t registers = absent;     ///< per thread
  std::int64_t shared_bytes = absent;  ///< per block, static and dynamic
  std::int64_t graph_id = absent;
  std::int64_t graph_node = absent;
  std::int64_t priority = absent;
  std::int64_t record = absent;        ///< row of Records::kernels
  double blocks_per_sm = absent_real;  ///< blocks of the grid / SMs
  double warps_per_sm = absent_real;
  double occupancy_pct = absent_real;   ///< the profiler's estimate of achieved occupancy
  std::array<std::int32_t, 3> grid{};   ///< blocks in x, y, z; 0 if not recorded
  std::array<std::int32_t, 3> block{};  ///< threads in x, y, z; 0 if not recorded
  SliceId launch = no_slice;            ///< the call that launched it
};

/// Memcpys and memsets.
struct TransferDetail {
  std::int64_t external_id = absent;
  std::int64_t correlation = absent;
  std::int64_t device = absent;
  std::int64_t context = absent;
  std::int64_t stream = absent;
  std::int64_t bytes = absent;
  double bandwidth_gb_s = absent_real;
  SliceId launch = no_slice;
};

struct SyncDetail {
  std::int64_t external_id = absent;
  std::int64_t correlation = absent;
  std::int64_t device = absent;
  std::int64_t context = absent;
  std::int64_t stream = absent;  ///< -1: none
  std::int64_t wait_on_stream = absent;
  std::int64_t wait_on_record = absent;  ///< correlation of the event record being waited for
  StringId kind = 0;
};

/// An allocation, a free (negative bytes) or a failed allocation, by PyTorch's allocator.
struct MemoryEvent {
  std::int64_t time = 0;
  std::int64_t address = absent;
  std::int64_t bytes = absent;
  std::int64_t allocated = absent;    ///< total after the event
  std::int64_t reserved = absent;     ///< total after the event
  std::int64_t device_type = absent;  ///< 0 CPU, 1 CUDA
  std::int64_t device = absent;
  std::int64_t event_index = absent;
  TrackId track = 0;
  StringId extra = 0;
  bool out_of_memory = false;
};

/// An allocation (cudaMalloc or a memory pool) or free of GPU memory at the driver.
struct DriverMemory {
  std::int64_t time = 0;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;  ///< negative: freed
  std::int64_t device = 0;
};

/// An event without duration that is not a memory event.
struct Instant {
  std::int64_t time = 0;
  StringId name = 0;
  StringId category = 0;
  StringId extra = 0;
  TrackId track = 0;
  char scope = 't';  ///< t thread, p process, g global
};

struct Counter {
  std::int64_t time = 0;
  StringId name = 0;
  StringId category = 0;
  StringId values = 0;  ///< in the format of Slices::extra
  TrackId track = 0;
};

/// An arrow between two points in time. Excludes flows from a launch to its GPU work, which the correlation gives.
struct Flow {
  std::int64_t from_time = 0;
  std::int64_t to_time = 0;
  StringId name = 0;
  StringId category = 0;
  TrackId from_track = 0;
  TrackId to_track = 0;
};

/// A thread of a process, or a stream of a device. pid, tid, the two `_is_text` flags and `gpu` together identify it.
struct Track {
  StringId pid = 0;  ///< a decimal integer, or any text if pid_is_text; empty and not text: missing in the file
  StringId tid = 0;  ///< the same
  StringId name = 0;
  StringId process_name = 0;
  StringId process_labels = 0;
  std::int64_t sort_index = absent;
  std::int64_t process_sort_index = absent;
  std::int64_t device = absent;  ///< GPU tracks: from the work on it, else the number in pid (set by link())
  std::int64_t stream = absent;  ///< GPU tracks: likewise, else the number in tid
  SliceId first = 0;             ///< its slices are first .. last-1
  SliceId last = 0;
  bool gpu = false;
  bool pid_is_text = false;
  bool tid_is_text = false;
};

struct Device {
  std::int64_t id = absent;
  StringId name = 0;
  std::int64_t total_memory = absent;  ///< bytes
  std::int64_t compute_major = absent;
  std::int64_t compute_minor = absent;
  std::int64_t sms = absent;
  std::int64_t warp_size = absent;
  std::int64_t max_threads_per_block = absent;
  std::int64_t max_threads_per_sm = absent;
  std::int64_t registers_per_block = absent;
  std::int64_t registers_per_sm = absent;
  std::int64_t shared_per_block = absent;        ///< bytes
  std::int64_t shared_per_block_optin = absent;  ///< bytes
  std::int64_t shared_per_sm = absent;           ///< bytes
};

/// All data of one run. Plain data: the reader fills it, link() completes it, everything else only reads it. Other code
/// that fills it must stay within what a file can express, so that writing and reading round-trips: start and end times
/// within +-2^62 ns, finite numbers, UTF-8 texts, valid JSON in JSON fields, no `other` slice with the category of a
/// known kind, no instant named [memory] or [OutOfMemory] (those are memory events), no flow with a launch's category.
struct Trace {
  // Out of line: otherwise each file that holds a trace compiles the destruction of all its tables.
  Trace();
  Trace(Trace&&) noexcept;
  Trace& operator=(Trace&&) noexcept;
  ~Trace();

  StringPool strings;
  Slices slices;
  Column<OpDetail> ops;              ///< detail of op and annotation
  Column<PythonDetail> python;       ///< detail of python
  Column<CallDetail> calls;          ///< detail of runtime and driver
  Column<KernelDetail> kernels;      ///< detail of kernel
  Column<TransferDetail> transfers;  ///< detail of memcpy and memset
  Column<SyncDetail> syncs;          ///< detail of sync
  Column<MemoryEvent> memory;        ///< by time
  Column<Instant> instants;          ///< by time
  Column<Counter> counters;          ///< by time
  Column<Flow> flows;                ///< by start, then end
  std::vector<Track> tracks;         ///< CPU tracks, then GPU tracks, each sorted by pid and tid; no empty tracks
  std::vector<Device> devices;
  std::vector<std::pair<StringId, StringId>> metadata;  ///< other top-level entries: key, JSON text
  Records records;                                      ///< what the "warpwalk" key adds
  std::int64_t base_time_ns = 0;                        ///< since the file's epoch

  /// Slices of each kind by start time: users refer to `op_order[n]` as op:n and to `kernel_order[n]` as kernel:n.
  Column<SliceId> op_order;
  Column<SliceId> kernel_order;
  /// Pairs (launch, GPU work that it started), sorted by launch, then start.
  Column<std::pair<SliceId, SliceId>> launched;
  /// Sorted by time; every free follows its allocation. Extracted from `instants`, which keep these events too.
  Column<DriverMemory> driver_memory;
  std::int64_t begin_ns = 0;  ///< first and last time of real work, without profiler bookkeeping
  std::int64_t end_ns = 0;

  std::string_view text(StringId id) const { return strings[id]; }
  std::string_view name(SliceId s) const { return strings[slices.name[s]]; }
  /// Bytes held by the tables and names.
  std::size_t bytes() const;
};

}  // namespace warpwalk::trace
