#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::gpu {

/// The words of a GPU's name that tell models apart, in capitals and sorted: "A100" and "40GB" for "NVIDIA
/// A100-SXM4-40GB", and also for "NVIDIA A100 (40 GB)". Vendors, product lines ("Tesla", "GeForce", "Instinct"), SXM
/// and OAM modules and kinds of HBM are left out, because drivers name them in some versions only. "PCIe" stays: such
/// a GPU has other clocks.
std::vector<std::string> model_words(std::string_view name);

/// Whether two names, as drivers report or descriptions spell them, are those of one model: they have the same model
/// words, at least one. "NVIDIA GeForce RTX 4090" and "NVIDIA GeForce RTX 4090 D" are two models.
bool same_model(std::string_view a, std::string_view b);

/// Whether the name is that of a GPU of AMD.
bool is_amd(std::string_view name);

}  // namespace warpwalk::gpu
