#include "core/analysis/modules/frame_owner.h"

#include <algorithm>
#include <charconv>

#include "core/analysis/modules/library_names.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::StringId;

constexpr std::string_view module_prefix = "nn.Module: ";

// Takes the path up to the next separator off `path`.
std::string_view next_part(std::string_view& path) {
  const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
  const std::string_view part = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return part;
}

// "python3.12", "Python311"
bool is_python_folder(std::string_view part) {
  if (part.size() < 7 || (part[0] != 'p' && part[0] != 'P') || part.substr(1, 5) != "ython") return false;
  return std::ranges::all_of(part.substr(6), [](char c) { return trace::is_digit(c) || c == '.' || c == 't'; });
}

bool is_packages_folder(std::string_view part) { return part == "site-packages" || part == "dist-packages"; }

// A module's name: the folder or file without ".py".
std::string_view stem_of(std::string_view part) {
  return part.ends_with(".py") ? part.substr(0, part.size() - 3) : part;
}

FrameOwner owner_of_module(std::string_view module) {
  if (is_standard_module(module) || is_torch_package(module)) return FrameOwner::runtime;
  return is_known_package(module) ? FrameOwner::package : FrameOwner::user;
}

// The owner that the folders of a path name; none if they name no library.
FrameOwner owner_of_folders(std::string_view file) {
  std::string_view before;
  for (std::string_view rest = file; !rest.empty();) {
    const std::string_view part = next_part(rest);
    if (is_packages_folder(part)) {
      std::string_view inside = rest;
      const FrameOwner owner = owner_of_module(stem_of(next_part(inside)));
      return owner == FrameOwner::user ? FrameOwner::package : owner;
    }
    const bool below_lib = before == "lib" || before == "lib64";
    std::string_view inside = rest;
    if (is_python_folder(part) && (below_lib || next_part(inside) == "Lib")) {
      // Packages of this Python are below it too.
      for (std::string_view further = rest; !further.empty();)
        if (is_packages_folder(next_part(further))) return owner_of_folders(rest);
      return FrameOwner::runtime;
    }
    if (part.starts_with("torchinductor_")) return FrameOwner::runtime;
    if (before == "bin" && rest.empty() && !part.ends_with(".py")) return FrameOwner::package;  // torchrun
    before = part;
  }
  return FrameOwner::none;
}

bool is_absolute(std::string_view file) {
  return file.starts_with('/') || file.starts_with('\\') || (file.size() > 1 && file[1] == ':');
}

// PyTorch calls these for each op on a subclass of Tensor; the line that explains the op is around them.
bool is_torch_hook(std::string_view function) {
  return function == "__torch_function__" || function == "__torch_dispatch__";
}

bool is_typed_by_a_person(std::string_view file) {
  return file == "<stdin>" || file == "<expression>" || file.starts_with("<ipython-input");
}

}  // namespace

std::optional<FrameName> parse_frame_name(std::string_view name) {
  // The first "(LINE): "; other parentheses, as in the name of a folder, are passed over.
  for (std::size_t at = name.find("): "); at != std::string_view::npos; at = name.find("): ", at + 1)) {
    std::size_t digits = at;
    while (digits > 0 && trace::is_digit(name[digits - 1])) --digits;
    if (digits == at || digits < 2 || name[digits - 1] != '(') continue;
    FrameName parts{name.substr(0, digits - 1), 0, name.substr(at + 3)};
    const auto [end, error] = std::from_chars(name.data() + digits, name.data() + at, parts.line);
    if (error == std::errc{} && end == name.data() + at) return parts;
  }
  return {};
}

std::string_view module_name(std::string_view frame) {
  return frame.starts_with(module_prefix) ? frame.substr(module_prefix.size()) : frame;
}

FrameOwners::FrameOwners(const trace::Trace& trace) : owners_(trace.strings.size(), FrameOwner::none) {
  find_evidence(trace);
  const trace::Slices& rows = trace.slices;
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (rows.kind[s] != SliceKind::python) continue;
    FrameOwner& owner = owners_[rows.name[s]];
    if (owner == FrameOwner::none) owner = of_text(trace.name(s));
    found_[static_cast<std::size_t>(owner)] = true;
  }
}

void FrameOwners::find_evidence(const trace::Trace& trace) {
  const trace::Slices& rows = trace.slices;
  std::vector<bool> seen(trace.strings.size());
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (rows.kind[s] != SliceKind::python) continue;
    const bool outermost = rows.parent[s] == trace::no_slice;
    const StringId id = rows.name[s];
    if (seen[id] && !outermost) continue;
    seen[id] = true;
    const std::optional<FrameName> name = parse_frame_name(trace.text(id));
    if (!name) continue;
    if (outermost && name->function == "<module>" && owner_of_folders(name->file) == FrameOwner::none &&
        !name->file.starts_with('<'))
      scripts_.emplace(name->file);
    for (std::string_view rest = name->file; !rest.empty();)
      if (is_packages_folder(next_part(rest))) packages_.emplace(stem_of(next_part(rest)));
  }
}

FrameOwner FrameOwners::of_text(std::string_view text) const {
  if (text.starts_with(module_prefix)) return FrameOwner::module;
  const std::optional<FrameName> name = parse_frame_name(text);
  if (!name || is_torch_hook(name->function)) return FrameOwner::runtime;
  if (scripts_.contains(name->file)) return FrameOwner::user;
  if (name->file.starts_with('<')) return is_typed_by_a_person(name->file) ? FrameOwner::user : FrameOwner::runtime;
  if (const FrameOwner owner = owner_of_folders(name->file); owner != FrameOwner::none) return owner;
  if (is_absolute(name->file)) return FrameOwner::user;
  std::string_view rest = name->file;
  const std::string_view module = stem_of(next_part(rest));
  const FrameOwner owner = owner_of_module(module);
  return owner == FrameOwner::user && packages_.contains(module) ? FrameOwner::package : owner;
}

}  // namespace warpwalk::analysis
