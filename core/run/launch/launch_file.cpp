#include "core/run/launch/launch_file.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/run/launch/content_fields.h"
#include "core/run/launch/json_fields.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t max_elements = std::uint64_t{1} << 40;
constexpr std::uint64_t max_registers = 255;  // limit of every GPU since 2012 (compute capability 3.5)

Error read_shape(const Json& value, std::string_view path, std::array<std::uint32_t, 3>& out) {
  if (!value.IsArray() || value.Empty() || value.Size() > 3)
    return fmt::format("{}: is {}; expected a list of 3 integers, x, y and z", path, shown(value));
  out = {1, 1, 1};
  for (rapidjson::SizeType i = 0; i < value.Size(); ++i) {
    std::uint64_t number = 0;
    if (Error error = read_whole(value[i], fmt::format("{}[{}]", path, i), 1, 0x7fffffff, number)) return error;
    out[i] = static_cast<std::uint32_t>(number);
  }
  return {};
}

std::optional<std::size_t> find_buffer(const LaunchFile& launch, std::string_view name) {
  const auto found = std::ranges::find(launch.buffers, name, &BufferSpec::name);
  if (found == launch.buffers.end()) return {};
  return static_cast<std::size_t>(found - launch.buffers.begin());
}

Error read_buffer(const Json& object, const std::string& path, LaunchFile& launch, ArgumentSpec& argument) {
  if (Error error = only_known(object, path, {"buffer", "dtype", "count", "file", "fill", "offset"})) return error;
  BufferSpec buffer;
  if (Error error = read_text(*member(object, "buffer"), member_path(path, "buffer"), buffer.name)) return error;
  argument.buffer = find_buffer(launch, buffer.name);
  const bool describes = member(object, "dtype") != nullptr || member(object, "count") != nullptr ||
                         member(object, "file") != nullptr || member(object, "fill") != nullptr;
  if (argument.buffer && describes)
    return fmt::format("{}.buffer: \"{}\" was already described; give only its name to pass it again", path,
                       buffer.name);
  if (!argument.buffer) {
    if (Error error = read_dtype(object, path, buffer.dtype)) return error;
    const Json* const count = member(object, "count");
    if (count == nullptr) return fmt::format("{}.count: is missing; expected the number of elements", path);
    if (Error error = read_whole(*count, path + ".count", 1, max_elements, buffer.count)) return error;
    if (Error error = read_content(object, path, buffer.dtype, buffer.content)) return error;
    argument.buffer = launch.buffers.size();
    launch.buffers.push_back(std::move(buffer));
  }
  const std::uint64_t bytes = launch.buffers[*argument.buffer].bytes();
  if (const Json* const offset = member(object, "offset"))
    if (Error error = read_whole(*offset, path + ".offset", 0, bytes, argument.offset)) return error;
  return {};
}

/// A texture or surface is described where it is used: its texels are a buffer, its name is that buffer's.
Error read_texture_object(const Json& object, const std::string& path, LaunchFile& launch) {
  BufferSpec buffer;
  TextureSpec texture;
  if (Error error = read_texture(object, path, buffer, texture)) return error;
  if (find_buffer(launch, buffer.name))
    return fmt::format("{}: the name \"{}\" was already used; each texture needs a name of its own", path, buffer.name);
  texture.buffer = launch.buffers.size();
  launch.buffers.push_back(std::move(buffer));
  launch.textures.push_back(texture);
  return {};
}

Error read_scalar(const Json& object, const std::string& path, ArgumentSpec& argument) {
  if (Error error = only_known(object, path, {"scalar", "dtype"})) return error;
  ops::DType dtype = ops::DType::f32;
  if (Error error = read_dtype(object, path, dtype)) return error;
  std::uint64_t bits = 0;
  if (Error error = read_element(*member(object, "scalar"), path + ".scalar", dtype, bits)) return error;
  argument.dtype = dtype;
  argument.bytes.resize(bytes_of(dtype));
  std::memcpy(argument.bytes.data(), &bits, argument.bytes.size());
  return {};
}

