#include "core/story/labs/storage/schedule.h"

#include <algorithm>
#include <cstddef>

namespace warpwalk::story {
namespace {

std::size_t index(Part part) { return static_cast<std::size_t>(part); }

std::int64_t chunks_of(const StorageSetup& setup) { return (setup.file + setup.chunk - 1) / setup.chunk; }

// The i-th chunk's bytes; the last one may be shorter.
std::int64_t bytes_of(const StorageSetup& setup, std::int64_t i) {
  return std::min(setup.chunk, setup.file - i * setup.chunk);
}

// How long each part of a chunk's way takes.
ChunkTimes lengths(const StorageSetup& setup, Route route, std::int64_t i) {
  const auto bytes = static_cast<double>(bytes_of(setup, i));
  const auto read = static_cast<double>(touched_bytes(setup.offset + i * setup.chunk, bytes_of(setup, i)));
  const double crossed = crossings(route);
  const auto rate = [&](double own) { return crossed > 0 ? std::min(own, setup.memory / crossed) : own; };
  ChunkTimes times;
  times.end[index(Part::call)] = setup.request * calls_per_chunk(route);
  times.end[index(Part::latency)] = setup.latency;
  if (route == Route::gds) {
    times.end[index(Part::drive)] = read / std::min(setup.drives, setup.link);
    return times;
  }
  times.end[index(Part::drive)] = read / rate(setup.drives);
  if (route == Route::buffered) times.end[index(Part::copy)] = bytes / rate(setup.copy);
  times.end[index(Part::link)] = bytes / rate(setup.link);
  return times;
}

}  // namespace

std::int64_t touched_bytes(std::int64_t offset, std::int64_t bytes) {
  if (bytes <= 0) return 0;
  constexpr std::int64_t block = StorageSetup::block;
  return (offset + bytes + block - 1) / block * block - offset / block * block;
}

double crossings(Route route) { return route == Route::buffered ? 4 : route == Route::direct ? 2 : 0; }

int calls_per_chunk(Route route) { return route == Route::gds ? 1 : 3; }

std::vector<ChunkTimes> storage_schedule(const StorageSetup& setup, Route route) {
  std::vector<ChunkTimes> all;
  const std::int64_t chunks = chunks_of(setup);
  const auto depth = static_cast<std::size_t>(std::max(setup.depth, 1));
  std::vector<double> threads(static_cast<std::size_t>(std::max(setup.threads, 1)), 0.0);  // when each is free
  all.reserve(static_cast<std::size_t>(chunks));
  for (std::int64_t i = 0; i < chunks; ++i) {
    const auto number = static_cast<std::size_t>(i);
    const ChunkTimes length = lengths(setup, route, i);
    ChunkTimes now;
    double ready = number >= depth ? all[number - depth].end[index(Part::link)] : 0;
    for (std::size_t part = 0; part < part_count; ++part) {
      double start = ready;
      if (part == index(Part::copy)) {
        const auto thread = std::ranges::min_element(threads);
        start = std::max(start, *thread);
        *thread = start + length.end[part];
      } else if (part != index(Part::latency) && i > 0) {
        start = std::max(start, all[number - 1].end[part]);
      }
      now.start[part] = start;
      now.end[part] = ready = start + length.end[part];
    }
    all.push_back(now);
  }
  return all;
}

StorageTotals storage_totals(const StorageSetup& setup, Route route) {
  StorageTotals totals;
  for (const ChunkTimes& chunk : storage_schedule(setup, route)) {
    for (std::size_t part = 0; part < part_count; ++part) totals.busy[part] += chunk.end[part] - chunk.start[part];
    totals.total = std::max(totals.total, chunk.end[index(Part::link)]);
  }
  totals.chunks = chunks_of(setup);
  for (std::int64_t i = 0; i < totals.chunks; ++i)
    totals.read += static_cast<double>(touched_bytes(setup.offset + i * setup.chunk, bytes_of(setup, i)));
  totals.cpu = totals.busy[index(Part::call)] + totals.busy[index(Part::copy)];
  totals.traffic = crossings(route) * static_cast<double>(setup.file);
  double most = 0.85 * totals.total;
  for (const Part part : {Part::call, Part::drive, Part::copy, Part::link}) {
    const double busy = totals.busy[index(part)] / (part == Part::copy ? std::max(setup.threads, 1) : 1);
    if (busy <= most) continue;
    most = busy;
    totals.limit = part;
  }
  return totals;
}

}  // namespace warpwalk::story
