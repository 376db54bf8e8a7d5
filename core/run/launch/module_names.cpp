#include "core/run/launch/module_names.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/gpu/exec/lower_sass/function_pointers.h"
#include "core/ptx/module.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

/// Finds a symbol by its exact or plain name. `kind`: "variable" or "device function".
base::Result<std::size_t> find_symbol(std::span<const std::string_view> symbols, std::string_view name,
                                      std::string_view kind, std::string_view module, std::string_view place) {
  const std::vector<std::size_t> meant = meant_by(name, symbols);
  if (meant.size() == 1) return meant.front();
  if (!meant.empty()) {
    std::vector<std::string_view> names;
    for (const std::size_t index : meant) names.push_back(symbols[index]);
    return base::Error{
        fmt::format("{}: {} is the name of several {}s; choose one: {}", place, name, kind, listed(names))};
  }
  if (symbols.empty())
    return base::Error{
        fmt::format("{}: {} is not in the {}, which has no {} at all (nvcc leaves out those that nothing "
                    "refers to)",
                    place, name, module, kind)};
  return base::Error{
      fmt::format("{}: {} is not a {} of the {}; it has {}", place, name, kind, module, listed(symbols))};
}

class Resolver {
 public:
  explicit Resolver(const ModuleNames& names) : names_(names) {
    for (const ModuleNames::Variable& variable : names.variables) variables_.push_back(variable.name);
  }

  base::Result<void> resolve(std::vector<AddressSpec>& addresses) const {
    for (AddressSpec& address : addresses) {
      if (!address.function.empty()) {
        const auto found = find_symbol(names_.functions, address.function, "device function", names_.module,
                                       address.place + ".function");
        if (!found) return base::Error{found.error()};
        address.function = names_.functions[*found];
      } else if (!address.variable.empty()) {
        const auto found =
            find_symbol(variables_, address.variable, "variable", names_.module, address.place + ".variable");
        if (!found) return base::Error{found.error()};
        if (const std::uint64_t bytes = names_.variables[*found].bytes; address.offset > bytes)
          return base::Error{fmt::format("{}.offset: is {}, but {} has {} bytes", address.place, address.offset,
                                         address.variable, bytes)};
        address.variable = variables_[*found];
      }
    }
    return {};
  }

  base::Result<void> resolve(BufferSpec& buffer, std::span<const BufferSpec> before) const {
    if (auto* const value = std::get_if<StructSpec>(&buffer.content))
      if (auto done = resolve(value->addresses); !done) return done;
    if (buffer.variable.empty()) return {};
    const std::string place = "variables." + buffer.name;
    const auto found = find_symbol(variables_, buffer.variable, "variable", names_.module, place);
    if (!found) return base::Error{found.error()};
    if (const std::uint64_t bytes = names_.variables[*found].bytes; bytes != buffer.bytes()) {
      const std::string given = buffer.dtype == ops::DType::u8
                                    ? fmt::format("the launch file gives {}", buffer.bytes())
                                    : fmt::format("{} {} are {}", buffer.count, name_of(buffer.dtype), buffer.bytes());
      return base::Error{
          fmt::format("{}: {} has {} bytes in the {}, but {}", place, buffer.name, bytes, names_.module, given)};
    }
    buffer.variable = variables_[*found];
    const auto same = std::ranges::find(before, buffer.variable, &BufferSpec::variable);
    if (same != before.end())
      return base::Error{fmt::format("{}: is the same variable as {}; leave one out", place, same->name)};
    return {};
  }

 private:
  const ModuleNames& names_;
  std::vector<std::string_view> variables_;
};

}  // namespace

