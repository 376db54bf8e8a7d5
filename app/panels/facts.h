#pragma once

#include "app/draw/ui.h"
#include "core/story/glossary.h"
#include "core/story/stage.h"

namespace warpwalk::panels {

/// What happened, each figure with its origin, and what the trace lacks. With `ui`, pointing at a derived figure shows
/// its formula, and `glossary` explains at the bottom what the pointer is at, wherever that is.
void facts(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
           const story::Glossary* glossary);

}  // namespace warpwalk::panels
