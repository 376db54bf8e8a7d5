#pragma once

// Types of cuRAND's public interface, with the numbers that its documentation gives (cuRAND library, host API).

namespace warpwalk::simulated::libraries {

/// curandStatus_t
enum class RandomStatus : int {
  success = 0,
  not_initialized = 101,
  allocation_failed = 102,
  type_error = 103,
  out_of_range = 104,
  length_not_multiple = 105,
  launch_failure = 201,
  internal_error = 999,
};

/// curandRngType_t, those that the stand-in has.
enum class RandomType : int { pseudo_default = 100, xorwow = 101, mrg32k3a = 121, philox = 161 };

/// curandOrdering_t
enum class RandomOrdering : int { best = 100, standard = 101, seeded = 102, legacy = 103, dynamic = 104 };

}  // namespace warpwalk::simulated::libraries
