#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// Reads a device description (JSON):
///
///     { "id": "h200", "name": "NVIDIA H200", "note": "...",
///       "parameters": { "sm_count": {"value": 132, "unit": "SMs", "status": "spec", "source": "..."}, ... } }
///
/// With "base": "h200", parameters that the file does not list come from h200.json in the same folder, and
/// "small_groups": null removes a parameter that does not apply. A base must not have a base itself.
/// Device::compared depends on the files beside it.
/// On failure: one line with the file, the place in it, what is wrong and what is expected.
base::Result<Device> load_device(const std::filesystem::path& file);

/// Same, from text. `read_base` returns the text of the named base, or nullopt if it does not exist.
using ReadBase = std::function<std::optional<std::string>(std::string_view name)>;
base::Result<Device> parse_device(std::string_view text, std::string_view file_name, const ReadBase& read_base);

/// Returns the ids of all descriptions in a folder, sorted. The file of an id is FOLDER/ID.json. Empty if the folder
/// does not exist.
std::vector<std::string> device_ids(const std::filesystem::path& folder);

/// Returns a message ("carveouts: ...") if values of the description contradict each other, so that the model can rely
/// on consistent values.
std::optional<std::string> consistency_error(const Device& device);

}  // namespace warpwalk::gpu
