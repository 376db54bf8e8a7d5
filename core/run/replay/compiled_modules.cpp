#include "core/run/replay/compiled_modules.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include "core/compiled/lines/inlined_calls.h"
#include "core/compiled/open_compiled.h"
#include "core/platform/read_file.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

std::string_view module_cubin(const trace::Module& module) {
  return {reinterpret_cast<const char*>(module.cubin.data()), module.cubin.size()};
}

/// Whether two cubins have the same code of a function. CUDA may have loaded a copy with other sections.
bool has_same_code(std::string_view a, std::string_view b, std::string_view function) {
  if (a == b) return true;
  const auto one = sass::parse_cubin(a), other = sass::parse_cubin(b);
  if (!one || !other) return false;
  const auto in_one = std::ranges::find(one->functions, function, &sass::CubinFunction::name);
  const auto in_other = std::ranges::find(other->functions, function, &sass::CubinFunction::name);
  return in_one != one->functions.end() && in_other != other->functions.end() && in_one->code == in_other->code;
}

}  // namespace

void add_inlined_calls(trace::Trace& trace, const compiled::Compiled& compiled) {
  for (trace::Module& module : trace.records.modules) {
    if (module.cubin.empty()) continue;
    const auto parsed = sass::parse_cubin(module_cubin(module));
    if (!parsed) continue;
    for (const compiled::CompiledKernel& kernel : compiled.kernels) {
      const auto file = kernel.files.find("cubin");
      if (file == kernel.files.end() || !kernel.files.contains("ptx") ||
          std::ranges::find(parsed->functions, kernel.name, &sass::CubinFunction::name) == parsed->functions.end())
        continue;
      const auto bytes = platform::read_compressed_file(file->second);
      if (!bytes || !has_same_code(module_cubin(module), bytes->text, kernel.name)) continue;
      const std::string completed = compiled::with_inlined_calls(module_cubin(module), kernel);
      module.cubin.assign(completed.begin(), completed.end());
      break;
    }
  }
}

void add_inlined_calls(trace::Trace& trace, const std::filesystem::path& walk) {
  std::error_code error;
  const std::filesystem::path folder = compiled::folder_of_walk(walk);
  if (trace.records.modules.empty() || !std::filesystem::is_directory(folder, error)) return;
  if (const auto found = compiled::open_compiled(folder); found && *found) add_inlined_calls(trace, **found);
}

}  // namespace warpwalk::run
