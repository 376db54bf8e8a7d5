#include "core/words/crash/crash_names.h"

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"

namespace warpwalk::words {
namespace {

/// A file of CUDA's toolkit: code of its headers is inlined, and says less than the line that calls it.
bool is_toolkit_header(std::string_view file) {
  return file.find("/targets/") != std::string_view::npos && file.find("/include/") != std::string_view::npos;
}

}  // namespace

std::string KernelWords::argument(const crash::PointerArgument& argument) const {
  const std::string_view known = argument_name(argument.ordinal);
  std::string text = known.empty() ? fmt::format("argument {}", argument.ordinal) : fmt::format("argument `{}`", known);
  if (known.empty() && argument.ordinal < parameter_types.size())
    text += fmt::format(" ({})", parameter_types[argument.ordinal]);
  if (argument.offset > 0) text += fmt::format(" at byte {}", argument.offset);
  return text;
}

std::string_view KernelWords::argument_name(std::uint32_t ordinal) const {
  return ordinal < parameter_names.size() ? std::string_view(parameter_names[ordinal]) : std::string_view{};
}

KernelWords kernel_words(const crash::DumpGrid& grid, crash::Code& code, SourceTexts& sources) {
  KernelWords words;
  const auto entry = code.at(grid.entry);
  if (!entry) {
    words.name = fmt::format("the kernel at {}", address_text(grid.entry));
    return words;
  }
  const sass::CubinFunction& function = *entry->loaded->function;
  const analysis::KernelName name = analysis::read_kernel_name(function.name);
  words.name = name.function.empty() ? std::string(function.name) : name.scope + name.function;
  words.parameter_types = name.call_arguments;
  words.parameter_names = code.parameter_names(grid.module, function.name);
  if (words.parameter_names.size() != function.parameters.size()) words.parameter_names.clear();
  for (std::size_t i = 0; i < entry->loaded->code.size() && words.parameter_names.empty(); ++i) {
    // The first position that is not in an inlined function is that of the kernel itself.
    const auto positions = crash::CodePlace{entry->loaded, i}.sources();
    if (positions.empty()) continue;
    words.parameter_names = sources.parameters(positions.back().file, name.function, function.parameters.size());
    break;
  }
  return words;
}

sass::SourcePosition shown_position(const std::vector<sass::SourcePosition>& positions) {
  for (const sass::SourcePosition& position : positions)
    if (!is_toolkit_header(position.file)) return position;
  return positions.empty() ? sass::SourcePosition{} : positions.front();
}

std::string extent_text(const crash::Extent3& extent) {
  return fmt::format("({},{},{})", extent[0], extent[1], extent[2]);
}

std::string address_text(std::uint64_t address) { return fmt::format("{:#x}", address); }

}  // namespace warpwalk::words
