#pragma once

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

/// A row of Trace::slices. Rows are sorted by track, then start, then longer first, so a parent precedes its children.
using SliceId = std::uint32_t;
using TrackId = std::uint32_t;
constexpr SliceId no_slice = std::numeric_limits<SliceId>::max();

/// "The file does not say", for every 64-bit whole number below.
constexpr std::int64_t absent = std::numeric_limits<std::int64_t>::min();
/// The same for fractional numbers: compare with is_absent.
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
  sync,            ///< the GPU's view of a synchronisation
  annotation,      ///< a range named by the program
  gpu_annotation,  ///< that range seen on the GPU
  overhead,        ///< time the profiler itself took
  profiler,        ///< the profiler's own bookkeeping span
  other,
};
constexpr std::size_t slice_kinds = static_cast<std::size_t>(SliceKind::other) + 1;

/// The name in texts: "python", "op", "runtime call" ...
std::string_view name_of(SliceKind kind);
constexpr bool is_call(SliceKind kind) { return kind == SliceKind::runtime || kind == SliceKind::driver; }
/// Work done by the GPU: kernels, copies and sets.
constexpr bool is_gpu_work(SliceKind kind) {
  return kind == SliceKind::kernel || kind == SliceKind::memcpy || kind == SliceKind::memset;
}

/// One row a slice. Times are nanoseconds since Trace::base_time_ns.
struct Slices {
  Column<std::int64_t> start;
  Column<std::int64_t> duration;
  Column<StringId> name;
  Column<StringId> extra;  ///< args that have no column: `"key": value, "key": value` in strict JSON
  Column<TrackId> track;
  Column<std::uint32_t> detail;  ///< row in the table of its kind; of `other`, the category's StringId; else 0
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
  StringId input_dims = 0;         ///< these four are JSON arrays as text
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
  std::int64_t cbid = absent;         ///< CUPTI's number of the function
  std::int64_t correlation = absent;  ///< shared with the GPU work that the call starts
};

struct KernelDetail {
  std::int64_t external_id = absent;
  std::int64_t correlation = absent;
  std::int64_t queued = absent;     ///< ns since base; the profiler of PyTorch writes 0, which means not recorded
  std::int64_t submitted = absent;  ///< ns since base; warpwalk's own recorder only
  std::int64_t device = absent;
  std::int64_t context = absent;
  std::int64_t stream = absent;
  std::int64_t registers = absent;     ///< a thread
  std::int64_t shared_bytes = absent;  ///< a block, static and dynamic together
  std::int64_t graph_id = absent;
  std::int64_t graph_node = absent;
  std::int64_t priority = absent;
  std::int64_t record = absent;        ///< row of Records::kernels
  double blocks_per_sm = absent_real;  ///< blocks of the grid / SMs
  double warps_per_sm = absent_real;
  double occupancy_pct = absent_real;   ///< the profiler's estimate of achieved occupancy
  std::array<std::int32_t, 3> grid{};   ///< blocks in x, y, z; 0 where not recorded
  std::array<std::int32_t, 3> block{};  ///< threads in x, y, z; 0 where not recorded
  SliceId launch = no_slice;            ///< the call that launched it
};

/// Copies and sets.
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
  std::int64_t wait_on_record = absent;  ///< correlation of the event record that is waited for
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

/// A piece of a GPU's memory that the program took from the driver (with cudaMalloc, or as a pool), or gave back.
struct DriverMemory {
  std::int64_t time = 0;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;  ///< negative: given back
  std::int64_t device = 0;
};

/// A moment without duration that is no memory event.
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
  StringId values = 0;  ///< as Slices::extra
  TrackId track = 0;
};

/// An arrow between two moments, other than from a launch to its GPU work (that one follows from the correlation).
struct Flow {
  std::int64_t from_time = 0;
  std::int64_t to_time = 0;
  StringId name = 0;
  StringId category = 0;
  TrackId from_track = 0;
  TrackId to_track = 0;
};

/// A thread of a process or a stream of a device. pid, tid, the two `_is_text` and `gpu` together name it.
struct Track {
  StringId pid =
      0;  ///< a whole number in decimal, or any text where pid_is_text; empty and not text: the file had none
  StringId tid = 0;  ///< the same
  StringId name = 0;
  StringId process_name = 0;
  StringId process_labels = 0;
  std::int64_t sort_index = absent;
  std::int64_t process_sort_index = absent;
  std::int64_t device = absent;  ///< GPU tracks: of its work, else the number in pid (link() fills it)
  std::int64_t stream = absent;  ///< the same for tid
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

/// Everything that is known of one run. Plain data: the reader fills it, link() completes it, all others only read.
/// Whoever fills it otherwise keeps to what a file can say, so that writing and reading gives the same: times and ends
/// within
/// +-2^62 ns, finite numbers, UTF-8 texts, JSON where JSON is asked for, no `other` slice with the category of a known
/// kind, no instant named [memory] or [OutOfMemory] (those are memory events), no flow with a launch's category.
struct Trace {
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
  std::vector<Track> tracks;  ///< of the CPU, then of the GPU, each by pid and tid; only those with something on them
  std::vector<Device> devices;
  std::vector<std::pair<StringId, StringId>> metadata;  ///< other top-level entries: key, JSON text
  Records records;                                      ///< what the "warpwalk" key adds
  std::int64_t base_time_ns = 0;                        ///< since the epoch of the file

  /// Slices of each kind in the order of their start: `op_order[n]` is what users call op:n, `kernel_order[n]`
  /// kernel:n.
  Column<SliceId> op_order;
  Column<SliceId> kernel_order;
  /// (launch, GPU work) by launch, then start: what each call started.
  Column<std::pair<SliceId, SliceId>> launched;
  /// By time; what is given back was taken before. Read out of `instants`, which have it too.
  Column<DriverMemory> driver_memory;
  std::int64_t begin_ns = 0;  ///< first and last moment of real work: the profiler's bookkeeping does not count
  std::int64_t end_ns = 0;

  std::string_view text(StringId id) const { return strings[id]; }
  std::string_view name(SliceId s) const { return strings[slices.name[s]]; }
  /// Bytes held by the tables and names.
  std::size_t bytes() const;
};

}  // namespace warpwalk::trace
