#include "core/run/kernel_lab/kernel_stages.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/compiled/triton_launch.h"
#include "core/platform/read_file.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/encoding.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"

namespace warpwalk::run {
namespace {

std::vector<std::string> owned_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : base::lines_of(text)) lines.push_back(base::one_line(std::string(line)));
  return lines;
}

std::vector<std::string> machine_code_lines(std::string_view bytes, std::string_view kernel) {
  const auto cubin = sass::parse_cubin(bytes);
  if (!cubin) return {};
  const auto function = std::ranges::find(cubin->functions, kernel, &sass::CubinFunction::name);
  if (function == cubin->functions.end()) return {};
  std::vector<std::string> lines;
  for (const sass::Decoded& one : sass::decode(cubin->architecture, function->code)) {
    const std::size_t address = lines.size() * sass::instruction_bytes;
    const auto* const unknown = std::get_if<sass::UnknownInstruction>(&one);
    lines.push_back(
        unknown != nullptr
            ? fmt::format("{:05x}  ? {:016x} {:016x}", address, unknown->encoding.high, unknown->encoding.low)
            : fmt::format("{:05x}  {}", address, sass::text_of(std::get<sass::Instruction>(one), cubin->architecture)));
  }
  return lines;
}

void link(KernelStages& stages) {
  for (std::size_t stage = 0; stage < text_stages; ++stage) stages.linked[stage].resize(stages.texts[stage].size());
  const auto add = [&](TextStage stage, std::uint64_t line, std::uint32_t link) {
    auto& linked = stages.linked[static_cast<std::size_t>(stage)];
    if (line < linked.size() && (linked[line].empty() || linked[line].back() != link)) linked[line].push_back(link);
  };
  for (std::uint32_t i = 0; i < stages.lines.lines.size(); ++i) {
    const compiled::LinkedLine& line = stages.lines.lines[i];
    if (line.python.line > 0) add(TextStage::python, static_cast<std::uint64_t>(line.python.line) - 1, i);
    for (const compiled::CodeFrame& frame : line.inlined)  // helpers in the kernel's own file
      if (frame.file == line.python.file) add(TextStage::python, static_cast<std::uint64_t>(frame.line) - 1, i);
    for (std::size_t stage = 0; stage < compiled::code_stages; ++stage)
      for (const std::uint64_t place : line.places[stage])
        add(static_cast<TextStage>(stage + 1),
            stage == static_cast<std::size_t>(compiled::CodeStage::sass) ? place / sass::instruction_bytes : place - 1,
            i);
  }
}

}  // namespace

std::vector<std::size_t> KernelStages::lines_of(TextStage stage, const std::vector<std::uint32_t>& links) const {
  std::vector<std::size_t> found;
  const auto& of_stage = linked[static_cast<std::size_t>(stage)];
  for (std::size_t line = 0; line < of_stage.size(); ++line)
    if (std::ranges::any_of(of_stage[line],
                            [&](std::uint32_t link) { return std::ranges::find(links, link) != links.end(); }))
      found.push_back(line);
  return found;
}

std::shared_ptr<const KernelStages> read_kernel_stages(const std::filesystem::path& entry) {
  if (!compiled::is_triton_entry(entry)) return nullptr;
  const auto triton = compiled::read_triton_launch(entry);
  if (!triton) return nullptr;
  const auto stages = std::make_shared<KernelStages>();
  stages->kernel = triton->kernel.name;
  stages->lines = compiled::read_kernel_lines(triton->kernel);
  constexpr std::pair<TextStage, std::string_view> files[] = {{TextStage::ttir, "ttir"},
                                                              {TextStage::ttgir, "ttgir"},
                                                              {TextStage::llir, "llir"},
                                                              {TextStage::ptx, "ptx"},
                                                              {TextStage::sass, "cubin"}};
  for (const auto& [stage, kind] : files) {
    const auto file = triton->kernel.files.find(std::string(kind));
    if (file == triton->kernel.files.end()) continue;
    const auto read = platform::read_text_file(file->second);
    if (!read) continue;
    stages->texts[static_cast<std::size_t>(stage)] =
        stage == TextStage::sass ? machine_code_lines(read->text, stages->kernel) : owned_lines(read->text);
  }
  if (const auto python = compiled::read_kernel_python(stages->lines.place, stages->kernel))
    stages->texts[static_cast<std::size_t>(TextStage::python)] = owned_lines(*python);
  link(*stages);
  return stages;
}

}  // namespace warpwalk::run
