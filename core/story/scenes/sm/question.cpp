#include <memory>

#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {

std::optional<Ask> limit_question(const SmSubject& sm) {
  if (!sm.device || !sm.runs() || sm.any_set() || sm.fit.limiters.size() != 1) return {};
  Options options;
  for (std::size_t l = 0; l < gpu::limiter_count; ++l) {
    const auto limiter = static_cast<gpu::Limiter>(l);
    if (!sm.fit.limit(limiter)) continue;
    if (limiter == sm.fit.limiters.front()) options.right = options.words.size();
    options.words.push_back(resource_name(sm.input, limiter));
    options.values.push_back({{"room", count_text(sm.input.narration, "block", *sm.fit.limit(limiter))}});
  }
  return Ask{"limit", "", std::move(options), {}, [&sm](Stage& stage) {
               // One block with what it takes; how many fit is not shown.
               stage.picture = std::make_shared<const SmPicture>(sm_picture(sm, first_block_stays, 1));
             }};
}

}  // namespace warpwalk::story
