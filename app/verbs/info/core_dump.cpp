#include "app/verbs/info/core_dump.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/info/dump_report.h"
#include "core/base/quantity_text.h"
#include "core/platform/byte_source.h"
#include "core/platform/read_file.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t signature_bytes = 20;
constexpr std::uint64_t default_memory_cap = std::uint64_t{8} << 30;

/// The first bytes of a file, or all of them up to `max_bytes`.
base::Result<std::string> read_bytes(const std::filesystem::path& file, std::uint64_t max_bytes) {
  auto source = platform::open_source(file);
  if (!source) return base::Error{source.error()};
  std::string bytes;
  constexpr std::size_t piece = std::size_t{1} << 20;
  while (bytes.size() < max_bytes) {
    const std::size_t before = bytes.size();
    const std::size_t room = static_cast<std::size_t>(std::min<std::uint64_t>(piece, max_bytes - before));
    bytes.resize(before + room);
    const std::size_t count = (*source)->read(bytes.data() + before, room);
    bytes.resize(before + count);
    if (count == 0) break;
  }
  return bytes;
}

}  // namespace

bool is_core_dump_file(const std::filesystem::path& file) {
  if (file == "-" || !platform::check_regular_file(file)) return false;
  const auto begin = read_bytes(file, signature_bytes);
  return begin && crash::is_core_dump(*begin);
}

int info_of_core_dump(const InfoOptions& options) {
  const std::string name = options.file.string();
  if (!options.fail_if.empty())
    return refuse(fmt::format("--fail-if: {} is a core dump, which has none of the figures of a trace", name));
  if (!options.compare.empty()) return refuse(fmt::format("--compare: {} is a core dump; give two traces", name));
  const std::uint64_t cap = options.memory_cap_bytes != 0 ? options.memory_cap_bytes : default_memory_cap;
  const auto bytes = read_bytes(options.file, cap + 1);
  if (!bytes) return refuse(bytes.error());
  if (bytes->size() > cap)
    return refuse(
        fmt::format("{}: is larger than {}, the limit for memory; raise it with --memory-cap, or write the dump "
                    "with CUDA_COREDUMP_GENERATION_FLAGS=skip_global_memory",
                    name, base::bytes_text(static_cast<double>(cap))));
  const auto dump = crash::read_core_dump(*bytes);
  if (!dump) return refuse(fmt::format("{}: {}", name, dump.error()));
  DumpReport report(*dump, options.file.filename().string(), SourceTexts(options.file.parent_path()));
  if (options.json != "-") print_report(dump_text(report));
  if (!options.json.empty())
    if (const auto done = write_file(options.json, dump_json(report)); !done) return refuse(done.error());
  return 0;
}

}  // namespace warpwalk::verbs
