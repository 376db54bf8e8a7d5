// Errors that a kernel can make with textures and surfaces, and launches that do not fit the kernel.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

using ::testing::HasSubstr;

/// A kernel k(.param .u64 t, .param .u64 y) whose body reads or writes the texture or surface %t at %x.
std::string kernel_text(std::string_view body, std::string_view variables = "") {
  return std::string(".version 8.0\n.target sm_80\n.address_size 64\n") + std::string(variables) +
         "\n.visible .entry k(.param .u64 t, .param .u64 y)\n{\n.reg .b64 %t, %y;\n.reg .b32 %x, %r<8>;\n"
         ".reg .f32 %f<8>;\nld.param.u64 %t, [t];\nld.param.u64 %y, [y];\nmov.u32 %x, %tid.x;\n"
         "cvt.rn.f32.u32 %f0, %x;\n.loc 1 7 0\n" +
         std::string(body) +
         "\nmad.wide.u32 %y, %x, 4, %y;\nst.global.u32 [%y], %r0;\nret;\n}\n.file 1 \"kernel.cu\"\n";
}

struct Shape {
  TextureDescriptor descriptor;
  bool surface = false;
  bool initialized = true;
  bool bound = true;  ///< the handle is that of the texture
  std::string variable;
};

Shape line(std::uint32_t width, bool surface) {
  Shape shape;
  shape.descriptor.width = width;
  shape.surface = surface;
  return shape;
}

/// The findings, one on each line, or the error.
std::string outcome(const std::string& text, const Shape& shape) {
  auto parsed = ptx::parse(text);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return error->text();
  auto program = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  if (!program) return program.error();
  const Device device = *load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  Launch launch;
  launch.block = {8, 1, 1};
  launch.buffers.push_back({"image", std::vector<std::uint8_t>(shape.descriptor.bytes()), shape.initialized});
  launch.buffers.push_back({"y", std::vector<std::uint8_t>(64)});
  launch.textures.push_back({"image", shape.descriptor, 0, shape.surface});
  if (!shape.variable.empty()) launch.references.push_back({shape.variable, 0});
  Argument handle, buffer;
  if (shape.bound)
    handle.texture = 0;
  else
    handle.bytes = {1, 2, 3, 4, 5, 6, 7, 8};
  buffer.buffer = 1;
  launch.arguments = {handle, buffer};
  SimulateOptions options;
  options.sanitize = true;
  auto simulated = simulate(device, **program, launch, options);
  if (!simulated) return simulated.error();
  std::string findings;
  for (const Finding& finding : simulated->findings)
    findings +=
        std::string(name_of(finding.kind)) + ":" + std::to_string(finding.source_line) + ": " + finding.message + "\n";
  return findings;
}

constexpr std::string_view fetch = "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, {%f0}];\nmov.b32 %r0, %f1;";
constexpr std::string_view load = "shl.b32 %r1, %x, 2;\nsuld.b.1d.b32.trap %r0, [%t, {%r1}];";

TEST(TextureErrors, CorrectAccessesGiveNoFinding) {
  EXPECT_EQ(outcome(kernel_text(fetch), line(4, false)), "") << "coordinates outside a texture are not errors";
  EXPECT_EQ(outcome(kernel_text(load), line(8, true)), "");
}

TEST(TextureErrors, UnknownHandle) {
  Shape shape = line(4, false);
  shape.bound = false;
  EXPECT_EQ(outcome(kernel_text(fetch), shape),
            "bad_texture:7: thread (0,0,0) of block (0,0,0) uses 0x807060504030201 as the handle of a texture, but "
            "the launch has no such object (7 more like it)\n");
}

TEST(TextureErrors, SurfaceUsedAsTexture) {
  const std::string of_thread = "bad_texture:7: thread (0,0,0) of block (0,0,0) ";
  EXPECT_EQ(outcome(kernel_text(fetch), line(4, true)),
            of_thread + "uses `image` as a texture, but it is a surface (7 more like it)\n");
  EXPECT_EQ(outcome(kernel_text(load), line(8, false)),
            of_thread + "uses `image` as a surface, but it is a texture (7 more like it)\n");
}

