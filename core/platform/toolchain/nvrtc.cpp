// NVRTC's headers are not needed: the few functions used are declared here as in its documentation.
#include "core/platform/toolchain/nvrtc.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/platform/cuda_toolkit.h"
#include "core/platform/toolchain/architecture.h"

namespace warpwalk::platform {
namespace {

struct Closer {
  void operator()(void* handle) const { dlclose(handle); }
};
using Handle = std::unique_ptr<void, Closer>;
using Program = void*;  // nvrtcProgram

/// NVRTC, and the library with its built-in functions, which it loads by name.
struct Library {
  Handle builtins, nvrtc;
};

constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

/// It stays loaded until the program ends: NVRTC's C++ library leaks memory each time it is unloaded.
Handle open_library(const std::filesystem::path& file) {
  return Handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
}

/// Loads the built-in functions beside NVRTC. The NVRTC of NVIDIA's Python packages does not look there, but finds them
/// if they are loaded already.
Handle open_builtins(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so."))
      if (Handle opened = open_library(entry.path())) return opened;
  return {};
}

std::optional<Library> open_nvrtc() {
  for (const char* const name : names)
    if (Handle opened = open_library(name)) return Library{{}, std::move(opened)};
  // Toolkits have lib64; NVIDIA's Python packages (site-packages/nvidia/cu13) have lib.
  for (const std::filesystem::path& root : toolkit_roots())
    for (const char* const below : {"lib64", "lib"})
      for (const char* const name : names)
        if (Handle opened = open_library(root / below / name))
          return Library{open_builtins(root / below), std::move(opened)};
  return {};
}

/// NVRTC's functions. The ones that return int return 0 on success.
struct Nvrtc {
  int (*version)(int*, int*) = nullptr;
  int (*create)(Program*, const char* source, const char* name, int headers, const char* const*,
                const char* const*) = nullptr;
  int (*compile)(Program, int options, const char* const*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*ptx_size)(Program, std::size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;
  int (*cubin_size)(Program, std::size_t*) = nullptr;  // null in NVRTC before 11.1
  int (*cubin)(Program, char*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  const char* (*error_text)(int) = nullptr;
};

template <class Function>
bool load(const Library& library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(dlsym(library.nvrtc.get(), name));
  return out != nullptr;
}

std::optional<Nvrtc> load_functions(const Library& library) {
  Nvrtc nvrtc;
  if (load(library, "nvrtcVersion", nvrtc.version) && load(library, "nvrtcCreateProgram", nvrtc.create) &&
      load(library, "nvrtcCompileProgram", nvrtc.compile) && load(library, "nvrtcGetProgramLogSize", nvrtc.log_size) &&
      load(library, "nvrtcGetProgramLog", nvrtc.log) && load(library, "nvrtcGetPTXSize", nvrtc.ptx_size) &&
      load(library, "nvrtcGetPTX", nvrtc.ptx) && load(library, "nvrtcDestroyProgram", nvrtc.destroy) &&
      load(library, "nvrtcGetErrorString", nvrtc.error_text)) {
    if (!load(library, "nvrtcGetCUBINSize", nvrtc.cubin_size) || !load(library, "nvrtcGetCUBIN", nvrtc.cubin))
      nvrtc.cubin_size = nullptr;
    return nvrtc;
  }
  return {};
}

/// Gets a string from NVRTC. The size that NVRTC reports includes the terminating zero.
std::string text_from(Program program, int (*size_of)(Program, std::size_t*), int (*get)(Program, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != 0 || size == 0) return {};
  std::string text(size, '\0');
  if (get(program, text.data()) != 0) return {};
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  return text;
}

/// The machine code of a compiled program; empty if there is none.
std::string cubin_from(const Nvrtc& nvrtc, Program program) {
  std::size_t size = 0;
  if (nvrtc.cubin_size == nullptr || nvrtc.cubin_size(program, &size) != 0) return {};
  std::string bytes(size, '\0');
  if (size == 0 || nvrtc.cubin(program, bytes.data()) != 0) return {};
  return bytes;
}

/// A real architecture ("sm_90a") gives machine code besides PTX; a virtual one ("compute_90a") only PTX.
std::vector<std::string> options_for(const std::filesystem::path& folder, std::string_view architecture,
                                     std::string_view compute_capability, KeptSource kept) {
  std::vector<std::string> options = {
      fmt::format("--gpu-architecture={}_{}", architecture, own_architecture(compute_capability)),
      kept == KeptSource::unoptimized ? "-G" : "-lineinfo", "--std=c++17",
      // Unlike nvcc, NVRTC has no <math.h> that defines them.
      "-DINFINITY=__int_as_float(0x7f800000)", "-DNAN=__int_as_float(0x7fffffff)",
      "-I" + (folder.empty() ? std::string(".") : folder.string())};
  std::error_code ignored;
  for (const std::filesystem::path& root : toolkit_roots())
    if (std::filesystem::is_directory(root / "include", ignored)) options.push_back("-I" + (root / "include").string());
  return options;
}

/// Compiles `compiled.source` and takes what NVRTC makes of it. Returns the failure, or nullopt.
std::optional<CudaFailure> compile(const Nvrtc& nvrtc, const std::string& name, const std::vector<std::string>& options,
                                   CompiledCuda& compiled) {
  Program program = nullptr;
  if (const int failed = nvrtc.create(&program, compiled.source.c_str(), name.c_str(), 0, nullptr, nullptr))
    return CudaFailure{fmt::format("{}: NVRTC: {}", name, nvrtc.error_text(failed)), ""};
  const auto destroy = [&](void*) { nvrtc.destroy(&program); };
  const std::unique_ptr<void, decltype(destroy)> destroyed_at_end(program, destroy);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  if (const int failed = nvrtc.compile(program, static_cast<int>(words.size()), words.data())) {
    CudaFailure failure;
    failure.log = text_from(program, nvrtc.log_size, nvrtc.log);
    failure.line = first_error_line(failure.log);
    if (failure.line.empty()) failure.line = fmt::format("{}: NVRTC: {}", name, nvrtc.error_text(failed));
    return failure;
  }
  compiled.ptx = text_from(program, nvrtc.ptx_size, nvrtc.ptx);
  if (std::string cubin = cubin_from(nvrtc, program); !cubin.empty()) compiled.cubin = std::move(cubin);
  return {};
}

}  // namespace

std::optional<CompileResult> compile_with_nvrtc(const CudaSource& cuda) {
  const std::optional<Library> library = open_nvrtc();
  if (!library) return {};
  const std::optional<Nvrtc> nvrtc = load_functions(*library);
  if (!nvrtc)
    return CudaFailure{fmt::format("{}: the installed NVRTC lacks functions that NVRTC 12 has; install NVRTC 12 or 13, "
                                   "or set WARPWALK_CUDA_COMPILER=clang",
                                   cuda.name),
                       ""};
  CompiledCuda compiled;
  compiled.source = cuda.text;
  for (const char* const architecture : {"sm", "compute"}) {
    if (architecture == std::string_view("sm") && nvrtc->cubin_size == nullptr) continue;
    auto failure = compile(*nvrtc, cuda.name,
                           options_for(cuda.folder, architecture, cuda.compute_capability, cuda.kept), compiled);
    if (failure) return std::move(*failure);
    if (!compiled.ptx.empty()) break;
  }
  if (compiled.ptx.empty()) return CudaFailure{fmt::format("{}: NVRTC produced no PTX", cuda.name), ""};
  int major = 0, minor = 0;
  nvrtc->version(&major, &minor);
  compiled.compiler = fmt::format("NVRTC {}.{}", major, minor);
  return compiled;
}

}  // namespace warpwalk::platform
