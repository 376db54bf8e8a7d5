#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "core/gpu/exec/program.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_registers = 3;
constexpr std::ptrdiff_t registers_around = 3;  // instructions before and after, whose registers one lane shows

std::uint32_t word_of(const gpu::Warp& warp, std::size_t offset) {
  std::uint32_t value = 0;
  if (offset + 4 <= warp.registers.size()) std::memcpy(&value, warp.registers.data() + offset, 4);
  return value;
}

// Whether an instruction computes with 32-bit floating-point numbers.
bool is_float(const std::string& text) {
  std::string_view rest = text;
  if (rest.starts_with('@')) rest = rest.substr(std::min(rest.size(), rest.find(' ') + 1));
  for (const char* const name : {"FFMA", "FADD", "FMUL", "FMNMX", "FSETP", "FSEL", "MUFU", "FSET", "F2I"})
    if (rest.starts_with(name)) return true;
  return false;
}

// Whether the register holds a floating-point number: by the instructions that use it near this one.
bool holds_float(const LanesSubject& s, std::size_t number) {
  const gpu::MachineCode& code = *s.travel.program().machine_code;
  const std::uint32_t at = s.issue->what.instruction;
  if (is_float(s.text.text)) return true;
  constexpr std::uint32_t reach = 96;
  for (std::uint32_t i = at + 1; i < std::min<std::size_t>(code.uses.size(), at + reach); ++i) {
    if (code.uses[i].reads.general.test(number)) {
      const std::string text = instruction_text(s.travel, s.history, i).text;
      if (is_float(text)) return true;
      if (text.find("STS") == std::string::npos && text.find("STG") == std::string::npos) return false;
    }
    if (code.uses[i].writes.general.test(number)) return false;
  }
  return false;
}

// Whether 32 words look like floating-point numbers: of ordinary size, and not all of them small integers.
bool look_like_floats(const std::array<std::uint32_t, 32>& words) {
  bool large = false;
  for (const std::uint32_t word : words) {
    const float value = std::abs(std::bit_cast<float>(word));
    if (word != 0 && !(value > 1e-9f && value < 1e9f)) return false;
    large = large || (word != 0 && (word & 0xff800000) != 0);
  }
  return large;
}

std::string register_text(std::uint32_t value, bool real) {
  if (real) {
    const float number = std::bit_cast<float>(value);
    const bool whole = std::abs(number) >= 1e4f && std::abs(number) < 1e6f;  // 10496, not 1.05e+04
    return whole ? fmt::format("{:.0f}", number) : with_marks(fmt::format("{:.4g}", number));
  }
  const auto signed_value = static_cast<std::int32_t>(value);
  if (signed_value > -100'000 && signed_value < 10'000'000) return fmt::format("{}", signed_value);
  return fmt::format("{:#x}", value);
}

}  // namespace

std::vector<LaneRegister> lane_registers(const LanesSubject& s) {
  std::vector<LaneRegister> registers;
  const auto& code = s.travel.program().machine_code;
  if (!code || s.issue == nullptr || s.warp_before == nullptr || s.issue->what.instruction >= code->uses.size())
    return registers;
  const sass::RegisterUse& use = code->uses[s.issue->what.instruction];
  const auto add = [&](const sass::RegisterSet& set, const gpu::Warp* warp, bool written) {
    if (warp == nullptr) return;
    // The address of an access has a column of its own.
    if (!written && s.access != nullptr && !s.access->writes) return;
    // Beside an address there is room for fewer.
    std::size_t added = s.access != nullptr ? 1 : 0;
    for (std::size_t r = 0; r < set.general.size() && added < most_registers; ++r) {
      if (!set.general.test(r)) continue;
      ++added;
      LaneRegister& shown = registers.emplace_back(LaneRegister{fmt::format("R{}", r), written, {}});
      std::array<std::uint32_t, 32> words{};
      for (std::size_t lane = 0; lane < 32; ++lane)
        words[lane] = word_of(*warp, code->frame.general + 128 * r + 4 * lane);
      const bool real = holds_float(s, r) || look_like_floats(words);
      for (std::size_t lane = 0; lane < 32; ++lane) shown.values[lane] = register_text(words[lane], real);
    }
    for (std::size_t r = 0; r < set.uniform.size() && added < most_registers; ++r) {
      if (!set.uniform.test(r) || (!written && s.access != nullptr)) continue;
      ++added;
      LaneRegister& shown = registers.emplace_back(LaneRegister{fmt::format("UR{}", r), written, {}});
      shown.values.fill(register_text(word_of(*warp, code->frame.uniform + 128 * r), false));
    }
    for (std::size_t p = 0; p < set.predicates.size() && added < most_registers; ++p) {
      if (!set.predicates.test(p)) continue;
      ++added;
      LaneRegister& shown = registers.emplace_back(LaneRegister{fmt::format("P{}", p), written, {}});
      const std::uint32_t mask = word_of(*warp, code->frame.predicates + 4 * p);
      for (std::size_t lane = 0; lane < 32; ++lane) shown.values[lane] = (mask >> lane & 1) != 0 ? "true" : "false";
    }
  };
  add(use.reads, s.warp_before, false);
  add(use.writes, s.warp_after, true);
  return registers;
}

std::vector<LaneValue> registers_of_lane(const LanesSubject& s, std::size_t lane) {
  std::vector<LaneValue> values;
  const auto& code = s.travel.program().machine_code;
  const gpu::Warp* const warp = s.warp_after != nullptr ? s.warp_after : s.warp_before;
  if (!code || s.issue == nullptr || warp == nullptr || s.issue->what.instruction >= code->uses.size()) return values;
  const sass::RegisterUse& use = code->uses[s.issue->what.instruction];
  const bool executes = (s.issue->what.executing >> lane & 1) != 0;  // else it neither reads nor writes
  auto used = use.reads.general | use.writes.general;
  const auto here = std::ranges::find(s.neighbours, s.issue) - s.neighbours.begin();
  for (std::ptrdiff_t i = 0; i < std::ssize(s.neighbours); ++i) {
    if (std::abs(i - here) > registers_around) continue;
    const sass::RegisterUse& one = code->uses[s.neighbours[static_cast<std::size_t>(i)]->what.instruction];
    used |= one.reads.general | one.writes.general;
  }
  for (std::size_t r = 0; r < used.size(); ++r) {
    if (!used.test(r)) continue;
    std::array<std::uint32_t, 32> words{};
    for (std::size_t each = 0; each < words.size(); ++each)
      words[each] = word_of(*warp, code->frame.general + 128 * r + 4 * each);
    const bool real = (use.writes.general.test(r) || use.reads.general.test(r)) ? holds_float(s, r) : false;
    values.push_back({fmt::format("R{}", r), register_text(words[lane], real || look_like_floats(words)),
                      executes && use.reads.general.test(r), executes && use.writes.general.test(r)});
  }
  return values;
}

}  // namespace warpwalk::story
