#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpwalk::testing {

/// The window's report about itself: one JSON object, a line of $WARPWALK_STATE.
struct State {
  std::string file;
  std::string follow;
  std::string scene;
  std::string title;
  std::string at;  ///< the moment: "b3", "c1500"
  int beat = 0;
  int beats = 0;
  bool moving = false;
  std::string note;
  std::string note_kind;  ///< hint, done or error
  bool presenting = false;
  bool full_screen = false;
  bool lecturer = false;
  std::string lecturer_shows;  ///< the title of the beat in the lecturer's window
  bool notes = false;
  bool panels = false;  ///< outline, facts and strip are around the stage
  bool busy = false;
  bool blank = false;
  std::string sheet;   ///< the sheet that is open above the stage; empty: none
  std::string folder;  ///< that the sheet to open files shows; empty: none
  std::string theme;
  std::string names;
  std::string search;
  int rows = 0;                ///< rows of the outline that match the search
  std::string focus;           ///< the focus that Tab moves
  std::string run;             ///< the expression in the run panel
  std::string run_on;          ///< where the run panel runs it
  std::string run_said;        ///< the summary or error of the last run
  std::string lab_file;        ///< of the version in the Kernel lab that was edited last
  std::string lab_said;        ///< the first message about it
  int lab_bytes = 0;           ///< of its source
  int lab_findings = -1;       ///< of its last run; -1: it was not run as it is
  int draft_steps = 0;         ///< of the lesson that is being composed
  int draft_at = 0;            ///< its current step, from 1; 0: none
  bool draft_unsaved = false;  ///< it is not in its file
  std::string draft_said;      ///< the line beside the page's heading
  std::string draft_focus;     ///< the focus on its page
  std::string lesson;          ///< the title of the open lesson; empty: none
  int lesson_step = 0;         ///< from 1
  std::string no_cuda;         ///< why nothing can be run on a real GPU; empty: it can
  std::string controls;        ///< the controls that were set, as a JSON object
  std::string question;        ///< the key of the stage's question; empty: none
  std::string question_state;  ///< asked, answered or skipped
  int question_option = 0;     ///< the option that is chosen, from 1; 0: none
  bool questions = false;      ///< they are on
  bool operator==(const State&) const = default;

  /// The place in the walk, without messages and motion.
  std::string place() const { return file + " " + follow + " " + scene + " " + std::to_string(beat); }
};

/// Reads the last complete line of the file.
std::optional<State> last_state(const std::filesystem::path& file);

std::ostream& operator<<(std::ostream& out, const State& state);

}  // namespace warpwalk::testing
