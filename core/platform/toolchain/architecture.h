#pragma once

#include <string>
#include <string_view>

namespace warpwalk::platform {

/// What follows "sm_" or "compute_" to compile for exactly the GPUs of this compute capability: "90a" for "9.0", "80"
/// for "8.0". Since 9.0, a GPU has instructions, such as wgmma, that are not promised to any later one; code must ask
/// for them by the suffix "a" (PTX ISA, ".target"). Code that needs none of them may be compiled with it too.
std::string own_architecture(std::string_view compute_capability);

/// The architecture for which this PTX is to be compiled for a GPU: "sm_90", or "sm_90a" if its .target asks for that.
std::string architecture_for(std::string_view ptx, std::string_view compute_capability);

/// Why a GPU cannot run PTX with this .target ("sm_100a"): it is for the GPUs of one compute capability, or of one
/// family ("sm_100f"), and this is not one of them. One line without the PTX's name; empty if it can.
std::string target_mismatch(std::string_view target, std::string_view compute_capability);

/// The architecture after .target, the first one if there are several words: "sm_90a"; empty if there is none.
std::string_view target_of(std::string_view ptx);

}  // namespace warpwalk::platform