TEST(TextureErrors, WrongShape) {
  Shape plane = line(4, false);
  plane.descriptor.shape = TextureShape::plane;
  EXPECT_EQ(outcome(kernel_text(fetch), plane),
            "bad_texture:7: thread (0,0,0) of block (0,0,0) accesses `image` as if it were one-dimensional, but it is "
            "two-dimensional (7 more like it)\n");
}

TEST(TextureErrors, TrapOutsideASurface) {
  const std::string found = outcome(kernel_text(load), line(6, true));
  EXPECT_EQ(found,
            "out_of_bounds:7: thread (6,0,0) of block (0,0,0) reads surface `image` outside of its bounds, at x = 24 "
            "bytes, y = 0, z = 0 (1 more like it)\n");
  for (const char* const quiet : {".clamp", ".zero"}) {
    std::string text(load);
    text.replace(text.find(".trap"), 5, quiet);
    EXPECT_EQ(outcome(kernel_text(text), line(6, true)), "") << quiet;
  }
}

TEST(TextureErrors, MisalignedSurfaceAccess) {
  const std::string found = outcome(kernel_text("suld.b.1d.b32.trap %r0, [%t, {%x}];"), line(8, true));
  EXPECT_EQ(found.substr(0, 56), "misaligned:7: thread (1,0,0) of block (0,0,0) accesses 4") << found;
}

TEST(TextureErrors, UninitializedTexel) {
  Shape shape = line(8, false);
  shape.initialized = false;
  const std::string found = outcome(kernel_text(fetch), shape);
  EXPECT_EQ(found,
            "uninitialized:7: thread (0,0,0) of block (0,0,0) reads a texel of `image` at byte 0, which neither the "
            "host nor a kernel has written (7 more like it)\n");
  shape.surface = true;
  const std::string stores = "shl.b32 %r1, %x, 2;\nsust.b.1d.b32.trap [%t, {%r1}], %x;\n" + std::string(load);
  EXPECT_EQ(outcome(kernel_text(stores), shape), "") << "the kernel has written them";
}

TEST(TextureErrors, ReferencesMustBeBound) {
  std::string text(fetch);
  text.replace(text.find("%t"), 2, "image");
  Shape shape = line(4, false);
  EXPECT_EQ(outcome(kernel_text(text, ".global .texref image;"), shape),
            "the kernel uses the texture or surface variable `image`, which the launch does not bind");
  shape.variable = "image";
  EXPECT_EQ(outcome(kernel_text(text, ".global .texref image;"), shape), "");
}

TEST(TextureErrors, LevelsByDerivativesAreRefused) {
  Shape shape = line(4, false);
  const std::string text =
      kernel_text("tex.grad.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, {%f0}], {%f0}, {%f0};\nmov.b32 %r0, %f1;");
  EXPECT_EQ(outcome(text, shape), "") << "one level: the derivatives do not matter";
  shape.descriptor.levels = 2;
  EXPECT_EQ(outcome(text, shape).substr(0, 60), "texture `image`: has mipmap levels, but the kernel chooses t");
}

TEST(TextureErrors, InvalidInstructionsAreRefusedByTheParser) {
  const auto refused = [](std::string_view body) { return outcome(kernel_text(body), line(4, false)); };
  EXPECT_THAT(refused("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, {%f0}];"),
              HasSubstr("expected 2 coordinates in braces"));
  EXPECT_THAT(refused("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%t, %t, {%f0}];"),
              HasSubstr("samplers apart from textures"));
  EXPECT_THAT(refused("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%x, {%f0}];"), HasSubstr("64"));
  EXPECT_THAT(refused("suld.b.cube.b32.trap %r0, [%t, {%x}];"), HasSubstr("cube"));
}

}  // namespace
}  // namespace warpwalk::gpu
