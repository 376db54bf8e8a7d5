// Textures and surfaces in launch files, and the one-line error for each kind of invalid description.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/result.h"
#include "core/run/launch/content_fields.h"

namespace warpwalk::run {
namespace {

base::Result<LaunchFile> parsed_argument(std::string_view argument, std::string_view more = "") {
  return parse_launch_file(R"({"kernel": "k", "ptx": "k.ptx", "grid": [1], "block": [32], "args": [)" +
                               std::string(argument) + "]" + std::string(more) + "}",
                           "l.json");
}

LaunchFile accepted_argument(std::string_view argument, std::string_view more = "") {
  auto result = parsed_argument(argument, more);
  if (!result) ADD_FAILURE() << result.error();
  return result ? *result : LaunchFile{};
}

std::string refused_argument(std::string_view argument) {
  const auto result = parsed_argument(argument);
  return result ? "accepted" : result.error();
}

TEST(TextureSpec, AWholeDescription) {
  const LaunchFile file = accepted_argument(
      R"({"texture": "t", "dtype": "u8", "channels": 4, "width": 8, "height": 4, "levels": 2, "fill": "iota",
          "filter": "linear", "mip_filter": "linear", "address": ["wrap", "border"], "normalized": true,
          "read": "normalized_float", "border": [0, 0.5, 1, 2], "mip_bias": -0.5, "mip_clamp": [0, 1]})",
      R"(, "expect": {"t": {"fill": "iota"}})");
  ASSERT_EQ(file.textures.size(), 1u);
  ASSERT_EQ(file.arguments.size(), 1u);
  EXPECT_EQ(file.arguments[0].texture, 0u);
  const gpu::TextureDescriptor& texture = file.textures[0].descriptor;
  EXPECT_EQ(texture.shape, gpu::TextureShape::plane);
  EXPECT_EQ(texture.format.type, gpu::TexelType::u8);
  EXPECT_EQ(texture.sampler.filter, gpu::FilterMode::linear);
  EXPECT_EQ(texture.sampler.address[0], gpu::AddressMode::wrap);
  EXPECT_EQ(texture.sampler.address[1], gpu::AddressMode::border);
  EXPECT_EQ(texture.sampler.border[1], 0.5F);
  EXPECT_EQ(file.buffers[0].count, 4u * (8 * 4 + 4 * 2));
  EXPECT_EQ(file.expects.size(), 1u);
}

TEST(TextureSpec, Shapes) {
  const auto shape = [](std::string_view members) {
    const LaunchFile file =
        accepted_argument(R"({"surface": "s", "dtype": "f32", "width": 4)" + std::string(members) + "}");
    EXPECT_TRUE(file.textures[0].surface);
    return file.textures[0].descriptor.shape;
  };
  EXPECT_EQ(shape(""), gpu::TextureShape::line);
  EXPECT_EQ(shape(R"(, "layers": 2)"), gpu::TextureShape::line_array);
  EXPECT_EQ(shape(R"(, "height": 2)"), gpu::TextureShape::plane);
  EXPECT_EQ(shape(R"(, "height": 2, "layers": 3)"), gpu::TextureShape::plane_array);
  EXPECT_EQ(shape(R"(, "height": 2, "depth": 3)"), gpu::TextureShape::volume);
  EXPECT_EQ(shape(R"(, "cube": true)"), gpu::TextureShape::cube);
  EXPECT_EQ(shape(R"(, "cube": true, "layers": 2)"), gpu::TextureShape::cube_array);
}

TEST(TextureSpec, EveryErrorNamesItsPlace) {
  const auto texture = [](std::string_view members) {
    return refused_argument(R"({"texture": "t", "dtype": "f32", )" + std::string(members) + "}");
  };
  EXPECT_EQ(texture(R"("height": 4)"), "l.json: args[0].width: is missing; expected the number of texels in a row");
  EXPECT_EQ(texture(R"("width": 4, "channels": 3)"), "l.json: args[0].channels: is 3; a texel has 1, 2 or 4 channels");
  EXPECT_EQ(texture(R"("width": 4, "filter": "cubic")"),
            "l.json: args[0].filter: is \"cubic\"; expected one of point, linear");
  EXPECT_EQ(texture(R"("width": 4, "address": ["wrap", 7])"),
            "l.json: args[0].address[1]: is 7; expected one of wrap, clamp, mirror, border");
  EXPECT_EQ(texture(R"("width": 4, "border": [1, 2])"),
            "l.json: args[0].border: is a list; expected a list of 4 numbers");
  EXPECT_EQ(texture(R"("width": 4, "read": "normalized_float")"),
            "l.json: args[0].read: is \"normalized_float\"; only 8-bit and 16-bit integers are read so");
  EXPECT_EQ(texture(R"("width": 4, "levels": 2)"),
            "l.json: args[0].levels: a texture with mipmap levels needs \"normalized\": true");
  EXPECT_EQ(texture(R"("width": 4, "depth": 2)"),
            "l.json: args[0].depth: a texture with a depth has a width and a height, and no layers");
  EXPECT_EQ(texture(R"("width": 4, "cube": true, "height": 4)"),
            "l.json: args[0]: a cube has only a width, which is that of its six square faces");
  EXPECT_EQ(texture(R"("width": 4, "memory": "linear", "height": 4)"),
            "l.json: args[0].memory: linear memory has only a width");
  EXPECT_EQ(texture(R"("width": 131072, "height": 65536, "layers": 2048)"),
            "l.json: args[0]: has more than 17179869184 texels");
  EXPECT_EQ(refused_argument(R"({"texture": "t", "dtype": "i32", "width": 4, "filter": "linear"})"),
            "l.json: args[0].filter: integers are filtered only with \"read\": \"normalized_float\"");
  EXPECT_EQ(refused_argument(R"({"texture": "t", "dtype": "f64", "width": 4})"),
            "l.json: args[0].dtype: is f64; a texel is u8, u16, u32, i8, i16, i32, f16 or f32");
  EXPECT_THAT(refused_argument(R"({"surface": "t", "dtype": "f32", "width": 4, "filter": "linear"})"),
              ::testing::HasSubstr("is not known here"));
  EXPECT_THAT(
      refused_argument(R"({"texture": "t", "dtype": "f32", "width": 4}, {"texture": "t", "dtype": "f32", "width": 4})"),
      ::testing::HasSubstr("args[1]: the name \"t\" was already used"));
}

}  // namespace
}  // namespace warpwalk::run
