#pragma once

// This folder is the simulated GPU that CUDA's functions call, which are in instrumentation/simulated/runtime and
// .../driver: launches, copies, waits, recording, checks between launches.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/finding.h"
#include "core/gpu/exec/memory/device_heap.h"
#include "core/gpu/timing/launch/cache_state.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/record/scaled_figures.h"
#include "instrumentation/simulated/device/array.h"
#include "instrumentation/simulated/device/clock.h"
#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/graph.h"
#include "instrumentation/simulated/device/launch.h"
#include "instrumentation/simulated/device/memory.h"
#include "instrumentation/simulated/device/module.h"
#include "instrumentation/simulated/device/recorder.h"
#include "instrumentation/simulated/device/stream.h"
#include "instrumentation/simulated/device/virtual_memory.h"
#include "instrumentation/simulated/device/work.h"
#include "instrumentation/simulated/engine/checks.h"
#include "instrumentation/simulated/engine/recording.h"
#include "instrumentation/simulated/engine/stored_sample.h"

namespace warpwalk::simulated {

/// Bytes of code in a row of a recording, which holds 16 KiB of text.
inline constexpr std::size_t recorded_part = std::size_t{16} << 10;

/// What `warpwalk record --on sim` asks for, from the environment.
struct Options {
  std::string device_file;  ///< description of the GPU
  bool sanitize = false;
  bool cycles = false;
  bool exact = false;  ///< simulates every block of every launch, and the cycles of every launch
  /// Warp instructions from which on the host computes launches that say how (KernelLaunch::on_host): about a quarter
  /// of them are simulated, and the cycles of eight times as many.
  double large_launch = 2e6;
  int threads = 1;
};

/// A pool of stream-ordered memory, for recordings.
struct PoolUse {
  std::uint64_t address = 0;  ///< its handle
  std::uint64_t bytes = 0, used = 0, threshold = 0;
  std::uint32_t stream = instrumentation::no_id;  ///< of an allocation or release
};
/// CUPTI's numbers for what happens to a pool (CUpti_ActivityMemoryPoolOperationType).
enum class PoolChange : std::uint32_t { created = 1, destroyed = 2, trimmed = 3 };

/// One side of a copy or memset, for the caches.
struct Transferred {
  enum class Place : std::uint8_t { none, host, device } place = Place::none;
  std::uint64_t address = 0;           ///< of its first byte, if it is in device memory
  std::uint64_t pitch = 0, slice = 0;  ///< likewise: bytes from row to row and from slice to slice
};

/// What some blocks of a large launch tell of all of it.
struct LaunchSample {
  gpu::Counters counters;    ///< of the whole launch, scaled
  std::uint64_t blocks = 0;  ///< that were simulated for them
  int registers = 0;
  std::int64_t blocks_per_sm = 1;
  std::shared_ptr<const StoredSample> stored;
};

/// The simulated GPU of the process, with everything that its program has made on it.
class Gpu {
 public:
  /// The GPU; made at the first call. Never destroyed, because programs call CUDA until they end.
  static Gpu& the();
  /// Null if nothing has called the() yet.
  static Gpu* if_made();

  const Options options;
  const gpu::Device device;
  ProgramClock clock;
  Recorder recorder;
  DeviceMemory memory;
  VirtualMemory virtual_memory{memory};
  WorkQueue queue;
  Streams streams;
  Textures textures;
  Graphs graphs;
  const std::unique_ptr<Checks> checks;  ///< null: without the sanitizer

  /// Launches a kernel. If the stream is being captured, adds a node to its graph instead. Errors of the launch's shape
  /// are found at once, those of the running kernel later.
  Error launch(KernelLaunch launch, Stream& stream);
  /// Copies. `waits`: the call returns when the copy is done. A copy from or to memory that is not pinned never goes on
  /// beside the program. Checks pointers and kinds.
  Error copy(const Copy& copy, Stream& stream, bool waits);
  Error fill(const Fill& fill, Stream& stream, bool waits);
  /// Calls a function of the program on the GPU's thread, in the order of the stream.
  Error host_function(std::function<void()> function, Stream& stream);
  Error synchronize(Stream& stream);
  Error synchronize();
  Error synchronize(Event& event);
  /// not_ready, if the stream's or the event's work has not ended.
  Error query(Stream& stream);
  Error query(Event& event);
  /// Makes the stream wait for the event.
  Error wait_event(Stream& stream, const Event& event);
  /// Waits until all work is done, for calls that do so on the way, of which CUPTI reports no wait.
  Error wait_all();

