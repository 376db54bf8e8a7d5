#include "core/debug/source_info.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace warpwalk::debug {
namespace {

using ScopeKind = sass::DebugScope::Kind;

constexpr const char* no_variables_of_ptx =
    "this code has no debug information of variables: compile CUDA C++ with --device-debug here, or with nvcc -G";
constexpr const char* no_variables_of_cubin =
    "this machine code has no debug information of variables: -lineinfo keeps lines alone, nvcc -G keeps variables";

}  // namespace

SourceInfo::SourceInfo(const gpu::Program& program, const CodeMap& code, std::string_view ptx, std::string_view cubin)
    : program_(program), code_(code) {
  info_ = sass::read_debug_info(program.machine_code ? sass::debug_sections_of_cubin(cubin)
                                                     : sass::debug_sections_of_ptx(ptx));
  if (std::ranges::all_of(info_.scopes, [](const sass::DebugScope& scope) { return scope.variables.empty(); }))
    absence_ = program.machine_code ? no_variables_of_cubin : no_variables_of_ptx;
  for (const sass::RegisterHome& home : info_.sections.registers) homes_.emplace(home.name, &home);
  if (!program.machine_code) return;
  std::map<const ptx::Function*, std::uint64_t> first;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    const auto [known, fresh] = first.try_emplace(program.sources[i].function, code.address_of(i));
    if (!fresh) known->second = std::min(known->second, code.address_of(i));
  }
  for (std::uint32_t i = 0; i < code.size(); ++i) function_start_.push_back(first[program.sources[i].function]);
}

std::optional<std::uint64_t> SourceInfo::address_of(std::uint32_t instruction) const {
  if (instruction >= code_.size()) return {};
  if (!program_.machine_code) return program_.sources[instruction].instruction->line;
  return info_.sections.address_of(code_.function_of(instruction),
                                   code_.address_of(instruction) - function_start_[instruction]);
}

const SourceInfo::Frame& SourceInfo::frame(std::uint32_t instruction, unsigned depth) {
  const auto [known, fresh] = frames_.try_emplace(std::uint64_t{instruction} << 8 | std::min(depth, 255U));
  Frame& made = known->second;
  if (!fresh) return made;
  made.inlined = depth > 0;
  const auto address = address_of(instruction);
  if (!address) return made;
  const std::vector<std::int32_t> all = info_.scopes_at(*address);
  const auto scope = [&](std::int32_t index) -> const sass::DebugScope& {
    return info_.scopes[static_cast<std::size_t>(index)];
  };
  // The function, and one inlined call after another: by the line of the call, since the range of addresses of an
  // inlined function may contain instructions of its caller.
  std::int32_t at = -1;
  for (const std::int32_t index : all)
    if (scope(index).kind == ScopeKind::function) at = index;
  const auto in_function = [&](std::int32_t index) {
    std::int32_t parent = scope(index).parent;
    while (parent >= 0 && parent != at && scope(parent).kind == ScopeKind::block) parent = scope(parent).parent;
    return parent == at;
  };
  if (code_.inline_depth(instruction) == 0 && depth > 0) {
    const std::vector<std::int32_t> inlined = inlined_scopes(instruction);
    at = depth <= inlined.size() ? inlined[depth - 1] : -1;
  }
  for (unsigned level = 0; level < std::min(depth, code_.inline_depth(instruction)) && at >= 0; ++level) {
    std::int32_t next = -1;
    for (const std::int32_t index : all)
      if (scope(index).kind == ScopeKind::inlined && in_function(index) &&
          scope(index).call_line == code_.line_at(instruction, level).line)
        next = index;
    at = next;
  }
  if (at < 0) return made;
  made.function = scope(at).name;
  for (const std::int32_t index : all)
    if (scope(index).kind == ScopeKind::block && in_function(index)) made.scopes.insert(made.scopes.begin(), index);
  made.scopes.push_back(at);
  return made;
}

