#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/run/launch/content_fields.h"

namespace warpwalk::run {
namespace {

using gpu::AddressMode;
using gpu::FilterMode;
using gpu::Sampler;
using gpu::TexelType;
using gpu::TextureDescriptor;
using gpu::TextureShape;

// CUDA programming guide, technical specifications for compute capability 7.5 to 9.0.
constexpr std::uint64_t max_linear_width = std::uint64_t{1} << 28;
constexpr std::uint64_t max_width = 131072, max_height = 65536, max_depth = 16384, max_layers = 2048;
constexpr std::uint64_t max_texels = std::uint64_t{1} << 34;

std::optional<TexelType> texel_type(ops::DType dtype) {
  switch (dtype) {
    case ops::DType::u8: return TexelType::u8;
    case ops::DType::u16: return TexelType::u16;
    case ops::DType::u32: return TexelType::u32;
    case ops::DType::i8: return TexelType::s8;
    case ops::DType::i16: return TexelType::s16;
    case ops::DType::i32: return TexelType::s32;
    case ops::DType::f16: return TexelType::f16;
    case ops::DType::f32: return TexelType::f32;
    default: return {};
  }
}

/// Reads the members of one texture or surface.
class TextureReader {
 public:
  TextureReader(const Json& object, const std::string& path, TextureDescriptor& texture)
      : object_(object), path_(path), texture_(texture) {}

  base::Result<void> format(ops::DType dtype) {
    const auto type = texel_type(dtype);
    if (!type)
      return base::Error{
          fmt::format("{}.dtype: is {}; a texel is u8, u16, u32, i8, i16, i32, f16 or f32", path_, name_of(dtype))};
    texture_.format.type = *type;
    std::uint64_t channels = 1;
    if (auto done = whole("channels", 1, 4, channels); !done) return done;
    if (channels == 3) return base::Error{fmt::format("{}.channels: is 3; a texel has 1, 2 or 4 channels", path_)};
    texture_.format.channels = static_cast<std::uint8_t>(channels);
    return {};
  }

  base::Result<void> shape() {
    bool linear = false, pitch = false, cube = false;
    if (auto done = memory(linear, pitch); !done) return done;
    if (auto done = flag("cube", cube); !done) return done;
    std::uint64_t width = 0, height = 0, depth = 0, layers = 0;
    if (!has("width"))
      return base::Error{fmt::format("{}.width: is missing; expected the number of texels in a row", path_)};
    if (auto done = whole("width", 1, linear ? max_linear_width : max_width, width); !done) return done;
    if (auto done = whole("height", 1, max_height, height); !done) return done;
    if (auto done = whole("depth", 1, max_depth, depth); !done) return done;
    if (auto done = whole("layers", 1, max_layers, layers); !done) return done;
    if (cube && (height != 0 || depth != 0))
      return base::Error{fmt::format("{}: a cube has only a width, which is that of its six square faces", path_)};
    if (depth != 0 && (height == 0 || layers != 0))
      return base::Error{
          fmt::format("{}.depth: a texture with a depth has a width and a height, and no layers", path_)};
    if (linear && (height != 0 || layers != 0 || cube))
      return base::Error{fmt::format("{}.memory: linear memory has only a width", path_)};
    if (pitch && (height == 0 || depth != 0 || layers != 0))
      return base::Error{fmt::format("{}.memory: rows with a pitch have a width and a height only", path_)};
    texture_.linear_memory = linear;
    texture_.width = static_cast<std::uint32_t>(width);
    texture_.height = static_cast<std::uint32_t>(cube ? width : std::max<std::uint64_t>(height, 1));
    texture_.depth = static_cast<std::uint32_t>(std::max<std::uint64_t>(depth, 1));
    texture_.layers = static_cast<std::uint32_t>(std::max<std::uint64_t>(layers, 1));
    if (cube)
      texture_.shape = layers != 0 ? TextureShape::cube_array : TextureShape::cube;
    else if (depth != 0)
      texture_.shape = TextureShape::volume;
    else if (height != 0)
      texture_.shape = layers != 0 ? TextureShape::plane_array : TextureShape::plane;
    else
      texture_.shape = layers != 0 ? TextureShape::line_array : TextureShape::line;
    const std::uint64_t images = std::uint64_t{texture_.depth} * texture_.layers * (cube ? 6 : 1);
    if (width * texture_.height > max_texels / images)
      return base::Error{fmt::format("{}: has more than {} texels", path_, max_texels)};
    return levels(linear || pitch);
  }

