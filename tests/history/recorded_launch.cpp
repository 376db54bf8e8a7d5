#include "tests/history/recorded_launch.h"

#include <stdexcept>
#include <utility>

#include "tests/timing/timed.h"

namespace warpwalk::gpu::timed {

Recorded::Recorded(const std::filesystem::path& file, std::uint16_t sm, int threads, SmReplay::Options options,
                   CacheStart caches)
    : whole(load(file)), again(load(file)) {
  LaunchRecorder recorder;
  TimingOptions how;
  how.threads = threads;
  how.policy = options.policy;
  how.caches = caches;
  how.recorder = &recorder;
  timing = time(whole, how);
  record = std::move(recorder.record());
  auto made = SmReplay::make(h200(), *again.program, again.launch, record, sm, options);
  if (!made) throw std::runtime_error(made.error());
  replay = std::move(*made);
}

std::uint16_t sm_of(const std::filesystem::path& file, std::size_t which) {
  run::LoadedLaunch loaded = load(file);
  const std::vector<SmId> sm = time(loaded).sm;
  return static_cast<std::uint16_t>(sm[(sm.size() - 1) * which / 2]);
}

}  // namespace warpwalk::gpu::timed
