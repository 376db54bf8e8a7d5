#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpwalk::gpu {

/// A compute capability: "9.0", as a number 90.
struct Capability {
  int number = 0;
  std::string_view generation;  ///< "Hopper"
  std::string_view examples;    ///< "H100, H200"

  std::string text() const;
};

/// From Volta (7.0) to Blackwell (12.0), increasing.
std::span<const Capability> capabilities();

/// The target of PTX or machine code: sm_90, sm_90a, sm_100f.
struct CodeTarget {
  enum class Scope : std::uint8_t {
    general,       ///< features that all later GPUs have too
    family,        ///< "f": also features of the GPUs with this major number, this minor number and later ones
    architecture,  ///< "a": also features of this compute capability alone
  };
  int number = 0;
  Scope scope = Scope::general;

  std::string text() const;  ///< "sm_90a"
};

/// Parses "sm_90a". Null for anything else.
std::optional<CodeTarget> parse_target(std::string_view text);

/// Whether the driver can compile PTX for this GPU (forward compatibility): on this and all later capabilities; for
/// the scopes family and architecture only there.
bool ptx_runs_on(const CodeTarget& target, int capability);
/// Whether machine code runs on this GPU (binary compatibility): same major number, and no lower minor number.
bool cubin_runs_on(const CodeTarget& target, int capability);

/// A feature that only some GPUs have. The capabilities are those for which ptxas 13 accepts its instructions
/// (tests/gpu/ptx_features.csv).
struct GatedFeature {
  std::string_view key;              ///< of its words
  std::string_view ptx;              ///< part of an instruction by which a kernel uses it
  int since = 0;                     ///< all capabilities from this one on; 0: only those of `families`
  std::array<int, 2> families = {};  ///< major numbers whose GPUs have it; it needs sm_90a, sm_100f or the like
  bool specific() const { return since == 0; }
};

std::span<const GatedFeature> gated_features();
bool has_feature(const GatedFeature& feature, int capability);

}  // namespace warpwalk::gpu
