#pragma once

#include <bitset>
#include <cstddef>

namespace warpwalk::sass {

/// Registers of one thread, and the uniform registers of its warp. RZ, URZ, PT and UPT are never members.
struct RegisterSet {
  std::bitset<255> general;           ///< bit i: Ri
  std::bitset<255> uniform;           ///< bit i: URi
  std::bitset<7> predicates;          ///< bit i: Pi
  std::bitset<7> uniform_predicates;  ///< bit i: UPi

  RegisterSet& operator|=(const RegisterSet& other) {
    general |= other.general;
    uniform |= other.uniform;
    predicates |= other.predicates;
    uniform_predicates |= other.uniform_predicates;
    return *this;
  }
  RegisterSet& operator&=(const RegisterSet& other) {
    general &= other.general;
    uniform &= other.uniform;
    predicates &= other.predicates;
    uniform_predicates &= other.uniform_predicates;
    return *this;
  }
  /// Removes the registers of `other`.
  RegisterSet& operator-=(const RegisterSet& other) {
    general &= ~other.general;
    uniform &= ~other.uniform;
    predicates &= ~other.predicates;
    uniform_predicates &= ~other.uniform_predicates;
    return *this;
  }
  friend RegisterSet operator|(RegisterSet a, const RegisterSet& b) { return a |= b; }
  friend RegisterSet operator&(RegisterSet a, const RegisterSet& b) { return a &= b; }
  friend RegisterSet operator-(RegisterSet a, const RegisterSet& b) { return a -= b; }
  bool operator==(const RegisterSet&) const = default;

  bool empty() const { return general.none() && uniform.none() && predicates.none() && uniform_predicates.none(); }
};

}  // namespace warpwalk::sass
