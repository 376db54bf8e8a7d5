#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/gpu/history/sm_replay.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::gpu::timed {

/// A launch of a file in `tests` that was recorded, and a replay of one of its SMs.
struct Recorded {
  Recorded(const std::filesystem::path& file, std::uint16_t sm, int threads = 1, SmReplay::Options options = {},
           CacheStart caches = CacheStart::cold);
  run::LoadedLaunch whole, again;
  LaunchTiming timing;
  LaunchRecord record;
  std::unique_ptr<SmReplay> replay;
};

/// The SM of a launch's first, middle or last block (0, 1, 2).
std::uint16_t sm_of(const std::filesystem::path& file, std::size_t which);

}  // namespace warpwalk::gpu::timed
