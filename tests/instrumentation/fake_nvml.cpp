// A fake NVML for tests. It has two GPUs: the first has 40 processes, the second supports few readings. If
// WARPWALK_FAKE_NVML_ERROR is set to a number, initialization fails with that error.
#include <cstdio>
#include <cstdlib>

namespace {
struct Process {
  unsigned pid;
  unsigned long long used;
  unsigned gpu_instance, compute_instance;
};
constexpr int not_supported = 3;
bool first(void* device) { return device == reinterpret_cast<void*>(1); }
}  // namespace

extern "C" {
int nvmlInit_v2() {
  const char* const error = std::getenv("WARPWALK_FAKE_NVML_ERROR");
  return error == nullptr ? 0 : std::atoi(error);
}
int nvmlSystemGetDriverVersion(char* version, unsigned size) {
  std::snprintf(version, size, "999.1");
  return 0;
}
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int) { return "no reason"; }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(index + 1ul);
  return 0;
}
int nvmlDeviceGetName(void* device, char* name, unsigned size) {
  std::snprintf(name, size, "Test GPU %d", first(device) ? 0 : 1);
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
  rates[0] = 87, rates[1] = 12;
  return first(device) ? 0 : not_supported;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 150'000'000'000, memory[1] = 149'000'000'000, memory[2] = 1'000'000'000;
  return 0;
}
int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : type == 2 ? 3201 : 0;
  return first(device) ? 0 : not_supported;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  *milliwatts = 123'456;
  return first(device) ? 0 : not_supported;
}
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return first(device) ? 0 : not_supported;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* degrees) {
  *degrees = 41;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* rows) {
  if (!first(device)) return not_supported;
  const unsigned room = *count;
  *count = 40;
  if (room < 40) return 7;
  for (unsigned i = 0; i < 40; ++i) rows[i] = {1000 + i, i == 0 ? ~0ull : 1'000'000ull * i, 0, 0};
  return 0;
}
}
