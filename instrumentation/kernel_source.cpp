#include "instrumentation/kernel_source.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/platform/read_file.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::instrumentation {
namespace {

/// The file of the outermost call of the first instruction that has a position.
std::optional<sass::LineFile> source_file(std::string_view cubin, std::string_view entry) {
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

/// A file given by hand, else the one that the line table names.
std::filesystem::path path_of(const sass::LineFile& file, const SourceOptions& options) {
  const std::filesystem::path named(file.name);
  const auto given = std::ranges::find(options.files, named.filename(), &std::filesystem::path::filename);
  return given != options.files.end() ? *given : options.folder / named;
}

}  // namespace

KernelSource read_kernel_source(std::string_view cubin, std::string_view entry, const SourceOptions& options) {
  const std::optional<sass::LineFile> file = source_file(cubin, entry);
  if (!file || file->name.empty()) return {};
  KernelSource source{file->name, {}, {}};
  const std::filesystem::path path = path_of(*file, options);
  const std::string shown = base::one_line(path.string());
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    source.missing = fmt::format("{} is not there; give it with --source FILE", shown);
    return source;
  }
  if (auto read = platform::read_text_file(path, options.max_file_bytes); read)
    source.text = std::move(read->text);
  else
    source.missing = base::one_line(read.error());
  if (!source.missing.empty()) return source;
  if (file->bytes != 0 && source.text.size() != file->bytes)
    source.missing = fmt::format("{} was changed after it was compiled: {} bytes instead of {}", shown,
                                 source.text.size(), file->bytes);
  else if (source.text.find('\0') != std::string::npos)
    source.missing = fmt::format("{} is not a text file", shown);
  if (!source.missing.empty()) source.text.clear();
  return source;
}

}  // namespace warpwalk::instrumentation
