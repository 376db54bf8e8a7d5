#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/words/crash/dump_report.h"

namespace warpwalk::words {

/// A GPU core dump that was read whole. It is made in place, because its parts point at one another.
struct OpenDump {
  std::string bytes;        ///< of the file, decompressed
  std::string calls_bytes;  ///< of the file of calls beside it; empty: there is none
  crash::CoreDump dump;
  DumpReport report;
  std::mutex mutex;  ///< held while `report` is read: it decodes code and reads source files where they are asked for

  OpenDump(std::string file_bytes, crash::CoreDump read, const std::filesystem::path& file, std::string armed_bytes,
           std::optional<crash::CallRing> armed)
      : bytes(std::move(file_bytes)),
        calls_bytes(std::move(armed_bytes)),
        dump(std::move(read)),
        report(dump, file.filename().string(), SourceTexts(file.parent_path()), std::move(armed)) {}
};

/// The calls of an armed program, from a file.
struct OpenCalls {
  std::string bytes;  ///< which `calls` views
  crash::CallRing calls;
};
/// Whether a file begins as one of such calls. False for what cannot be read and for stdin.
bool is_calls_file(const std::filesystem::path& file);
/// Reads such a file, plain or gzip. The error is one line that names the file.
base::Result<OpenCalls> open_calls(const std::filesystem::path& file);

/// Whether a file begins as a core dump of a GPU, plain or gzip. False for what cannot be read and for stdin.
bool is_core_dump_file(const std::filesystem::path& file);

constexpr std::uint64_t usual_dump_cap = std::uint64_t{8} << 30;
/// Reads a core dump, plain or gzip, and what is beside NAME.core: NAME.calls, NAME.blocks.json, NAME.walk.json.gz.
/// `cap`: the most bytes that it may have in memory. `remedy`: of a larger one, besides a smaller dump. The error is
/// one line that names the file.
base::Result<std::shared_ptr<OpenDump>> open_dump(const std::filesystem::path& file, std::uint64_t cap = usual_dump_cap,
                                                  std::string_view remedy = {});

}  // namespace warpwalk::words
