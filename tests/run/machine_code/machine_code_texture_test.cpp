// Runs every form of texture and surface instructions as PTX and as ptxas's machine code for several architectures,
// which pass coordinates and handles in different registers. Both must give the same values.
#include <algorithm>
#include <cstring>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/memory/texture_table.h"
#include "core/ptx/parse/parser.h"
#include "tests/run/machine_code/compile_cubin.h"

namespace warpwalk::gpu {
namespace {

constexpr int texture_inputs = 12, texture_outputs = 4, texture_lanes = 32;

struct Kernel {
  std::string name, body;
  TextureShape shape = TextureShape::plane;
  bool surface = false;
  std::uint32_t levels = 1;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return "{" + text + "}";
}

/// Coordinates %f0 ... or %r0 ... after the layer %r11.
std::string place(TextureShape shape, const std::string& kind) {
  std::vector<std::string> parts;
  if (is_array(shape)) parts.push_back("%r11");
  for (int i = 0; i < dimensions(shape); ++i) parts.push_back("%" + kind + std::to_string(i));
  if (parts.size() == 3) parts.push_back(parts.back());
  return joined(parts);
}

std::string derivatives(TextureShape shape, int first) {
  std::vector<std::string> parts;
  for (int i = 0; i < dimensions(shape); ++i) parts.push_back("%f" + std::to_string(first + i));
  if (parts.size() == 3) parts.push_back(parts.back());
  return joined(parts);
}

std::vector<Kernel> kernels() {
  const std::pair<const char*, TextureShape> shapes[] = {
      {"1d", TextureShape::line},         {"2d", TextureShape::plane},        {"3d", TextureShape::volume},
      {"a1d", TextureShape::line_array},  {"a2d", TextureShape::plane_array}, {"cube", TextureShape::cube},
      {"acube", TextureShape::cube_array}};
  const std::string to = ".v4.f32.f32 {%g0, %g1, %g2, %g3}, [%t, ",
                    to_fetch = ".v4.f32.s32 {%g0, %g1, %g2, %g3}, [%t, ";
  std::vector<Kernel> made;
  for (const auto& [name, shape] : shapes) {
    const std::string n = name, at = place(shape, "f"), texel = place(shape, "r");
    made.push_back({"tex_" + n, "tex." + n + to + at + "];", shape});
    made.push_back({"level_" + n, "tex.level." + n + to + at + "], %f9;", shape, false, 2});
    if (shape == TextureShape::plane || shape == TextureShape::plane_array || is_cube(shape))
      made.push_back({"gather_" + n, "tld4.b." + n + to + at + "];", shape});
    made.push_back({"grad_" + n,
                    "tex.grad." + n + to + at + "], " + derivatives(shape, 5) + ", " + derivatives(shape, 7) + ";",
                    shape});
    if (is_cube(shape)) continue;
    made.push_back({"fetch_" + n, "tex." + n + to_fetch + texel + "];", shape});
    made.push_back({"fetch_level_" + n, "tex.level." + n + to_fetch + texel + "], %r10;", shape, false, 2});
    const std::string bytes = "shl.b32 %r0, %r0, 4;\n";
    made.push_back(
        {"load_" + n, bytes + "suld.b." + n + ".v4.b32.zero {%g0, %g1, %g2, %g3}, [%t, " + texel + "];", shape, true});
    made.push_back(
        {"store_" + n, bytes + "sust.b." + n + ".v2.b32.zero [%t, " + texel + "], {%r8, %r9};", shape, true});
    made.push_back({"store_formatted_" + n, "sust.p." + n + ".v4.b32.zero [%t, " + texel + "], {%r8, %r9, %r7, %r6};",
                    shape, true});
    if (!is_array(shape))
      made.push_back({"add_" + n, bytes + "sured.b.add." + n + ".u32.zero [%t, " + texel + "], %r8;", shape, true});
  }
  made.push_back({"query", "txq.width.b32 %g0, [%t];\ntxq.height.b32 %g1, [%t];", TextureShape::plane});
  made.push_back({"query_level", "txq.level.width.b32 %g0, [%t], %r10;", TextureShape::plane, false, 2});
  return made;
}

/// `loaded`: each lane loads the handle from memory, so the compiler does not know that it is the same for all lanes.
std::string module_text(const std::vector<Kernel>& all, bool loaded) {
  std::string text = ".version 8.0\n.target sm_75\n.address_size 64\n";
  for (const Kernel& kernel : all) {
    text +=
        ".visible .entry " + kernel.name +
        "(.param .u64 handle, .param .u64 handles, .param .u64 in, .param .u64 out)\n{\n.reg .b32 %x, %g<4>, %r<12>;\n"
        ".reg .f32 %f<12>;\n.reg .b64 %t, %i, %o, %d;\nld.param.u64 %i, [in];\nld.param.u64 %o, [out];\n"
        "mov.u32 %x, %tid.x;\nmul.wide.u32 %d, %x, " +
        std::to_string(4 * texture_inputs) + ";\nadd.u64 %i, %i, %d;\nmul.wide.u32 %d, %x, " +
        std::to_string(4 * texture_outputs) + ";\nadd.u64 %o, %o, %d;\n";
    if (loaded)
      text += "mul.wide.u32 %d, %x, 8;\nld.param.u64 %t, [handles];\nadd.u64 %t, %t, %d;\nld.global.u64 %t, [%t];\n";
    else
      text += "ld.param.u64 %t, [handle];\n";
    for (int i = 0; i < texture_inputs; ++i)
      text += "ld.global.f32 %f" + std::to_string(i) + ", [%i+" + std::to_string(4 * i) + "];\ncvt.rni.s32.f32 %r" +
              std::to_string(i) + ", %f" + std::to_string(i) + ";\n";
    for (int i = 0; i < texture_outputs; ++i) text += "mov.u32 %g" + std::to_string(i) + ", 0;\n";
    text += kernel.body + "\n";
    for (int i = 0; i < texture_outputs; ++i)
      text += "st.global.b32 [%o+" + std::to_string(4 * i) + "], %g" + std::to_string(i) + ";\n";
    text += "ret;\n}\n";
  }
  return text;
}

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(4 * values.size());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Launch launch_of(const Kernel& kernel) {
  TextureObject object{"image", {}, 0, kernel.surface};
  TextureDescriptor& descriptor = object.descriptor;
  descriptor.format.channels = 4;
  descriptor.shape = kernel.shape;
  descriptor.width = 6;
  if (dimensions(kernel.shape) > 1) descriptor.height = is_cube(kernel.shape) ? 6 : 4;
  if (kernel.shape == TextureShape::volume) descriptor.depth = 4;
  if (is_array(kernel.shape)) descriptor.layers = 3;
  descriptor.levels = kernel.levels;
  descriptor.sampler.normalized = is_cube(kernel.shape) || kernel.levels > 1;
  descriptor.sampler.filter = FilterMode::linear;
  descriptor.sampler.highest_level = static_cast<float>(kernel.levels - 1);
  Launch launch;
  std::vector<float> texels(descriptor.bytes() / 4), in;
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i * 37 % 101) * 0.25F;
  // Small integers and fractions: inside the texture and a little outside of it.
  for (std::size_t i = 0; i < texture_inputs * texture_lanes; ++i)
    in.push_back(static_cast<float>(i * 29 % 47) * 0.125F - 0.5F);
  std::vector<std::uint8_t> handles;
  for (std::size_t i = 0; i < texture_lanes; ++i)
    for (unsigned byte = 0; byte < 8; ++byte)
      handles.push_back(static_cast<std::uint8_t>(texture_handle(0) >> 8 * byte));
  launch.block = {texture_lanes, 1, 1};
  launch.buffers = {{"image", bytes_of(texels)},
                    {"handles", handles},
                    {"in", bytes_of(in)},
                    {"out", std::vector<std::uint8_t>(4 * texture_outputs * texture_lanes)}};
  launch.textures = {object};
  launch.arguments.resize(4);
  launch.arguments[0].texture = 0;
  for (int i = 1; i < 4; ++i) launch.arguments[static_cast<std::size_t>(i)].buffer = i;
  return launch;
}

/// The texels and the outputs that the kernel leaves; empty, with a failure, if it does not run or makes an error.
std::vector<std::vector<std::uint8_t>> texels_left_by(const Device& device, const Program& program,
                                                      const Kernel& kernel) {
  Launch launch = launch_of(kernel);
  SimulateOptions options;
  options.sanitize = true;
  const auto result = simulate(device, program, launch, options);
  if (!result) {
    ADD_FAILURE() << result.error();
    return {};
  }
  for (const Finding& finding : result->findings) ADD_FAILURE() << finding.message;
  return {launch.buffers[0].bytes, launch.buffers[3].bytes};
}

class TextureForms : public ::testing::TestWithParam<std::tuple<std::string, bool>> {};
INSTANTIATE_TEST_SUITE_P(
    Gpu, TextureForms,
    ::testing::Combine(::testing::Values("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"),
                       ::testing::Bool()),
    [](const auto& form) { return std::get<0>(form.param) + (std::get<1>(form.param) ? "_loaded" : "_given"); });

TEST_P(TextureForms, GiveWhatThePtxGives) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const auto device = load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  const auto [architecture, loaded] = GetParam();
  const std::vector<Kernel> all = kernels();
  const std::string text = module_text(all, loaded);
  auto parsed = ptx::parse(text);
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  const std::string cubin = testing::compile_cubin(text, architecture);
  ASSERT_FALSE(cubin.empty());
  for (const Kernel& kernel : all) {
    SCOPED_TRACE(kernel.name);
    // TLD with a level is not recorded for sm_100 and sm_120, so its encoding is not known.
    if (architecture.starts_with("sm_1") && kernel.name.starts_with("fetch_level")) continue;
    // Before sm_90, ptxas computes these in quads of lanes, with instructions that are not executed.
    const bool in_quads = kernel.name == "grad_3d" || kernel.name == "grad_cube" || kernel.name == "grad_acube";
    if (in_quads && (architecture.starts_with("sm_7") || architecture.starts_with("sm_8"))) continue;
    const auto ptx = prepare(module, kernel.name), machine_code = prepare_machine_code(cubin, kernel.name);
    ASSERT_TRUE(ptx) << ptx.error();
    ASSERT_TRUE(machine_code) << machine_code.error();
    EXPECT_EQ(texels_left_by(*device, **machine_code, kernel), texels_left_by(*device, **ptx, kernel));
  }
}

