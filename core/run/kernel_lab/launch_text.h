#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/run/kernel_lab/diagnostic.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

// The launch of a draft as text, one statement per line, with the words of launch files (docs/simulate.md):
//
//     kernel saxpy
//     grid   4 x 2          blocks; likewise block, cluster
//     block  256
//     shared 0              dynamic shared memory, bytes
//     x: f32[1000] random 1
//     y: f32[1000] iota     or a value; "file NAME"; nothing: never written
//     n: i32 1000           a scalar
//     y: again + 64         a buffer once more, 64 bytes further
//     s: bytes 00ff         a struct
//     # a comment
//
// Arguments are in the order of the kernel's parameters. Further words: registers N, cooperative, nonportable_cluster.

/// A launch text that was read, with the lines of its statements.
struct LaunchText {
  LaunchFile file;                             ///< without a module
  std::map<std::string, std::uint32_t> lines;  ///< by the place in a launch file: "grid", "args[2]"
  std::uint32_t last_line = 1;

  /// The message of a check of launch files ("args[2].count: is -5; expected ...") at its line in the text.
  Diagnostic place(std::string_view message) const;
};

/// Reads a launch text. Opens no files.
std::variant<LaunchText, Diagnostic> parse_launch_text(std::string_view text);

/// The launch file (JSON) of a launch text, with these members for its module: "\"ptx\": \"race.ptx\"".
std::variant<std::string, Diagnostic> launch_json(std::string_view text, std::string_view module);

/// A property that a draft does not support, as one line without its full stop.
struct LaunchTextError {
  std::string line;
};
/// The text of a launch file. `folder`: what its file names are relative to; they become absolute. `scalar_names`: the
/// names of the arguments that are no buffers, by argument; the others get letters.
std::variant<std::string, LaunchTextError> launch_text(const LaunchFile& file, const std::filesystem::path& folder,
                                                       const std::vector<std::string>& scalar_names = {});

}  // namespace warpwalk::run
