#include "core/trace/chrome/devices.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace warpwalk::trace {
namespace {

struct DeviceField {
  const char* name;
  std::int64_t Device::*value;
};

constexpr DeviceField device_fields[] = {
    {"id", &Device::id},
    {"totalGlobalMem", &Device::total_memory},
    {"computeMajor", &Device::compute_major},
    {"computeMinor", &Device::compute_minor},
    {"maxThreadsPerBlock", &Device::max_threads_per_block},
    {"maxThreadsPerMultiprocessor", &Device::max_threads_per_sm},
    {"regsPerBlock", &Device::registers_per_block},
    {"warpSize", &Device::warp_size},
    {"sharedMemPerBlock", &Device::shared_per_block},
    {"numSms", &Device::sms},
    {"regsPerMultiprocessor", &Device::registers_per_sm},
    {"sharedMemPerBlockOptin", &Device::shared_per_block_optin},
    {"sharedMemPerMultiprocessor", &Device::shared_per_sm},
};

}  // namespace

bool read_devices(std::string_view json, Trace& trace) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError() || !document.IsArray()) return false;
  for (const auto& element : document.GetArray()) {
    if (!element.IsObject()) return false;
    Device device;
    for (const DeviceField& field : device_fields)
      if (const auto found = element.FindMember(field.name); found != element.MemberEnd() && found->value.IsInt64())
        device.*field.value = found->value.GetInt64();
    if (const auto name = element.FindMember("name"); name != element.MemberEnd() && name->value.IsString())
      device.name = trace.strings.intern({name->value.GetString(), name->value.GetStringLength()});
    trace.devices.push_back(device);
  }
  return true;
}

std::string devices_json(const Trace& trace) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  writer.StartArray();
  for (const Device& device : trace.devices) {
    writer.StartObject();
    const std::string_view name = trace.text(device.name);
    writer.Key("name");
    writer.String(name.data(), static_cast<rapidjson::SizeType>(name.size()));
    for (const DeviceField& field : device_fields) {
      if (device.*field.value == absent) continue;
      writer.Key(field.name);
      writer.Int64(device.*field.value);
    }
    writer.EndObject();
  }
  writer.EndArray();
  return {out.GetString(), out.GetSize()};
}

}  // namespace warpwalk::trace
