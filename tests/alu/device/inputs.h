#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/alu/device/forms.h"

/// The inputs of the forms: every pair of edge values, then numbers from a fixed generator. They are the same on every
/// machine.
namespace warpwalk::device_forms {

/// Slots 0 to 3: a, b, c and e in the low bytes. Slot 4: the predicate in bit 0, the carry in bit 1.
struct Inputs {
  int count = 0;
  std::array<std::vector<std::uint64_t>, 5> slots;
};

/// Returns 2048 values, or all 65536 in a permuted order if the only source is 16 bits or a pair of halves.
Inputs inputs_of(const Form& form);

/// Hash of a form's name, its key in recorded files.
std::uint32_t hash_of(const std::string& name);

/// One step of splitmix64.
std::uint64_t next(std::uint64_t& state);

/// The results of a form are recorded in groups of equal size, with one digest per group.
constexpr int groups = 64;

/// Adds one result (d in the low bytes, flags as in module_text) to a group's digest.
std::uint64_t digested(std::uint64_t digest, std::uint64_t d, std::uint64_t flags);
constexpr std::uint64_t first_digest = 0xcbf29ce484222325U;
/// The part of a digest that is recorded.
inline std::uint32_t folded(std::uint64_t digest) { return static_cast<std::uint32_t>(digest ^ digest >> 32); }

}  // namespace warpwalk::device_forms
