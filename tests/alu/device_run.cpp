#include "tests/alu/device_run.h"

#include <cstring>
#include <stdexcept>

#include "core/ptx/parse/parser.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

void set(Values& values, int bytes, int lane, std::uint64_t value) {
  if (bytes == 2) values.set(lane, static_cast<std::uint16_t>(value));
  if (bytes == 4) values.set(lane, static_cast<std::uint32_t>(value));
  if (bytes == 8) values.set(lane, value);
}

std::uint64_t get(const Values& values, int bytes, int lane) {
  if (bytes == 2) return values.get<std::uint16_t>(lane);
  return bytes == 4 ? values.get<std::uint32_t>(lane) : values.get<std::uint64_t>(lane);
}

}  // namespace

DeviceModule device_module() {
  DeviceModule result;
  result.forms = device_forms::forms();
  std::vector<int> lines;
  const std::string text = device_forms::module_text(result.forms, lines);
  auto parsed = ptx::parse(text);
  if (const auto* error = std::get_if<ptx::Error>(&parsed)) throw std::runtime_error(error->text());
  result.module = std::get<ptx::Module>(std::move(parsed));
  for (std::size_t i = 0; i < result.forms.size(); ++i) {
    const ptx::Function* const function = result.module.entry("k" + std::to_string(i));
    const ptx::Instruction* found = nullptr;
    for (const ptx::Instruction& instruction : function->instructions)
      if (instruction.line == static_cast<std::uint32_t>(lines[i])) found = &instruction;
    if (found == nullptr) throw std::runtime_error("no instruction of " + result.forms[i].name);
    result.functions.push_back(function);
    result.instructions.push_back(found);
  }
  return result;
}

FormResults results_of(const device_forms::Form& form, const device_forms::Inputs& inputs,
                       const ptx::Function& function, const ptx::Instruction& instruction, Isa isa) {
  FormResults results;
  const auto found = find_alu(function, instruction, isa);
  if (!found) {
    results.refusal = found.error();
    return results;
  }
  const Alu& alu = *found;
  results.d_bytes = alu.d_bytes;
  Values d, a, b, c, e;
  for (int first = 0; first < inputs.count; first += lanes_per_warp) {
    AluCall call;
    call.d = alu.d_bytes != 0 ? &d : nullptr;
    call.a = &a;
    call.b = &b;
    call.c = &c;
    call.e = &e;
    call.immediate = alu.immediate;
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      const auto i = static_cast<std::size_t>(first + lane);
      set(a, alu.a_bytes, lane, inputs.slots[0][i]);
      set(b, alu.b_bytes, lane, inputs.slots[1][i]);
      set(c, alu.c_bytes, lane, inputs.slots[2][i]);
      set(e, alu.e_bytes, lane, inputs.slots[3][i]);
      call.predicate_in |= static_cast<std::uint32_t>(inputs.slots[4][i] & 1) << lane;
      // The input bit is the borrow of sub.cc. CC.CF is its inverse.
      const bool borrows = form.carry_in == 's';
      call.carry_in |= static_cast<std::uint32_t>((inputs.slots[4][i] >> 1 & 1) ^ (borrows ? 1 : 0)) << lane;
    }
    alu.run(call);
    bool p = false, q = false;
    for (const auto& operand : form.operands) {
      p = p || operand.name == 'p' || operand.name == 'P' || operand.name == 'D';
      q = q || operand.name == 'P';
    }
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      results.d.push_back(alu.d_bytes == 0 ? 0 : get(d, alu.d_bytes, lane));
      std::uint64_t flags = 0;
      if (p) flags |= call.predicate_out >> lane & 1;
      if (q) flags |= (call.predicate_out2 >> lane & 1) << 1;
      if (form.carry_out != 0) flags |= ((call.carry_out >> lane & 1) ^ (form.carry_out == 's' ? 1U : 0U)) << 2;
      results.flags.push_back(flags);
    }
  }
  return results;
}

}  // namespace warpwalk::gpu