bool is_plain_name_of(std::string_view name, std::string_view symbol) {
  // The Itanium C++ ABI: _Z, then the length of the name and the name, with L before it if its linkage is internal. The
  // names of namespaces and classes and that of the function or variable are between N and E.
  if (name.empty() || !symbol.starts_with("_Z")) return false;
  symbol.remove_prefix(2);
  const bool nested = symbol.starts_with('N');
  if (nested) symbol.remove_prefix(1);
  std::string path;
  do {
    if (symbol.starts_with('L')) symbol.remove_prefix(1);
    std::size_t length = 0;
    while (!symbol.empty() && symbol.front() >= '0' && symbol.front() <= '9' && length <= symbol.size()) {
      length = 10 * length + static_cast<std::size_t>(symbol.front() - '0');
      symbol.remove_prefix(1);
    }
    if (length == 0 || length > symbol.size()) break;
    path.append(path.empty() ? "" : "::").append(symbol.substr(0, length));
    symbol.remove_prefix(length);
  } while (nested);
  // "foo" is not the name of a member of foo<int>, nor of a variable in a function: k.x.
  const bool goes_on = std::ranges::adjacent_find(
                           symbol, [](char a, char b) { return a == 'E' && b >= '0' && b <= '9'; }) != symbol.end();
  const bool ends = !nested || symbol.starts_with('E') || (symbol.starts_with('I') && !goes_on);
  if (!ends || symbol.find('.') != std::string_view::npos) return false;
  return path == name || path.ends_with(fmt::format("::{}", name));
}

std::vector<std::size_t> meant_by(std::string_view name, std::span<const std::string_view> symbols) {
  if (const auto exact = std::ranges::find(symbols, name); exact != symbols.end())
    return {static_cast<std::size_t>(exact - symbols.begin())};
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (is_plain_name_of(name, symbols[i])) meant.push_back(i);
  return meant;
}

std::string listed(std::span<const std::string_view> names) {
  constexpr std::size_t limit = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), limit); ++i) text.append(i == 0 ? "" : ", ").append(names[i]);
  return names.size() > limit ? fmt::format("{} and {} more", text, names.size() - limit) : text;
}

ModuleNames names_of(const ptx::Module& module) {
  ModuleNames names;
  names.module = "PTX";
  for (const ptx::Variable& variable : module.variables) {
    const bool in_memory = variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
    if (in_memory && variable.bytes != 0 && variable.type < ptx::Type::texref)
      names.variables.push_back({variable.name, variable.bytes});
  }
  for (const ptx::Function& function : module.functions)
    if (function.defined && !function.is_entry) names.functions.push_back(function.name);
  return names;
}

ModuleNames names_of(const sass::Cubin& cubin) {
  ModuleNames names;
  names.module = "cubin";
  for (const sass::CubinVariable& variable : cubin.variables) {
    const bool in_memory = variable.space == sass::CubinSpace::global || variable.space == sass::CubinSpace::constant;
    if (in_memory && variable.bytes != 0) names.variables.push_back({variable.name, variable.bytes});
  }
  names.functions = gpu::device_functions(cubin);
  return names;
}

base::Result<LaunchFile> resolve_names(LaunchFile file, const ModuleNames& names) {
  const Resolver resolver(names);
  for (ArgumentSpec& argument : file.arguments)
    if (auto done = resolver.resolve(argument.addresses); !done) return base::Error{done.error()};
  for (std::size_t i = 0; i < file.buffers.size(); ++i)
    if (auto done = resolver.resolve(file.buffers[i], std::span(file.buffers).first(i)); !done)
      return base::Error{done.error()};
  return file;
}

std::vector<std::string> passed_functions(const LaunchFile& file) {
  std::vector<std::string> names;
  const auto collect = [&](const std::vector<AddressSpec>& addresses) {
    for (const AddressSpec& address : addresses)
      if (!address.function.empty()) names.push_back(address.function);
  };
  for (const ArgumentSpec& argument : file.arguments) collect(argument.addresses);
  for (const BufferSpec& buffer : file.buffers)
    if (const auto* const value = std::get_if<StructSpec>(&buffer.content)) collect(value->addresses);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace warpwalk::run
