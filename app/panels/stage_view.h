#pragma once

#include "app/scenes/paint.h"
#include "core/story/elements/glossary.h"

namespace warpwalk::panels {

/// The texts above the picture.
enum class StageHead : unsigned char {
  usual,
  learner,    ///< without the scene's name, which is elsewhere; up to three facts, if there is room for them
  presented,  ///< large type: without the scene's name, and without controls if picture and number need their space
  none,       ///< the picture alone: words, question and controls are elsewhere
};

/// Draws scene, title, sentence, picture and controls. Without `ui` nothing responds to mouse and keys. Terms of the
/// glossary, if there is one, are underlined in title and sentence, and explained where the pointer is.
pictures::Touch stage_view(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                           StageHead head = StageHead::usual, const story::Glossary* glossary = nullptr);

}  // namespace warpwalk::panels
