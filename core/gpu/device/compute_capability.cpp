#include "core/gpu/device/compute_capability.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace warpwalk::gpu {
namespace {

constexpr std::array<Capability, 9> all = {{{70, "Volta", "V100"},
                                            {75, "Turing", "T4, RTX 2080"},
                                            {80, "Ampere", "A100"},
                                            {86, "Ampere", "RTX 3090, A10"},
                                            {89, "Ada", "RTX 4090, L4"},
                                            {90, "Hopper", "H100, H200"},
                                            {100, "Blackwell", "B200"},
                                            {103, "Blackwell", "B300"},
                                            {120, "Blackwell", "RTX 5090"}}};

constexpr std::array<GatedFeature, 13> features = {{{"tensor_f16", "mma.sync", 70, {}},
                                                    {"tensor_bf16", ".bf16.bf16", 80, {}},
                                                    {"tensor_sparse", "mma.sp", 80, {}},
                                                    {"async_copy", "cp.async.c", 80, {}},
                                                    {"mbarrier", "mbarrier", 80, {}},
                                                    {"redux", "redux.sync", 80, {}},
                                                    {"fp8", "e4m3", 89, {}},
                                                    {"cluster", "barrier.cluster", 90, {}},
                                                    {"tma", "cp.async.bulk", 90, {}},
                                                    {"dependent_launch", "griddepcontrol", 90, {}},
                                                    {"wgmma", "wgmma", 0, {9, 0}},
                                                    {"tcgen05", "tcgen05", 0, {10, 0}},
                                                    {"fp4", "e2m1", 0, {10, 12}}}};

}  // namespace

std::string Capability::text() const { return fmt::format("{}.{}", number / 10, number % 10); }

std::span<const Capability> capabilities() { return all; }

std::string CodeTarget::text() const {
  return fmt::format("sm_{}{}", number, scope == Scope::architecture ? "a" : scope == Scope::family ? "f" : "");
}

std::optional<CodeTarget> parse_target(std::string_view text) {
  if (!text.starts_with("sm_")) return {};
  text.remove_prefix(3);
  CodeTarget target;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target.number);
  if (error != std::errc() || target.number < 10) return {};
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (rest == "a")
    target.scope = CodeTarget::Scope::architecture;
  else if (rest == "f")
    target.scope = CodeTarget::Scope::family;
  else if (!rest.empty())
    return {};
  return target;
}

bool ptx_runs_on(const CodeTarget& target, int capability) {
  return target.scope == CodeTarget::Scope::general ? capability >= target.number : cubin_runs_on(target, capability);
}

bool cubin_runs_on(const CodeTarget& target, int capability) {
  if (target.scope == CodeTarget::Scope::architecture) return capability == target.number;
  return capability / 10 == target.number / 10 && capability >= target.number;
}

std::span<const GatedFeature> gated_features() { return features; }

bool has_feature(const GatedFeature& feature, int capability) {
  if (!feature.specific()) return capability >= feature.since;
  return std::ranges::find(feature.families, capability / 10) != feature.families.end();
}

}  // namespace warpwalk::gpu
