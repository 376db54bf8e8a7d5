#include "core/run/launch/argument_fields.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/run/launch/content_fields.h"

namespace warpwalk::run {
namespace {

constexpr std::uint64_t max_elements = std::uint64_t{1} << 40;
constexpr std::uint64_t address_bytes = 8;
constexpr std::uint64_t max_struct_bytes = std::uint64_t{1} << 16;  // parameters have at most 32,764, constants as many
constexpr int max_struct_depth = 32;

/// The members that say which form an argument has.
constexpr std::array<std::string_view, 9> forms = {"buffer",  "scalar",  "scalars",  "struct",  "bytes",
                                                   "texture", "surface", "function", "variable"};

bool has(const Json& object, std::string_view name) { return member(object, name) != nullptr; }

/// The bytes of an argument as those of a struct's member.
StructSpec as_bytes(ArgumentSpec argument, const std::string& place) {
  if (!argument.buffer && !argument.texture) return {std::move(argument.bytes), std::move(argument.addresses)};
  AddressSpec address;
  address.buffer = argument.buffer;
  address.texture = argument.texture;
  address.offset = argument.offset;
  address.place = place;
  return {std::vector<std::uint8_t>(address_bytes), {std::move(address)}};
}

/// Reads the forms of an argument. Members of a struct may also have "at".
class ArgumentReader {
 public:
  explicit ArgumentReader(LaunchFile& launch) : launch_(launch) {}

  /// `alignment`: that of the value in a C++ struct.
  base::Result<void> read(const Json& value, const std::string& path, bool in_struct, ArgumentSpec& argument,
                          std::uint64_t& alignment) {
    alignment = address_bytes;
    if (value.IsObject()) {
      if (has(value, "buffer")) return read_buffer(value, path, in_struct, argument);
      if (has(value, "scalar") || has(value, "scalars"))
        return read_scalars(value, path, in_struct, argument, alignment);
      if (has(value, "struct")) return read_struct_value(value, path, in_struct, argument, alignment);
      if (has(value, "function") || has(value, "variable")) return read_symbol(value, path, in_struct, argument);
      if (has(value, "texture") || has(value, "surface")) {
        if (in_struct && has(value, "at"))
          return base::Error{fmt::format("{}.at: is not known here; a handle is at a multiple of 8 bytes", path)};
        auto done = read_texture_object(value, path, launch_);
        argument.texture = launch_.textures.size() - 1;
        return done;
      }
      if (has(value, "bytes")) {
        alignment = 1;
        if (auto done = known(value, path, in_struct, {"bytes"}); !done) return done;
        return read_bytes(*member(value, "bytes"), path + ".bytes", argument.bytes);
      }
    }
    return base::Error{fmt::format(
        "{}: is {}; expected {{\"buffer\": name, ...}}, {{\"scalar\": value, \"dtype\": ...}}, "
        "{{\"texture\": name, ...}}, {{\"surface\": name, ...}}, {{\"struct\": [...]}}, {{\"function\": name}}, "
        "{{\"variable\": name}} or {{\"bytes\": \"00ff...\"}}",
        path,
        value.IsObject() ? "an object without buffer, scalar, texture, surface, struct, function, variable or bytes"
                         : shown(value))};
  }

  /// Reads the list of a struct's members, and "size".
  base::Result<void> read_struct(const Json& object, const std::string& path, StructSpec& out,
                                 std::uint64_t& alignment) {
    const Json& members = *member(object, "struct");
    if (!members.IsArray() || members.Empty()) {
      const std::string found = members.IsArray() ? "an empty list" : shown(members);
      return base::Error{fmt::format("{}.struct: is {}; expected a list of its members", path, found)};
    }
    if (depth_ == max_struct_depth)
      return base::Error{fmt::format("{}: structs are nested more than {} deep", path, max_struct_depth)};
    ++depth_;
    alignment = 1;
    for (rapidjson::SizeType i = 0; i < members.Size(); ++i)
      if (auto done = read_member(members[i], fmt::format("{}.struct[{}]", path, i), out, alignment); !done)
        return done;
    --depth_;
    const std::uint64_t end = out.bytes.size();
    std::uint64_t size = (end + alignment - 1) / alignment * alignment;
    if (const Json* const given = member(object, "size")) {
      if (auto done = read_whole(*given, path + ".size", 1, max_struct_bytes, size); !done) return done;
      if (size < end) return base::Error{fmt::format("{}.size: is {}, but its members end at {}", path, size, end)};
    }
    out.bytes.resize(size);
    return {};
  }

 private:
  static base::Result<void> known(const Json& object, const std::string& path, bool in_struct,
                                  std::initializer_list<std::string_view> names) {
    std::vector<std::string_view> all(names);
    if (in_struct) all.emplace_back("at");
    return only_known(object, path, all);
  }

