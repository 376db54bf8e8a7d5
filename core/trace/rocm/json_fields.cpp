#include "core/trace/rocm/json_fields.h"

#include <rapidjson/document.h>

namespace warpwalk::trace::rocm {

std::string text_member(std::string_view json, std::string_view name) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError() || !document.IsObject()) return {};
  const auto member = document.FindMember(rapidjson::Value(name.data(), static_cast<rapidjson::SizeType>(name.size())));
  if (member == document.MemberEnd() || !member->value.IsString()) return {};
  return {member->value.GetString(), member->value.GetStringLength()};
}

void set_device_member(Device& device, std::string_view member, std::int64_t value) {
  constexpr std::int64_t largest = 1 << 20;
  if (value <= 0 || value > largest) return;
  if (member == "cu_count") device.sms = value;
  if (member == "wave_front_size") device.warp_size = value;
  if (member == "workgroup_max_size") device.max_threads_per_block = value;
  if (member == "lds_size_in_kb") device.shared_per_sm = device.shared_per_block = value * 1024;
  if (member == "max_waves_per_cu" && device.warp_size != absent) device.max_threads_per_sm = value * device.warp_size;
}

Device device_of_json(std::string_view json) {
  Device device;
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError() || !document.IsObject()) return device;
  for (const auto& member : document.GetObject())
    if (member.value.IsInt64())
      set_device_member(device, {member.name.GetString(), member.name.GetStringLength()}, member.value.GetInt64());
  return device;
}

}  // namespace warpwalk::trace::rocm
