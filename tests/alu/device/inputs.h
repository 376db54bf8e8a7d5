#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/alu/device/forms.h"

/// What the forms are given: every pair of edge values, then numbers drawn by a fixed generator. The same on every
/// machine.
namespace warpwalk::device_forms {

/// Values of a, b, c and e in the low bytes of each slot; then bit 0 the predicate, bit 1 the carry.
struct Inputs {
  int count = 0;
  std::array<std::vector<std::uint64_t>, 5> slots;
};

/// 2048 values; all 65536 in a permuted order where one source of 16 bits, or a pair of halves, is all there is.
Inputs inputs_of(const Form& form);

/// A hash of a form's name: what names it in recorded files.
std::uint32_t hash_of(const std::string& name);

/// One step of splitmix64.
std::uint64_t next(std::uint64_t& state);

/// Groups of equal size that a form's results are recorded in, one digest each.
constexpr int groups = 64;

/// Takes one result (d in the low bytes, flags as module_text has them) into a group's digest.
std::uint64_t digested(std::uint64_t digest, std::uint64_t d, std::uint64_t flags);
constexpr std::uint64_t first_digest = 0xcbf29ce484222325U;
/// What is recorded of it.
inline std::uint32_t folded(std::uint64_t digest) { return static_cast<std::uint32_t>(digest ^ digest >> 32); }

}  // namespace warpwalk::device_forms
