#include "core/story/beats/with_cycles.h"

#include "core/story/facts/simulated/followed_sm.h"

namespace warpwalk::story {

std::optional<std::int64_t> kernel_anchor(const WalkTimes& t) {
  const SliceId kernel = t.walk.kernel;
  if (kernel == no_slice || t.trace.slices.kind[kernel] != trace::SliceKind::kernel) return {};
  return t.start(kernel);
}

std::string without_cycles(const Here& here, Narration::Values& values) { return missing_cycles(here.input, values); }

const BeatOf<WordsAlone> empty_walk_beat = {
    .key = "empty",
    .anchor = empty_anchor,
};

const BeatOf<WordsAlone> no_kernel_beat = {
    .key = "nothing",
    .anchor = [](const WalkTimes& t) -> std::optional<std::int64_t> {
      if (t.walk.empty() || kernel_anchor(t)) return {};
      return t.start(t.walk.kernel != no_slice ? t.walk.kernel : t.walk.op);
    },
};

}  // namespace warpwalk::story
