#include "core/compiled/triton_launch.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/compiled/json_member.h"
#include "core/compiled/mlir/mlir.h"
#include "core/compiled/triton_files.h"
#include "core/platform/read_file.h"

namespace warpwalk::compiled {
namespace {

namespace fs = std::filesystem;

/// The element type of launch files for one of MLIR; empty if there is none.
std::string dtype_of(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {{"f64", "f64"},   {"f32", "f32"}, {"f16", "f16"},
                                                                     {"bf16", "bf16"}, {"i64", "i64"}, {"i32", "i32"},
                                                                     {"i16", "i16"},   {"i8", "i8"},   {"i1", "u8"}};
  for (const auto& [mlir, name] : names)
    if (type == mlir) return std::string(name);
  return type.starts_with("f8") ? "u8" : type.starts_with("!tt.ptr") ? "u64" : "";
}

TritonParameter parameter_of(const MlirModule& module, const MlirValue& argument) {
  TritonParameter parameter;
  parameter.name = argument.name.substr(argument.name.starts_with('%') ? 1 : 0);
  // Before Triton 3.6, parameters are %arg0 ... and have their names in their locations alone.
  if (parameter.name.starts_with("arg"))
    if (const std::string_view name = module.name(argument.location); !name.empty()) parameter.name = name;
  parameter.type = argument.type;
  std::string_view type = parameter.type;
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
  const MlirModule module = parse_mlir(ttir);
  std::vector<TritonParameter> parameters;
  for (const std::int32_t function : module.functions()) {
    const MlirOp& op = module.ops[static_cast<std::size_t>(function)];
    if (op.symbol != kernel || op.blocks.empty()) continue;
    for (const MlirValue& argument : module.blocks[static_cast<std::size_t>(op.blocks.front())].arguments)
      parameters.push_back(parameter_of(module, argument));
    break;
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
