#include "core/platform/toolchain/cuda_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/executable_path.h"
#include "core/platform/temporary_folder.h"
#include "core/platform/toolchain/clang.h"
#include "core/platform/toolchain/source_in_folder.h"

namespace warpwalk::platform {
namespace {

using Words = std::vector<std::string>;

bool is_cuda(const std::filesystem::path& file) { return file.extension() == ".cu"; }

bool is_for_linker(std::string_view option) {
  constexpr std::array prefixes = {"-l", "-L", "-Wl,", "-static", "-rdynamic"};
  return std::ranges::any_of(prefixes, [&](const char* prefix) { return option.starts_with(prefix); });
}

/// Runs clang and adds what it printed to `printed`.
base::Result<void> run_clang(Words words, std::string& printed) {
  const std::string program = words.front();
  const auto run = run_child(std::move(words));
  if (!run) return base::Error{fmt::format("{} cannot be started", program)};
  printed += run->output;
  if (run->good()) return {};
  std::string messages = explain_missing_names(printed);
  while (messages.ends_with('\n')) messages.pop_back();
  return base::Error{messages.empty() ? fmt::format("{} failed without a message", program) : std::move(messages)};
}

class Build {
 public:
  Build(const CudaProgram& program, Clang clang, const std::filesystem::path& headers)
      : program_(program), clang_(std::move(clang)), headers_(headers) {}

  /// Compiles the device code of one .cu file to PTX.
  base::Result<void> device_code(const std::filesystem::path& file, const std::filesystem::path& ptx) {
    Words device = words_for(file);
    const ClangTarget target = clang_target(clang_.major, program_.compute_capability);
    const Words device_only = {"--cuda-device-only",
                               "--cuda-gpu-arch=" + target.architecture,
                               "-Xclang",
                               "-target-feature",
                               "-Xclang",
                               "+" + target.ptx_feature,
                               "-S"};
    for (const Words& more :
         {device_only, device_debug_options(program_.kept), undefined_argument_options(clang_.major)})
      device.insert(device.end(), more.begin(), more.end());
    add_options(device);
    device.insert(device.end(), {"-o", ptx.string()});
    return run_clang(std::move(device), printed);
  }

  /// Compiles one .cu file to an object.
  base::Result<void> object(const std::filesystem::path& file, const std::filesystem::path& out,
                            const std::filesystem::path& folder) {
    const std::filesystem::path ptx = folder / "device.ptx";
    if (auto done = device_code(file, ptx); !done) return done;
    // The runtime takes the text up to its terminating zero.
    std::ofstream(ptx, std::ios::binary | std::ios::app).put('\0');

    Words host = words_for(file);
    host.insert(host.end(), {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx.string(), "-c"});
    add_options(host);
    host.insert(host.end(), {"-o", out.string()});
    return run_clang(std::move(host), printed);
  }

  base::Result<void> link(const Words& objects, const std::filesystem::path& cudart) {
    Words words = {clang_.program.string(), "--driver-mode=g++"};
    words.insert(words.end(), objects.begin(), objects.end());
    const std::filesystem::path driver = cudart.parent_path() / "libcuda.so.1";
    for (const std::string& option : program_.options) words.push_back(option == "-lcuda" ? driver.string() : option);
    words.insert(words.end(), {cudart.string(), "-Wl,-rpath," + cudart.parent_path().string(), "-lpthread", "-ldl",
                               "-o", program_.output.string()});
    return run_clang(std::move(words), printed);
  }

  std::string printed;

 private:
  /// What both passes have in common. Since CUDA 9.2 (the version given here is newer), kernels are launched with
  /// cudaLaunchKernel. Both passes have one `cuid`, which is a part of the names of static variables.
  Words words_for(const std::filesystem::path& file) const {
    return {clang_.program.string(),
            "--driver-mode=g++",
            "-x",
            "cuda",
            file.string(),
            "-nocudainc",
            "-nocudalib",
            "--cuda-path=/nonexistent",
            "-cuid=0",
            "-Xclang",
            "-target-sdk-version=11.0",
            "-std=c++17",
            "-isystem",
            headers_.string(),
            "-include",
            "cuda_runtime.h"};
  }
  void add_options(Words& words) const {
    std::ranges::copy_if(program_.options, std::back_inserter(words),
                         [](const std::string& option) { return !is_for_linker(option); });
  }

