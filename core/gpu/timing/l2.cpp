#include "core/gpu/timing/l2.h"

#include <algorithm>
#include <bit>

namespace warpwalk::gpu {

/// Mixes the bits of a number (the finalizer of SplitMix64).
std::uint64_t L2::mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

L2::L2(const Timing& timing, const Device& device) : timing_(timing), gpc_of_sm_(static_cast<std::size_t>(timing.sms)) {
  const auto partitions = std::max<std::size_t>(1, static_cast<std::size_t>(timing.l2_partitions));
  const auto lines = static_cast<std::uint64_t>(timing.l2_bytes / static_cast<double>(partitions) / 128);
  for (std::size_t i = 0; i < partitions; ++i)
    partitions_.emplace_back(lines, static_cast<unsigned>(std::max(1.0, timing.l2_ways)));
  std::uint8_t gpc = 0;
  for (const auto* const groups : {&device.gpcs, &device.small_groups}) {
    if (!groups->value) continue;
    for (const auto& sms : **groups) {
      for (const std::int64_t sm : sms)
        if (sm >= 0 && sm < timing.sms) gpc_of_sm_[static_cast<std::size_t>(sm)] = gpc;
      ++gpc;
    }
  }
  const std::size_t gpcs = std::max<std::size_t>(1, gpc);
  if (device.l2_sides.value) {
    partition_of_gpc_.assign(gpcs, 0);
    for (std::size_t i = 0; i < (*device.l2_sides).size() && i < gpcs; ++i)
      partition_of_gpc_[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>((*device.l2_sides)[i]) % partitions);
  } else {
    for (std::size_t i = 0; i < gpcs; ++i)
      partition_of_gpc_.push_back(static_cast<std::uint8_t>(i * partitions / gpcs));
  }
  begin_launch();
}

/// All lines of an aligned 4 KB have the same home partition. On an H200 it is the parity of five address bits from 12
/// on and of physical bits that programs do not see.
unsigned L2::home_of(std::uint64_t line) const {
  const std::uint64_t page = line / 32;
  if (partitions_.size() == 2)
    return static_cast<unsigned>(std::popcount(page & 0xab) + std::popcount(mixed(page >> 9) & 1)) & 1;
  return static_cast<unsigned>(mixed(page) % partitions_.size());
}

/// The slice within a partition. Lines 0, 1, 4 and 5 of each 1 KB are in one slice and the others in another; 4 KB use
/// eight slices, as measured on an H200 (tests/cuda/microbench). Which ones is pseudo-random, but even: as many pages
/// as there are slices use each slice eight times.
std::uint64_t L2::slice_of(std::uint64_t line) const {
  const std::uint64_t slices = std::max<std::size_t>(1, reads_.size() / partitions_.size());
  const std::uint64_t page = line / 32, part = line / 8 % 4 * 2 + line / 2 % 2;
  return (page * 8 + part + mixed(page / slices)) % slices;
}

/// A partition's channels belong to the lines whose home it is.
std::uint64_t L2::channel_of(std::uint64_t line) const {
  const std::uint64_t each = std::max<std::uint64_t>(1, memory_->channels() / partitions_.size());
  const std::uint64_t pair = line / 2;  // 256 bytes stay together
  return home_of(line) * each % memory_->channels() + (pair + mixed(pair / each)) % each;
}

/// How many of these sectors of a line count as found. Nsight Compute counts those that were asked for before and are
/// on their way, but not those that come along with another one (tests/cuda/microbench, counted: read_bytes).
std::uint64_t L2::count_found(Line& line, std::uint8_t sectors, double at) {
  const auto coming = at < line.ready ? static_cast<std::uint8_t>(sectors & line.promised) : std::uint8_t{0};
  line.promised = static_cast<std::uint8_t>(line.promised & ~sectors);
  return static_cast<std::uint64_t>(sector_count(static_cast<std::uint8_t>(sectors & ~coming)));
}

double L2::least_latency() const { return timing_.latency_l2 - timing_.latency_l1_miss; }

Calendar& L2::port(unsigned partition, std::uint64_t line, bool writes) {
  const std::size_t slice = (partition * (reads_.size() / partitions_.size()) + slice_of(line)) % reads_.size();
  return writes ? writes_[slice] : reads_[slice];
}

double L2::port_cycles(const MemoryRequest& request) const {
  const int sectors = sector_count(request.sectors);
  switch (request.kind) {
    case MemoryRequest::Kind::store:
      return sectors * timing_.interval_l2_write + (request.partial ? timing_.interval_l2_partial_write : 0);
    case MemoryRequest::Kind::atomic:
      return sectors * timing_.interval_l2_atomic +
             request.repeats *
                 (request.floating ? timing_.interval_l2_same_address_float : timing_.interval_l2_same_address);
    default: return (sectors + 1) / 2 * timing_.interval_l2_read;
  }
}

L2::Line& L2::line_in(unsigned partition, std::uint64_t number, double at) {
  Cache& cache = partitions_[partition];
  const std::uint64_t hash = mixed(number);
  std::uint32_t index = cache.find(number, hash);
  if (index == Cache::none) {
    index = cache.victim(hash);
    Line& old = cache.at(index);
    const std::uint64_t old_number = cache.number_of(index);
    if (old.partial != 0) complete(old_number, old, at);
    if (old.written != 0 && home_of(old_number) == partition)
      memory_->write(channel_of(old_number), at, sector_count(old.written));
    cache.assign(index, number);
  }
  cache.use(index);
  return cache.at(index);
}

void L2::prefetch_sets(const MemoryRequest& request) const {
  const std::uint64_t hash = mixed(request.line);
  const unsigned own = partition_of_gpc_[gpc_of_sm_[request.sm]], home = home_of(request.line);
  partitions_[own].prefetch_set(hash);
  if (home != own) partitions_[home].prefetch_set(hash);
}

void L2::prefetch_lines(const MemoryRequest& request) const {
  const std::uint64_t hash = mixed(request.line);
  const unsigned own = partition_of_gpc_[gpc_of_sm_[request.sm]], home = home_of(request.line);
  partitions_[own].prefetch_line(request.line, hash);
  if (home != own) partitions_[home].prefetch_line(request.line, hash);
}

/// Memory is read in pairs of sectors.
void L2::fetch(std::uint64_t number, Line& line, std::uint8_t sectors, double at) {
  auto pairs = static_cast<std::uint8_t>(((sectors & 3) != 0 ? 3 : 0) | ((sectors & 12) != 0 ? 12 : 0));
  pairs = static_cast<std::uint8_t>(pairs & ~line.present);
  const double extra = timing_.latency_memory - (timing_.latency_l2 + timing_.latency_l2_far) / 2;
  line.promised = static_cast<std::uint8_t>(pairs & ~sectors);
  const double arrives = memory_->read(channel_of(number), at, sector_count(pairs), number) + extra;
  // Data from memory are written into the slice as those of stores are (tests/cuda/microbench, counted: copies).
  line.ready = std::max(
      line.ready, port(home_of(number), number, true).take(arrives, sector_count(pairs) * timing_.interval_l2_write));
  line.present |= pairs;
  if (const auto completed = static_cast<std::uint8_t>(line.partial & pairs); completed != 0) {
    line.partial = static_cast<std::uint8_t>(line.partial & ~completed);
    if (line.partial == 0) --partial_lines_;
  }
}

void L2::complete(std::uint64_t number, Line& line, double at) {
  const std::uint64_t channel = channel_of(number);
  memory_->read(channel, at, sector_count(line.partial), number);
  memory_->write(channel, at, sector_count(line.partial));
  if ((line.written & ~line.partial) != 0) memory_->occupy(channel, at, timing_.memory_mixed_write);
  // Nsight Compute counts each of these sectors as one that was not found.
  counters_.sectors += static_cast<std::uint64_t>(sector_count(line.partial));
  line.present |= line.partial;
  line.written = static_cast<std::uint8_t>(line.written & ~line.partial);
  line.partial = 0;
  --partial_lines_;
}

/// Sectors that are written as a whole need nothing from memory. L2 keeps a limited number of partly written ones and
/// completes the oldest (tests/cuda/microbench, counted).
void L2::write(unsigned partition, Line& line, const MemoryRequest& request, double at) {
  line.written |= request.sectors;
  if (request.kind == MemoryRequest::Kind::atomic) {
    line.present |= request.sectors;
    return;
  }
  line.words |= request.words;
  std::uint8_t whole = line.present;
  for (unsigned sector = 0; sector < 4; ++sector)
    if ((line.words >> 8 * sector & 0xff) == 0xff) whole |= static_cast<std::uint8_t>(1u << sector);
  line.present |= static_cast<std::uint8_t>(request.sectors & whole);
  if (home_of(request.line) != partition) return;
  const bool had = line.partial != 0;
  line.partial = static_cast<std::uint8_t>((line.partial | request.sectors) & ~whole);
  if (had && line.partial == 0) --partial_lines_;
  if (had || line.partial == 0) return;
  ++partial_lines_;
  partial_.push_back(request.line);
  while (partial_lines_ > static_cast<std::size_t>(timing_.l2_partial_lines) && !partial_.empty()) {
    const std::uint64_t oldest = partial_.front();
    partial_.pop_front();
    Cache& cache = partitions_[home_of(oldest)];
    const std::uint32_t found = cache.find(oldest, mixed(oldest));
    if (found != Cache::none && cache.at(found).partial != 0) complete(oldest, cache.at(found), at);
  }
}

double L2::serve(const MemoryRequest& request) {
  const std::size_t gpc = gpc_of_sm_[request.sm];
  const unsigned home = home_of(request.line);
  const unsigned own = partition_of_gpc_[gpc];
  const double far_way = (timing_.latency_l2_far - timing_.latency_l2) / 2;
  const int sectors = sector_count(request.sectors);
  const double cycles = port_cycles(request);
  const auto lookups = static_cast<std::uint64_t>(sectors);

  const bool writes = request.kind == MemoryRequest::Kind::store || request.kind == MemoryRequest::Kind::atomic;
  // Atomics work in the home slice; the own one only passes them on.
  const bool passes_on = request.kind == MemoryRequest::Kind::atomic && home != own;
  double at = port(own, request.line, writes)
                  .take(request.time + least_latency() / 2, passes_on ? sectors * timing_.interval_l2_write : cycles);
  counters_.sectors += lookups;
  Line& near = line_in(own, request.line, at);
  source_ = home == own ? DataSource::l2 : DataSource::l2_far;
  if (writes) {
    counters_.hits += lookups;
    write(own, near, request, at);
    double done = at + cycles;
    if (home != own) {
      at = link_.take(at, sectors * 32 / timing_.l2_bandwidth_far);
      at = port(home, request.line, true).take(at + far_way, cycles);
      counters_.sectors += lookups;
      counters_.hits += lookups;
      Line& line = line_in(home, request.line, at);
      write(home, line, request, at);
      done = at + cycles;
    }
    if (request.kind == MemoryRequest::Kind::store) return done;
    return done + (request.floating ? timing_.latency_atomic_float : timing_.latency_atomic);
  }
  const auto hits = static_cast<std::uint8_t>(request.sectors & near.present);
  counters_.hits += count_found(near, hits, at);
  double done = hits != 0 ? std::max(at, near.ready) : at;
  const auto missing = static_cast<std::uint8_t>(request.sectors & ~near.present);
  if (missing == 0) {
    source_ = near.ready > at ? DataSource::memory : DataSource::l2;
    return done;
  }
  if (home == own) {
    source_ = DataSource::memory;
    fetch(request.line, near, missing, at);
    return std::max(done, near.ready);
  }
  // The link is taken when the request passes it: a resource must not be held until data comes from memory.
  at = port(home, request.line, false)
           .take(link_.take(at, sector_count(missing) * 32 / timing_.l2_bandwidth_far) + far_way, cycles);
  counters_.sectors += static_cast<std::uint64_t>(sector_count(missing));
  Line& line = line_in(home, request.line, at);
  counters_.hits += count_found(line, static_cast<std::uint8_t>(missing & line.present), at);
  if (const auto absent = static_cast<std::uint8_t>(missing & ~line.present); absent != 0)
    fetch(request.line, line, absent, at);
  if (line.ready > at) source_ = DataSource::memory;
  at = port(own, request.line, true)
           .take(std::max(at, line.ready) + far_way, sector_count(missing) * timing_.interval_l2_write);
  near.present |= missing;
  near.ready = std::max(near.ready, at);
  return std::max(done, at);
}

void L2::hold(std::uint64_t line, std::uint8_t sectors) {
  for (unsigned partition = 0; partition < partitions_.size(); ++partition)
    line_in(partition, line, 0).present |= sectors;
}

double L2::return_to(std::uint16_t sm, double at, int sectors) {
  return gpc_in_[gpc_of_sm_[sm]].take(at, sectors * 32 / timing_.gpc_bandwidth) + least_latency() / 2;
}

}  // namespace warpwalk::gpu
