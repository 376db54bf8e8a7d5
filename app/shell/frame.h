#pragma once

#include <string_view>

#include "app/draw/canvas.h"
#include "app/draw/ui.h"
#include "app/pictures/touch.h"
#include "core/story/stage/stage.h"

namespace warpwalk::shell {

/// Pixels per unit for a picture of this size, so that type is readable on small and large pictures.
float scale_for(int width, int height);

/// The type for a presented picture of this size: a share of its height. No letter is smaller than 2.8 % of it (20
/// pixels of an em at 1280x720, 30 at 1920x1080), and the sentence has 3.9 %. `scale`: pixels per unit that a person
/// chose, where 1280x720 usually has 1.5; 0: none.
draw::FontOptions presenting_type(int width, int height, double scale = 0);

/// The type of the learner's layout for a picture of this size: at 1280x720 no letter is smaller than 13 pixels (of an
/// em), the sentence has 20 and the title 28; in other sizes in proportion, in steps of a sixteenth.
draw::FontOptions learner_type(int width, int height);

/// The parts of the learner's layout, in which the stage has the whole window.
struct LearnerLayout {
  draw::Box head;   ///< chapter and place
  draw::Box stage;  ///< title, sentence, picture
  draw::Box strip;  ///< over the bar, as high as asked for
  draw::Box bar;    ///< back, next, and what else can be done
};
/// `strip_height`: of what stands between the stage and the bar; 0: nothing.
LearnerLayout learner_layout(float width, float height, float strip_height = 0);
/// The line over the title. `hint`: between chapter and place.
void paint_learner_head(draw::Canvas& canvas, const draw::Box& box, const story::Stage& stage, std::string_view place,
                        std::string_view hint = {});

/// Draws what is projected: the stage alone, with the settings that the person can change. `ui` may be null.
pictures::Touch paint_presented(draw::Canvas& canvas, draw::Ui* ui, const story::Stage& stage);

/// Draws everything: route, title and sentence, picture, facts, place in the scene; of a step of the tour what the
/// learner's layout has of these. `source` names the file. Keeps no state.
void paint_frame(draw::Canvas& canvas, const story::Stage& stage, std::string_view source);

}  // namespace warpwalk::shell
