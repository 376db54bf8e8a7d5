// A CUDA driver for tests: does what WARPWALK_FAKE_CUDA says.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {
bool asks_for(const char* what) {
  const char* const value = std::getenv("WARPWALK_FAKE_CUDA");
  return value != nullptr && std::strcmp(value, what) == 0;
}
}  // namespace

extern "C" {
int cuInit(unsigned) {
  if (asks_for("crash")) std::abort();
  if (asks_for("exit")) std::exit(3);
  if (asks_for("chat")) std::puts("the driver talks"), std::fputs("and complains\n", stderr), std::fflush(stdout);
  return asks_for("no device") ? 100 : 0;
}
int cuDriverGetVersion(int* version) {
  *version = 12080;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = 2;
  return 0;
}
int cuDeviceGetName(char* name, int size, int device) {
  std::snprintf(name, static_cast<std::size_t>(size), "Test GPU %d", device);
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "no CUDA-capable device is detected";
  return 0;
}
}
