#pragma once

#include "app/pages/lesson/lesson_view.h"

namespace warpwalk::pages {

constexpr float lesson_label_height = 24, lesson_field_height = 34, lesson_button_height = 34;

/// A label with a text field below it; returns the bottom. `hint`: a key of [lesson_page], or empty.
float lesson_field(draw::Ui& ui, std::string_view id, const draw::Point& at, float width, std::string_view label,
                   draw::TextField& field, std::string_view hint);
/// The same for a text of several lines, down to the bottom of the box.
void lesson_area(draw::Ui& ui, std::string_view id, const draw::Box& box, std::string_view label,
                 draw::TextEditor& editor, std::string_view hint);
/// A button at `x`, which goes behind it. Returns whether it was pressed.
bool lesson_button(draw::Ui& ui, float& x, float y, std::string_view id, std::string_view label, bool on = false);

/// In a canvas of this width, type of the window's size is as large as projected type is in a projected picture.
constexpr float step_canvas_width = 832;
constexpr float step_shape = 9.0f / 16;  // height of a projected picture by its width
/// A stage as the class sees it, over a canvas of that size.
void paint_whole_step(draw::Canvas& canvas, const story::Stage& stage);
/// The same, small, in the box.
void paint_step(draw::Canvas& canvas, const draw::Box& box, const story::Stage& stage);

/// The fields of the current step that are on its card.
void lesson_card(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content, const draw::Box& box);

}  // namespace warpwalk::pages
