#pragma once

// This folder has code that several verbs share and that needs no scenes. Code that shows scenes is in
// app/verbs/stages; code that the window or films use too is in app/document, app/runs or core.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace warpwalk::verbs {

/// A subcommand of the program. Each verb registers its own command and options and returns this.
struct Verb {
  const CLI::App* command;                 ///< parsed() is true once the user chose it
  std::function<int()> run;                ///< runs it with the parsed options; returns the exit status
  std::function<std::string()> hint = {};  ///< advice to add to a usage error of this verb; may be empty
};

}  // namespace warpwalk::verbs
