#include "core/debug/code_map.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/run/launch/module_names.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/text.h"

namespace warpwalk::debug {
namespace {

std::string_view last_component(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string without_ends(std::string_view line) {
  std::string text;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t' || c == '\r';
    if (!space)
      text.push_back(c);
    else if (!text.empty() && text.back() != ' ')
      text.push_back(' ');
  }
  while (text.ends_with(';') || text.ends_with(' ')) text.pop_back();
  return text;
}

/// The .loc that an instruction is under; null if there is none.
const ptx::Location* location_of(const gpu::SourceInstruction& source) {
  if (source.instruction->location < 0) return nullptr;
  return &source.function->locations[static_cast<std::size_t>(source.instruction->location)];
}

const ptx::Location* caller_of(const gpu::SourceInstruction& source, const ptx::Location& location) {
  if (location.inlined_at < 0) return nullptr;
  return &source.function->locations[static_cast<std::size_t>(location.inlined_at)];
}

}  // namespace

CodeMap::CodeMap(const gpu::Program& program, std::string_view ptx, std::string ptx_file, std::uint32_t capability)
    : program_(program), capability_(capability) {
  for (const std::string_view line : base::lines_of(ptx)) ptx_lines_.emplace_back(line);
  has_source_ = std::ranges::any_of(program.sources, [](const auto& source) {
    const ptx::Location* const location = location_of(source);
    return location != nullptr && location->line != 0;
  });
  if (has_source_) {
    for (const ptx::File& file : program.module->files) files_.push_back(file.name);
  } else if (!program.machine_code) {
    files_.push_back(std::move(ptx_file));
  } else {
    files_.push_back(program.entry != nullptr ? program.entry->name + ".sass" : "code.sass");
    has_listing_ = true;
  }
  for (std::uint32_t i = 0; i < program.sources.size(); ++i) {
    const gpu::SourceInstruction& source = program.sources[i];
    CodeLine line;
    unsigned depth = 0;
    if (has_source_) {
      const ptx::Location* location = location_of(source);
      if (location != nullptr && location->file < files_.size())
        line = {location->file, location->line, location->column};
      for (; location != nullptr && location->inlined_at >= 0; location = caller_of(source, *location)) ++depth;
    } else {
      line = {0, has_listing_ ? i + 1 : source.instruction->line, 0};
    }
    lines_.push_back(line);
    depths_.push_back(depth);
    signed char call = 0;
    if (program.machine_code && i < program.machine_code->instructions.size()) {
      const sass::Opcode opcode = program.machine_code->instructions[i].opcode;
      call = opcode == sass::Opcode::call ? 1 : opcode == sass::Opcode::ret ? -1 : 0;
    } else {
      const ptx::Opcode opcode = source.instruction->opcode;
      // A return of the kernel itself ends the thread.
      call = opcode == ptx::Opcode::call ? 1 : opcode == ptx::Opcode::ret && !source.function->is_entry ? -1 : 0;
    }
    calls_.push_back(call);
  }
}

std::string CodeMap::listing() const {
  std::string text;
  for (std::uint32_t i = 0; i < size(); ++i) text += fmt::format("{:04x}  {}\n", address_of(i), text_of(i));
  return text;
}

CodeLine CodeMap::line_at(std::uint32_t instruction, unsigned depth) const {
  if (!has_source_ || depth >= depths_[instruction]) return lines_[instruction];
  const gpu::SourceInstruction& source = program_.sources[instruction];
  const ptx::Location* location = location_of(source);
  for (unsigned at = depths_[instruction]; at > depth && location != nullptr; --at)
    location = caller_of(source, *location);
  if (location == nullptr || location->file >= files_.size()) return {};
  return {location->file, location->line, location->column};
}

std::vector<CodeFrame> CodeMap::frames(std::uint32_t instruction) const {
  std::vector<CodeFrame> frames;
  const gpu::SourceInstruction& source = program_.sources[instruction];
  const ptx::Location* location = has_source_ ? location_of(source) : nullptr;
  for (unsigned depth = depths_[instruction] + 1; depth-- > 0;) {
    std::string function = depth == 0 ? sass::plain_name(function_of(instruction)) : "inlined code";
    if (depth > 0 && location != nullptr && location->function >= 0)
      function = program_.module->inlined_functions[static_cast<std::size_t>(location->function)];
    frames.push_back({std::move(function), line_at(instruction, depth), depth > 0});
    if (location != nullptr) location = caller_of(source, *location);
  }
  return frames;
}

const std::string& CodeMap::function_of(std::uint32_t instruction) const {
  return program_.sources[instruction].function->name;
}

std::uint64_t CodeMap::address_of(std::uint32_t instruction) const {
  if (program_.machine_code && instruction < program_.machine_code->instructions.size())
    return program_.machine_code->instructions[instruction].address;
  return instruction;
}

std::string CodeMap::text_of(std::uint32_t instruction) const {
  if (program_.machine_code && instruction < program_.machine_code->instructions.size())
    return sass::text_of(program_.machine_code->instructions[instruction],
                         sass::architecture_of(capability_).value_or(sass::Architecture::sm_90));
  const std::uint32_t line = program_.sources[instruction].instruction->line;
  return line >= 1 && line <= ptx_lines_.size() ? without_ends(ptx_lines_[line - 1]) : std::string();
}

std::vector<std::uint32_t> CodeMap::files_named(std::string_view name) const {
  std::vector<std::uint32_t> equal, alike;
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    if (files_[i] == name) equal.push_back(i);
    if (last_component(files_[i]) == last_component(name)) alike.push_back(i);
  }
  return equal.empty() ? alike : equal;
}

std::vector<std::uint32_t> CodeMap::lines_with_code(std::uint32_t file) const {
  std::set<std::uint32_t> lines;
  for (std::uint32_t i = 0; i < size(); ++i)
    for (unsigned depth = 0; depth <= depths_[i]; ++depth)
      if (const CodeLine at = line_at(i, depth); at.file == file && at.line != 0) lines.insert(at.line);
  return {lines.begin(), lines.end()};
}

std::uint32_t CodeMap::line_with_code(std::uint32_t file, std::uint32_t line) const {
  const std::vector<std::uint32_t> lines = lines_with_code(file);
  const auto found = std::ranges::lower_bound(lines, line);
  return found == lines.end() ? 0 : *found;
}

std::vector<std::uint32_t> CodeMap::instructions_of(std::uint32_t file, std::uint32_t line) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < size(); ++i)
    for (unsigned depth = 0; depth <= depths_[i]; ++depth)
      if (const CodeLine at = line_at(i, depth); at.file == file && at.line == line) {
        found.push_back(i);
        break;
      }
  return found;
}

std::vector<std::uint32_t> CodeMap::entries_of(std::string_view function) const {
  std::vector<std::uint32_t> entries;
  const ptx::Function* last = nullptr;
  for (std::uint32_t i = 0; i < size(); ++i) {
    const ptx::Function* const of = program_.sources[i].function;
    if (of != last && (of->name == function || run::is_plain_name_of(function, of->name))) entries.push_back(i);
    last = of;
  }
  return entries;
}

std::vector<std::string> CodeMap::functions() const {
  std::vector<std::string> names;
  for (const gpu::SourceInstruction& source : program_.sources)
    if (std::ranges::find(names, source.function->name) == names.end()) names.push_back(source.function->name);
  return names;
}

}  // namespace warpwalk::debug