  base::Result<void> sampler() {
    Sampler& sampler = texture_.sampler;
    sampler.highest_level = static_cast<float>(texture_.levels - 1);
    if (auto done = flag("normalized", sampler.normalized); !done) return done;
    if (auto done = flag("seamless", sampler.seamless); !done) return done;
    if (auto done = filter("filter", sampler.filter); !done) return done;
    if (auto done = filter("mip_filter", sampler.level_filter); !done) return done;
    if (auto done = read_mode(sampler); !done) return done;
    if (auto done = address(sampler); !done) return done;
    if (auto done = numbers("border", sampler.border.data(), 4); !done) return done;
    if (auto done = numbers("mip_bias", &sampler.level_bias, 1); !done) return done;
    float limits[2] = {sampler.lowest_level, sampler.highest_level};
    if (auto done = numbers("mip_clamp", limits, 2); !done) return done;
    if (limits[0] > limits[1])
      return base::Error{fmt::format("{}.mip_clamp: the first level is above the second one", path_)};
    sampler.lowest_level = limits[0];
    sampler.highest_level = limits[1];
    if (texture_.levels > 1 && !sampler.normalized)
      return base::Error{fmt::format("{}.levels: a texture with mipmap levels needs \"normalized\": true", path_)};
    const bool filters = sampler.filter == FilterMode::linear || sampler.level_filter == FilterMode::linear;
    if (filters && !texture_.format.is_float() && !sampler.normalized_float)
      return base::Error{
          fmt::format("{}.filter: integers are filtered only with \"read\": \"normalized_float\"", path_)};
    return {};
  }

 private:
  bool has(std::string_view name) const { return member(object_, name) != nullptr; }
  std::string at(std::string_view name) const { return member_path(path_, name); }

  base::Result<void> whole(std::string_view name, std::uint64_t least, std::uint64_t limit, std::uint64_t& out) const {
    const Json* const value = member(object_, name);
    return value == nullptr ? base::Result<void>{} : read_whole(*value, at(name), least, limit, out);
  }

  base::Result<void> flag(std::string_view name, bool& out) const {
    const Json* const value = member(object_, name);
    if (value == nullptr) return {};
    if (!value->IsBool()) return base::Error{fmt::format("{}: is {}; expected true or false", at(name), shown(*value))};
    out = value->GetBool();
    return {};
  }

  /// The position of a word in a list.
  static base::Result<void> choice(const Json& value, const std::string& path,
                                   std::initializer_list<std::string_view> words, std::size_t& out) {
    const auto found = value.IsString() ? std::ranges::find(words, view(value)) : words.end();
    if (found == words.end())
      return base::Error{fmt::format("{}: is {}; expected one of {}", path, shown(value), fmt::join(words, ", "))};
    out = static_cast<std::size_t>(found - words.begin());
    return {};
  }

  base::Result<void> choice(std::string_view name, std::initializer_list<std::string_view> words,
                            std::size_t& out) const {
    const Json* const value = member(object_, name);
    return value == nullptr ? base::Result<void>{} : choice(*value, at(name), words, out);
  }

  base::Result<void> filter(std::string_view name, FilterMode& out) const {
    std::size_t index = 0;
    if (auto done = choice(name, {"point", "linear"}, index); !done) return done;
    out = index == 0 ? FilterMode::point : FilterMode::linear;
    return {};
  }

  base::Result<void> memory(bool& linear, bool& pitch) const {
    std::size_t index = 0;
    if (auto done = choice("memory", {"array", "linear", "pitch"}, index); !done) return done;
    linear = index == 1;
    pitch = index == 2;
    return {};
  }

  base::Result<void> read_mode(Sampler& sampler) const {
    std::size_t index = 0;
    if (auto done = choice("read", {"element", "normalized_float"}, index); !done) return done;
    sampler.normalized_float = index == 1;
    const TexelType type = texture_.format.type;
    const bool wide = type == TexelType::u32 || type == TexelType::s32;
    if (index == 1 && (wide || texture_.format.is_float()))
      return base::Error{
          fmt::format("{}: is \"normalized_float\"; only 8-bit and 16-bit integers are read so", at("read"))};
    return {};
  }

