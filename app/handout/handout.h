#pragma once

// This folder writes the HTML of handouts. app/verbs/handout.cpp chooses their pages.

#include <string>
#include <string_view>
#include <vector>

#include "core/story/elements/narration.h"
#include "core/story/stage/stage.h"

namespace warpwalk::handout {

/// One page of a handout: a moment as a picture and as text.
struct Page {
  story::Stage stage;  ///< the words around the picture; a question that is still asked has lines for its answer
  std::string png;     ///< the picture alone, as a PNG file; empty: the stage has none before its question is answered
  std::string source;  ///< the name of the trace's file
  std::string note;    ///< the speaker's note; empty: none is printed
  std::string text = {};    ///< what the lesson says to the learner; may be empty
  std::size_t answers = 0;  ///< the number of the page whose question this one answers, from 1; 0: none
};

/// A handout for a class as one HTML file that needs no other file: a page of paper for each moment, with picture,
/// sentence, facts with their origins, and question. A browser prints it or saves it as a PDF. Labels are those of
/// [handout] in the narration; `language` is the language of its texts ("en").
std::string html(std::string_view title, std::string_view language, const std::vector<Page>& pages,
                 const story::Narration& words);

}  // namespace warpwalk::handout