  /// Sets the size of the heap of malloc() in kernels (cudaLimitMallocHeapSize). Returns invalid_value if a kernel that
  /// allocates has been launched.
  Error set_heap_bytes(std::size_t bytes);
  /// Frees the heap (cudaDeviceReset). The next one has the default size.
  void drop_heap();

  /// The checks of the functions above, and the work that they submit, for graphs: `after` is empty in it.
  Error check(const KernelLaunch& launch);
  Error check(const Copy& copy) const;
  Error check(const Fill& fill) const;
  /// Whether captures allow such work now.
  Error check_order(Stream& stream, bool waits);
  WorkPtr work_of(const KernelLaunch& launch, const Stream& stream, const GraphPlace& graph);
  WorkPtr work_of(const Copy& copy, const Stream& stream, const GraphPlace& graph);
  WorkPtr work_of(const Fill& fill, const Stream& stream, const GraphPlace& graph);
  WorkPtr work_of(std::function<void()> host_function);

  /// Loads code for the program. On failure, `why` says so in one line, which has been printed.
  std::unique_ptr<Module> load(const void* image, Error& error, std::span<const std::string> managed = {});
  /// The text of the program's printf calls on the device, up to now.
  void flush_printf();
  /// `pool`: of stream-ordered memory.
  void record_memory(const Allocation& allocation, bool freed, const PoolUse& pool = {});
  void record_pool(PoolChange change, const PoolUse& pool);
  /// One line on stderr, once for each text. Returns whether it was the first time.
  bool tell(const std::string& line);
  /// Begins a recording in the middle of the program, which wants it (driver/recording.cpp). None is under way.
  void begin_recording(const RecordingTarget& target);
  /// Waits for all work and ends the recording, if one is under way.
  void end_recording();
  /// The same for an error of the program, which also becomes a part of the recording.
  void find(const std::string& line, std::uint32_t correlation);

