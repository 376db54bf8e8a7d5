#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/answers/answer.h"

namespace warpwalk::answers {

/// Reads answers files, and folders of them with their subfolders. A file has a line of JSON for each answer, or texts
/// that were copied from the window (handed_in_word). Accepts any bytes. An answer that several files have counts once,
/// since people hand in again what they have handed in before.
ReadAnswers read_answers(const std::vector<std::filesystem::path>& paths);

/// Whether a text has answers, in lines or copied from the window.
bool has_answers(std::string_view text);

/// The answers of a student as a file for the teacher, a line for each. The name is set where an answer has none.
std::string handed_in_lines(std::vector<Answer> answers, const std::string& student);
/// The same lines as one word, to paste into a form or a mail (core/platform/packed_text.h).
std::string handed_in_word(std::string_view lines);

/// At most so many bytes of answers are read from a file.
inline constexpr std::size_t max_answers_bytes = std::size_t{64} << 20;

}  // namespace warpwalk::answers
