#include "core/trace/device_numbers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

template <class Visit>
void for_each_work_device(Trace& trace, Visit visit) {
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) visit(trace.kernels[i].device);
  for (std::size_t i = 0; i < trace.transfers.size(); ++i) visit(trace.transfers[i].device);
}

// The device in the details of a slice; null if its kind has none.
std::int64_t* device_of(Trace& trace, SliceId s) {
  const std::uint32_t detail = trace.slices.detail[s];
  switch (trace.slices.kind[s]) {
    case SliceKind::kernel: return &trace.kernels[detail].device;
    case SliceKind::memcpy:
    case SliceKind::memset: return &trace.transfers[detail].device;
    case SliceKind::sync: return &trace.syncs[detail].device;
    default: return nullptr;
  }
}

// What keeps devices of equal numbers apart: the rank, else a pid that is a text and not a number.
std::string owner_of(const Trace& trace, TrackId id, const Ranks& ranks) {
  if (const std::uint32_t rank = ranks.of(id); rank != 0) return "rank " + std::to_string(rank);
  const Track& track = trace.tracks[id];
  if (!track.pid_is_text || parse_integer(trace.text(track.pid))) return {};
  return "pid " + std::string(trace.text(track.pid));
}

void describe_copy(Trace& trace, std::int64_t from, std::int64_t to) {
  const auto first = std::ranges::find(trace.devices, from, &Device::id);
  if (first == trace.devices.end() || std::ranges::count(trace.devices, to, &Device::id) != 0) return;
  // A merged file can have the description of each GPU, all with the same number.
  if (const auto second = std::find_if(first + 1, trace.devices.end(), [&](const Device& d) { return d.id == from; });
      second != trace.devices.end()) {
    second->id = to;
    return;
  }
  Device copy = *first;
  copy.id = to;
  trace.devices.push_back(copy);
}

}  // namespace

void adopt_only_device(Trace& trace) {
  if (trace.devices.size() != 1 || trace.devices[0].id == absent) return;
  const std::int64_t described = trace.devices[0].id;
  std::int64_t used = absent;
  bool one = true;
  const auto look = [&](const auto& details) {
    for (std::size_t i = 0; i < details.size() && one; ++i) {
      const std::int64_t device = details[i].device;
      if (device == absent) continue;
      one = device != described && (used == absent || device == used);
      used = device;
    }
  };
  look(trace.kernels);
  look(trace.transfers);
  if (!one || used == absent) return;
  for_each_work_device(trace, [&](std::int64_t& device) {
    if (device != absent) device = described;
  });
  for (std::size_t i = 0; i < trace.syncs.size(); ++i)
    if (trace.syncs[i].device == used) trace.syncs[i].device = described;
}

void separate_devices(Trace& trace, const Ranks& ranks) {
  std::map<std::int64_t, std::string> owners;  // by device
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> numbers;
  std::set<std::int64_t> used;
  for (const Track& track : trace.tracks)
    if (track.gpu) used.insert(track.device);
  for (const Device& device : trace.devices) used.insert(device.id);
  for (TrackId id = 0; id < trace.tracks.size(); ++id) {
    Track& track = trace.tracks[id];
    if (!track.gpu || track.device == absent) continue;
    const std::int64_t before = track.device;
    const std::string owner = owner_of(trace, id, ranks);
    const auto [number, is_new] = numbers.try_emplace({owner, before}, before);
    if (is_new && owners.try_emplace(before, owner).first->second != owner) {
      std::int64_t free = 0;
      while (used.contains(free)) ++free;
      used.insert(free);
      owners.emplace(free, owner);
      number->second = free;
      describe_copy(trace, before, free);
    }
    if (number->second == before) continue;
    track.device = number->second;
    for (SliceId s = track.first; s < track.last; ++s)
      if (std::int64_t* const device = device_of(trace, s); device != nullptr && *device == before)
        *device = number->second;
  }
}

}  // namespace warpwalk::trace
