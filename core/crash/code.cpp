#include "core/crash/code.h"

#include <algorithm>
#include <variant>

#include "core/sass/dwarf/debug_info.h"
#include "core/sass/elf/elf.h"
#include "core/sass/text.h"

namespace warpwalk::crash {
namespace {

// Functions of real programs are smaller; a damaged image may claim more.
constexpr std::size_t max_code_bytes = std::size_t{16} << 20;

}  // namespace

const sass::Instruction* LoadedFunction::instruction(std::size_t index) const {
  return index < code.size() ? std::get_if<sass::Instruction>(&code[index]) : nullptr;
}

std::string CodePlace::text() const {
  const sass::Instruction* const decoded = instruction();
  return decoded == nullptr ? std::string() : sass::text_of(*decoded, loaded->cubin->architecture);
}

std::string_view CodePlace::function_name() const {
  const std::uint64_t offset = index * sass::instruction_bytes;
  for (const sass::CubinCallee& callee : loaded->function->callees)
    if (offset >= callee.offset && offset - callee.offset < callee.bytes) return callee.name;
  return loaded->function->name;
}

std::vector<sass::SourcePosition> CodePlace::sources() const {
  return sass::source_positions(*loaded->cubin, *loaded->function, index * sass::instruction_bytes);
}

Code::Code(const DumpDevice& device)
    : device_(device), cubins_(device.modules.size()), parsed_(device.modules.size(), false) {
  for (std::size_t i = 0; i < device.modules.size(); ++i) {
    const auto file = sass::parse_elf(device.modules[i].relocated);
    if (!file) continue;
    for (const sass::ElfSection& section : file->sections)
      if (section.address != 0 && section.name.starts_with(".text.") && !section.content.empty() &&
          section.address + section.size > section.address)
        ranges_.push_back({section.address, section.address + section.size, i});
  }
  std::ranges::stable_sort(ranges_, {}, &Range::begin);
}

const Code::Range* Code::range_at(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(ranges_, address, {}, &Range::begin);
  if (after == ranges_.begin() || address >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
}

const sass::Cubin* Code::cubin(std::size_t module) {
  if (!parsed_[module]) {
    parsed_[module] = true;
    if (auto parsed = sass::parse_cubin(device_.modules[module].relocated))
      cubins_[module] = std::make_unique<sass::Cubin>(*std::move(parsed));
  }
  return cubins_[module].get();
}

const sass::Cubin* Code::cubin_of(std::uint64_t module) {
  const auto found = std::ranges::find(device_.modules, module, &DumpModule::handle);
  return found == device_.modules.end() ? nullptr : cubin(static_cast<std::size_t>(found - device_.modules.begin()));
}

std::optional<CodePlace> Code::at(std::uint64_t address) {
  const Range* const range = range_at(address);
  if (range == nullptr || range->end - range->begin > max_code_bytes) return std::nullopt;
  const auto place = [&](const LoadedFunction& loaded) {
    return CodePlace{&loaded, static_cast<std::size_t>((address - range->begin) / sass::instruction_bytes)};
  };
  for (const auto& loaded : functions_)
    if (loaded->function->address == range->begin) return place(*loaded);
  const sass::Cubin* const of_module = cubin(range->module);
  if (of_module == nullptr) return std::nullopt;
  const auto function = std::ranges::find(of_module->functions, range->begin, &sass::CubinFunction::address);
  if (function == of_module->functions.end()) return std::nullopt;
  auto loaded = std::make_unique<LoadedFunction>();
  loaded->cubin = of_module;
  loaded->function = &*function;
  loaded->code = sass::decode(of_module->architecture, function->code);
  loaded->flow = sass::control_flow(loaded->code, *function);
  functions_.push_back(std::move(loaded));
  return place(*functions_.back());
}

std::vector<std::string> Code::parameter_names(std::uint64_t module, std::string_view kernel) const {
  const auto found = std::ranges::find(device_.modules, module, &DumpModule::handle);
  return found == device_.modules.end() ? std::vector<std::string>{} : sass::parameter_names(found->relocated, kernel);
}

std::string_view Code::initial_text(std::uint64_t module, std::uint64_t address) {
  const sass::Cubin* const cubin = cubin_of(module);
  if (cubin == nullptr) return {};
  const auto variable = std::ranges::find(cubin->variables, address, &sass::CubinVariable::address);
  if (variable == cubin->variables.end() || variable->bytes == 0) return {};
  const auto found = std::ranges::find(device_.modules, module, &DumpModule::handle);
  const auto file = sass::parse_elf(found->relocated);
  const sass::ElfSection* const section = file ? file->section(variable->section) : nullptr;
  if (section == nullptr) return {};
  // Where the variable is in its section is not said there, but of how many bytes it is.
  std::string_view rest = section->content, text;
  for (std::size_t end = rest.find('\0'); end != std::string_view::npos; end = rest.find('\0')) {
    if (end + 1 == variable->bytes) {
      if (!text.empty() && text != rest.substr(0, end)) return {};
      text = rest.substr(0, end);
    }
    rest.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace warpwalk::crash
