#pragma once

#include "core/story/scenes/translator/picture.h"
#include "core/story/scenes/translator/subject.h"

namespace warpwalk::story {

// The panes of the picture, each at a phase of its own beat.
OpsPane ops_pane(const SceneInput& input, double phase);
KeysPane keys_pane(const SceneInput& input, const Call& call, double phase, bool functions);
NamePane name_pane(const SceneInput& input, const Call& call, const KernelName& name, double phase);
OrderPane order_pane(const SceneInput& input, double phase);
/// At the end of its motion; the beat sets how far the motion is.
CodePicture code_pane(const SceneInput& input);

}  // namespace warpwalk::story