Error read_argument(const Json& value, const std::string& path, LaunchFile& launch) {
  ArgumentSpec argument;
  const auto has = [&](std::string_view name) { return value.IsObject() && member(value, name) != nullptr; };
  Error error;
  if (has("buffer"))
    error = read_buffer(value, path, launch, argument);
  else if (has("scalar"))
    error = read_scalar(value, path, argument);
  else if (has("texture") || has("surface"))
    error = read_texture_object(value, path, launch);
  else if (has("bytes"))
    error = only_known(value, path, {"bytes"});
  else
    error = fmt::format(
        "{}: is {}; expected {{\"buffer\": name, ...}}, {{\"scalar\": value, \"dtype\": ...}}, "
        "{{\"texture\": name, ...}}, {{\"surface\": name, ...}} or {{\"bytes\": \"00ff...\"}}",
        path, value.IsObject() ? "an object without buffer, scalar, texture, surface or bytes" : shown(value));
  if (!error && has("bytes")) error = read_bytes(*member(value, "bytes"), path + ".bytes", argument.bytes);
  if (!error && (has("texture") || has("surface"))) argument.texture = launch.textures.size() - 1;
  if (!error) launch.arguments.push_back(std::move(argument));
  return error;
}

std::string buffer_names(const LaunchFile& launch) {
  std::string names;
  for (const BufferSpec& buffer : launch.buffers) names += (names.empty() ? "" : ", ") + buffer.name;
  return names.empty() ? "none" : names;
}

Error read_expectation(std::string_view name, const Json& value, LaunchFile& launch) {
  const std::string path = member_path("expect", name);
  const std::optional<std::size_t> buffer = find_buffer(launch, name);
  if (!buffer) return fmt::format("{}: is not a buffer of args; the buffers are {}", path, buffer_names(launch));
  if (std::ranges::find(launch.expects, *buffer, &ExpectSpec::buffer) != launch.expects.end())
    return fmt::format("{}: appears twice", path);
  if (!value.IsObject())
    return fmt::format("{}: is {}; expected {{\"file\": ..., \"rtol\": 0, \"atol\": 0}}", path, shown(value));
  if (Error error = only_known(value, path, {"file", "fill", "rtol", "atol"})) return error;
  ExpectSpec expect;
  expect.buffer = *buffer;
  if (Error error = read_content(value, path, launch.buffers[*buffer].dtype, expect.content)) return error;
  if (std::holds_alternative<Unwritten>(expect.content))
    return fmt::format("{}: has neither file nor fill; one of them must give the expected content", path);
  if (const Json* const rtol = member(value, "rtol"))
    if (Error error = read_size(*rtol, path + ".rtol", expect.tolerance.rtol)) return error;
  if (const Json* const atol = member(value, "atol"))
    if (Error error = read_size(*atol, path + ".atol", expect.tolerance.atol)) return error;
  launch.expects.push_back(std::move(expect));
  return {};
}

Error read_module(const Json& root, LaunchFile& launch) {
  const bool ptx = member(root, "ptx") != nullptr, cuda = member(root, "cuda") != nullptr,
             cubin = member(root, "cubin") != nullptr;
  if (!ptx && !cuda && !cubin)
    return "ptx: is missing; name a PTX file (ptx), a CUDA C++ file (cuda) or machine code (cubin)";
  if (cuda && ptx) return "ptx: is given together with cuda; name either a PTX file (ptx) or a CUDA C++ file (cuda)";
  if (cuda && cubin) return "cubin: is given together with cuda, which NVRTC compiles to machine code; leave one out";
  for (const auto& [name, out] : {std::pair{"ptx", &launch.ptx}, {"cuda", &launch.cuda}, {"cubin", &launch.cubin}}) {
    const Json* const value = member(root, name);
    std::string file;
    if (value == nullptr) continue;
    if (Error error = read_text(*value, name, file)) return error;
    *out = file;
  }
  return {};
}

