#include "core/story/facts/code/decoded_kernel.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/sass/text.h"
#include "core/trace/sass_lines.h"

namespace warpwalk::story {

std::string DecodedKernel::text(std::size_t instruction) const {
  if (const auto* const unknown = std::get_if<sass::UnknownInstruction>(&code[instruction]))
    return fmt::format("? {:016x} {:016x}", unknown->encoding.high, unknown->encoding.low);
  return sass::text_of(std::get<sass::Instruction>(code[instruction]), cubin.architecture);
}

std::optional<DecodedKernel> decoded_kernel(const trace::Module& module, std::string_view entry,
                                            std::size_t max_instructions) {
  if (module.cubin.empty()) return {};
  auto parsed = sass::parse_cubin({reinterpret_cast<const char*>(module.cubin.data()), module.cubin.size()});
  if (!parsed) return {};
  DecodedKernel kernel;
  kernel.cubin = std::move(*parsed);
  const auto found = std::ranges::find(kernel.cubin.functions, entry, &sass::CubinFunction::name);
  if (found == kernel.cubin.functions.end()) return {};
  kernel.function = &*found;
  kernel.code =
      sass::decode(kernel.cubin.architecture, found->code.substr(0, max_instructions * sass::instruction_bytes));
  return kernel;
}

std::vector<trace::LineMapRow> line_map(const DecodedKernel& kernel, std::string_view source_file) {
  std::vector<trace::LineMapRow> rows;
  std::string_view file = trace::file_name(source_file);
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const std::uint64_t address = i * sass::instruction_bytes;
    trace::LineMapRow row;
    row.sass_offset = static_cast<std::uint32_t>(address);
    row.ptx_line = sass::ptx_line(*kernel.function, address);
    const auto positions = sass::source_positions(kernel.cubin, *kernel.function, address);
    if (file.empty() && !positions.empty()) file = trace::file_name(positions.back().file);
    for (const sass::SourcePosition& position : positions) {
      if (trace::file_name(position.file) != file) continue;
      row.source_line = position.line;
      break;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace warpwalk::story