  base::Result<void> read_member(const Json& value, const std::string& path, StructSpec& out,
                                 std::uint64_t& alignment) {
    ArgumentSpec argument;
    std::uint64_t own = 1;
    if (auto done = read(value, path, true, argument, own); !done) return done;
    const std::uint64_t end = out.bytes.size();
    std::uint64_t at = (end + own - 1) / own * own;
    if (const Json* const given = member(value, "at")) {
      if (auto done = read_whole(*given, path + ".at", 0, max_struct_bytes, at); !done) return done;
      if (at < end) return base::Error{fmt::format("{}.at: is {}, but the members before it end at {}", path, at, end)};
    }
    if (at % own == 0) alignment = std::max(alignment, own);
    StructSpec placed = as_bytes(std::move(argument), path);
    if (at + placed.bytes.size() > max_struct_bytes)
      return base::Error{fmt::format("{}: ends at {}; a struct has at most {} bytes", path, at + placed.bytes.size(),
                                     max_struct_bytes)};
    out.bytes.resize(at);
    out.bytes.insert(out.bytes.end(), placed.bytes.begin(), placed.bytes.end());
    for (AddressSpec& address : placed.addresses) {
      address.at += at;
      out.addresses.push_back(std::move(address));
    }
    return {};
  }

  base::Result<void> read_struct_value(const Json& object, const std::string& path, bool in_struct,
                                       ArgumentSpec& argument, std::uint64_t& alignment) {
    if (auto done = known(object, path, in_struct, {"struct", "size"}); !done) return done;
    StructSpec value;
    if (auto done = read_struct(object, path, value, alignment); !done) return done;
    argument.bytes = std::move(value.bytes);
    argument.addresses = std::move(value.addresses);
    return {};
  }

  base::Result<void> read_symbol(const Json& object, const std::string& path, bool in_struct, ArgumentSpec& argument) {
    AddressSpec address;
    address.place = path;
    base::Result<void> done;
    if (has(object, "function")) {
      done = known(object, path, in_struct, {"function"});
      if (done) done = read_text(*member(object, "function"), path + ".function", address.function);
    } else {
      done = known(object, path, in_struct, {"variable", "offset"});
      if (done) done = read_text(*member(object, "variable"), path + ".variable", address.variable);
      const Json* const offset = member(object, "offset");
      if (done && offset != nullptr) done = read_whole(*offset, path + ".offset", 0, max_elements, address.offset);
    }
    argument.bytes.resize(address_bytes);
    argument.addresses = {std::move(address)};
    return done;
  }

  base::Result<void> read_scalars(const Json& object, const std::string& path, bool in_struct, ArgumentSpec& argument,
                                  std::uint64_t& alignment) {
    const bool several = has(object, "scalars");
    if (auto done = known(object, path, in_struct, {several ? "scalars" : "scalar", "dtype"}); !done) return done;
    ops::DType dtype = ops::DType::f32;
    if (auto done = read_dtype(object, path, dtype); !done) return done;
    alignment = bytes_of(dtype);
    const auto append = [&](const Json& value, const std::string& at) -> base::Result<void> {
      std::uint64_t bits = 0;
      if (auto done = read_element(value, at, dtype, bits); !done) return done;
      const std::size_t end = argument.bytes.size();
      argument.bytes.resize(end + bytes_of(dtype));
      std::memcpy(argument.bytes.data() + end, &bits, bytes_of(dtype));
      return {};
    };
    if (!several) {
      argument.dtype = dtype;
      return append(*member(object, "scalar"), path + ".scalar");
    }
    const Json& list = *member(object, "scalars");
    if (!list.IsArray() || list.Empty() || list.Size() > max_struct_bytes / bytes_of(dtype))
      return base::Error{fmt::format("{}.scalars: is {}; expected a list of numbers, at most {}", path, shown(list),
                                     max_struct_bytes / bytes_of(dtype))};
    for (rapidjson::SizeType i = 0; i < list.Size(); ++i)
      if (auto done = append(list[i], fmt::format("{}.scalars[{}]", path, i)); !done) return done;
    return {};
  }

  base::Result<void> read_buffer(const Json& object, const std::string& path, bool in_struct, ArgumentSpec& argument) {
    const bool is_struct = has(object, "struct");
    if (auto done = is_struct ? known(object, path, in_struct, {"buffer", "struct", "size", "offset"})
                              : known(object, path, in_struct,
                                      {"buffer", "dtype", "count", "file", "fill", "written", "offset"});
        !done)
      return done;
    BufferSpec buffer;
    if (auto done = read_text(*member(object, "buffer"), member_path(path, "buffer"), buffer.name); !done) return done;
    argument.buffer = find_buffer(launch_, buffer.name);
    const bool describes = is_struct || has(object, "dtype") || has(object, "count") || has(object, "file") ||
                           has(object, "fill") || has(object, "written");
    if (argument.buffer && describes)
      return base::Error{fmt::format("{}.buffer: \"{}\" was already described; give only its name to pass it again",
                                     path, buffer.name)};
    if (!argument.buffer) {
      if (auto done = is_struct ? read_struct_buffer(object, path, buffer) : read_elements(object, path, buffer); !done)
        return done;
      // A member of a struct may have described a buffer of this name.
      if (find_buffer(launch_, buffer.name))
        return base::Error{fmt::format("{}.buffer: \"{}\" is also a buffer in its struct", path, buffer.name)};
      argument.buffer = launch_.buffers.size();
      launch_.buffers.push_back(std::move(buffer));
    }
    const std::uint64_t bytes = launch_.buffers[*argument.buffer].bytes();
    if (const Json* const offset = member(object, "offset"))
      if (auto done = read_whole(*offset, path + ".offset", 0, bytes, argument.offset); !done) return done;
    return {};
  }

