#pragma once

// This folder reads what ROCm's profiler rocprofv3 writes: databases (rocpd), JSON and CSV.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::rocm {

struct Options {
  /// Called every few thousand rows with their number. Returning false cancels; everything read so far is kept.
  std::function<bool(std::uint64_t events)> go_on;
  /// Reading stops when the trace reaches this size; everything read so far is kept.
  std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30;
};

struct Result {
  std::uint64_t events = 0;
  bool stopped = false;              ///< by Options
  std::optional<std::string> error;  ///< if there is no event: what and what to do, without the file's name
};

/// Where and when work ran on a GPU, with the profiler's numbers; `absent`: not in the file.
struct Work {
  std::int64_t process = absent;
  std::int64_t device = absent;
  std::int64_t queue = absent;   ///< of the hardware
  std::int64_t stream = absent;  ///< of HIP
  std::int64_t correlation = absent;
  std::int64_t start = absent, end = absent;  ///< ns
};

/// A call or a range of a thread.
struct HostRow {
  std::int64_t process = absent, thread = absent, correlation = absent;
  std::int64_t start = absent, end = absent;  ///< ns
};

/// Fills a trace with the rows of a profile, whatever format they come from. Kernels and copies are on the tracks of
/// their HIP streams if the file has work on 2 to 64 of them, else on those of their queues.
class Recording {
 public:
  Recording(const Options& options, Trace& trace, Problems& problems)
      : options_(options), trace_(trace), problems_(problems) {}

  /// Each adds a slice and returns its row. A row without a usable start is a problem and gives nullopt; one without a
  /// usable end is a problem and gets the duration 0. `place` tells where the row is, for messages.
  std::optional<SliceId> kernel(const Work& work, KernelDetail detail, StringId name, std::string_view place);
  std::optional<SliceId> copy(const Work& work, std::int64_t bytes, StringId name, std::string_view place);
  /// `category`: the profiler's, such as HIP_RUNTIME_API, which says what the row is. A range of the program has its
  /// message as `name`.
  std::optional<SliceId> host(const HostRow& row, std::string_view category, StringId name, std::string_view place);

  void name_process(std::int64_t process, StringId name) { process_names_[process] = name; }
  StringId intern(std::string_view text);
  Trace& trace() { return trace_; }
  Problems& problems() { return problems_; }
  std::uint64_t events() const { return events_; }
  /// Whether reading goes on: neither cancelled nor at the cap. Checks the limits every few thousand rows.
  bool go_on(std::string_view place);
  bool stopped() const { return stopped_; }
  /// Makes tracks and correlations, and links the trace. Call it once, after all rows.
  void finish();

 private:
  struct Placed {
    SliceId row;
    Work work;
  };

  std::optional<std::pair<std::int64_t, std::int64_t>> span(std::int64_t start, std::int64_t end,
                                                            std::string_view place);
  SliceId slice(SliceKind kind, StringId name, std::pair<std::int64_t, std::int64_t> span, std::size_t detail);
  std::int64_t unique_correlation(std::int64_t process, std::int64_t correlation) const;
  std::int64_t process_number(std::int64_t process);
  TrackId thread_track(std::int64_t process, std::int64_t thread);
  TrackId lane_track(const Work& work, bool streams);
  void name_lanes(bool streams);
  bool by_streams() const;

  const Options& options_;
  Trace& trace_;
  Problems& problems_;
  std::vector<Placed> work_, calls_;
  std::vector<std::int64_t> processes_;
  std::unordered_map<std::int64_t, std::int64_t> process_numbers_;
  std::unordered_map<std::int64_t, StringId> process_names_;
  std::map<std::pair<std::int64_t, std::int64_t>, TrackId> threads_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, TrackId> lanes_;  // process, device, stream or queue
  std::uint64_t events_ = 0;
  bool stopped_ = false;
};

/// "Memcpy HtoD (Host -> Device)" for the profiler's name of a copy, such as MEMORY_COPY_HOST_TO_DEVICE; other names
/// as they are.
std::string copy_name(std::string_view operation);

/// Blocks of a grid that is given in threads; {} if a size is missing or out of range.
std::array<std::int32_t, 3> blocks_of(const std::array<std::int64_t, 3>& threads,
                                      const std::array<std::int64_t, 3>& block);
std::array<std::int32_t, 3> checked_block(const std::array<std::int64_t, 3>& block);

}  // namespace warpwalk::trace::rocm
