#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpwalk::testing {

/// The state that the window reports: one JSON object per line of $WARPWALK_STATE.
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
  std::string sheet;  ///< the sheet over the stage; empty if none
  std::string theme;
  std::string names;
  std::string search;
  int rows = 0;          ///< rows of the outline that match the search
  std::string focus;     ///< the widget that has the keyboard focus
  std::string run;       ///< the expression on the run sheet
  std::string run_on;    ///< the target on the run sheet
  std::string run_said;  ///< the result message of the last run
  std::string no_cuda;   ///< why expressions cannot run on a real GPU; empty if they can
  std::string controls;  ///< the values of the controls that were set, as a JSON object
  bool operator==(const State&) const = default;

  /// The position in the walk: file, followed item, scene and beat.
  std::string place() const { return file + " " + follow + " " + scene + " " + std::to_string(beat); }
};

/// Parses the last complete line of the file.
std::optional<State> last_state(const std::filesystem::path& file);

std::ostream& operator<<(std::ostream& out, const State& state);

}  // namespace warpwalk::testing
