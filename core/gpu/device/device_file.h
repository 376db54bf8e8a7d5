#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// Reads a device description (JSON):
///
///     { "id": "h200", "name": "NVIDIA H200", "note": "...",
///       "parameters": { "sm_count": {"value": 132, "unit": "SMs", "status": "spec", "source": "..."}, ... } }
///
/// "base": "h200" takes every parameter that the file does not name from h200.json beside it; "small_groups": null then
/// drops one that does not apply. A base has no base itself.
/// The error is one line: the file, where in it, what is wrong and what belongs there.
std::pair<Device, std::optional<std::string>> load_device(const std::filesystem::path& file);

/// The same from text. `read_base` gives the text of a base by its name, or none where there is none.
using ReadBase = std::function<std::optional<std::string>(std::string_view name)>;
std::pair<Device, std::optional<std::string>> parse_device(std::string_view text, std::string_view file_name,
                                                           const ReadBase& read_base);

/// The ids of all descriptions in a folder, sorted; the file of an id is FOLDER/ID.json. Empty where there is no
/// folder.
std::vector<std::string> device_ids(const std::filesystem::path& folder);

/// What in the values contradicts itself ("carveouts: ..."), so that no part of the model need be prepared for it.
std::optional<std::string> contradiction(const Device& device);

}  // namespace warpwalk::gpu
