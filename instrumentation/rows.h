#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

namespace warpwalk::instrumentation {

// The rows of a recording before it becomes a Trace: one row per CUPTI record or NVTX call. Times are nanoseconds of
// CLOCK_REALTIME, which CUPTI uses on Linux (documentation of cuptiActivityRegisterTimestampCallback); 0 means not
// recorded. `name` and `domain` are numbers assigned by Name rows; 0 is the empty string. The values of `kind` are
// CUPTI's own (cupti_abi.h).
//
// layout() lists every member once, in file order: `at` encodes a time relative to the previous row's time, `after` a
// time relative to another time, `next` a number that mostly increases, and `number` and `text` plain values.

/// The start of CUDA. Only earlier NVTX rows come before it.
struct Begin {
  std::uint32_t pid = 0;
  std::uint32_t cupti_api = 0;  ///< the value of cuptiGetVersion, e.g. 130000; 0 without CUPTI
  std::uint64_t time = 0;
  std::string_view program;  ///< the command line, arguments separated by spaces
  static void layout(auto& f, auto& r) { f.number(r.pid), f.number(r.cupti_api), f.at(r.time), f.text(r.program); }
};

/// A string that later rows refer to by its number.
struct Name {
  std::uint32_t id = 0;
  std::string_view text;
  static void layout(auto& f, auto& r) { f.number(r.id), f.text(r.text); }
};

struct DeviceRow {
  std::uint32_t id = 0, name = 0, compute_major = 0, compute_minor = 0, sms = 0, warp_size = 0;
  std::uint32_t max_warps_per_sm = 0, max_threads_per_block = 0, registers_per_sm = 0, registers_per_block = 0;
  std::uint32_t shared_per_sm = 0, shared_per_block = 0;
  std::uint64_t memory_bytes = 0;
  static void layout(auto& f, auto& r) {
    f.number(r.id), f.number(r.name), f.number(r.compute_major), f.number(r.compute_minor), f.number(r.sms);
    f.number(r.warp_size), f.number(r.max_warps_per_sm), f.number(r.max_threads_per_block);
    f.number(r.registers_per_sm), f.number(r.registers_per_block), f.number(r.shared_per_sm);
    f.number(r.shared_per_block), f.number(r.memory_bytes);
  }
};

struct ContextRow {
  std::uint32_t id = 0, device = 0;
  std::uint32_t null_stream = 0;  ///< ID of the default stream
  static void layout(auto& f, auto& r) { f.number(r.id), f.number(r.device), f.number(r.null_stream); }
};

struct StreamRow {
  std::uint32_t context = 0, id = 0;
  std::int32_t priority = 0;  ///< lower values have higher priority
  static void layout(auto& f, auto& r) { f.number(r.context), f.number(r.id), f.number(r.priority); }
};

struct KernelRow {
  std::uint64_t start = 0, end = 0, queued = 0, submitted = 0;
  std::uint32_t name = 0, device = 0, context = 0, stream = 0, correlation = 0;
  std::uint32_t graph = 0;                              ///< 0: not launched by a graph
  std::uint64_t graph_node = 0;                         ///< 0: not launched by a graph
  std::uint32_t registers = 0;                          ///< per thread
  std::uint32_t static_shared = 0, dynamic_shared = 0;  ///< bytes per block
  std::uint32_t local_bytes = 0;                        ///< per thread
  std::array<std::uint32_t, 3> grid{}, block{}, cluster{};
  static void layout(auto& f, auto& r) {
    f.at(r.start), f.after(r.end, r.start), f.after(r.queued, r.start), f.after(r.submitted, r.start);
    f.number(r.name), f.number(r.device), f.number(r.context), f.number(r.stream), f.next(r.correlation);
    f.number(r.graph), f.number(r.graph_node), f.number(r.registers), f.number(r.static_shared);
    f.number(r.dynamic_shared), f.number(r.local_bytes);
    for (auto* const shape : {&r.grid, &r.block, &r.cluster})
      for (auto& extent : *shape) f.number(extent);
  }
};

/// A CUDA runtime or driver call.
struct CallRow {
  std::uint64_t start = 0, end = 0;
  std::uint32_t driver = 0;  ///< 1: a driver call, 0: a runtime call
  std::uint32_t cbid = 0, name = 0, thread = 0, correlation = 0;
  std::uint32_t result = 0;  ///< cudaError_t or CUresult
  static void layout(auto& f, auto& r) {
    f.at(r.start), f.after(r.end, r.start), f.number(r.driver), f.number(r.cbid), f.number(r.name);
    f.number(r.thread), f.next(r.correlation), f.number(r.result);
  }
};

struct MemcpyRow {
  std::uint64_t start = 0, end = 0, bytes = 0;
  std::uint32_t kind = 0, from = 0, to = 0, is_async = 0;
  std::uint32_t device = 0, context = 0, stream = 0, correlation = 0, graph = 0;
  std::uint64_t graph_node = 0;
  std::uint32_t peer = 0;  ///< 1: a copy from `from_device` to `to_device`
  std::uint32_t from_device = 0, to_device = 0;
  static void layout(auto& f, auto& r) {
    f.at(r.start), f.after(r.end, r.start), f.number(r.bytes), f.number(r.kind), f.number(r.from), f.number(r.to);
    f.number(r.is_async), f.number(r.device), f.number(r.context), f.number(r.stream), f.next(r.correlation);
    f.number(r.graph), f.number(r.graph_node), f.number(r.peer), f.number(r.from_device), f.number(r.to_device);
  }
};

struct MemsetRow {
  std::uint64_t start = 0, end = 0, bytes = 0;
  std::uint32_t value = 0, memory = 0, is_async = 0;
  std::uint32_t device = 0, context = 0, stream = 0, correlation = 0, graph = 0;
  std::uint64_t graph_node = 0;
  static void layout(auto& f, auto& r) {
    f.at(r.start), f.after(r.end, r.start), f.number(r.bytes), f.number(r.value), f.number(r.memory);
    f.number(r.is_async), f.number(r.device), f.number(r.context), f.number(r.stream), f.next(r.correlation);
    f.number(r.graph), f.number(r.graph_node);
  }
};

struct SyncRow {
  std::uint64_t start = 0, end = 0;
  std::uint32_t kind = 0, context = 0;
  std::uint32_t stream = 0;  ///< no_id: none
  std::uint32_t event = 0;   ///< no_id: none
  std::uint32_t correlation = 0;
  static void layout(auto& f, auto& r) {
    f.at(r.start), f.after(r.end, r.start), f.number(r.kind), f.number(r.context), f.number(r.stream);
    f.number(r.event), f.next(r.correlation);
  }
};
constexpr std::uint32_t no_id = 0xffffffffu;

/// Overhead of the driver or of CUPTI.
struct OverheadRow {
  std::uint64_t start = 0, end = 0;
  std::uint32_t kind = 0, thread = 0;  ///< thread 0: not tied to a single thread
  static void layout(auto& f, auto& r) { f.at(r.start), f.after(r.end, r.start), f.number(r.kind), f.number(r.thread); }
};

/// Links a call to an ID that the program or a library assigned to it.
struct ExternalRow {
  std::uint64_t id = 0;
  std::uint32_t kind = 0, correlation = 0;
  static void layout(auto& f, auto& r) { f.number(r.id), f.number(r.kind), f.next(r.correlation); }
};

/// Memory allocated or freed through CUDA.
struct MemoryRow {
  std::uint64_t time = 0, address = 0, bytes = 0;
  std::uint64_t pool = 0, pool_bytes = 0, pool_used = 0;  ///< the pool's address, size and bytes in use; 0: no pool
  std::uint32_t operation = 0, kind = 0, device = 0, context = 0, stream = 0, correlation = 0;
  static void layout(auto& f, auto& r) {
    f.at(r.time), f.number(r.address), f.number(r.bytes), f.number(r.pool), f.number(r.pool_bytes);
    f.number(r.pool_used), f.number(r.operation), f.number(r.kind), f.number(r.device), f.number(r.context);
    f.number(r.stream), f.next(r.correlation);
  }
};

/// A memory pool was created, trimmed or destroyed.
struct PoolRow {
  std::uint64_t time = 0, address = 0, bytes = 0, release_threshold = 0, used = 0;
  std::uint32_t operation = 0, device = 0, correlation = 0;
  static void layout(auto& f, auto& r) {
    f.at(r.time), f.number(r.address), f.number(r.bytes), f.number(r.release_threshold), f.number(r.used);
    f.number(r.operation), f.number(r.device), f.next(r.correlation);
  }
};

/// NVTX: a push/pop range begins, nested in the open ranges of its thread and domain; domain 0 is the default domain.
struct PushRow {
  std::uint64_t time = 0;
  std::uint32_t thread = 0, domain = 0;
  std::string_view text;
  static void layout(auto& f, auto& r) { f.at(r.time), f.number(r.thread), f.number(r.domain), f.text(r.text); }
};

/// NVTX: the innermost range of the thread and domain ends.
struct PopRow {
  std::uint64_t time = 0;
  std::uint32_t thread = 0, domain = 0;
  static void layout(auto& f, auto& r) { f.at(r.time), f.number(r.thread), f.number(r.domain); }
};

/// NVTX: a start/end range begins; it may end on another thread.
struct RangeStartRow {
  std::uint64_t time = 0, id = 0;
  std::uint32_t thread = 0, domain = 0;
  std::string_view text;
  static void layout(auto& f, auto& r) {
    f.at(r.time), f.number(r.id), f.number(r.thread), f.number(r.domain), f.text(r.text);
  }
};

/// NVTX: a start/end range ends.
struct RangeEndRow {
  std::uint64_t time = 0, id = 0;
  static void layout(auto& f, auto& r) { f.at(r.time), f.number(r.id); }
};

/// NVTX: a marker.
struct MarkRow {
  std::uint64_t time = 0;
  std::uint32_t thread = 0, domain = 0;
  std::string_view text;
  static void layout(auto& f, auto& r) { f.at(r.time), f.number(r.thread), f.number(r.domain), f.text(r.text); }
};

struct ThreadRow {
  std::uint32_t thread = 0;
  std::string_view text;  ///< its name
  static void layout(auto& f, auto& r) { f.number(r.thread), f.text(r.text); }
};

/// Records that are missing from the recording.
struct LossRow {
  std::uint64_t dropped = 0;    ///< records that CUPTI reports as dropped
  std::uint64_t unwritten = 0;  ///< rows that did not fit on the disk
  std::uint64_t unknown = 0;    ///< records of a kind that was not requested
  static void layout(auto& f, auto& r) { f.number(r.dropped), f.number(r.unwritten), f.number(r.unknown); }
};

/// An error because of which nothing, or less than usual, is recorded.
struct ErrorRow {
  std::uint32_t code = 0;   ///< CUPTI's result code; 0: none
  std::uint32_t fatal = 0;  ///< 1: no GPU activity is recorded
  std::string_view text;    ///< one line
  static void layout(auto& f, auto& r) { f.number(r.code), f.number(r.fatal), f.text(r.text); }
};

/// The last row of a recording that was closed properly.
struct End {
  std::uint64_t time = 0;
  std::uint32_t signal = 0;  ///< the signal that ended the program; 0: none
  static void layout(auto& f, auto& r) { f.at(r.time), f.number(r.signal); }
};

/// cudaEventRecord: an event was recorded on a stream, for other streams to wait for.
struct EventRecordRow {
  std::uint32_t context = 0, stream = 0, event = 0, correlation = 0;
  static void layout(auto& f, auto& r) {
    f.number(r.context), f.number(r.stream), f.number(r.event), f.next(r.correlation);
  }
};

/// From here on, the machine code that the program loads is recorded.
struct CodeBegin {
  static void layout(auto&, auto&) {}
};

/// The program had started CUDA before it began the recording. Modules that were loaded before are not in it.
struct LateBegin {
  static void layout(auto&, auto&) {}
};

/// A cubin that the program loaded. If it is kept, its bytes follow in CubinPart rows, in order.
struct CubinRow {
  std::uint32_t number = 0;  ///< its parts refer to it by this number
  std::uint64_t bytes = 0;
  std::uint32_t kept = 0;  ///< 0: past the size limit; no parts follow
  static void layout(auto& f, auto& r) { f.number(r.number), f.number(r.bytes), f.number(r.kept); }
};

struct CubinPart {
  std::uint32_t number = 0;
  std::string_view bytes;
  static void layout(auto& f, auto& r) { f.number(r.number), f.text(r.bytes); }
};

/// The recorder's own work begins on this thread: its calls until the matching InsideWorkEnd are not the program's.
struct InsideWork {
  std::uint64_t time = 0;
  std::uint32_t thread = 0;
  static void layout(auto& f, auto& r) { f.at(r.time), f.number(r.thread); }
};

struct InsideWorkEnd {
  std::uint64_t time = 0;
  std::uint32_t thread = 0;
  static void layout(auto& f, auto& r) { f.at(r.time), f.number(r.thread); }
};

/// A launch that is recorded with its memory. Its parts follow in InsidePart and InsideRange rows.
struct InsideLaunch {
  std::uint32_t number = 0;  ///< later rows refer to it by this number
  std::uint32_t correlation = 0, cooperative = 0, dynamic_shared = 0;
  std::uint32_t graph_kernel = 0;  ///< launched by a graph: which of its kernels of this name, from 1; else 0
  std::array<std::uint32_t, 3> grid{}, block{}, cluster{};  ///< cluster: 0, 0, 0 without one
  std::string_view entry;                                   ///< the mangled name
  static void layout(auto& f, auto& r) {
    f.number(r.number), f.next(r.correlation), f.number(r.cooperative), f.number(r.dynamic_shared);
    f.number(r.graph_kernel);
    for (auto* const shape : {&r.grid, &r.block, &r.cluster})
      for (auto& extent : *shape) f.number(extent);
    f.text(r.entry);
  }
};

/// A range of GPU memory of a recorded launch.
struct InsideRange {
  std::uint32_t launch = 0, range = 0;
  std::uint64_t address = 0, bytes = 0;
  static void layout(auto& f, auto& r) {
    f.number(r.launch), f.number(r.range), f.number(r.address), f.number(r.bytes);
  }
};

/// Bytes of a recorded launch.
struct InsidePart {
  enum Kind : std::uint32_t {
    parameters,  ///< at `offset` of the parameters
    before,      ///< at `offset` of range `index`, before the launch
    after,       ///< likewise, after the launch; bytes without such a row are those before it
    variable,    ///< at `offset` of the contents of variable `index`
    name,        ///< the name of variable `index`
    missing,     ///< one line: what could not be recorded
    caches,      ///< at `offset` of what the simulated caches held before it (gpu::CacheState::saved)
  };
  std::uint32_t launch = 0, kind = 0, index = 0;
  std::uint64_t offset = 0;
  std::string_view bytes;
  static void layout(auto& f, auto& r) {
    f.number(r.launch), f.number(r.kind), f.number(r.index), f.number(r.offset), f.text(r.bytes);
  }
};

/// Whether a CUresult says that a kernel has failed: cuda.h, the errors that end a context.
constexpr bool is_kernel_fault(std::uint32_t result) {
  constexpr std::uint32_t illegal_address = 700, timeout = 702, assertion = 710, first = 714, last = 719,
                          contained = 721;
  return result == illegal_address || result == timeout || result == assertion || (result >= first && result <= last) ||
         result == contained;
}

/// The launch has ended, and its memory is recorded as far as it could be.
struct InsideEnd {
  std::uint32_t launch = 0;
  std::uint32_t result = 0;                   ///< CUresult of the launch and of waiting for it
  std::uint64_t launched = 0, completed = 0;  ///< the kernel ran between these times
  static void layout(auto& f, auto& r) {
    f.number(r.launch), f.number(r.result), f.at(r.launched), f.after(r.completed, r.launched);
  }
};

/// The process is a rank of a distributed run, as its environment says when CUDA starts.
struct RankRow {
  std::uint32_t rank = 0, world = 0;
  static void layout(auto& f, auto& r) { f.number(r.rank), f.number(r.world); }
};

/// The clock of the recording: recordings with the same boot ID were made by one kernel, and so by one clock.
struct ClockRow {
  std::string_view boot_id;
  static void layout(auto& f, auto& r) { f.text(r.boot_id); }
};

/// NVTX: a field of the payload of a range (nvToolsExtPayload.h). It belongs to the innermost open range of the thread
/// and domain, or to the start/end range `range`.
struct PayloadRow {
  enum Kind : std::uint32_t {
    unsigned_number,
    signed_number,  ///< two's complement
    real_number,    ///< the bits of a double
    words,          ///< in `text`
  };
  std::uint32_t thread = 0, domain = 0;
  std::uint64_t range = 0;  ///< 0: a push/pop range
  std::uint32_t key = 0;    ///< number of the field's name
  std::uint32_t kind = 0;
  std::uint64_t value = 0;
  std::string_view text;
  static void layout(auto& f, auto& r) {
    f.number(r.thread), f.number(r.domain), f.number(r.range), f.number(r.key), f.number(r.kind), f.number(r.value);
    f.text(r.text);
  }
};

/// The recording was made on the simulated GPU, with its times.
struct SimulatedRow {
  std::string_view device;  ///< its name
  static void layout(auto& f, auto& r) { f.text(r.device); }
};

/// An error in a kernel, or in how the program uses the GPU, that the simulated GPU found.
struct FindingRow {
  std::uint32_t correlation = 0;  ///< of the launch or call; 0: of none
  std::string_view text;          ///< one line
  static void layout(auto& f, auto& r) { f.next(r.correlation), f.text(r.text); }
};

/// PTX that the program loaded and the simulated GPU ran. Its text follows in PtxPart rows, in order.
struct PtxRow {
  std::uint32_t number = 0;  ///< SimulatedKernel refers to it by this number
  static void layout(auto& f, auto& r) { f.number(r.number); }
};

struct PtxPart {
  std::uint32_t number = 0;
  std::string_view text;
  static void layout(auto& f, auto& r) { f.number(r.number), f.text(r.text); }
};

/// What the simulated GPU knows of a kernel besides its KernelRow. Its counters follow.
struct SimulatedKernel {
  std::uint32_t correlation = 0;  ///< of its launch
  std::uint64_t graph_node = 0;
  std::uint32_t ptx = 0;     ///< number of the PTX that ran; 0: machine code
  std::uint32_t code = 0;    ///< number of its name: "ptx", "sass sm_90 from fat binary"
  std::uint64_t cycles = 0;  ///< 0: not simulated
  static void layout(auto& f, auto& r) {
    f.next(r.correlation), f.number(r.graph_node), f.number(r.ptx), f.number(r.code), f.number(r.cycles);
  }
};

/// Sectors that a recorded launch accessed on the simulated GPU, which ran it in the first place.
struct TouchedRow {
  std::uint32_t launch = 0, read_first = 0;
  std::uint64_t address = 0, bytes = 0;
  static void layout(auto& f, auto& r) {
    f.number(r.launch), f.number(r.read_first), f.number(r.address), f.number(r.bytes);
  }
};

/// A counter of the simulated kernel with this launch and node.
struct CounterRow {
  std::uint32_t correlation = 0;
  std::uint64_t graph_node = 0;
  std::uint32_t name = 0;
  std::uint64_t value = 0;  ///< the bits of a double
  static void layout(auto& f, auto& r) {
    f.next(r.correlation), f.number(r.graph_node), f.number(r.name), f.number(r.value);
  }
};

/// The call of one of NVIDIA's libraries that a stand-in's kernel does the work of.
struct LibraryCallRow {
  std::uint32_t correlation = 0;  ///< of the kernel's launch
  std::uint64_t graph_node = 0;
  std::uint32_t time = 0;  ///< number of the name: where the kernel's time is from; 0: it is simulated
  std::string_view call;
  static void layout(auto& f, auto& r) {
    f.next(r.correlation), f.number(r.graph_node), f.number(r.time), f.text(r.call);
  }
};

/// All row types. The type byte in the file is the index here plus 1: append new types, never reorder.
using Row = std::variant<Begin, Name, DeviceRow, ContextRow, StreamRow, KernelRow, CallRow, MemcpyRow, MemsetRow,
                         SyncRow, OverheadRow, ExternalRow, MemoryRow, PoolRow, PushRow, PopRow, RangeStartRow,
                         RangeEndRow, MarkRow, ThreadRow, LossRow, ErrorRow, End, EventRecordRow, CodeBegin, CubinRow,
                         CubinPart, InsideWork, InsideWorkEnd, InsideLaunch, InsideRange, InsidePart, InsideEnd,
                         RankRow, ClockRow, PayloadRow, SimulatedRow, FindingRow, PtxRow, PtxPart, SimulatedKernel,
                         TouchedRow, CounterRow, LateBegin, LibraryCallRow>;

}  // namespace warpwalk::instrumentation
