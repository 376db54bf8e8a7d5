// The versions of NVIDIA's libraries, without their headers: the few functions are declared here as the CUDA driver
// API, CUPTI, NVRTC and NVML document them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include "app/verbs/common/probes.h"
#include "core/base/result.h"
#include "core/platform/cuda_toolkit.h"

namespace warpwalk::verbs {
namespace {

struct Library {
  void* handle = nullptr;
  std::string path;
};

// Library folders of CUDA toolkits, which the loader does not search; the newest first.
std::vector<std::filesystem::path> toolkit_folders() {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& root : platform::toolkit_roots())
    for (const char* below : {"lib64", "lib", "extras/CUPTI/lib64"}) folders.push_back(root / below);
  return folders;
}

std::string path_of(void* handle, const std::string& asked) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || *map->l_name == '\0') return asked;
  return map->l_name;
}

// The first of the names that can be loaded, from the loader's folders or else from the toolkit's. On failure:
// the loader's message if a library exists and cannot be loaded.
base::Result<Library> load_library(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr)
      return Library{handle, path_of(handle, name)};
  std::string why;
  for (const std::filesystem::path& folder : toolkit_folders())
    for (const std::string& name : names) {
      std::error_code error;
      if (!std::filesystem::exists(folder / name, error)) continue;
      if (void* const handle = dlopen((folder / name).c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr)
        return Library{handle, path_of(handle, (folder / name).string())};
      if (const char* const words = dlerror(); words != nullptr && why.empty()) why = words;
    }
  if (why.empty()) why = fmt::format("{} not found", names.front());
  return base::Error{why};
}

template <typename Function>
Function* function(const Library& library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library.handle, name));
}

std::vector<std::string> versions_of(const std::string& name) {
  return {name + ".13", name + ".12", name + ".11.2", name + ".11.0", name};
}

}  // namespace

platform::ProbeResult look_at_driver() {
  const auto library = load_library({"libcuda.so.1"});
  if (!library) return {false, library.error()};
  using Init = int(unsigned);
  using GetVersion = int(int*);
  using GetCount = int(int*);
  using GetName = int(char*, int, int);
  using GetErrorString = int(int, const char**);
  auto* const init = function<Init>(*library, "cuInit");
  auto* const version_of = function<GetVersion>(*library, "cuDriverGetVersion");
  auto* const count_of = function<GetCount>(*library, "cuDeviceGetCount");
  auto* const name_of = function<GetName>(*library, "cuDeviceGetName");
  auto* const words_of = function<GetErrorString>(*library, "cuGetErrorString");
  if (init == nullptr || version_of == nullptr || count_of == nullptr || name_of == nullptr)
    return {false, library->path + " lacks functions of the CUDA driver"};
  const auto words = [&](int status) {
    const char* text = nullptr;
    if (words_of != nullptr) words_of(status, &text);
    return fmt::format("{} (error {})", text == nullptr ? "no reason given" : text, status);
  };
  int status = init(0), version = 0, count = 0;
  if (status != 0) return {false, fmt::format("{}: {}", library->path, words(status))};
  version_of(&version);
  if ((status = count_of(&count)) != 0) return {false, fmt::format("{}: {}", library->path, words(status))};
  std::string text =
      fmt::format("for CUDA {}.{}, {} {}", version / 1000, version % 1000 / 10, count, count == 1 ? "GPU" : "GPUs");
  for (int device = 0; device < count; ++device) {
    std::array<char, 256> name{};
    if (name_of(name.data(), static_cast<int>(name.size()) - 1, device) != 0) continue;
    text += fmt::format("{} {}", device == 0 ? ":" : ",", name.data());
  }
  return {count > 0, text};
}

platform::ProbeResult look_at_cupti() {
  const auto library = load_library(versions_of("libcupti.so"));
  if (!library) return {false, library.error()};
  using GetVersion = int(std::uint32_t*);
  std::uint32_t version = 0;
  if (auto* const version_of = function<GetVersion>(*library, "cuptiGetVersion"); version_of != nullptr)
    version_of(&version);
  return {true, fmt::format("{}, API {}", library->path, version)};
}

platform::ProbeResult look_at_nvrtc() {
  const auto library = load_library(versions_of("libnvrtc.so"));
  if (!library) return {false, library.error()};
  using Version = int(int*, int*);
  int major = 0, minor = 0;
  if (auto* const version_of = function<Version>(*library, "nvrtcVersion"); version_of != nullptr)
    version_of(&major, &minor);
  return {true, fmt::format("{}, CUDA {}.{}", library->path, major, minor)};
}

platform::ProbeResult look_at_nvml() {
  const auto library = load_library({"libnvidia-ml.so.1"});
  if (!library) return {false, library.error()};
  using Init = int();
  using DriverVersion = int(char*, unsigned);
  auto* const init = function<Init>(*library, "nvmlInit_v2");
  auto* const driver = function<DriverVersion>(*library, "nvmlSystemGetDriverVersion");
  using ErrorString = const char*(int);
  auto* const words_of = function<ErrorString>(*library, "nvmlErrorString");
  if (init == nullptr || driver == nullptr || words_of == nullptr)
    return {false, library->path + " lacks functions of NVML"};
  if (const int status = init(); status != 0)
    return {false, fmt::format("{}: {} (error {})", library->path, words_of(status), status)};
  std::array<char, 96> version{};
  driver(version.data(), static_cast<unsigned>(version.size()));
  return {true, fmt::format("{}, driver {}", library->path, version.data())};
}

}  // namespace warpwalk::verbs
