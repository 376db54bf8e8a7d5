#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/compiled/lines/kernel_lines.h"

namespace warpwalk::run {

/// The texts of a Triton kernel, in the order of its compilation.
enum class TextStage : std::uint8_t { python, ttir, ttgir, llir, ptx, sass };
inline constexpr std::size_t text_stages = 6;
inline constexpr std::array<std::string_view, text_stages> text_stage_names = {"Python",  "TTIR", "TTGIR",
                                                                               "LLVM IR", "PTX",  "SASS"};

/// A kernel's texts with what links their lines.
struct KernelStages {
  std::string kernel;
  /// The lines of each text; empty: it is not there. Of Python, all of the file; of SASS, address and instruction.
  std::array<std::vector<std::string>, text_stages> texts;
  compiled::KernelLines lines;
  /// By stage and line, from 0: indices in `lines.lines`.
  std::array<std::vector<std::vector<std::uint32_t>>, text_stages> linked;

  bool has(TextStage stage) const { return !texts[static_cast<std::size_t>(stage)].empty(); }
  /// The lines of a stage, from 0 and in order, that belong to one of these links.
  std::vector<std::size_t> lines_of(TextStage stage, const std::vector<std::uint32_t>& links) const;
};

/// Reads the texts of an entry of Triton's cache: any file of it, or its folder. Null if it is none.
std::shared_ptr<const KernelStages> read_kernel_stages(const std::filesystem::path& entry);

}  // namespace warpwalk::run
