#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compiled/compiled.h"
#include "core/compiled/lines/chain.h"

namespace warpwalk::compiled {

/// The stages of Triton's compiler, in their order.
enum class CodeStage : std::uint8_t { ttir, ttgir, llir, ptx, sass };
inline constexpr std::size_t code_stages = 5;
inline constexpr std::array<std::string_view, code_stages> code_stage_names = {"ttir", "ttgir", "llir", "ptx", "sass"};

/// One chain of source positions with its lines in each stage.
struct LinkedLine {
  PythonLine python;               ///< the line of the kernel's own function; line 0: not known
  std::vector<CodeFrame> inlined;  ///< what it calls and the compiler inlined, innermost first; columns are 0
  /// Lines from 1; of SASS, addresses from the function's first instruction.
  std::array<std::vector<std::uint64_t>, code_stages> places;
};

/// The lines of a kernel in all stages.
struct KernelLines {
  PythonLine place;               ///< the first line of the kernel's function; line 0: not known
  std::vector<LinkedLine> lines;  ///< by the line of Python, then by what is inlined
  /// The number of operations or instructions of each stage, including those without a line.
  std::array<std::size_t, code_stages> totals{};
  /// Instructions of SASS whose PTX has no line: `.loc` names line 0 because the compiler merged or generated the code,
  /// or the instruction precedes the first .loc. If a row of the cubin's line table covers them, they are also among
  /// the places of that line, as in NVIDIA's tools.
  std::vector<std::uint64_t> sass_without_line;
};

/// The files of a kernel. Empty: there is none.
struct StageTexts {
  std::string source, ttir, ttgir, llir, ptx, cubin;
};

/// Reads the files that a kernel has.
StageTexts read_stage_texts(const CompiledKernel& kernel);

/// Links the lines of a kernel. `place`: the first line of its function. The innermost position of an instruction of
/// SASS is that of the cubin's line table, its calls are those of the .loc of the PTX line that it was made from.
KernelLines link_lines(const StageTexts& texts, std::string_view kernel, const PythonLine& place);

/// Reads the files that a kernel has, and links its lines.
KernelLines read_kernel_lines(const CompiledKernel& kernel);

/// The file of Python that a kernel was written in, as it is now. nullopt if it is not here, or if the kernel's
/// function no longer begins at its line.
std::optional<std::string> read_kernel_python(const PythonLine& place, std::string_view kernel);

/// The name of a function of Triton's library as programs write it, "tl.sum"; other names without their module.
std::string helper_name(std::string_view function);

}  // namespace warpwalk::compiled
