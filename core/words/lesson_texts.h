#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace warpwalk::words {

/// What is done with a text of a lesson: its section and its key in the narration of another language, and the text.
using LessonTextVisitor =
    std::function<void(const std::string& section, const std::string& key, rapidjson::Value& text)>;

/// Visits the texts of a lesson file that people read, in their order. `name`: that of the file, without its ending.
/// The sections are [lesson.NAME] with the title, and for each step [lesson.NAME.SCENE.BEAT], so that a step that moves
/// keeps its texts; the second step at the same beat ends in #2, and one with a slide has slide in place of the scene.
/// The keys are those of the file, option.1 and wrong.2 for the options of a question. Whatever else the document holds
/// is passed over.
void visit_lesson_texts(rapidjson::Document& lesson, std::string_view name, const LessonTextVisitor& visit);

}  // namespace warpwalk::words