/// The inlined functions at an instruction whose line does not say of them, the outermost one first. A range of
/// addresses may contain instructions of the caller, so the line has to be in the function.
std::vector<std::int32_t> SourceInfo::inlined_scopes(std::uint32_t instruction) const {
  std::vector<std::int32_t> found;
  const auto address = address_of(instruction);
  const CodeLine& line = code_.line_of(instruction);
  if (!address || program_.module == nullptr || line.line == 0 || line.file >= program_.module->files.size())
    return found;
  const std::pair<std::uint32_t, std::uint32_t> place{program_.module->files[line.file].number, line.line};
  const auto behind = std::ranges::upper_bound(info_.declared, place);
  if (behind == info_.declared.begin() || std::prev(behind)->first != place.first) return found;
  const auto& [file, declared_at] = *std::prev(behind);
  for (const std::int32_t index : info_.scopes_at(*address))
    if (info_.scopes[static_cast<std::size_t>(index)].kind == ScopeKind::inlined) found.push_back(index);
  const auto has_line = [&](std::int32_t index) {
    const sass::DebugScope& scope = info_.scopes[static_cast<std::size_t>(index)];
    return scope.file == file && scope.line == declared_at;
  };
  while (!found.empty() && !has_line(found.back())) found.pop_back();
  // Only calls that are in one another.
  std::vector<std::int32_t> chain;
  for (std::int32_t at = found.empty() ? -1 : found.back(); at >= 0;
       at = info_.scopes[static_cast<std::size_t>(at)].parent)
    if (info_.scopes[static_cast<std::size_t>(at)].kind == ScopeKind::inlined) chain.insert(chain.begin(), at);
  return chain;
}

CodeLine SourceInfo::line_of(std::uint32_t file_number, std::uint32_t line) const {
  for (std::uint32_t i = 0; i < program_.module->files.size() && i < code_.files().size(); ++i)
    if (program_.module->files[i].number == file_number) return {i, line, 0};
  return {};
}

std::vector<CodeFrame> SourceInfo::frames(std::uint32_t instruction) {
  std::vector<CodeFrame> frames = code_.frames(instruction);
  if (frames.size() == 1) {
    CodeLine at = frames[0].at;
    std::vector<CodeFrame> inlined;
    const std::vector<std::int32_t> calls = inlined_scopes(instruction);
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      const sass::DebugScope& scope = info_.scopes[static_cast<std::size_t>(*call)];
      inlined.push_back({scope.name, at, true});
      at = line_of(scope.call_file, scope.call_line);
    }
    frames[0].at = at;
    frames.insert(frames.begin(), inlined.begin(), inlined.end());
    return frames;
  }
  for (std::size_t i = 0; i + 1 < frames.size(); ++i)
    if (const std::string& name = frame(instruction, static_cast<unsigned>(frames.size() - 1 - i)).function;
        !name.empty())
      frames[i].function = name;
  return frames;
}

std::string SourceInfo::lines_between(std::uint64_t low, std::uint64_t high) const {
  std::uint32_t first = 0, last = 0;
  for (std::uint32_t i = 0; i < code_.size(); ++i) {
    const auto address = address_of(i);
    const std::uint32_t line = code_.line_at(i, 0).line;
    if (!address || *address < low || *address >= high || line == 0) continue;
    first = first == 0 ? line : std::min(first, line);
    last = std::max(last, line);
  }
  if (first == 0) return {};
  return first == last ? fmt::format("line {}", first) : fmt::format("lines {} to {}", first, last);
}

std::vector<const sass::RegisterHome*> SourceInfo::homes_of(std::string_view name, std::uint32_t instruction) const {
  std::vector<const sass::RegisterHome*> found;
  const auto address = address_of(instruction);
  if (!address) return found;
  const auto [begin, end] = homes_.equal_range(std::string(name));
  for (auto home = begin; home != end; ++home)
    if (home->second->low <= *address && *address < home->second->high) found.push_back(home->second);
  std::ranges::sort(found, {}, [](const sass::RegisterHome* home) { return home->part; });
  const auto same = std::ranges::unique(found, {}, [](const sass::RegisterHome* home) { return home->part; });
  found.erase(same.begin(), same.end());
  return found;
}

std::string SourceInfo::other_homes(std::string_view name, std::uint32_t instruction) const {
  constexpr std::size_t most_characters = 80;
  const auto address = address_of(instruction);
  std::string text;
  const auto [begin, end] = homes_.equal_range(std::string(name));
  for (auto home = begin; address && home != end && text.size() < most_characters; ++home) {
    const auto here = info_.sections.place_of(*address), there = info_.sections.place_of(home->second->low);
    if (home->second->part != 0 || !here || !there || here->symbol != there->symbol) continue;
    if (const std::string lines = lines_between(home->second->low, home->second->high); !lines.empty())
      text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", name_of(*home->second), lines);
  }
  return text;
}

std::string name_of(const sass::RegisterHome& home) {
  const char* const prefix = home.physical_class == 2    ? "P"
                             : home.physical_class == 9  ? "UP"
                             : home.physical_class == 11 ? "UR"
                                                         : "R";
  return fmt::format("{}{}", prefix, home.physical_number);
}

}  // namespace warpwalk::debug
