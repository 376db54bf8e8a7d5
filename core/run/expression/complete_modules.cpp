#include "core/run/expression/complete_modules.h"

#include <filesystem>
#include <future>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"
#include "core/platform/read_file.h"
#include "core/run/catalogue/shipped_cubin.h"
#include "core/run/record/disassembly.h"
#include "core/sass/elf/single_function.h"

namespace warpwalk::run {
namespace {

// Returns an empty string if the file cannot be read.
std::string text_of(const std::filesystem::path& file) {
  auto read = platform::read_text_file(file);
  auto* const found = std::get_if<platform::Text>(&read);
  return found != nullptr ? std::move(found->text) : std::string();
}

}  // namespace

void complete_modules(const RunRequest& request, const std::string& compute_capability, trace::Records& records) {
  // The disassembler starts slowly, so all modules are processed in parallel.
  std::vector<std::future<std::vector<Disassembly>>> codes;
  bool shipped = false;
  for (std::size_t m = 0; m < records.modules.size(); ++m) {
    trace::Module& module = records.modules[m];
    const std::string name = std::filesystem::path(module.name).stem();
    module.ptx = text_of(request.assets / "ptx" / (name + ".ptx"));
    module.source = text_of(request.assets.parent_path() / "kernels" / (name + ".cu"));
    if (!module.source.empty()) module.source_file = "kernels/" + name + ".cu";
    std::set<std::string> entries;
    for (const trace::KernelRecord& kernel : records.kernels)
      if (kernel.module == m) entries.insert(kernel.entry);
    std::string cubin = shipped_cubin(request.assets / "cubin", compute_capability, name);
    if (entries.size() == 1) cubin = sass::single_function(cubin, *entries.begin());
    module.cubin.assign(cubin.begin(), cubin.end());
    shipped = shipped || !module.cubin.empty();
    codes.push_back(
        std::async(std::launch::async, [&module, &request, &compute_capability, entries = std::move(entries)] {
          auto code = disassemble(module.ptx, entries, compute_capability, module.source_file, request.cancel);
          auto* const found = std::get_if<std::vector<Disassembly>>(&code);
          return found == nullptr ? std::vector<Disassembly>() : std::move(*found);
        }));
  }
  bool disassembled = false;
  for (std::size_t m = 0; m < records.modules.size(); ++m) {
    std::vector<Disassembly> entries = codes[m].get();
    for (const Disassembly& entry : entries) records.modules[m].sass += entry.sass + "\n";
    // The map's offsets are relative to one entry's start. With several entries, the comments in the text give the
    // lines.
    if (entries.size() == 1) records.modules[m].line_map = std::move(entries.front().line_map);
    disassembled = disassembled || !entries.empty();
  }
  if (request.cancel != nullptr && *request.cancel) throw ops::OpError("stopped");
  if (disassembled || shipped)
    records.sources.push_back(
        {"sass",
         disassembled ? fmt::format("ptxas for sm {} and nvdisasm, from the same PTX", compute_capability)
                      : fmt::format("ptxas for sm {}, from the same PTX, shipped with warpwalk", compute_capability),
         trace::Origin::derived});
}

}  // namespace warpwalk::run
