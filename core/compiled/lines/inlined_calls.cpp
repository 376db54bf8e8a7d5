#include "core/compiled/lines/inlined_calls.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "core/compiled/lines/kernel_lines.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/elf/write_lines.h"
#include "core/sass/encoding.h"

namespace warpwalk::compiled {
namespace {

bool has_calls(const sass::CubinFunction& function) {
  return std::ranges::any_of(function.source_lines, [](const sass::LineSequence& sequence) {
    return std::ranges::any_of(sequence.rows, [](const sass::LineRow& row) { return row.inlined_at >= 0; });
  });
}

sass::WrittenPosition written(const std::string& file, int line, std::string function) {
  return {file, static_cast<std::uint32_t>(line), std::move(function)};
}

}  // namespace

std::string with_inlined_calls(std::string_view cubin, const CompiledKernel& kernel) {
  const auto parsed = sass::parse_cubin(cubin);
  if (!parsed) return std::string(cubin);
  const auto function = std::ranges::find(parsed->functions, kernel.name, &sass::CubinFunction::name);
  if (function == parsed->functions.end() || function->source_lines.empty() || has_calls(*function))
    return std::string(cubin);
  StageTexts texts = read_stage_texts(kernel);
  texts.cubin = cubin;
  const KernelLines lines = link_lines(texts, kernel.name, kernel.triton);
  std::vector<std::vector<sass::WrittenPosition>> positions(function->code.size() / sass::instruction_bytes);
  bool inlined = false;
  for (const LinkedLine& line : lines.lines) {
    std::vector<sass::WrittenPosition> chain;
    for (const CodeFrame& frame : line.inlined)
      chain.push_back(written(frame.file, frame.line, helper_name(frame.function)));
    if (line.python.line > 0) chain.push_back(written(line.python.file, line.python.line, {}));
    for (const std::uint64_t address : line.places[static_cast<std::size_t>(CodeStage::sass)]) {
      inlined = inlined || chain.size() > 1;
      positions[address / sass::instruction_bytes] = chain;
    }
  }
  return inlined ? sass::with_source_lines(cubin, kernel.name, positions) : std::string(cubin);
}

std::string with_inlined_calls(std::string_view cubin, const std::filesystem::path& file) {
  CompiledKernel kernel;
  for (const char* const kind : {"source", "ttir", "ttgir", "llir", "ptx"}) {
    std::filesystem::path beside = file;
    std::error_code error;
    if (std::filesystem::is_regular_file(beside.replace_extension(kind), error)) kernel.files[kind] = beside.string();
  }
  std::string completed(cubin);
  if (!kernel.files.contains("ptx")) return completed;
  const auto parsed = sass::parse_cubin(cubin);
  if (!parsed) return completed;
  for (const sass::CubinFunction& function : parsed->functions) {
    if (!function.is_entry) continue;
    kernel.name = function.name;
    completed = with_inlined_calls(completed, kernel);
  }
  return completed;
}

}  // namespace warpwalk::compiled
