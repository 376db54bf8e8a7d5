#pragma once

#include <cstdint>
#include <vector>

namespace warpwalk::story {

/// How a file gets into GPU memory.
enum class Route : unsigned char {
  buffered,  ///< read(): drive, page cache, pinned buffer, GPU memory
  direct,    ///< O_DIRECT, and cuFile in compatibility mode: drive, pinned buffer, GPU memory
  gds,       ///< cuFile with GPUDirect Storage: drive, GPU memory
};
constexpr std::size_t route_count = 3;

/// The machine and the file. Rates are in bytes per ns (GB/s), all of them stated.
struct StorageSetup {
  double drives = 28;                          ///< of all drives together
  double link = 55;                            ///< of the GPU's PCIe link
  double copy = 4;                             ///< of one CPU thread that copies
  double memory = 200;                         ///< of the CPU's memory, reads and writes together
  double latency = 80e3;                       ///< ns from a request to its first byte
  double request = 5e3;                        ///< ns of the CPU per call, with its share of the interrupts
  std::int64_t file = 64 << 20;                ///< bytes
  std::int64_t chunk = 1 << 20;                ///< bytes per request
  std::int64_t offset = 0;                     ///< of the file's first byte from a multiple of `block`
  int depth = 8;                               ///< chunks in flight: so many buffers
  int threads = 4;                             ///< that copy
  static constexpr std::int64_t block = 4096;  ///< what drives and direct I/O read at least
};

enum class Part : unsigned char { call, latency, drive, copy, link };
constexpr std::size_t part_count = 5;

/// When a part of the way of one chunk begins and ends, in ns. A part that a route does not have takes no time.
struct ChunkTimes {
  double start[part_count] = {};
  double end[part_count] = {};
};

/// Bytes of whole blocks that a read of `bytes` at `offset` touches; the page cache reads them for any route.
std::int64_t touched_bytes(std::int64_t offset, std::int64_t bytes);
/// Times that a byte crosses the CPU's memory: written and read by DMA, read and written by a copy.
double crossings(Route route);
/// Calls per chunk that the CPU makes: a read, and without GPUDirect Storage a copy and a wait for its buffer.
int calls_per_chunk(Route route);

/// The schedule: chunks in order through one caller, the drives, the copying threads and the link, each of which does
/// one chunk at a time (threads: one each). A chunk is requested once one of the `depth` buffers is free, which it
/// holds until it is in GPU memory. No part is faster than the CPU's memory allows for all crossings of the route. With
/// GDS, the drives write to the GPU: one part, at the slower of both rates.
std::vector<ChunkTimes> storage_schedule(const StorageSetup& setup, Route route);

/// The totals for the whole file.
struct StorageTotals {
  double total = 0;              ///< ns
  double busy[part_count] = {};  ///< ns in which each part works; of all threads together
  double cpu = 0;                ///< ns of calls and copies
  double traffic = 0;            ///< bytes through the CPU's memory
  double read = 0;               ///< bytes read from the drives
  std::int64_t chunks = 0;
  /// The part that works most of the time, in proportion to what there is of it; `latency` if none works for 85 %.
  Part limit = Part::latency;
};
StorageTotals storage_totals(const StorageSetup& setup, Route route);

}  // namespace warpwalk::story
