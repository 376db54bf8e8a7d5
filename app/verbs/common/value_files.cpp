#include "app/verbs/common/value_files.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "core/base/quantity_text.h"
#include "core/platform/available_memory.h"
#include "core/platform/read_file.h"

namespace warpwalk::verbs {
namespace {

constexpr std::string_view extension = ".bin";
constexpr std::size_t max_file_name = 255;                 // bytes, on the file systems of Linux
constexpr std::string_view while_written = ".99.partial";  // the longest suffix that OutputFile adds

std::string grad_name(std::string_view input) { return fmt::format("grad_{}", input); }

/// Reads the elements of an input. `option`: "--input a=a.bin", for messages.
base::Result<std::vector<std::uint8_t>> read_elements(const std::string& option, const std::filesystem::path& file,
                                                      const ops::Variable& input) {
  if (auto regular = platform::check_regular_file(file); !regular)
    return base::Error{fmt::format("{}: {}", option, regular.error())};
  std::error_code error;
  const std::uint64_t has = std::filesystem::file_size(file, error), wants = run::input_bytes(input);
  if (!error && has != wants)
    return base::Error{
        fmt::format("{}: the file has {} bytes, but {} {} takes {}; write its elements raw, little-endian, in C order, "
                    "or correct --shape or --dtype",
                    option, has, ops::shape_text(input.sizes), name_of(input.dtype), wants)};
  // The elements and their copy on the device. A sparse file can be larger than any memory.
  if (const std::uint64_t room = platform::available_memory(); wants > room / 2)
    return base::Error{fmt::format("{}: its {} do not fit twice into the {} of memory that are free here", option,
                                   base::bytes_text(static_cast<double>(wants)),
                                   base::bytes_text(static_cast<double>(room)))};
  auto read = platform::read_binary_file(file, wants);
  if (!read) return base::Error{fmt::format("{}: {}", option, read.error())};
  return read;
}

/// Whether no file that --values writes is another one of the command.
base::Result<void> check_apart(const std::filesystem::path& folder, const std::vector<std::string>& names,
                               const std::vector<OtherFile>& others) {
  std::error_code ignored;
  const auto place_of = [&](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  for (const std::string& name : names) {
    const std::filesystem::path file = folder / fmt::format("{}{}", name, extension);
    for (const OtherFile& other : others)
      if (!other.file.empty() && other.file != "-" && place_of(other.file) == place_of(file))
        return base::Error{fmt::format("--values {}: {} would overwrite {}; give another folder", folder.string(),
                                       file.filename().string(), other.what)};
  }
  return {};
}

}  // namespace

base::Result<void> read_inputs(const RunOptions& options, run::RunRequest& request, ValueFiles& files) {
  for (const std::string& text : options.inputs) {
    const std::string option = fmt::format("--input {}", text);
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return base::Error{fmt::format("{}: write NAME=FILE, for example --input a=a.bin", option)};
    const std::string name = text.substr(0, equals), file = text.substr(equals + 1);
    const auto input = std::ranges::find(request.inputs, name, &ops::Variable::name);
    if (input == request.inputs.end())
      return base::Error{fmt::format("{}: {} has no shape; add --shape {}=SIZExSIZE", option, name, name)};
    if (files.inputs.contains(name))
      return base::Error{fmt::format("{}: {} already has the file {}; give one", option, name, files.inputs[name])};
    auto elements = read_elements(option, file, *input);
    if (!elements) return base::Error{elements.error()};
    request.given[name] = std::move(*elements);
    files.inputs[name] = file;
  }
  return {};
}

std::vector<std::string> value_names(const run::RunRequest& request) {
  std::vector<std::string> names = {"result"};
  for (const ops::Variable& input : request.inputs)
    if (request.gradients && is_float(input.dtype)) names.push_back(grad_name(input.name));
  return names;
}

base::Result<void> write_values(const RunOptions& options, const run::RunResult& result, ValueFiles& files) {
  auto written = write_value(options.values, "result", result.bytes);
  if (!written) return base::Error{written.error()};
  files.result = std::move(*written);
  for (const auto& [name, bytes] : result.gradients) {
    written = write_value(options.values, grad_name(name), bytes);
    if (!written) return base::Error{written.error()};
    files.gradients.push_back(std::move(*written));
  }
  return {};
}

base::Result<void> check_values_folder(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                       const std::vector<OtherFile>& others) {
  if (folder == "-") return base::Error{"--values -: values are written to files; give a folder"};
  // The folder is created when there is something to write: in the nearest folder above it that is there.
  std::error_code error;
  std::filesystem::path there = std::filesystem::absolute(folder, error).lexically_normal();
  if (!there.has_filename()) there = there.parent_path();  // "values/"
  const std::filesystem::path wanted = there;
  while (!std::filesystem::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (!std::filesystem::is_directory(there, error))
    return base::Error{fmt::format("--values {}: {} is not a folder; give another", folder.string(), there.string())};
  if (check_writable(there / "result.bin")) return check_apart(folder, names, others);
  return base::Error{
      there == wanted ? fmt::format("--values {}: files cannot be written here; give another folder", folder.string())
                      : fmt::format("--values {}: the folder cannot be created in {}; give another", folder.string(),
                                    there.string())};
}

base::Result<void> check_value_name(std::string_view name) {
  const auto refuse = [&](std::string_view why) {
    return base::Error{
        fmt::format("--values: the buffer \"{}\" cannot be written as a file: {}; rename it in the "
                    "launch file, or leave out --values",
                    name, why)};
  };
  const auto control = [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; };
  if (name == "." || name == "..") return refuse("its name means a folder");
  if (name.find('/') != std::string_view::npos) return refuse("its name contains a slash");
  if (std::ranges::any_of(name, control)) return refuse("its name contains a control character");
  if (name.size() + extension.size() + while_written.size() > max_file_name)
    return refuse(fmt::format("its name has {} bytes", name.size()));
  return {};
}

base::Result<std::string> write_value(const std::filesystem::path& folder, std::string_view name,
                                      std::span<const std::uint8_t> bytes) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return base::Error{fmt::format("--values {}: the folder cannot be created: {}", folder.string(), error.message())};
  const std::filesystem::path file = folder / fmt::format("{}{}", name, extension);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (auto done = write_file(file, text); !done) return base::Error{fmt::format("--values: {}", done.error())};
  return file.string();
}

}  // namespace warpwalk::verbs