  base::Result<void> read_struct_buffer(const Json& object, const std::string& path, BufferSpec& buffer) {
    StructSpec value;
    std::uint64_t alignment = 1;
    if (auto done = read_struct(object, path, value, alignment); !done) return done;
    buffer.dtype = ops::DType::u8;
    buffer.count = value.bytes.size();
    buffer.content = std::move(value);
    return {};
  }

 public:
  /// Reads "dtype", "count" and the contents of a buffer or a variable.
  static base::Result<void> read_elements(const Json& object, const std::string& path, BufferSpec& buffer) {
    if (auto done = read_dtype(object, path, buffer.dtype); !done) return done;
    const Json* const count = member(object, "count");
    if (count == nullptr)
      return base::Error{fmt::format("{}.count: is missing; expected the number of elements", path)};
    if (auto done = read_whole(*count, path + ".count", 1, max_elements, buffer.count); !done) return done;
    if (auto done = read_content(object, path, buffer.dtype, buffer.content); !done) return done;
    return read_written(object, path, buffer);
  }

 private:
  LaunchFile& launch_;
  int depth_ = 0;
};

}  // namespace

std::optional<std::size_t> find_buffer(const LaunchFile& launch, std::string_view name) {
  const auto found = std::ranges::find(launch.buffers, name, &BufferSpec::name);
  if (found == launch.buffers.end()) return {};
  return static_cast<std::size_t>(found - launch.buffers.begin());
}

base::Result<void> read_argument(const Json& value, const std::string& path, LaunchFile& launch,
                                 ArgumentSpec& argument) {
  std::uint64_t alignment = 1;
  return ArgumentReader(launch).read(value, path, false, argument, alignment);
}

base::Result<void> read_texture_object(const Json& object, const std::string& path, LaunchFile& launch) {
  BufferSpec buffer;
  TextureSpec texture;
  if (auto done = read_texture(object, path, buffer, texture); !done) return done;
  if (find_buffer(launch, buffer.name))
    return base::Error{
        fmt::format("{}: the name \"{}\" was already used; each texture needs a name of its own", path, buffer.name)};
  texture.buffer = launch.buffers.size();
  launch.buffers.push_back(std::move(buffer));
  launch.textures.push_back(texture);
  return {};
}

base::Result<void> read_variable(std::string_view name, const Json& value, LaunchFile& launch) {
  const std::string path = member_path("variables", name);
  BufferSpec variable;
  variable.name = variable.variable = name;
  if (name.empty()) return base::Error{"variables: a name is empty"};
  if (find_buffer(launch, name))
    return base::Error{fmt::format("{}: the name was already used; rename the buffer or texture", path)};
  const bool one_value =
      value.IsObject() && std::ranges::any_of(forms, [&](std::string_view form) { return has(value, form); });
  if (!one_value) {
    if (!value.IsObject())
      return base::Error{
          fmt::format("{}: is {}; expected {{\"dtype\": ..., \"count\": ...}} or one value in the form of an argument",
                      path, shown(value))};
    if (auto done = only_known(value, path, {"dtype", "count", "file", "fill"}); !done) return done;
    if (auto done = ArgumentReader::read_elements(value, path, variable); !done) return done;
    launch.buffers.push_back(std::move(variable));
    return {};
  }
  ArgumentSpec argument;
  if (auto done = read_argument(value, path, launch, argument); !done) return done;
  if (find_buffer(launch, name))
    return base::Error{fmt::format("{}: the name was already used; rename the buffer or texture", path)};
  if (has(value, "scalar") || has(value, "scalars")) {
    if (auto done = read_dtype(value, path, variable.dtype); !done) return done;
    variable.count = argument.bytes.size() / bytes_of(variable.dtype);
    variable.content = StructSpec{std::move(argument.bytes), {}};
  } else {
    StructSpec bytes = as_bytes(std::move(argument), path);
    variable.dtype = ops::DType::u8;
    variable.count = bytes.bytes.size();
    variable.content = std::move(bytes);
  }
  launch.buffers.push_back(std::move(variable));
  return {};
}

}  // namespace warpwalk::run
