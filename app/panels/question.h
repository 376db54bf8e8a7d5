#pragma once

#include "app/scenes/paint.h"

namespace warpwalk::panels {

/// Where the button that answers stands: below the options with a hint, or behind the last of them to save its row (if
/// there is room; the hint is left out if there is none).
enum class QuestionFoot { below, beside };

/// The height that the stage's question, or its score, needs at this width; 0 if it has neither.
float question_height(const draw::Canvas& canvas, const story::Stage& stage, float width, QuestionFoot foot);

/// The options of the question side by side, with their keys, and how to answer; after a wrong answer, over them why it
/// is wrong; after the right one, the reason. A stage without a question shows its score. A click marks an option, and
/// a second one or the button commits to it. Without `ui` nothing responds to mouse and keys.
pictures::Touch question(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                         QuestionFoot foot);

}  // namespace warpwalk::panels
