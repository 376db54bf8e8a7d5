#pragma once

#include "app/verbs/common/verb.h"
#include "app/verbs/debug/target.h"

namespace warpwalk::verbs {

struct DebugOptions {
  DebugTarget target;
  std::vector<std::string> words;     ///< the file of the target and the arguments of a program
  std::vector<std::string> commands;  ///< of the command line; empty: the Debug Adapter Protocol
  std::optional<int> port;            ///< for the protocol; none: stdin and stdout
};

/// Registers `warpwalk debug`.
Verb add_debug(CLI::App& app, RecordProgram record_program);

/// Debugs. Returns the exit status: 2 if the target cannot be loaded or a command fails.
int debug_launch(const DebugOptions& options, RecordProgram record_program);

}  // namespace warpwalk::verbs