TEST(TextureMistakes, HaveTheirKind) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const Device device = *load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  const std::vector<Kernel> all = kernels();
  const std::string text = module_text(all, false);
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(ptx::parse(text)));
  const std::string cubin = testing::compile_cubin(text, "sm_90");
  for (const bool surface : {false, true}) {
    const auto kernel = std::ranges::find(all, surface, &Kernel::surface);
    ASSERT_NE(kernel, all.end());
    Launch other = launch_of(*kernel), unknown = other;
    other.textures[0].surface = !surface;
    unknown.arguments[0] = {};
    unknown.arguments[0].bytes = {1, 2, 3, 4, 0, 0, 0, 0};
    for (const Launch& wrong : {other, unknown}) {
      for (const auto& program : {prepare(module, kernel->name), prepare_machine_code(cubin, kernel->name)}) {
        Launch launch = wrong;
        const auto result = simulate(device, **program, launch, {});
        ASSERT_TRUE(result) << result.error();
        const std::vector<Finding>& findings = result->findings;
        EXPECT_FALSE(findings.empty()) << kernel->name;
        for (const Finding& finding : findings) EXPECT_EQ(name_of(finding.kind), "bad_texture") << finding.message;
      }
    }
  }
}

TEST(SamplerVariables, AreRefused) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const std::string text = R"(.version 8.0
.target sm_75, texmode_independent
.address_size 64
.global .texref image;
.global .samplerref how;
.visible .entry k(.param .u64 out)
{
  .reg .f32 %f<6>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  mov.f32 %f1, 0f3f000000;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [image, how, {%f1, %f1}];
  st.global.f32 [%d1], %f2;
  ret;
}
)";
  for (const char* const architecture : {"sm_75", "sm_86", "sm_90"}) {
    const std::string cubin = testing::compile_cubin(text, architecture);
    ASSERT_FALSE(cubin.empty());
    const auto prepared = prepare_machine_code(cubin, "k");
    ASSERT_FALSE(prepared) << architecture;
    EXPECT_THAT(prepared.error(), ::testing::HasSubstr("sampler"));
  }
}

}  // namespace
}  // namespace warpwalk::gpu
