#pragma once

#include <string>

#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// All sentences, facts and picture lines of a stage, for `render --text` and for readers who cannot see the picture.
std::string transcript(const Stage& stage);

/// The words of a stage around its picture, for the glossary: scene, beat, title, sentence, facts, controls, gaps.
std::string words_on(const Stage& stage);

/// Every word and number that a stage can put on screen: two stages look the same if this is the same.
std::string everything_on(const Stage& stage);

/// How long a played walk stays on a stage after its motion, in seconds at normal speed: as long as a reader of 250
/// words per minute needs for the title and the sentence, less the motion, and at least 2.5.
double pause_seconds_of(const Stage& stage);

}  // namespace warpwalk::story
