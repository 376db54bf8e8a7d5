#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/nsys/database.h"
#include "core/trace/nsys/strings.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::nsys {

/// The process that a globalPid or globalTid names: its number among the processes of the trace, or `absent`.
using Process = std::int64_t;

/// Processes, threads, GPUs and streams of a database, as tracks of the trace. Nsight Systems identifies a thread by 64
/// bits (globalTid): machine, virtual machine (8 bits each), process and thread (24 bits each). A globalPid is the same
/// with zeros for the thread.
class Places {
 public:
  Places(const Database& database, Trace& trace, Strings& strings);

  /// `id`: a globalPid or globalTid. If it is absent and all calls are of one process, that process.
  Process process(std::int64_t id);
  /// A correlation that is unique among all processes; `absent` if it is not a correlation, or if its process is not
  /// known and there are several.
  std::int64_t correlation(Process process, std::int64_t correlation) const;
  /// The GPU's id in TARGET_INFO_GPU, given its number in a process, which depends on CUDA_VISIBLE_DEVICES.
  std::int64_t gpu(Process process, std::int64_t device) const;

  TrackId thread(std::int64_t global_tid);
  /// A track beside a thread's own for ranges that do not nest; `lane` counts from 0.
  TrackId beside_thread(std::int64_t global_tid, std::size_t lane);
  /// `gpu`: as returned by gpu(). Streams of two processes with the same number are two tracks.
  TrackId stream(Process process, std::int64_t gpu, std::int64_t stream);

  /// Names the tracks. Call it once, after all rows.
  void finish();

 private:
  struct ThreadPlace {
    std::int64_t global_tid;
    std::size_t lane;  // 0: the thread's own track
    TrackId track;
  };
  struct StreamPlace {
    Process process;
    std::int64_t gpu;
    std::int64_t stream;
    TrackId track;
  };

  TrackId add_thread(std::int64_t global_tid, std::size_t lane);
  void name_thread(const ThreadPlace& place);
  void name_stream(const StreamPlace& place, bool shared);
  // The process's id as a text, and whether the text is more than a number.
  std::pair<std::string, bool> pid(std::int64_t id) const;

  Trace& trace_;
  std::vector<std::uint64_t> processes_;  // all bits of a globalTid but the thread's
  std::unordered_map<std::uint64_t, Process> process_numbers_;
  std::unordered_map<std::uint64_t, int> users_of_pid_;  // processes of several machines with the same id
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpus_;  // by process id and CUDA device
  std::unordered_map<std::int64_t, StringId> thread_names_, process_names_;
  std::map<std::pair<std::int64_t, std::size_t>, TrackId> threads_;
  std::map<std::tuple<Process, std::int64_t, std::int64_t>, TrackId> streams_;
  std::vector<ThreadPlace> thread_places_;
  std::vector<StreamPlace> stream_places_;
  // The last ones found: consecutive rows mostly share one.
  std::pair<std::int64_t, TrackId> recent_thread_{absent, no_slice};
};

}  // namespace warpwalk::trace::nsys