  const CudaProgram& program_;
  Clang clang_;
  std::filesystem::path headers_;
};

}  // namespace

std::optional<std::filesystem::path> find_cudart() {
  std::error_code ignored;
  std::vector<std::filesystem::path> folders;
  if (const char* const named = std::getenv("WARPWALK_CUDART"); named != nullptr && *named != '\0')
    folders.emplace_back(named);
  for (const char* const relative : {"simulated_cuda", "../lib/warpwalk/simulated_cuda"})
    folders.push_back((executable_path().parent_path() / relative).lexically_normal());
  for (const std::filesystem::path& folder : folders)
    for (const char* const name : {"libcudart.so", "libcudart.so.13"})
      if (std::filesystem::is_regular_file(folder / name, ignored)) return folder / name;
  return {};
}

base::Result<std::string> compile_program(const CudaProgram& program) {
  const auto clang = find_clang(program.compiler);
  if (!clang)
    return base::Error{
        "no clang that compiles for NVIDIA GPUs was found in PATH; install clang (Debian, Ubuntu: apt install clang)"};
  const auto headers = find_cuda_headers();
  if (!headers) return base::Error{"warpwalk's CUDA headers (assets/cuda) were not found; set WARPWALK_ASSETS"};
  const auto cudart = program.link ? find_cudart() : std::nullopt;
  if (program.link && !cudart)
    return base::Error{"libcudart.so was not found beside warpwalk; set WARPWALK_CUDART to its folder"};
  std::error_code ignored;
  for (const std::filesystem::path& file : program.files)
    if (!std::filesystem::exists(file, ignored)) return base::Error{fmt::format("{}: is not there", file.string())};
  if (!program.link && (program.files.size() != 1 || !is_cuda(program.files.front())))
    return base::Error{"-c takes one .cu file"};
  const TemporaryFolder folder;
  if (folder.path().empty()) return base::Error{"the temporary folder cannot be written"};
  Build build(program, *clang, *headers);
  Words objects;
  for (const std::filesystem::path& file : program.files) {
    objects.push_back(file.string());
    if (!is_cuda(file)) continue;
    const std::filesystem::path object =
        program.link ? folder.path() / fmt::format("{}.o", objects.size()) : program.output;
    if (auto done = build.object(file, object, folder.path()); !done) return base::Error{done.error()};
    objects.back() = object.string();
  }
  if (program.link)
    if (auto done = build.link(objects, *cudart); !done) return base::Error{done.error()};
  return std::move(build.printed);
}

CompileResult compile_device_code(const CudaSource& cuda) {
  const auto failed = [&](std::string_view why) { return CudaFailure{fmt::format("{}: {}", cuda.name, why), ""}; };
  const auto clang = find_clang();
  if (!clang) return failed("no clang that compiles for NVIDIA GPUs was found in PATH; install clang");
  const auto headers = find_cuda_headers();
  if (!headers) return failed("warpwalk's CUDA headers (assets/cuda) were not found; set WARPWALK_ASSETS");
  const SourceInFolder files(cuda);
  if (!files.written()) return failed("the temporary folder cannot be written");
  CudaProgram program;
  program.compute_capability = cuda.compute_capability;
  program.options = {"-fno-caret-diagnostics", "-fno-color-diagnostics",
                     "-I" + (cuda.folder.empty() ? std::string(".") : cuda.folder.string())};
  Build build(program, *clang, *headers);
  if (auto done = build.device_code(files.source(), files.output()); !done) {
    CudaFailure failure{"", files.with_name(done.error())};
    failure.line = first_error_line(failure.log);
    return failure;
  }
  CompiledCuda compiled;
  compiled.source = cuda.text;
  compiled.ptx = files.read_output();
  if (compiled.ptx.empty()) return failed("clang produced no PTX");
  compiled.compiler = "clang " + clang->version;
  return compiled;
}

}  // namespace warpwalk::platform
