#pragma once

#include "app/draw/ui.h"
#include "core/story/elements/glossary.h"
#include "core/story/stage/stage.h"

namespace warpwalk::panels {

/// Lists the facts, each figure with its origin, and the data that the trace lacks. With `ui`, pointing at a derived
/// figure shows its formula, and `glossary` explains the terms under the pointer at the bottom. `cursor` is the
/// keyboard's fact while the panel has the focus.
void facts(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
           const story::Glossary* glossary, std::size_t* cursor);

/// The first facts in one line, three at most, and fewer if there is no room for them.
void fact_line(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage);

}  // namespace warpwalk::panels
