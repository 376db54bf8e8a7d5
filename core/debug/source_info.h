#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/debug/code_map.h"
#include "core/sass/dwarf/debug_info.h"

namespace warpwalk::debug {

/// The variables, types and inlined functions that the debug information of a program describes. Not to be used from
/// several threads at once.
class SourceInfo {
 public:
  /// `ptx` or `cubin`: what the program was made from. `program` and `code` must outlive it.
  SourceInfo(const gpu::Program& program, const CodeMap& code, std::string_view ptx, std::string_view cubin);

  const sass::DebugInfo& info() const { return info_; }
  /// Why no variable is known, one line; empty if some are.
  const std::string& absence() const { return absence_; }
  /// The address of an instruction in the debug information; nullopt if it has none of its function.
  std::optional<std::uint64_t> address_of(std::uint32_t instruction) const;
  /// The functions at an instruction, the innermost one first. Inlined calls come from the line information, else from
  /// the debug information.
  std::vector<CodeFrame> frames(std::uint32_t instruction);
  /// A function at an instruction: the one that has it, or one that was inlined there.
  struct Frame {
    std::string function;  ///< empty: not named
    bool inlined = false;
    std::vector<std::int32_t> scopes;  ///< of the function and its blocks, the innermost one first
  };
  /// `depth`: of inlining, 0 is the function that was not inlined.
  const Frame& frame(std::uint32_t instruction, unsigned depth);
  /// The source lines of the instructions in a range of addresses: "lines 12 to 14"; empty: there are none.
  std::string lines_between(std::uint64_t low, std::uint64_t high) const;
  /// Of a cubin: the machine registers that have a register of the PTX at an instruction, the lower half first.
  std::vector<const sass::RegisterHome*> homes_of(std::string_view name, std::uint32_t instruction) const;
  /// The machine registers that have it at other instructions: "R4 at lines 12 to 14"; empty: none.
  std::string other_homes(std::string_view name, std::uint32_t instruction) const;

 private:
  std::vector<std::int32_t> inlined_scopes(std::uint32_t instruction) const;
  CodeLine line_of(std::uint32_t file_number, std::uint32_t line) const;

  const gpu::Program& program_;
  const CodeMap& code_;
  sass::DebugInfo info_;
  std::string absence_;
  std::vector<std::uint64_t> function_start_;  ///< machine code: by instruction
  std::unordered_map<std::uint64_t, Frame> frames_;
  std::unordered_multimap<std::string, const sass::RegisterHome*> homes_;
};

/// "R4", "UP1".
std::string name_of(const sass::RegisterHome& home);

}  // namespace warpwalk::debug
