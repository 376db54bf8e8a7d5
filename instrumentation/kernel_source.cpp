#include "instrumentation/kernel_source.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/base/text.h"
#include "core/platform/read_file.h"
#include "core/ptx/module.h"
#include "core/ptx/parse/parser.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::instrumentation {
namespace {

/// The file of the outermost call of the first instruction that has a position.
std::optional<sass::LineFile> source_file_of_cubin(std::string_view cubin, std::string_view entry) {
  const auto parsed = sass::parse_cubin(cubin);
  if (!parsed) return {};
  const auto function = std::ranges::find(parsed->functions, entry, &sass::CubinFunction::name);
  if (function == parsed->functions.end()) return {};
  constexpr std::uint64_t instruction_bytes = 16;
  for (std::uint64_t at = 0; at < function->code.size(); at += instruction_bytes) {
    const auto positions = sass::source_positions(*parsed, *function, at);
    if (positions.empty()) continue;
    const auto file = std::ranges::find(parsed->files, positions.back().file, &sass::LineFile::name);
    return file == parsed->files.end() ? std::nullopt : std::optional(*file);
  }
  return {};
}

/// The same of PTX (.loc), which does not say how large the file was.
std::optional<sass::LineFile> source_file_of_ptx(std::string_view text, std::string_view entry) {
  const auto parsed = ptx::parse(text);
  const auto* const module = std::get_if<ptx::Module>(&parsed);
  const ptx::Function* const function = module == nullptr ? nullptr : module->entry(entry);
  if (function == nullptr) return {};
  for (const ptx::Instruction& instruction : function->instructions) {
    if (instruction.location < 0) continue;
    const ptx::Location* place = &function->locations[static_cast<std::size_t>(instruction.location)];
    while (place->inlined_at >= 0) place = &function->locations[static_cast<std::size_t>(place->inlined_at)];
    if (place->file < module->files.size()) return sass::LineFile{module->files[place->file].name, 0};
  }
  return {};
}

std::optional<sass::LineFile> source_file(std::string_view code, std::string_view entry) {
  return code.starts_with(
             "\x7f"
             "ELF")
             ? source_file_of_cubin(code, entry)
             : source_file_of_ptx(code, entry);
}

/// A file given by hand, else the one that the line table names.
std::filesystem::path path_of(const sass::LineFile& file, const SourceOptions& options) {
  const std::filesystem::path named(file.name);
  const auto given = std::ranges::find(options.files, named.filename(), &std::filesystem::path::filename);
  return given != options.files.end() ? *given : options.folder / named;
}

}  // namespace

KernelSources::File& KernelSources::file_at(const std::filesystem::path& path) {
  const auto [found, fresh] = files_.try_emplace(path);
  File& file = found->second;
  if (!fresh) return file;
  const std::string shown = base::one_line(path.string());
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    file.missing = fmt::format("{} is not there; give it with --source FILE", shown);
  } else if (auto read = platform::read_text_file(path, options_.max_file_bytes); !read) {
    file.missing = base::one_line(read.error());
  } else if (read->text.find('\0') != std::string::npos) {
    file.missing = fmt::format("{} is not a text file", shown);
  } else {
    file.text = std::move(read->text);
  }
  return file;
}

KernelSource KernelSources::find(std::string_view code, std::string_view entry) {
  const std::optional<sass::LineFile> named = source_file(code, entry);
  if (!named || named->name.empty()) return {};
  const std::filesystem::path path = path_of(*named, options_);
  File& file = file_at(path);
  KernelSource source{named->name, {}, file.missing};
  const std::string shown = base::one_line(path.string());
  if (!source.missing.empty()) return source;
  if (named->bytes != 0 && file.text.size() != named->bytes) {
    source.missing = fmt::format("{} was changed after it was compiled: {} bytes instead of {}", shown,
                                 file.text.size(), named->bytes);
  } else if (!file.kept && file.text.size() > options_.max_walk_bytes - kept_bytes_) {
    source.missing = fmt::format("{}: the walk already holds {} of sources", shown,
                                 base::bytes_text(static_cast<double>(kept_bytes_)));
  } else {
    if (!std::exchange(file.kept, true)) kept_bytes_ += file.text.size();
    source.text = file.text;
  }
  return source;
}

}  // namespace warpwalk::instrumentation
