#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "app/window/window.h"
#include "core/nvvm/read_ir.h"
#include "core/nvvm/write_ptx.h"
#include "core/platform/browser/fibers.h"

// In compiler.js, by imports.js.
extern "C" {
int warpwalk_compile(const char* source, const char* name);
char* warpwalk_compiled(int number);
void warpwalk_forget(int number);
}

namespace warpwalk::window {
namespace {

constexpr std::string_view no_compiler =
    "CUDA C++ needs the file warpwalk-cuda.js beside this page, or warpwalk on a desktop; PTX needs neither";

}  // namespace

run::CudaCompiler page_compiler() {
  return [](const std::string& source, const std::string& name, std::string_view,
            const std::atomic<bool>* cancel) -> platform::CompileResult {
    const int question = warpwalk_compile(source.c_str(), name.c_str());
    std::unique_ptr<char, decltype(&std::free)> answer(nullptr, std::free);
    constexpr double pause = 20;  // milliseconds, in which the page goes on
    while (!answer) {
      if (cancel != nullptr && *cancel) {
        warpwalk_forget(question);
        return platform::CudaFailure{"cancelled", ""};
      }
      platform::sleep_at(&answer, pause);
      answer.reset(warpwalk_compiled(question));
    }
    const char kind = *answer;
    const std::string text = answer.get() + 1;
    if (kind == 'M') return platform::CudaFailure{fmt::format("{} ({})", no_compiler, text), ""};
    if (kind == 'E') return platform::CudaFailure{text.substr(0, text.find('\n')), text};
    const auto module = nvvm::read_ir(text);
    if (!module) return platform::CudaFailure{module.error(), ""};
    auto ptx = nvvm::write_ptx(*module, name);
    if (!ptx) return platform::CudaFailure{ptx.error(), ""};
    return platform::CompiledCuda{source, *std::move(ptx), "", "clang in the page",
                                  "compiled by clang in this page for sm_90; nvcc would make other instructions"};
  };
}

}  // namespace warpwalk::window
