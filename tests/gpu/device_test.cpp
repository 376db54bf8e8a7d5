#include "core/gpu/device/device.h"

#include <set>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/device/parameters.h"
#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

TEST(Devices, AllShippedDescriptionsLoad) {
  EXPECT_EQ(device_ids(devices_folder()),
            (std::vector<std::string>{"a100", "h100", "h200", "h200_2sm", "h200_8sm", "rtx3090", "rtx4090", "t4"}));
  std::set<std::string> hashes;
  for (const std::string& id : device_ids(devices_folder())) {
    const Device device = shipped(id);
    EXPECT_EQ(device.id, id);
    EXPECT_FALSE(device.note.empty()) << id;
    hashes.insert(hash_of(device));
  }
  EXPECT_EQ(hashes.size(), 8u);
}

TEST(Devices, TheH200KnowsEveryParameter) {
  const Device device = shipped("h200");
  EXPECT_EQ(parameter_rows(device).size(), parameter_infos().size());
  EXPECT_EQ(*device.sm_count, 132);
  EXPECT_EQ(*device.sm_clock, 1.98e9);
  EXPECT_EQ(device.latency_shared.status, Status::measured);
}

TEST(Devices, OfEachParameterUnitStatusAndSourceAreTold) {
  for (const std::string& id : device_ids(devices_folder())) {
    const Device device = shipped(id);
    for (const ParameterRow& row : parameter_rows(device)) {
      EXPECT_FALSE(row.value.empty()) << id << ' ' << row.info->name;
      EXPECT_FALSE(row.source.empty()) << id << ' ' << row.info->name;
      EXPECT_EQ(row.info->unit.empty(), row.info->name == "compute_capability") << row.info->name;
    }
  }
}

TEST(Devices, ValuesAsTheyAreShown) {
  const Device device = shipped("h200_8sm");
  const auto value_of = [&, rows = parameter_rows(device)](std::string_view name) {
    for (const ParameterRow& row : rows)
      if (row.info->name == name) return row.value;
    return std::string("(none)");
  };
  EXPECT_EQ(value_of("sm_count"), "8");
  EXPECT_EQ(value_of("gpcs"), "0 1 4 5; 2 3 6 7");
  EXPECT_EQ(value_of("small_groups"), "(none)");
  EXPECT_EQ(value_of("warp_interval"), "3.2");
  EXPECT_EQ(value_of("carveouts"), "0, 8192, 16384, 32768, 65536, 102400, 135168, 167936, 200704, 233472");
}

TEST(Devices, NamesOfParametersAreUnique) {
  std::set<std::string_view> names;
  for (const ParameterInfo& info : parameter_infos()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(find_parameter(info.name), &info);
  }
  EXPECT_EQ(find_parameter("sm_cout"), nullptr);
}

TEST(Devices, NoTwoParametersShareAMember) {
  const Device empty;
  std::set<const void*> members;
  for (const ParameterInfo& info : parameter_infos())
    std::visit([&](auto field) { EXPECT_TRUE(members.insert(&(empty.*field)).second) << info.name; }, info.field);
}

TEST(Devices, TeachingDevicesHaveTheSmOfTheH200) {
  const Device h200 = shipped("h200");
  for (const char* id : {"h200_2sm", "h200_8sm"}) {
    const Device device = shipped(id);
    EXPECT_EQ(*device.registers_per_sm, *h200.registers_per_sm);
    EXPECT_EQ(*device.carveouts, *h200.carveouts);
    EXPECT_EQ(*device.latency_l2, *h200.latency_l2);
    EXPECT_EQ(device.sm_count.status, Status::assumed);
    // An SM's share of the memory bandwidth matches to a thousandth.
    EXPECT_NEAR(*device.memory_bandwidth / static_cast<double>(*device.sm_count) / (*h200.memory_bandwidth / 132), 1.0,
                1e-3);
  }
}

TEST(DeviceHash, ChangesWithValuesAndNotWithWording) {
  const Device device = shipped("h200");
  const std::string hash = hash_of(device);
  EXPECT_EQ(hash.size(), 16u);
  Device reworded = device;
  reworded.name = "H200";
  reworded.note.clear();
  reworded.sm_count.source = "counted";
  reworded.sm_count.status = Status::measured;
  EXPECT_EQ(hash_of(reworded), hash);
  Device other = device;
  other.sm_count.value = 131;
  EXPECT_NE(hash_of(other), hash);
  other = device;
  other.latency_l1.value.reset();
  EXPECT_NE(hash_of(other), hash);
  other = device;
  other.deal_gpc.value = 0.26;
  EXPECT_NE(hash_of(other), hash);
  other = device;
  std::swap((*other.gpcs.value)[1], (*other.gpcs.value)[2]);
  EXPECT_NE(hash_of(other), hash);
}

TEST(DeviceHash, IsTheSameOnEveryMachine) {
  Device device;
  device.sm_count.value = 2;
  device.warp_interval.value = 3.2;
  // XXH3 of "sm_count = 2 SMs\nwarp_interval = 3.2 cycles\n". Records on disk contain such hashes, so it must not
  // change.
  EXPECT_EQ(hash_of(device), "ce784808d4625474");
}

}  // namespace
}  // namespace warpwalk::gpu
