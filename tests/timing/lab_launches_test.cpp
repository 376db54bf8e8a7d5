// assets/devices/h200_labs.csv, from which the labs draw, is what the model gives now.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "tests/reference/measured.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu::timed {
namespace {

TEST(LabLaunches, AreWhatTheModelGives) {
  const auto rows = reference::rows_of(tests().parent_path() / "assets/devices/h200_labs.csv");
  for (const auto& [name, id] : {std::pair{"saxpy_8", "h200"},
                                 {"saxpy_8", "h200_2sm"},
                                 {"busy_8", "h200_8sm"},
                                 {"saxpy_64", "h200"},
                                 {"saxpy_64", "h200_8sm"}}) {
    const auto row =
        std::ranges::find_if(rows, [&](const auto& one) { return one.at("launch") == name && one.at("gpu") == id; });
    ASSERT_NE(row, rows.end());
    const auto device = load_device(tests().parent_path() / "assets/devices" / (std::string(id) + ".json"));
    ASSERT_TRUE(device) << device.error();
    run::LoadedLaunch loaded = load("validate/labs/timed/" + std::string(name) + ".json");
    const double published = std::stod(row->at("cycles_simulated")), now = time(loaded, {}, *device).cycles;
    EXPECT_NEAR(published, now, 0.002 * now) << name << " on " << id << ": run tests/validate/labs.py " << name;
  }
}

}  // namespace
}  // namespace warpwalk::gpu::timed
