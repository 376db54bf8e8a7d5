// The machine that was recorded.
#include <array>
#include <string>
#include <utility>

#include "core/trace/nsys/import.h"

namespace warpwalk::trace::nsys {
namespace {

struct GpuColumn {
  std::string_view name;
  std::int64_t Device::*value;
};
constexpr std::array<GpuColumn, 11> gpu_columns = {{{"id", &Device::id},
                                                    {"totalMemory", &Device::total_memory},
                                                    {"computeMajor", &Device::compute_major},
                                                    {"computeMinor", &Device::compute_minor},
                                                    {"smCount", &Device::sms},
                                                    {"threadsPerWarp", &Device::warp_size},
                                                    {"maxThreadsPerBlock", &Device::max_threads_per_block},
                                                    {"maxRegistersPerBlock", &Device::registers_per_block},
                                                    {"maxRegistersPerSm", &Device::registers_per_sm},
                                                    {"maxShmemPerBlock", &Device::shared_per_block},
                                                    {"maxShmemPerBlockOptin", &Device::shared_per_block_optin}}};

void read_gpus(Import& in) {
  std::array<std::string_view, gpu_columns.size() + 3> columns{};
  for (std::size_t i = 0; i < gpu_columns.size(); ++i) columns[i] = gpu_columns[i].name;
  constexpr int shared = gpu_columns.size(), warps = shared + 1, name = shared + 2;
  columns[shared] = "maxShmemPerSm";
  columns[warps] = "maxWarpsPerSm";
  columns[name] = "name";
  Statement rows = select(in.database(), "TARGET_INFO_GPU", columns);
  // 0 stands for what is not known.
  const auto value = [&](int column) {
    const std::int64_t read = rows.integer(column);
    return read > 0 || columns[static_cast<std::size_t>(column)] == "id" ||
                   columns[static_cast<std::size_t>(column)] == "computeMinor"
               ? read
               : absent;
  };
  while (rows && rows.next()) {
    Device device;
    for (std::size_t i = 0; i < gpu_columns.size(); ++i) device.*gpu_columns[i].value = value(static_cast<int>(i));
    device.shared_per_sm = value(shared);
    if (const std::int64_t per_sm = value(warps); per_sm != absent && per_sm < 1 << 16 && device.warp_size < 1 << 16)
      device.max_threads_per_sm = device.warp_size == absent ? absent : per_sm * device.warp_size;
    device.name = in.strings().text(rows, name);
    in.trace().devices.push_back(device);
  }
}

// Times in the database count from the start of the recording.
void read_start(Import& in) {
  constexpr std::array<std::string_view, 1> columns = {"utcEpochNs"};
  Statement rows = select(in.database(), "TARGET_INFO_SESSION_START_TIME", columns);
  if (rows && rows.next())
    if (const std::int64_t start = rows.integer(0); start > 0) in.trace().base_time_ns = start;
}

void read_version(Import& in) {
  constexpr std::array<std::string_view, 2> columns = {"name", "value"};
  Statement rows = select(in.database(), "META_DATA_EXPORT", columns);
  Extra extra;
  while (rows && rows.next()) {
    const std::string_view name = in.trace().text(in.strings().text(rows, 0));
    const std::string_view key = name == "EXPORT_PRODUCT_VERSION"  ? "version"
                                 : name == "EXPORT_SCHEMA_VERSION" ? "schema"
                                                                   : "";
    if (!key.empty()) extra.add_text(key, in.trace().text(in.strings().text(rows, 1)));
  }
  if (extra.json().empty()) return;
  StringPool& strings = in.trace().strings;
  in.trace().metadata.emplace_back(strings.intern("nsight_systems"), strings.intern("{" + extra.json() + "}"));
}

}  // namespace

void read_target(Import& in) {
  read_gpus(in);
  read_start(in);
  read_version(in);
}

}  // namespace warpwalk::trace::nsys
