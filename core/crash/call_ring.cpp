#include "core/crash/call_ring.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/crash/core_dump.h"

namespace warpwalk::crash {
namespace {

template <class T>
bool take(std::string_view& bytes, std::uint64_t count, std::vector<T>& to) {
  if (count > bytes.size() / sizeof(T)) return false;
  to.resize(count);
  if (count == 0) return true;
  std::memcpy(static_cast<void*>(to.data()), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

}  // namespace

base::Result<CallRing> CallRing::read(std::string_view file) {
  CallRing ring;
  if (file.size() < sizeof(RingHeader)) return base::Error{"is too short for the calls of an armed program"};
  std::memcpy(&ring.header_, file.data(), sizeof(RingHeader));
  if (ring.header_.signature != ring_signature || ring.header_.entry_bytes != sizeof(RingEntry))
    return base::Error{"is not a file of calls that this version of warpwalk writes"};
  file.remove_prefix(sizeof(RingHeader));
  if (!take(file, ring.header_.entries, ring.calls_) || !take(file, ring.header_.allocations, ring.allocations_) ||
      !take(file, ring.header_.frames, ring.frames_) || ring.header_.text_bytes > file.size())
    return base::Error{"is cut off"};
  ring.texts_ = file.substr(0, ring.header_.text_bytes);
  std::erase_if(ring.calls_, [](const RingEntry& call) { return call.number == 0; });
  std::ranges::sort(ring.calls_, {}, &RingEntry::number);
  std::erase_if(ring.allocations_, [](const RingAllocation& one) { return one.bytes == 0; });
  return ring;
}

std::string_view CallRing::text(std::uint32_t at) const {
  if (at == 0 || at >= texts_.size()) return {};
  const std::string_view rest = texts_.substr(at);
  return rest.substr(0, std::min(rest.find('\0'), rest.size()));
}

std::vector<std::string_view> CallRing::stack(std::uint32_t at) const {
  std::vector<std::string_view> frames;
  constexpr std::size_t most = 256;
  // A caller was recorded before what it calls; a file in which that is not so could lead in a circle.
  for (std::uint32_t before = std::numeric_limits<std::uint32_t>::max();
       at != 0 && at < frames_.size() && at < before && frames.size() < most; at = frames_[at].caller) {
    before = at;
    frames.push_back(text(frames_[at].text));
  }
  return frames;
}

const RingAllocation* CallRing::allocation_near(std::uint64_t address, std::uint64_t most) const {
  const RingAllocation* best = nullptr;
  std::uint64_t best_distance = 0;
  const auto is_better = [&](const RingAllocation& one, std::uint64_t distance) {
    if (best == nullptr || distance != best_distance) return best == nullptr || distance < best_distance;
    if ((one.released == 0) != (best->released == 0)) return one.released == 0;
    return one.allocated > best->allocated;
  };
  for (const RingAllocation& one : allocations_) {
    const std::uint64_t distance = address < one.address                ? one.address - address
                                   : address - one.address >= one.bytes ? address - one.address - one.bytes + 1
                                                                        : 0;
    if (distance > most || !is_better(one, distance)) continue;
    best = &one;
    best_distance = distance;
  }
  return best;
}

GridLaunch launch_of(const CallRing& ring, const DumpGrid& grid, std::string_view kernel) {
  GridLaunch found;
  const auto distance = [&](const RingEntry& call) {
    return call.ordinal < grid.id ? grid.id - call.ordinal : call.ordinal - grid.id;
  };
  for (const RingEntry& call : ring.calls()) {
    if (call.kind != static_cast<std::uint32_t>(RingCall::launch) || call.grid != grid.grid ||
        call.block != grid.block || ring.text(call.kernel) != kernel)
      continue;
    if (found.call == nullptr || distance(call) < distance(*found.call)) found.call = &call;
    ++found.alike;
  }
  if (found.call != nullptr && distance(*found.call) == 0) return found;
  GridLaunch graph;
  for (const RingEntry& call : ring.calls()) {
    if (call.result != 0 && call.result != ring_unfinished) break;
    if (call.kind == static_cast<std::uint32_t>(RingCall::graph_launch)) graph = {&call, graph.alike + 1, true};
  }
  return graph.call != nullptr ? graph : found;
}

}  // namespace warpwalk::crash