Error read_numbers(const Json& root, LaunchFile& launch) {
  for (const auto& [name, out] : {std::pair{"grid", &launch.grid}, std::pair{"block", &launch.block}}) {
    const Json* const value = member(root, name);
    if (value == nullptr) return fmt::format("{}: is missing; expected a list of 3 integers", name);
    if (Error error = read_shape(*value, name, *out)) return error;
  }
  if (const Json* const cluster = member(root, "cluster"))
    if (Error error = read_shape(*cluster, "cluster", launch.cluster.emplace())) return error;
  for (const auto& [name, out] :
       {std::pair{"nonportable_cluster", &launch.nonportable_cluster}, std::pair{"cooperative", &launch.cooperative}}) {
    const Json* const value = member(root, name);
    if (value == nullptr) continue;
    if (!value->IsBool()) return fmt::format("{}: is {}; expected true or false", name, shown(*value));
    *out = value->GetBool();
  }
  std::uint64_t number = 0;
  if (const Json* const shared = member(root, "dynamic_shared_bytes")) {
    if (Error error = read_whole(*shared, "dynamic_shared_bytes", 0, 0x7fffffff, number)) return error;
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(number);
  }
  if (const Json* const registers = member(root, "registers")) {
    if (Error error = read_whole(*registers, "registers", 1, max_registers, number)) return error;
    launch.registers = static_cast<int>(number);
  }
  return {};
}

Error read_launch(const Json& root, LaunchFile& launch) {
  if (!root.IsObject()) return "is not an object with kernel, ptx, grid, block and args";
  if (Error error = only_known(root, "",
                               {"kernel", "ptx", "cuda", "cubin", "grid", "block", "cluster", "nonportable_cluster",
                                "cooperative", "dynamic_shared_bytes", "registers", "args", "references", "expect"}))
    return error;
  const Json* const kernel = member(root, "kernel");
  if (kernel == nullptr) return "kernel: is missing; expected the name of a kernel in the module";
  if (Error error = read_text(*kernel, "kernel", launch.kernel)) return error;
  if (Error error = read_module(root, launch)) return error;
  if (Error error = read_numbers(root, launch)) return error;
  if (const Json* const args = member(root, "args")) {
    if (!args->IsArray()) return fmt::format("args: is {}; expected a list", shown(*args));
    for (rapidjson::SizeType i = 0; i < args->Size(); ++i)
      if (Error error = read_argument((*args)[i], fmt::format("args[{}]", i), launch)) return error;
  }
  if (const Json* const references = member(root, "references")) {
    if (!references->IsArray()) return fmt::format("references: is {}; expected a list", shown(*references));
    for (rapidjson::SizeType i = 0; i < references->Size(); ++i) {
      const std::string path = fmt::format("references[{}]", i);
      const Json& value = (*references)[i];
      if (!value.IsObject()) return fmt::format("{}: is {}; expected {{\"texture\": name, ...}}", path, shown(value));
      if (Error error = read_texture_object(value, path, launch)) return error;
      launch.references.push_back(launch.textures.size() - 1);
    }
  }
  if (const Json* const expect = member(root, "expect")) {
    if (!expect->IsObject()) return fmt::format("expect: is {}; expected an object", shown(*expect));
    for (const auto& entry : expect->GetObject())
      if (Error error = read_expectation(view(entry.name), entry.value, launch)) return error;
  }
  return {};
}

}  // namespace

std::variant<LaunchFile, std::string> parse_launch_file(std::string_view text, std::string_view file_name) {
  rapidjson::Document document;
  LaunchFile launch;
  Error error = parse_json(text, document);
  if (!error) error = read_launch(document, launch);
  if (!error) return launch;
  std::string line = fmt::format("{}: {}", file_name, *error);
  // The message contains names and text from the file; a newline in one of them must not split it.
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

}  // namespace warpwalk::run
