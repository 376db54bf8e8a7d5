#include "tests/alu/device_mma.h"

#include <array>
#include <stdexcept>

#include "core/ptx/parse/parser.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

constexpr int max_registers = 8;
using Fragment = std::array<Values, max_registers>;

template <class Pointer>
std::array<Pointer, max_registers> pointers(Fragment& fragment) {
  std::array<Pointer, max_registers> result;
  for (std::size_t r = 0; r < result.size(); ++r) result[r] = &fragment[r];
  return result;
}

void set_word(Values& values, int bytes, int lane, std::uint64_t value) {
  if (bytes == 8)
    values.set(lane, value);
  else
    values.set(lane, static_cast<std::uint32_t>(value));
}

}  // namespace

DeviceMatrices device_matrices() {
  DeviceMatrices result;
  result.forms = device_forms::matrix_forms();
  std::vector<int> lines;
  const std::string head = ".version 8.7\n.target sm_90\n.address_size 64\n";
  auto parsed = ptx::parse(head + device_forms::matrix_text(result.forms, lines, 3));
  if (const auto* error = std::get_if<ptx::Error>(&parsed)) throw std::runtime_error(error->text());
  result.module = std::get<ptx::Module>(std::move(parsed));
  for (std::size_t i = 0; i < result.forms.size(); ++i) {
    const ptx::Instruction* found = nullptr;
    for (const ptx::Instruction& instruction : result.module.entry("m" + std::to_string(i))->instructions)
      if (instruction.line == static_cast<std::uint32_t>(lines[i])) found = &instruction;
    if (found == nullptr) throw std::runtime_error("no instruction of " + result.forms[i].instruction);
    result.instructions.push_back(found);
  }
  return result;
}

std::vector<std::uint64_t> matrix_results(const device_forms::MatrixForm& form, const ptx::Instruction& instruction,
                                          std::string& refusal) {
  const auto found = find_mma(instruction);
  if (!found) {
    refusal = found.error();
    return {};
  }
  const Mma& mma = *found;
  if (mma.a_registers != form.a_registers || mma.b_registers != form.b_registers ||
      mma.c_registers != form.c_registers || mma.d_registers != form.d_registers)
    refusal = "other counts of registers";
  if (!refusal.empty()) return {};

  const std::vector<std::uint64_t> inputs = device_forms::matrix_inputs(form);
  std::vector<std::uint64_t> results;
  Fragment a, b, c, d;
  const auto d_pointers = pointers<void*>(d);
  const auto a_pointers = pointers<const void*>(a);
  const auto b_pointers = pointers<const void*>(b);
  const auto c_pointers = pointers<const void*>(c);
  const MmaCall call = {.d = d_pointers.data(), .a = a_pointers.data(), .b = b_pointers.data(), .c = c_pointers.data()};
  std::size_t at = 0;
  for (int trial = 0; trial < device_forms::trials; ++trial) {
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      for (int r = 0; r < mma.a_registers; ++r)
        set_word(a[static_cast<std::size_t>(r)], mma.register_bytes, lane, inputs[at++]);
      for (int r = 0; r < mma.b_registers; ++r)
        set_word(b[static_cast<std::size_t>(r)], mma.register_bytes, lane, inputs[at++]);
      for (int r = 0; r < mma.c_registers; ++r)
        set_word(c[static_cast<std::size_t>(r)], mma.register_bytes, lane, inputs[at++]);
    }
    mma.run(mma, call);
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      for (int r = 0; r < mma.d_registers; ++r) {
        const Values& values = d[static_cast<std::size_t>(r)];
        results.push_back(mma.register_bytes == 8 ? values.get<std::uint64_t>(lane) : values.get<std::uint32_t>(lane));
      }
  }
  return results;
}

}  // namespace warpwalk::gpu
