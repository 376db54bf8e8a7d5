#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpwalk::testing {

/// What the window says that it shows: one JSON object, a line of $WARPWALK_STATE.
struct State {
  std::string file;
  std::string follow;
  std::string scene;
  int beat = 0;
  int beats = 0;
  bool moving = false;
  std::string note;
  bool presenting = false;
  bool blank = false;
  std::string sheet;  ///< the one that lies over the stage; empty: none
  std::string theme;
  std::string names;
  std::string search;
  int rows = 0;          ///< of the outline, as the search leaves them
  std::string focus;     ///< what Tab has come to
  std::string run;       ///< the line on the sheet of expressions
  std::string run_on;    ///< where the sheet of expressions runs one
  std::string run_said;  ///< what came of the last run
  std::string no_cuda;   ///< why none can be run on a real GPU; empty: it can
  std::string controls;  ///< what was set, as the JSON object that it is
  bool operator==(const State&) const = default;

  /// Where one is, without what is said or moves.
  std::string place() const { return file + " " + follow + " " + scene + " " + std::to_string(beat); }
};

/// The last whole line of the file.
std::optional<State> last_state(const std::filesystem::path& file);

std::ostream& operator<<(std::ostream& out, const State& state);

}  // namespace warpwalk::testing
