#include "instrumentation/simulated/engine/launch_likeness.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "instrumentation/simulated/device/host_computation.h"

namespace warpwalk::simulated {

std::string likeness_of(const KernelLaunch& launch, const DeviceMemory::View& view) {
  std::string key;
  const auto add = [&key](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(launch.kernel);
  add(launch.shape.grid), add(launch.shape.block), add(launch.shape.cluster);
  add(launch.shape.dynamic_shared_bytes), add(launch.shape.cooperative);

  // Pointers are found among all words, also in structures.
  constexpr std::uint64_t alignment = 256;  // of what cudaMalloc and PyTorch's allocator return, at least
  std::vector<std::uint64_t> addresses;
  for (std::size_t at = 0; at < launch.arguments.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, launch.arguments.data() + at, std::min(sizeof word, launch.arguments.size() - at));
    if (data_at(view, word, 1) == nullptr) {
      add(word);
      continue;
    }
    const auto same = std::ranges::find(addresses, word);
    add(same - addresses.begin()), add(word % alignment);
    if (same == addresses.end()) addresses.push_back(word);
  }
  return key;
}

}  // namespace warpwalk::simulated
