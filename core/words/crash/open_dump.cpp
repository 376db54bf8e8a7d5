#include "core/words/crash/open_dump.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/byte_source.h"
#include "core/platform/read_file.h"

namespace warpwalk::words {
namespace {

constexpr std::size_t dump_signature_bytes = 20;

/// The first bytes of a file, or all of them up to `max_bytes`.
base::Result<std::string> first_bytes(const std::filesystem::path& file, std::uint64_t max_bytes) {
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

constexpr std::uint64_t max_calls_bytes = std::uint64_t{64} << 20;

/// "4711.calls" beside "4711.core" and "4711.core.gz".
std::filesystem::path beside(std::filesystem::path file, std::string_view ending) {
  if (file.extension() == ".gz") file.replace_extension();
  return file.replace_extension(ending);
}

}  // namespace

bool is_core_dump_file(const std::filesystem::path& file) {
  if (file == "-" || !platform::check_regular_file(file)) return false;
  const auto begin = first_bytes(file, dump_signature_bytes);
  return begin && crash::is_core_dump(*begin);
}

bool is_calls_file(const std::filesystem::path& file) {
  if (file == "-" || !platform::check_regular_file(file)) return false;
  const auto begin = first_bytes(file, crash::ring_signature.size());
  return begin && *begin == std::string_view(crash::ring_signature.data(), crash::ring_signature.size());
}

base::Result<OpenCalls> open_calls(const std::filesystem::path& file) {
  auto bytes = first_bytes(file, max_calls_bytes);
  if (!bytes) return base::Error{bytes.error()};
  // The views of the calls stay valid: moving a string of this length hands over its memory.
  std::string held = std::move(*bytes);
  auto calls = crash::CallRing::read(held);
  if (!calls) return base::Error{fmt::format("{}: {}", file.string(), calls.error())};
  return OpenCalls{std::move(held), std::move(*calls)};
}

base::Result<std::shared_ptr<OpenDump>> open_dump(const std::filesystem::path& file, std::uint64_t cap,
                                                  std::string_view remedy) {
  auto bytes = first_bytes(file, cap + 1);
  if (!bytes) return base::Error{bytes.error()};
  if (bytes->size() > cap)
    return base::Error{
        fmt::format("{}: is larger than {}, the limit for memory; {}write the dump with "
                    "CUDA_COREDUMP_GENERATION_FLAGS=skip_global_memory",
                    file.string(), base::bytes_text(static_cast<double>(cap)), remedy)};
  // The views of the dump stay valid: moving a string of this length hands over its memory.
  std::string held = std::move(*bytes);
  auto dump = crash::read_core_dump(held);
  if (!dump) return base::Error{fmt::format("{}: {}", file.string(), dump.error())};
  std::string calls_bytes;
  std::optional<crash::CallRing> calls;
  if (const std::filesystem::path armed = beside(file, ".calls"); platform::check_regular_file(armed)) {
    auto read = open_calls(armed);
    if (!read) return base::Error{read.error()};
    calls_bytes = std::move(read->bytes);
    calls = std::move(read->calls);
    for (const crash::RingAllocation& one : calls->allocations())
      dump->allocations.push_back({one.address, one.bytes, one.released != 0});
  }
  PytorchMemory memory;
  if (const std::filesystem::path of_blocks = beside(file, ".blocks.json"); platform::check_regular_file(of_blocks)) {
    auto read = read_pytorch_memory(of_blocks);
    if (!read) return base::Error{read.error()};
    memory = std::move(*read);
    // What PyTorch has given to the program counts as allocated, too.
    for (const AllocatorBlock& block : memory.blocks)
      if (block.state == "active_allocated") dump->allocations.push_back({block.address, block.wanted, false});
  }
  auto open =
      std::make_shared<OpenDump>(std::move(held), std::move(*dump), file, std::move(calls_bytes), std::move(calls));
  open->report.memory = std::move(memory);
  if (const std::filesystem::path replay = beside(file, ".walk.json.gz"); platform::check_regular_file(replay))
    open->report.replay = replay.filename().string();
  return open;
}

}  // namespace warpwalk::words
