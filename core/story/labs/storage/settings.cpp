#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/storage/storage.h"

namespace warpwalk::story {

Storage::Storage(const SceneInput& in) : input(in) {
  std::vector<std::string> routes;
  for (const std::string_view key : route_keys) routes.push_back(word(fmt::format("{}_name", key)));
  chosen = controls.choice("route", std::move(routes), 0, "example");
  available = controls.choice("gds", {word("available"), word("compatibility")}, 0, "example") == 0;
  const auto slider = [&](std::string_view control, std::vector<double> steps, std::int64_t fallback,
                          std::string_view source, std::string_view unit) {
    return controls.slider(control, std::move(steps), fallback, source, unit);
  };
  setup.chunk =
      slider("chunk", {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}, 1024, "example", "KiB") << 10;
  setup.depth = static_cast<int>(slider("depth", steps_growing(1, 32), 8, "example", ""));
  setup.threads = static_cast<int>(slider("threads", steps_growing(1, 16), 4, "example", ""));
  setup.file = slider("file", {16, 32, 64, 128, 256}, 64, "example", "MiB") << 20;
  setup.offset = slider("offset", steps_by(0, 3584, 512), 0, "example", "B");
  // A copy from pinned memory and one of the CPU, as recorded, if there is a record.
  const records::HostDeviceRecord& record = in.hardware.host_device;
  const auto recorded = [&](std::string_view what, std::int64_t otherwise) {
    const records::HostDeviceTime* const time = record.find(what, 1 << 26);
    return time == nullptr ? otherwise : std::llround(time->bytes / time->done_ns());
  };
  const std::string_view source = record.times.empty() ? "example" : "recorded";
  setup.drives = static_cast<double>(slider("drive", steps_by(1, 14, 1), 7, "data_sheet", "GB/s") *
                                     slider("drives", steps_by(1, 16, 1), 4, "example", ""));
  setup.link = static_cast<double>(slider("link", steps_by(4, 64, 1), recorded("h2d_pinned", 55), source, "GB/s"));
  setup.copy = static_cast<double>(slider("copy", steps_by(1, 32, 1), recorded("host_copy", 4), source, "GB/s"));
  setup.memory = static_cast<double>(slider("memory", steps_by(20, 600, 20), 200, "data_sheet", "GB/s"));
  setup.latency = 1e3 * static_cast<double>(slider("latency", steps_by(10, 200, 10), 80, "data_sheet", "µs"));
  setup.request = 1e3 * static_cast<double>(slider("request", steps_by(1, 20, 1), 5, "example", "µs"));
  call = controls.pointed("call", 16, 1);
  for (std::size_t i = 0; i < route_count; ++i) totals[i] = storage_totals(setup, static_cast<Route>(i));
}

std::string Storage::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

Route Storage::taken(std::size_t route) const {
  const auto one = static_cast<Route>(route);
  return one == Route::gds && !available ? Route::direct : one;
}

std::string Storage::rate_text(double bytes_per_ns) const {
  return word("n_rate", {{"n", with_marks(fmt::format("{:.3g}", bytes_per_ns))}});
}

std::string Storage::route_text(std::size_t route) const {
  return word(static_cast<Route>(route) == Route::gds && !available ? "gds_compatibility_name"
                                                                    : fmt::format("{}_name", route_keys[route]));
}

}  // namespace warpwalk::story
