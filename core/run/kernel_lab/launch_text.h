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
//     s: bytes 00ff ...     a struct
//     s.8: f32[100] iota    the address at byte 8 of it: that of this buffer; "s.8 table: ..." gives it a name
//     variable t: f32[25] 1 contents of a variable of the module
//     gpu h200              of assets/devices; without it, the one that the lab chooses
//     caches warm           when the launch starts; without it, cold
//     # a comment
//
// Arguments are in the order of the kernel's parameters. "x: f32[1000] + 64 random 1" passes an address within the
// buffer. "recorded" stands for contents that a program gave the buffer (KernelDraft::recorded). Further words:
// registers N, cooperative, nonportable_cluster.

/// A launch text that was read, with the lines of its statements.
struct LaunchText {
  LaunchFile file;  ///< without a module
  /// By the place in a launch file: "grid", "args[2]", "variables.x"; those of buffers also as "buffer x".
  std::map<std::string, std::uint32_t> lines;
  std::uint32_t last_line = 1;
  std::vector<std::string> recorded;  ///< the buffers and variables whose contents are recorded

  /// The message of a check of launch files ("args[2].count: is -5; expected ...") at its line in the text.
  Diagnostic place(std::string_view message) const;
};

/// Reads a launch text. Opens no files.
std::variant<LaunchText, Diagnostic> parse_launch_text(std::string_view text);

/// The name of the file with the recorded contents of a buffer, to which a launch text that is read refers.
std::string recorded_file(std::string_view buffer);

/// The launch file (JSON) of a launch text, with these members for its module: "\"ptx\": \"race.ptx\"".
/// `recorded_prefix` comes before the names of recorded_file().
std::variant<std::string, Diagnostic> launch_json(std::string_view text, std::string_view module,
                                                  std::string_view recorded_prefix);

/// A property that a draft does not support, as one line without its full stop.
struct LaunchTextError {
  std::string line;
};
/// The text of a launch file. `folder`: what its file names are relative to; they become absolute, unless it is empty:
/// then they are those of recorded contents. `scalar_names`: the names of the arguments that are no buffers, by
/// argument; the others get letters.
std::variant<std::string, LaunchTextError> launch_text(const LaunchFile& file, const std::filesystem::path& folder,
                                                       const std::vector<std::string>& scalar_names = {});

}  // namespace warpwalk::run
