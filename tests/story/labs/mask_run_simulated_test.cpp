// The divergence lab's programs as kernels on the simulated GPU: as many instructions per warp and per lane, and as
// many passes over each path.
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/exec/launch.h"
#include "core/ptx/parse/parser.h"
#include "core/records/hardware.h"
#include "core/story/labs/warp/mask_run.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

using MaskShape = MaskProgram::Shape;
using MaskCondition = MaskProgram::Condition;

std::string body_of(const MaskProgram& program) {
  std::string text;
  for (int i = 0; i < program.body; ++i) text += "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
  return text;
}

// %way: the way of a lane. The condition is computed from %lane; a hash comes from memory, as data would.
std::string condition_of(const MaskProgram& program) {
  const bool branch = program.shape == MaskShape::one_sided || program.shape == MaskShape::two_sided;
  const std::string trip = program.shape == MaskShape::loop ? "add.u32 %way, %way, 1;\n" : "";
  switch (program.condition) {
    case MaskCondition::first_lanes:
      return branch ? fmt::format("setp.lt.u32 %p1, %lane, {};\nselp.u32 %way, 0, 1, %p1;\n", program.split)
                    : fmt::format("mul.lo.u32 %way, %lane, {};\nshr.u32 %way, %way, 5;\n", program.split) + trip;
    case MaskCondition::every_nth:
      return branch ? fmt::format("rem.u32 %way, %lane, {};\nmin.u32 %way, %way, 1;\n", program.split)
                    : fmt::format("rem.u32 %way, %lane, {};\n", program.split) + trip;
    case MaskCondition::by_hash: return "ld.global.u32 %way, [%y];\n";
    case MaskCondition::by_warp:
      return branch ? "mov.u32 %way, 0;\n" : fmt::format("mov.u32 %way, {};\n", program.split - 1) + trip;
  }
  return "";
}

// The paths one after the other, each with a marker in its first line: ex2 occurs nowhere else.
std::string paths_of(const MaskProgram& program) {
  const std::string body = "ex2.approx.f32 %f2, %f2;\n" + body_of(program);
  switch (program.shape) {
    case MaskShape::one_sided: return "setp.ne.u32 %p1, %way, 0;\n@%p1 bra $join;\n" + body + "$join:\n";
    case MaskShape::two_sided:
      return "setp.ne.u32 %p1, %way, 0;\n@%p1 bra $b;\n" + body + "bra.uni $join;\n$b:\n" + body + "$join:\n";
    case MaskShape::cases: {
      std::string text;
      for (int one = 0; one < program.split; ++one)
        text += fmt::format("setp.ne.u32 %p1, %way, {0};\n@%p1 bra $after{0};\n{1}$after{0}:\n", one, body);
      return text;
    }
    case MaskShape::loop:
      return "mov.u32 %trip, 0;\n$again:\n" + body +
             "add.u32 %trip, %trip, 1;\nsetp.lt.u32 %p1, %trip, %way;\n@%p1 bra $again;\n";
  }
  return "";
}

std::string ptx_of(const MaskProgram& program) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_y) {\n.reg .b64 %y, %at;\n"
         ".reg .b32 %lane, %way, %trip;\n.reg .f32 %f1, %f2;\n.reg .pred %p1;\nld.param.u64 %y, [k_y];\n"
         "cvta.to.global.u64 %y, %y;\nmov.u32 %lane, %tid.x;\nmul.wide.u32 %at, %lane, 4;\nadd.s64 %y, %y, %at;\n"
         "mov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f3F800000;\n" +
         condition_of(program) + paths_of(program) + "add.f32 %f1, %f1, %f2;\nst.global.f32 [%y], %f1;\nret;\n}\n";
}

struct Ran {
  std::int64_t warp = 0, lanes = 0;  // instructions
  std::int64_t passes = 0;           // over paths
};

Ran simulate_mask(const MaskProgram& program) {
  const std::string text = ptx_of(program);
  auto parsed = ptx::parse(text);
  EXPECT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text() << text;
  const auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed)));
  const auto prepared = gpu::prepare(module, "k");
  gpu::Launch launch;
  std::vector<std::uint8_t> ways(128);
  for (int lane = 0; lane < 32; ++lane)
    ways[static_cast<std::size_t>(4 * lane)] = static_cast<std::uint8_t>(way_of(program, lane));
  launch.block = {32, 1, 1};
  launch.buffers.push_back({"y", std::move(ways), true});
  launch.arguments.emplace_back().buffer = 0;
  const auto ran = gpu::simulate(*hardware().find("h200"), **prepared, launch, {});
  EXPECT_TRUE(ran) << ran.error();
  const gpu::Counters& counters = ran->counters;
  Ran out = {static_cast<std::int64_t>(counters.warp_instructions),
             static_cast<std::int64_t>(counters.thread_instructions), 0};
  for (const ptx::Instruction& one : module->entry("k")->instructions)
    if (one.opcode == ptx::Opcode::ex2) out.passes += static_cast<std::int64_t>(counters.issued_by_line[one.line]);
  return out;
}

TEST(MaskRunSimulated, EachShapeAndConditionRunsAsTheLabSays) {
  for (const MaskShape shape : {MaskShape::one_sided, MaskShape::two_sided, MaskShape::cases, MaskShape::loop})
    for (const MaskCondition condition :
         {MaskCondition::first_lanes, MaskCondition::every_nth, MaskCondition::by_hash, MaskCondition::by_warp})
      for (const int split : {1, 2, 5, 16, 32}) {
        SCOPED_TRACE(fmt::format("shape {}, condition {}, split {}", static_cast<int>(shape),
                                 static_cast<int>(condition), split));
        constexpr int shorter = 8, longer = 24;
        const MaskProgram a = {shape, condition, split, shorter}, b = {shape, condition, split, longer};
        const std::vector<MaskSegment> run = mask_run(a);
        const MaskCounts lab_a = counts_of(run), lab_b = counts_of(mask_run(b));
        const Ran ran_a = simulate_mask(a), ran_b = simulate_mask(b);
        EXPECT_EQ(ran_a.passes, static_cast<std::int64_t>(run.size()) - 2);
        // The kernels also compute conditions and addresses; the same in both.
        const std::int64_t warp = ran_b.warp - ran_a.warp, lanes = ran_b.lanes - ran_a.lanes;
        EXPECT_EQ(warp, lab_b.warp - lab_a.warp);
        EXPECT_EQ(lanes, lab_b.lanes - lab_a.lanes);
        const MaskCounts lab_paths = {lab_b.warp - lab_a.warp, lab_b.lanes - lab_a.lanes};
        const MaskCounts paths = {warp, lanes};
        EXPECT_EQ(paths.efficiency(), lab_paths.efficiency());
      }
}

}  // namespace
}  // namespace warpwalk::story::testing
