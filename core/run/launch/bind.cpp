#include "core/run/launch/bind.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/read_file.h"
#include "core/ptx/module.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t alignment = 512;  // of a buffer

base::Result<void> check_shape(const LaunchFile& file, const gpu::Device& device) {
  // CUDA C++ programming guide, technical specifications: these limits are the same for all compute capabilities.
  constexpr std::array<std::uint64_t, 3> max_grid = {0x7fffffff, 65535, 65535};
  constexpr std::array<std::uint64_t, 3> max_block = {1024, 1024, 64};
  for (std::size_t i = 0; i < 3; ++i) {
    if (file.grid[i] > max_grid[i])
      return base::Error{
          fmt::format("grid[{}]: is {}; a GPU takes at most {} blocks in {}", i, file.grid[i], max_grid[i], "xyz"[i])};
    if (file.block[i] > max_block[i])
      return base::Error{fmt::format("block[{}]: is {}; a GPU takes at most {} threads in {}", i, file.block[i],
                                     max_block[i], "xyz"[i])};
  }
  const std::uint64_t threads = std::uint64_t{file.block[0]} * file.block[1] * file.block[2];
  if (const auto maximum = static_cast<std::uint64_t>(*device.threads_per_block); threads > maximum)
    return base::Error{fmt::format("block: {} x {} x {} are {} threads; the {} takes at most {} per block",
                                   file.block[0], file.block[1], file.block[2], threads, device.name, maximum)};
  if (file.registers && *file.registers > *device.registers_per_thread)
    return base::Error{fmt::format("registers: is {}; a thread of the {} has at most {}", *file.registers, device.name,
                                   *device.registers_per_thread)};
  if (file.dynamic_shared_bytes > *device.shared_per_block_optin)
    return base::Error{fmt::format("dynamic_shared_bytes: is {}; a block of the {} has at most {}",
                                   file.dynamic_shared_bytes, device.name, *device.shared_per_block_optin)};
  return {};
}

std::string described(const ArgumentSpec& argument, const LaunchFile& file) {
  if (argument.buffer) return fmt::format("the address of buffer {}", file.buffers[*argument.buffer].name);
  if (argument.texture)
    return fmt::format("the handle of {}", file.buffers[file.textures[*argument.texture].buffer].name);
  if (argument.dtype) return std::string(name_of(*argument.dtype));
  if (argument.addresses.empty()) return "bytes";
  const AddressSpec& first = argument.addresses.front();
  if (argument.bytes.size() != 8) return "the struct";
  if (!first.function.empty()) return fmt::format("the address of function {}", first.function);
  return first.variable.empty() ? "the struct" : fmt::format("the address of variable {}", first.variable);
}

std::string described(const ptx::Parameter& parameter) {
  if (parameter.type == ptx::Type::none) return fmt::format("{} ({} bytes)", parameter.name, parameter.bytes);
  return fmt::format("{} (.{}, {} bytes)", parameter.name, name_of(parameter.type), parameter.bytes);
}

std::string parameter_list(const ptx::Function& entry) {
  constexpr std::size_t maximum = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(entry.parameters.size(), maximum); ++i) {
    const ptx::Parameter& parameter = entry.parameters[i];
    text += i == 0 ? ": " : ", ";
    if (parameter.type != ptx::Type::none) text += fmt::format(".{} ", name_of(parameter.type));
    text += fmt::format("{} B", parameter.bytes);
  }
  return entry.parameters.size() > maximum ? text + ", ..." : text;
}

}  // namespace

base::Result<void> check_limits(const LaunchFile& file, const gpu::Device& device, std::uint64_t host_bytes) {
  if (auto done = check_shape(file, device); !done) return done;
  const std::uint64_t device_bytes =
      device.memory_bytes ? static_cast<std::uint64_t>(*device.memory_bytes) : std::uint64_t{1} << 63;
  std::uint64_t total = 0;
  const auto add = [&](std::size_t buffer, std::string_view whose, std::uint64_t has) -> base::Result<void> {
    const BufferSpec& spec = file.buffers[buffer];
    total += (spec.bytes() + alignment - 1) / alignment * alignment;  // at most 2^43, and checked after each
    if (total <= has) return {};
    return base::Error{fmt::format("buffer {}: {} up to here, but {} {}; make the buffers smaller", spec.name,
                                   base::bytes_text(static_cast<double>(total)), whose,
                                   base::bytes_text(static_cast<double>(has)))};
  };
  const std::string on_device = fmt::format("the {} has", device.name);
  const std::string_view on_host = "this machine's free memory is";
  for (std::size_t i = 0; i < file.buffers.size(); ++i)
    if (auto done = add(i, host_bytes < device_bytes ? on_host : std::string_view(on_device),
                        std::min(host_bytes, device_bytes));
        !done)
      return done;
  // Expected contents are held in memory in addition to the outputs.
  for (const ExpectSpec& expect : file.expects)
    if (auto done = add(expect.buffer, on_host, host_bytes); !done) return done;
  return {};
}