 private:
  Gpu(Options options, gpu::Device device);
  /// What a run of a kernel left for its rows.
  struct KernelRun {
    gpu::Counters counters;
    int registers = 0;
    std::uint64_t cycles = 0;  ///< 0: not simulated
    std::uint32_t correlation = 0;
    std::uint32_t recording = 0;   ///< in which the program has launched it; 0: in none
    std::vector<std::string> ops;  ///< that were open then, if launches are chosen by name
    bool ends_program = false;
    run::ScaledFigures scaled;  ///< what of these figures was not simulated, but scaled or repeated
  };
  Outcome run_kernel(const KernelLaunch& launch, KernelRun& run);
  /// The launch as the simulator gets it.
  gpu::Launch simulated_launch(const KernelLaunch& launch, const DeviceMemory::View& view);
  /// Has the host compute a large launch (KernelLaunch::on_host). Returns nothing, and leaves memory as it was, if the
  /// launch is to be simulated. `inside`: wants_inside() of it.
  std::optional<Outcome> run_on_host(const KernelLaunch& asked, gpu::Launch& launch, const DeviceMemory::View& view,
                                     bool inside, KernelRun& run);
  /// Simulates some blocks, and leaves memory as it was. Returns nothing if they cannot stand for the launch: it is
  /// small, or they make errors or print.
  std::optional<LaunchSample> sample_launch(const KernelLaunch& asked, gpu::Launch& launch,
                                            const DeviceMemory::View& view);
  /// Tells the findings. Returns the error that a GPU would report.
  Error report(const KernelLaunch& launch, const gpu::Simulation& simulation, std::uint32_t correlation);
  /// What is known of an address that no allocation contains, to continue a sentence; empty if nothing is.
  std::string place_in_memory(const KernelLaunch& launch, const gpu::Finding& finding) const;
  /// The heap, with which every launch runs once it exists; null before the first kernel that needs it.
  std::shared_ptr<gpu::DeviceHeap> heap();
  void need_heap();
  bool wants_inside(const KernelLaunch& launch, const std::vector<std::string>& ops);
  bool names_inside(const Kernel& kernel, const std::vector<std::string>& ops);
  /// `touched`: by address, with the contents before the launch; `variables`: contents_of_variables() before it.
  void record_inside(const KernelLaunch& launch, const std::vector<gpu::TouchedRange>& touched,
                     const std::vector<std::uint8_t>& variables, std::uint32_t correlation);
  void record_parts(std::uint32_t number, std::uint32_t kind, std::uint32_t index, const std::uint8_t* bytes,
                    std::size_t size);
  /// The contents of a module's variables, one after another.
  static std::vector<std::uint8_t> contents_of_variables(Module& module);
  /// Notes for the cycles of later launches that a copy or memset passes through the caches.
  void pass_through_caches(const Transferred& from, const Transferred& to, const std::array<std::uint64_t, 3>& extent);
  /// Simulates the cycles of a launch that has run. `inside`: it is the last one that was recorded with its memory.
  void time_kernel(const gpu::Program& program, gpu::Launch& launch, const DeviceMemory::View& view, bool inside,
                   KernelRun& run, Outcome& outcome, const std::function<void(std::uint64_t, std::uint64_t)>& progress);
  /// The same for a launch that the host has computed, from its first waves of blocks. Memory is as before the launch;
  /// afterwards, the contents of the outputs are undefined.
  void time_first_waves(const gpu::Program& program, gpu::Launch& launch, const DeviceMemory::View& view,
                        const HostRun& host, bool inside, KernelRun& run, Outcome& outcome);
  void take_cycles(const gpu::LaunchTiming& timing, KernelRun& run, Outcome& outcome) const;
  /// Ends the timing of a launch for the caches. `before`: their state before it, if it was recorded with its memory.
  void end_timed_launch(const DeviceMemory::View& view, const std::optional<gpu::CacheState>& before);
  /// The recording that the environment asks for.
  void start_recording();
  /// The rows that every recording begins with.
  void record_device();
  void end(int exit_status);
  /// Whether each of InsideWish::named has had its launch.
  bool had_all_named() const;
  /// Ends the program, with what is recorded so far.
  [[noreturn]] void end_program();
  /// Runs `body` and records it as a wait, also if it fails.
  Error recorded_wait(std::uint32_t kind, std::uint32_t stream, std::uint32_t event,
                      const std::function<Error()>& body);
  void record_variables(Module& module);
  /// The number of a module's PTX or cubin in the recording, which has the code after the first call.
  std::uint32_t record_code(const Module& module);
  void record_simulated(const KernelLaunch& launch, const KernelRun& run, std::uint32_t correlation,
                        const GraphPlace& graph);

  std::mutex told_mutex_;
  std::map<std::string, int> told_;
  std::set<std::string> recorded_findings_;  ///< of this recording
  /// A finding of kernels: the kernel, the kind, the source file, and the lines of both accesses.
  using FindingKey = std::tuple<std::string, gpu::FindingKind, std::string, std::uint32_t, std::uint32_t>;
  std::map<FindingKey, int> found_;  ///< by finding: the launches that had it
  /// Counts a launch with the finding. Returns true for the first one.
  bool is_new(const KernelLaunch& launch, const gpu::Finding& finding);
  /// Says which findings several launches had.
  void tell_repeated_findings();

  std::mutex heap_mutex_;
  std::size_t heap_bytes_ = gpu::DeviceHeap::default_bytes;
  std::shared_ptr<gpu::DeviceHeap> heap_;

  /// With --cycles: what work leaves in the caches for the launches after it. Of the GPU's thread, which runs work in
  /// the order in which the program submits it.
  std::optional<gpu::CacheState> caches_;

  std::map<std::string, LaunchSample>
      samples_;  ///< by likeness (launch_likeness.h), of launches that the host computed

  std::mutex printed_mutex_;
  std::string printed_;
  RecordingProgress recording_;
};

/// The layer of CUDA that a function belongs to.
enum class Api : std::uint8_t { runtime, driver };

/// The program has called the runtime, which initialises the driver and makes the primary context current in every
/// thread. api_call sets it.
inline std::atomic<bool> runtime_is_used = false;

/// Calls the body of one of CUDA's functions: starts the GPU, records the call with its result, passes on the sticky
/// error, and turns exceptions into errors. Nested calls are not recorded.
Error api_call(Api api, const char* name, const std::function<Error(Gpu&)>& body);
/// The same for a function that needs no GPU, such as cudaGetErrorName. It is recorded once the recording has begun.
Error description_call(Api api, const char* name, const std::function<Error()>& body);

}  // namespace warpwalk::simulated
