#include "core/gpu/timing/l2.h"

#include <algorithm>
#include <bit>

namespace warpwalk::gpu {

namespace {

/// Mixes the bits of a number (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

int count(std::uint8_t sectors) { return std::popcount(sectors); }

}  // namespace

L2::L2(const Timing& timing, const Device& device)
    : timing_(timing),
      slices_(std::max<std::size_t>(1, static_cast<std::size_t>(timing.l2_slices))),
      gpc_of_sm_(static_cast<std::size_t>(timing.sms)),
      memory_(timing) {
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
  gpc_in_.resize(std::max<std::size_t>(1, gpc));
  gpc_out_.resize(gpc_in_.size());
}

/// Any run of as many lines as there are slices uses each slice once; where it starts is pseudo-random. NVIDIA's hash
/// is not published; what matters is that both streams and large strides are spread evenly.
std::uint64_t L2::slice_of(std::uint64_t line) const {
  const std::uint64_t slices = slices_.size();
  return (line + mixed(line / slices)) % slices;
}

double L2::least_latency() const { return timing_.latency_l2 - timing_.latency_l1_miss; }

double L2::port_cycles(const MemoryRequest& request, int sectors) const {
  switch (request.kind) {
    case MemoryRequest::Kind::store: return sectors * timing_.interval_l2_write;
    case MemoryRequest::Kind::atomic: return std::max<double>(sectors, request.operations) * timing_.interval_l2_atomic;
    default: return sectors * 32 / timing_.l2_slice_bandwidth;
  }
}

SectorCache::Line& L2::line_in(unsigned partition, std::uint64_t line, double at) {
  SectorCache& cache = partitions_[partition];
  const std::uint64_t hash = mixed(line);
  SectorCache::Line* found = cache.find(line, hash);
  if (found == nullptr) {
    found = cache.victim(hash);
    if (found->written != 0 && found->tag != SectorCache::empty) {
      const std::uint64_t channel = slice_of(found->tag) * memory_.channels() / slices_.size();
      memory_.write(channel, at, count(found->written));
    }
    *found = {};
    found->tag = line;
  }
  cache.use(*found);
  return *found;
}

void L2::fetch(SectorCache::Line& line, std::uint64_t number, std::uint8_t sectors, double at, double& ready) {
  const std::uint64_t channel = slice_of(number) * memory_.channels() / slices_.size();
  const double extra = timing_.latency_memory - timing_.latency_l2;
  line.ready = std::max(line.ready, memory_.read(channel, at, count(sectors)) + extra);
  line.present |= sectors;
  ready = std::max(ready, line.ready);
}

double L2::serve(const MemoryRequest& request) {
  const std::uint64_t slice = slice_of(request.line);
  const std::size_t gpc = gpc_of_sm_[request.sm];
  const auto home = static_cast<unsigned>(slice * partitions_.size() / slices_.size());
  const auto near = static_cast<unsigned>(gpc * partitions_.size() / gpc_in_.size());
  const double one_way = least_latency() / 2;
  const double far_way = home == near ? 0 : (timing_.latency_l2_far - timing_.latency_l2) / 2;
  const int sectors = count(request.sectors);
  const bool writes = request.kind == MemoryRequest::Kind::store || request.kind == MemoryRequest::Kind::atomic;

  double at = request.time;
  if (writes) at = gpc_out_[gpc].take(at, sectors * 32 / timing_.gpc_write_bandwidth);
  at += one_way;
  counters_.sectors += static_cast<std::uint64_t>(sectors);

  double done;
  SectorCache::Line& first = line_in(near, request.line, at);
  if (!writes && (request.sectors & ~first.present) == 0) {
    counters_.hits += static_cast<std::uint64_t>(sectors);
    at = slices_[(slice + (home == near ? 0 : slices_.size() / 2)) % slices_.size()].take(
        at, port_cycles(request, sectors));
    done = std::max(at, first.ready);
  } else {
    at = slices_[slice].take(at + far_way, port_cycles(request, sectors));
    if (home != near) at = link_.take(at, sectors * 32 / timing_.l2_bandwidth_far);
    SectorCache::Line& line = home == near ? first : line_in(home, request.line, at);
    const auto present = static_cast<std::uint8_t>(request.sectors & line.present);
    double ready = present != 0 ? line.ready : 0;
    if (writes) {
      counters_.hits += static_cast<std::uint64_t>(sectors);
      line.present |= request.sectors;
      line.written |= request.sectors;
      if (request.kind == MemoryRequest::Kind::atomic) at += timing_.latency_atomic;
    } else {
      counters_.hits += static_cast<std::uint64_t>(count(present));
      if (const auto missing = static_cast<std::uint8_t>(request.sectors & ~line.present); missing != 0)
        fetch(line, request.line, missing, at, ready);
    }
    done = std::max(at, ready) + far_way;
    if (home != near) {
      // line_in() may have moved nothing here: the copy belongs to the other partition's cache.
      first.present |= request.sectors;
      first.ready = std::max(first.ready, done);
    }
  }
  return done;
}

double L2::return_to(std::uint16_t sm, double at, int sectors) {
  return gpc_in_[gpc_of_sm_[sm]].take(at, sectors * 32 / timing_.gpc_bandwidth) + least_latency() / 2;
}

}  // namespace warpwalk::gpu