base::Result<void> check_arguments(const LaunchFile& file, const ptx::Module& module, const ptx::Function& entry) {
  if (file.arguments.size() != entry.parameters.size())
    return base::Error{fmt::format("args: {} given, but {} takes {}{}", file.arguments.size(), entry.name,
                                   entry.parameters.size(), parameter_list(entry))};
  for (std::size_t i = 0; i < file.arguments.size(); ++i) {
    const ArgumentSpec& argument = file.arguments[i];
    const ptx::Parameter& parameter = entry.parameters[i];
    const bool is_address = argument.buffer || argument.texture;
    const std::size_t bytes = is_address ? static_cast<std::size_t>(module.address_size) / 8 : argument.bytes.size();
    if (bytes != parameter.bytes)
      return base::Error{fmt::format("args[{}]: {} ({} bytes) does not fit parameter {}", i, described(argument, file),
                                     bytes, described(parameter))};
  }
  for (std::size_t i = 0; i < file.references.size(); ++i) {
    const TextureSpec& texture = file.textures[file.references[i]];
    const std::string& name = file.buffers[texture.buffer].name;
    const ptx::Type wanted = texture.surface ? ptx::Type::surfref : ptx::Type::texref;
    const auto variable = std::ranges::find(module.variables, name, &ptx::Variable::name);
    if (variable == module.variables.end() || variable->type != wanted)
      return base::Error{
          fmt::format("references[{}]: the module has no variable `{}` of type .{}", i, name, name_of(wanted))};
  }
  return {};
}

base::Result<std::vector<std::uint8_t>> content_of(const BufferSpec& buffer, const Content& content,
                                                   const std::filesystem::path& folder) {
  if (const auto* const name = std::get_if<std::filesystem::path>(&content)) {
    auto bytes = platform::read_binary_file(folder / *name, buffer.bytes());
    if (!bytes)
      return base::Error{fmt::format("{} ({} {}: {} {} are {} bytes)", bytes.error(),
                                     buffer.variable.empty() ? "buffer" : "variable", buffer.name, buffer.count,
                                     name_of(buffer.dtype), buffer.bytes())};
    return bytes;
  }
  if (const auto* const value = std::get_if<StructSpec>(&content)) return value->bytes;
  std::vector<std::uint8_t> bytes(buffer.bytes());
  if (const auto* const fill = std::get_if<Fill>(&content)) generate(buffer.dtype, *fill, bytes);
  return bytes;
}

base::Result<std::vector<std::uint8_t>> initial_content_of(const BufferSpec& buffer,
                                                           const std::filesystem::path& folder) {
  if (buffer.written.empty()) return content_of(buffer, buffer.content, folder);
  BufferSpec given = buffer;
  const bool from_file = std::holds_alternative<std::filesystem::path>(buffer.content);
  if (from_file) given.count = buffer.written_count();
  auto content = content_of(given, buffer.content, folder);
  if (!content) return content;
  std::vector<std::uint8_t> bytes(buffer.bytes());
  const std::uint64_t width = bytes_of(buffer.dtype);
  std::uint64_t next = 0;
  for (const ElementRange& range : buffer.written) {
    const std::uint64_t from = from_file ? next : range.first;
    std::copy_n(content->begin() + static_cast<std::ptrdiff_t>(from * width), range.count * width,
                bytes.begin() + static_cast<std::ptrdiff_t>(range.first * width));
    next += range.count;
  }
  return bytes;
}

namespace {

std::vector<gpu::AddressField> fields_of(const std::vector<AddressSpec>& addresses) {
  std::vector<gpu::AddressField> fields;
  for (const AddressSpec& address : addresses) {
    gpu::AddressField& field = fields.emplace_back();
    field.at = address.at;
    if (address.buffer) field.buffer = static_cast<std::int32_t>(*address.buffer);
    if (address.texture) field.texture = static_cast<std::int32_t>(*address.texture);
    field.variable = address.variable;
    field.function = address.function;
    field.offset = address.offset;
  }
  return fields;
}

}  // namespace

base::Result<gpu::Launch> bind(const LaunchFile& file, const std::filesystem::path& folder) {
  gpu::Launch launch;
  launch.grid = file.grid;
  launch.block = file.block;
  launch.cluster = file.cluster;
  launch.nonportable_cluster = file.nonportable_cluster;
  launch.cooperative = file.cooperative;
  launch.dynamic_shared_bytes = file.dynamic_shared_bytes;
  launch.registers = file.registers;
  for (const BufferSpec& spec : file.buffers) {
    auto content = initial_content_of(spec, folder);
    if (!content) return base::Error{content.error()};
    gpu::Buffer& buffer = launch.buffers.emplace_back();
    buffer.name = spec.name;
    buffer.bytes = std::move(*content);
    buffer.initialized = !std::holds_alternative<Unwritten>(spec.content) && spec.written.empty();
    buffer.variable = spec.variable;
    for (const ElementRange& range : spec.written)
      buffer.written.push_back(
          {range.first * bytes_of(spec.dtype), (range.first + range.count) * bytes_of(spec.dtype)});
    if (const auto* const value = std::get_if<StructSpec>(&spec.content))
      buffer.addresses = fields_of(value->addresses);
  }
  for (const ArgumentSpec& spec : file.arguments) {
    gpu::Argument& argument = launch.arguments.emplace_back();
    argument.bytes = spec.bytes;
    argument.buffer = spec.buffer ? static_cast<std::int32_t>(*spec.buffer) : -1;
    argument.offset = spec.offset;
    if (spec.texture) argument.texture = static_cast<std::int32_t>(*spec.texture);
    argument.addresses = fields_of(spec.addresses);
  }
  for (const TextureSpec& spec : file.textures)
    launch.textures.push_back({file.buffers[spec.buffer].name, spec.descriptor, spec.buffer, spec.surface});
  for (const std::size_t row : file.references) launch.references.push_back({launch.textures[row].name, row});
  return launch;
}

}  // namespace warpwalk::run
