#include "app/document/answered.h"

namespace warpwalk::document {

std::optional<story::Predictions> answered(const story::Stage& stage, const story::Predictions& said) {
  if (!stage.question || !stage.question->asked()) return {};
  story::Predictions after = said;
  after.skip(stage.question->key, stage.question->about);
  return after;
}

}  // namespace warpwalk::document
