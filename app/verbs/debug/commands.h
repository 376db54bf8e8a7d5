#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/verbs/debug/target.h"

namespace warpwalk::verbs {

/// A command line with gdb's words. Commands that move end with the place where the launch stands.
class DebugCommands {
 public:
  /// `run` must outlive it.
  explicit DebugCommands(DebugRun& run) : run_(run) {}

  /// Executes a command and returns its output, or one line with the error. Words may be shortened as in gdb.
  base::Result<std::string> execute(std::string_view line);
  /// `quit` was executed.
  bool done() const { return done_; }
  /// Whether the first word of a line is a command.
  static bool is_command(std::string_view line);
  /// The commands, one a line, with what they do.
  static std::string help();

 private:
  using Words = std::string_view;
  base::Result<std::string> move(std::string_view word, Words rest);
  base::Result<std::string> add_break(Words rest);
  base::Result<std::string> watch(std::string_view word, Words rest);
  base::Result<std::string> catch_finding(Words rest);
  base::Result<std::string> remove(Words rest);
  base::Result<std::string> info(Words rest);
  base::Result<std::string> print(Words rest);
  base::Result<std::string> lanes(Words rest);
  base::Result<std::string> focus(Words rest);
  base::Result<std::string> set(Words rest);
  base::Result<std::string> who(Words rest);
  base::Result<std::string> go_to_cycle(Words rest);
  base::Result<std::string> go_to_launch(std::string_view word, Words rest);
  base::Result<std::string> choose_frame(std::string_view word, Words rest);
  std::string locals();
  std::string backtrace();
  std::string list();
  std::string disassemble();
  std::string registers(std::string_view name);
  std::string warps();
  std::string breakpoints() const;
  /// Why and where it stands, with the line of the source.
  std::string place();
  std::string added(const debug::Breakpoint& breakpoint) const;
  std::string source_line(const debug::CodeLine& at) const;

  debug::Session& session() { return run_.session(); }
  const debug::Session& session() const { return run_.session(); }

  DebugRun& run_;
  bool done_ = false;
  std::size_t frame_ = 0;  ///< whose variables names mean
};

/// The lines of a file, or of the listing or the PTX that are in no file; empty if the text is nowhere.
std::string source_text(const debug::Session& session, std::uint32_t file);

}  // namespace warpwalk::verbs
