#include "instrumentation/simulated/libraries/common/kernel_set.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <cxxabi.h>
#include <fmt/format.h>
#include <zlib.h>

namespace warpwalk::simulated::libraries {
namespace {

/// The text that gzip has compressed.
std::string unzipped(std::span<const std::uint8_t> compressed) {
  z_stream zip{};
  constexpr int gzip_format = 16;
  if (inflateInit2(&zip, gzip_format + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::string text;
  zip.next_in = const_cast<Bytef*>(compressed.data());
  zip.avail_in = static_cast<uInt>(compressed.size());
  int status = Z_OK;
  while (status == Z_OK) {
    constexpr std::size_t step = std::size_t{1} << 18;
    text.resize(zip.total_out + step);
    zip.next_out = reinterpret_cast<Bytef*>(text.data()) + zip.total_out;
    zip.avail_out = step;
    status = inflate(&zip, Z_NO_FLUSH);
  }
  text.resize(zip.total_out);
  inflateEnd(&zip);
  if (status != Z_STREAM_END) throw std::runtime_error("the library's kernels are damaged; install warpwalk again");
  return text;
}

/// "scale<float>" of the symbol of `void stand_in::cublas::scale<float>(float*, int)`; the symbol itself if it is C's.
std::string short_kernel_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (demangled == nullptr) return symbol;
  std::string_view name = demangled.get();
  // The parameters begin at the bracket that the last one closes.
  std::size_t depth = 0, end = name.size();
  while (end > 0) {
    --end;
    if (name[end] == ')') ++depth;
    if (name[end] == '(' && --depth == 0) break;
  }
  name = name.substr(0, end);
  const std::size_t arguments = std::min(name.find('<'), name.size());
  const std::size_t scope = name.rfind("::", arguments), result = name.rfind(' ', arguments);
  if (scope != std::string_view::npos) return std::string(name.substr(scope + 2));
  return std::string(result == std::string_view::npos ? name : name.substr(result + 1));
}

}  // namespace

KernelSet& KernelSet::own() {
  static KernelSet& set = *new KernelSet;
  return set;
}

Kernel* KernelSet::find(Gpu& gpu, std::string_view file, std::string_view name) {
  const std::lock_guard lock(mutex_);
  auto loaded = files_.find(file);
  if (loaded == files_.end()) {
    loaded = files_.try_emplace(std::string(file)).first;
    const auto code = std::ranges::find(library_code(), file, &KernelCode::file);
    Error error = Error::success;
    if (code != library_code().end()) {
      std::string text;
      {
        const StoppedClock stopped(gpu.clock);  // NVIDIA's library has its code ready
        text = unzipped(code->compressed);
      }
      loaded->second.module = gpu.load(text.c_str(), error);
    }
    if (loaded->second.module != nullptr)
      for (const auto& kernel : loaded->second.module->kernels())
        loaded->second.kernels.emplace(short_kernel_name(kernel->name), kernel.get());
  }
  const auto kernel = loaded->second.kernels.find(name);
  if (kernel != loaded->second.kernels.end()) return kernel->second;
  gpu.tell(fmt::format("the library has no kernel {} in {}; please report this", name, file));
  return nullptr;
}

Error launch_kernel(std::string_view file, std::string_view name, const LaunchShape& shape, const void* stream,
                    std::span<void*> arguments, const std::function<void(KernelLaunch&)>& prepare) {
  return api_call(Api::runtime, "cudaLaunchKernel", [&](Gpu& gpu) {
    Stream* const found = gpu.streams.find(stream);
    if (found == nullptr) return Error::invalid_resource_handle;
    KernelLaunch launch;
    launch.kernel = KernelSet::own().find(gpu, file, name);
    if (launch.kernel == nullptr) return Error::invalid_device_function;
    launch.shape = shape;
    if (arguments.size() != launch.kernel->parameters.size()) {
      gpu.tell(fmt::format("{} in {} has {} parameters, not {}; please report this", name, file,
                           launch.kernel->parameters.size(), arguments.size()));
      return Error::invalid_value;
    }
    const Error wrong = collect_arguments(*launch.kernel, arguments.data(), nullptr, launch.arguments);
    if (wrong != Error::success) return wrong;
    const auto dynamic = static_cast<int>(shape.dynamic_shared_bytes);
    int& most = launch.kernel->attributes.max_dynamic_shared_bytes;
    most = std::max(most, dynamic);  // as the library sets it with cudaFuncSetAttribute
    if (prepare) prepare(launch);
    return gpu.launch(std::move(launch), *found);
  });
}

LaunchShape shape_over(std::uint64_t elements, std::uint32_t threads) {
  LaunchShape shape;
  shape.block[0] = threads;
  shape.grid[0] = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (elements + threads - 1) / threads));
  return shape;
}

void tell_not_supported(std::string_view library, std::string_view function, std::string_view what) {
  Gpu::the().tell(fmt::format("{}: not supported by the stand-in for {}{}{}{}", function, library,
                              what.empty() ? "" : " (", what, what.empty() ? "" : ")"));
}

}  // namespace warpwalk::simulated::libraries
