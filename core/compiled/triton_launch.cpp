#include "core/compiled/triton_launch.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/compiled/json_member.h"
#include "core/compiled/triton_files.h"
#include "core/platform/read_file.h"

namespace warpwalk::compiled {
namespace {

namespace fs = std::filesystem;

/// The index of the bracket that closes the one at `open`, outside of quoted texts; npos if none does.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    const bool arrow = c == '>' && at > 0 && text[at - 1] == '-';
    if ((c == ')' || (c == '>' && !arrow) || c == '}' || c == ']') && --depth == 0) return at;
  }
  return std::string_view::npos;
}

/// The element type of launch files for one of MLIR; empty if there is none.
std::string dtype_of(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {{"f64", "f64"},   {"f32", "f32"}, {"f16", "f16"},
                                                                     {"bf16", "bf16"}, {"i64", "i64"}, {"i32", "i32"},
                                                                     {"i16", "i16"},   {"i8", "i8"},   {"i1", "u8"}};
  for (const auto& [mlir, name] : names)
    if (type == mlir) return std::string(name);
  return type.starts_with("f8") ? "u8" : type.starts_with("!tt.ptr") ? "u64" : "";
}

/// One of `%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x_ptr"(#loc))`.
TritonParameter read_parameter(std::string_view text) {
  TritonParameter parameter;
  const std::size_t percent = text.find('%'), colon = text.find(':');
  if (percent == std::string_view::npos || colon == std::string_view::npos || colon < percent) return parameter;
  parameter.name = text.substr(percent + 1, colon - percent - 1);
  // Before Triton 3.6, parameters are %arg0 ... and have their names in their locations alone.
  if (const std::size_t place = text.find(" loc(\"");
      parameter.name.starts_with("arg") && place != std::string_view::npos) {
    const std::string_view rest = text.substr(place + 6);
    const std::size_t quote = rest.find('"');
    if (quote != std::string_view::npos && quote > 0 && quote + 1 < rest.size() && rest[quote + 1] == '(')
      parameter.name = rest.substr(0, quote);
  }
  std::string_view type = text.substr(colon + 1);
  type.remove_prefix(std::min(type.find_first_not_of(' '), type.size()));
  std::size_t end = type.find(' ');
  if (const std::size_t open = type.find('<'); open < end) {
    const std::size_t close = closing(type, open);
    end = close == std::string_view::npos ? type.size() : close + 1;
  }
  parameter.type = type.substr(0, end);
  type = parameter.type;
  constexpr std::string_view pointer = "!tt.ptr<";
  parameter.pointer = type.starts_with(pointer);
  if (parameter.pointer) {
    type.remove_prefix(pointer.size());
    type.remove_suffix(type.ends_with('>') ? 1 : 0);
    if (!type.starts_with(pointer)) type = type.substr(0, type.find(','));  // an address space
  }
  parameter.dtype = dtype_of(type);
  return parameter;
}

/// The NAME.json of the entry that a file belongs to, or of the entry that is the folder; empty if there is none.
fs::path metadata_of(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    fs::path found;
    for (fs::directory_iterator at(file, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".cubin" || at->path().extension() == ".ptx") found = at->path();
    return found.empty() ? found : metadata_of(found);
  }
  fs::path json = file;
  json.replace_extension(".json");
  CompiledKernel kernel;
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;  // a trace is larger
  const auto text = platform::read_text_file(json, most_bytes);
  return text && read_triton_metadata(text->text, kernel) ? json : fs::path();
}

}  // namespace

std::vector<TritonParameter> triton_parameters(std::string_view ttir, std::string_view kernel) {
  const std::string begin = fmt::format("tt.func public @{}(", kernel);
  const std::size_t at = ttir.find(begin);
  if (at == std::string_view::npos) return {};
  const std::size_t open = at + begin.size() - 1, close = closing(ttir, open);
  if (close == std::string_view::npos) return {};
  std::vector<TritonParameter> parameters;
  for (std::size_t from = open + 1; from < close;) {
    std::size_t end = from;
    while (end < close && ttir[end] != ',') {
      const char c = ttir[end];
      if (c == '"') {
        end = std::min(ttir.find('"', end + 1), close);
      } else if (c == '(' || c == '<' || c == '{' || c == '[') {
        end = std::min(closing(ttir, end), close);
      }
      end = std::min(end + 1, close);
    }
    parameters.push_back(read_parameter(ttir.substr(from, end - from)));
    from = end + 1;
  }
  return parameters;
}

bool is_triton_entry(const fs::path& file) { return !metadata_of(file).empty(); }

base::Result<TritonLaunch> read_triton_launch(const fs::path& file) {
  const fs::path metadata = metadata_of(file);
  if (metadata.empty())
    return base::Error{fmt::format("{}: there is no metadata of Triton's beside it", file.string())};
  TritonLaunch launch;
  if (!read_cache_entry(metadata, launch.kernel))
    return base::Error{fmt::format("{}: none of the kernel's files is beside it", metadata.string())};
  rapidjson::Document json;
  if (const auto text = platform::read_text_file(metadata))
    json.Parse<rapidjson::kParseIterativeFlag>(text->text.data(), text->text.size());
  launch.scratch_bytes = static_cast<std::uint64_t>(std::max(number_of(json, "global_scratch_size", 0), 0));
  const auto ttir = launch.kernel.files.find("ttir");
  if (ttir == launch.kernel.files.end())
    return base::Error{
        fmt::format("{}: its .ttir, which has the types of the parameters, is not beside it", metadata.string())};
  const auto text = platform::read_text_file(ttir->second);
  if (!text) return base::Error{text.error()};
  launch.parameters = triton_parameters(text->text, launch.kernel.name);
  return launch;
}

}  // namespace warpwalk::compiled
