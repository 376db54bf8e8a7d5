// Measures arithmetic on the 32 lanes of a warp by itself: forms of half-precision instructions and comparisons, some
// of which have a loop of their own, while others share one that reads the form from the instruction.
#include <string>

#include <benchmark/benchmark.h>

#include "tests/alu/warp.h"

namespace {

using warpwalk::gpu::Form;
using warpwalk::ptx::Compare;
using warpwalk::ptx::Modifier;
using warpwalk::ptx::Opcode;
using warpwalk::ptx::Type;

void run(benchmark::State& state, const Form& form) {
  const warpwalk::gpu::Alu alu = warpwalk::gpu::alu_of(form);
  warpwalk::gpu::Values a, b, c, d;
  for (int lane = 0; lane < 64; ++lane) {
    a.set<std::uint16_t>(lane, static_cast<std::uint16_t>(0x3c00 + 13 * lane));
    b.set<std::uint16_t>(lane, static_cast<std::uint16_t>(0x3800 + 7 * lane));
    c.set<std::uint16_t>(lane, static_cast<std::uint16_t>(0xb400 + 5 * lane));
  }
  warpwalk::gpu::AluCall call;
  call.a = a.bytes.data();
  call.b = b.bytes.data();
  call.c = c.bytes.data();
  call.d = alu.d_bytes > 0 ? d.bytes.data() : nullptr;
  call.immediate = alu.immediate;
  for (auto _ : state) {
    alu.run(call);
    benchmark::DoNotOptimize(call);
    benchmark::ClobberMemory();
  }
}

void add(const char* name, const Form& form) { benchmark::RegisterBenchmark(name, run, form); }

}  // namespace

int main(int argc, char** argv) {
  add("add.f16x2", {.opcode = Opcode::add, .types = {Type::f16x2}, .operands = 3});
  add("add.ftz.f16x2", {.opcode = Opcode::add, .types = {Type::f16x2}, .modifiers = {Modifier::ftz}, .operands = 3});
  add("fma.f16x2",
      {.opcode = Opcode::fma, .types = {Type::f16x2}, .rounding = warpwalk::ptx::Rounding::rn, .operands = 4});
  add("fma.relu.f16x2", {.opcode = Opcode::fma,
                         .types = {Type::f16x2},
                         .modifiers = {Modifier::relu},
                         .rounding = warpwalk::ptx::Rounding::rn,
                         .operands = 4});
  add("fma.bf16x2",
      {.opcode = Opcode::fma, .types = {Type::bf16x2}, .rounding = warpwalk::ptx::Rounding::rn, .operands = 4});
  add("max.nan.f16x2", {.opcode = Opcode::max, .types = {Type::f16x2}, .modifiers = {Modifier::nan}, .operands = 3});
  add("ex2.approx.f16x2", {.opcode = Opcode::ex2, .types = {Type::f16x2}, .modifiers = {Modifier::approx}});
  add("setp.lt.f16", {.opcode = Opcode::setp, .types = {Type::f16}, .compare = Compare::lt, .operands = 3});
  add("setp.lt.f32", {.opcode = Opcode::setp, .types = {Type::f32}, .compare = Compare::lt, .operands = 3});
  // Directed rounding is computed in software; rounding to nearest is the host's.
  using warpwalk::ptx::Rounding;
  for (const Type type : {Type::f32, Type::f64})
    for (const Rounding rounding : {Rounding::rn, Rounding::rz}) {
      const std::string ending =
          std::string(rounding == Rounding::rn ? ".rn" : ".rz") + (type == Type::f32 ? ".f32" : ".f64");
      add(("add" + ending).c_str(), {.opcode = Opcode::add, .types = {type}, .rounding = rounding, .operands = 3});
      add(("fma" + ending).c_str(), {.opcode = Opcode::fma, .types = {type}, .rounding = rounding, .operands = 4});
      add(("div" + ending).c_str(), {.opcode = Opcode::div, .types = {type}, .rounding = rounding, .operands = 3});
    }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