  /// One mode for all dimensions, or a list with a mode for each; CUDA's default for the rest is wrap.
  base::Result<void> address(Sampler& sampler) const {
    const Json* const value = member(object_, "address");
    if (value == nullptr) return {};
    const auto words = {std::string_view("wrap"), std::string_view("clamp"), std::string_view("mirror"),
                        std::string_view("border")};
    std::size_t index = 0;
    if (!value->IsArray()) {
      if (auto done = choice(*value, at("address"), words, index); !done) return done;
      sampler.address.fill(static_cast<AddressMode>(index));
      return {};
    }
    if (value->Empty() || value->Size() > 3)
      return base::Error{
          fmt::format("{}: has {} modes; expected one for each dimension", at("address"), value->Size())};
    sampler.address.fill(AddressMode::wrap);
    for (rapidjson::SizeType i = 0; i < value->Size(); ++i) {
      if (auto done = choice((*value)[i], fmt::format("{}[{}]", at("address"), i), words, index); !done) return done;
      sampler.address[i] = static_cast<AddressMode>(index);
    }
    return {};
  }

  base::Result<void> numbers(std::string_view name, float* out, rapidjson::SizeType count) const {
    const Json* const value = member(object_, name);
    if (value == nullptr) return {};
    const bool fits = count == 1 ? value->IsNumber() : value->IsArray() && value->Size() == count;
    if (!fits)
      return base::Error{fmt::format("{}: is {}; expected {}", at(name), shown(*value),
                                     count == 1 ? "a number" : fmt::format("a list of {} numbers", count))};
    for (rapidjson::SizeType i = 0; i < count; ++i) {
      const Json& number = count == 1 ? *value : (*value)[i];
      if (!number.IsNumber())
        return base::Error{fmt::format("{}[{}]: is {}; expected a number", at(name), i, shown(number))};
      out[i] = static_cast<float>(number.GetDouble());
      if (!std::isfinite(out[i]))
        return base::Error{fmt::format("{}: has a number that is too large for f32", at(name))};
    }
    return {};
  }

  base::Result<void> levels(bool linear) {
    std::uint64_t count = 1;
    const std::uint32_t largest = std::max({texture_.width, texture_.height, texture_.depth});
    if (auto done = whole("levels", 1, static_cast<std::uint64_t>(std::bit_width(largest)), count); !done) return done;
    if (linear && count > 1) return base::Error{fmt::format("{}: only arrays have mipmap levels", at("levels"))};
    texture_.levels = static_cast<std::uint32_t>(count);
    return {};
  }

  const Json& object_;
  const std::string& path_;
  TextureDescriptor& texture_;
};

}  // namespace

base::Result<void> read_texture(const Json& object, const std::string& path, BufferSpec& buffer, TextureSpec& texture) {
  texture.surface = member(object, "surface") != nullptr;
  const char* const kind = texture.surface ? "surface" : "texture";
  if (member(object, kind) == nullptr)
    return base::Error{fmt::format("{}: is an object without texture or surface", path)};
  base::Result<void> done =
      texture.surface
          ? only_known(object, path,
                       {"surface", "dtype", "channels", "width", "height", "depth", "layers", "cube", "file", "fill"})
          : only_known(object, path,
                       {"texture",    "dtype",  "channels", "width",      "height",   "depth",     "layers",
                        "cube",       "levels", "memory",   "file",       "fill",     "address",   "filter",
                        "normalized", "read",   "border",   "mip_filter", "mip_bias", "mip_clamp", "seamless"});
  if (done) done = read_text(*member(object, kind), member_path(path, kind), buffer.name);
  if (done) done = read_dtype(object, path, buffer.dtype);
  TextureReader reader(object, path, texture.descriptor);
  if (done) done = reader.format(buffer.dtype);
  if (done) done = reader.shape();
  if (done) done = reader.sampler();
  if (done) done = read_content(object, path, buffer.dtype, buffer.content);
  if (done) buffer.count = texture.descriptor.bytes() / texture.descriptor.format.channel_bytes();
  return done;
}

}  // namespace warpwalk::run
