#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/gpu/timing/calendar.h"
#include "core/gpu/timing/hbm.h"
#include "core/gpu/timing/memory_request.h"
#include "core/gpu/timing/sector_cache.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

struct L2Counters {
  std::uint64_t sectors = 0, hits = 0;  ///< sectors looked up, and those found
};

/// The L2 cache: slices in two partitions. Each line has a home partition, whose channels hold it. An SM asks its own
/// partition; what is not there and has its home in the other one is fetched from there, and both keep it. Stores go to
/// both. Found on an H200 (tests/cuda/microbench): latencies, and Nsight Compute's hit rates, which count lookups in
/// both partitions.
class L2 {
 public:
  L2(const Timing& timing, const Device& device);

  /// Serves a request that leaves its SM at request.time; requests must come in the order of that time. Returns when
  /// the response leaves L2.
  double serve(const MemoryRequest& request);
  /// Bring what serve() will read into the host's caches: first the places to search for the line, later the line.
  void prefetch_sets(const MemoryRequest& request) const;
  void prefetch_lines(const MemoryRequest& request) const;
  /// The source of the data of the last request.
  DataSource source() const { return source_; }
  /// Puts sectors of a line into L2, in both partitions, without taking time: an earlier launch has used them.
  void hold(std::uint64_t line, std::uint8_t sectors);

  // Between launches (l2_between.cpp), without taking time:

  /// A launch begins: nothing is on its way, no port is busy, and the counters are 0. Lines stay. A new L2 is so.
  void begin_launch();
  /// The launch has ended: everything has arrived, and the order in which its lines were used is kept in 16 steps.
  void end_launch();
  /// Lines that follow are used later than all before.
  void begin_step();
  /// A kernel of the driver (memset, copy within the device) reads or writes sectors of a line.
  void pass_by_sm(std::uint64_t line, std::uint8_t sectors, bool writes);
  /// A copy engine reads or writes sectors of a line, from or for the host.
  void pass_by_engine(std::uint64_t line, std::uint8_t sectors, bool writes);
  /// True if the home of a line has it.
  bool holds(std::uint64_t line) const;
  /// Drops the lines for which drops(line) is true.
  void drop(const std::function<bool(std::uint64_t)>& drops);
  /// Lines of this L2 in those sets that the launch since has used, which turned this L2 into `after`; and those that
  /// are written in part. In a compact form that restore() reads.
  std::vector<std::uint8_t> saved(const L2& after) const;
  /// Fills an L2 that has no lines. Returns false if the bytes are not those of an L2 with this shape.
  bool restore(std::span<const std::uint8_t> saved);
  /// Sends a response to its SM; responses must come in the order of `at`. Returns when it arrives.
  double return_to(std::uint16_t sm, double at, int sectors);

  /// Cycles from a request to its response if nothing is in the way: half of them before L2, half after.
  double least_latency() const;

  const L2Counters& counters() const { return counters_; }
  const Hbm& memory() const { return *memory_; }

 private:
  static std::uint64_t mixed(std::uint64_t x);
  unsigned home_of(std::uint64_t line) const;
  std::uint64_t slice_of(std::uint64_t line) const;
  std::uint64_t channel_of(std::uint64_t line) const;
  double port_cycles(const MemoryRequest& request) const;
  /// A slice reads and writes at the same time: copies in L2 reach the bandwidths of both (tests/cuda/microbench).
  Calendar& port(unsigned partition, std::uint64_t line, bool writes);
  /// What L2 notes about a line.
  struct Line {
    double ready = 0;           ///< when the last sector arrives
    std::uint32_t words = 0;    ///< 4-byte words that stores have written
    std::uint8_t present = 0;   ///< a bit for each sector
    std::uint8_t written = 0;   ///< not written back yet
    std::uint8_t promised = 0;  ///< arriving, but only because they share a pair with others
    std::uint8_t partial = 0;   ///< written, but some of their bytes are only in memory
  };
  using Cache = SectorCache<Line>;

  static std::uint64_t count_found(Line& line, std::uint8_t sectors, double at);
  Line& line_in(unsigned partition, std::uint64_t number, double at);
  void fetch(std::uint64_t number, Line& line, std::uint8_t sectors, double at);
  /// Notes what a store writes to a line of a partition.
  void write(unsigned partition, Line& line, const MemoryRequest& request, double at);
  /// Reads what is missing in partly written sectors from memory and writes these sectors there.
  void complete(std::uint64_t number, Line& line, double at);
  /// Notes between launches that sectors of a line passed through a place in L2.
  void note_passed(Cache& cache, std::uint32_t index, std::uint8_t sectors, bool writes);
  std::uint32_t replace(Cache& cache, std::uint32_t index, std::uint64_t line);
  /// Drops the copies of sectors in the partitions for which they are not noted.
  void drop_copies(std::uint64_t line, std::uint8_t sectors, unsigned kept, unsigned kept_too);
  void order_partial_lines();

  Timing timing_;
  std::vector<Calendar> reads_, writes_;  ///< by slice; empty between launches
  std::vector<Cache> partitions_;
  std::vector<std::uint8_t> gpc_of_sm_, partition_of_gpc_;
  std::vector<Calendar> gpc_in_;  ///< by GPC: data to it
  Calendar link_;                 ///< between the partitions
  std::optional<Hbm> memory_;     ///< none between launches
  L2Counters counters_;
  DataSource source_ = DataSource::l2;
  std::deque<std::uint64_t> partial_;  ///< lines with partly written sectors in their home, in the order of the writes
  std::size_t partial_lines_ = 0;      ///< how many of them still have such sectors
  std::vector<std::uint64_t> copied_;  ///< by set of all partitions: the line that a copy engine has brought
};

}  // namespace warpwalk::gpu
