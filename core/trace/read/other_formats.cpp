#include "core/trace/read/other_formats.h"

#include <algorithm>
#include <array>

#include "core/trace/other_documents.h"

namespace warpwalk::trace {
namespace {

using namespace std::string_view_literals;

struct OtherFormat {
  std::size_t at;              ///< where the signature is
  std::string_view signature;  ///< empty: the kind has none
  std::string_view inside;     ///< what must be in the first bytes, too
  std::array<std::string_view, 3> endings;
  std::string_view what;
};

constexpr std::string_view xla_profile =
    "is an XLA profile (XSpace); give the trace.json.gz that the trace viewer of xprof makes of it, or the "
    "perfetto_trace.json.gz of jax.profiler.trace(..., create_perfetto_trace=True)";

constexpr std::string_view rocprof_output =
    "is an output of rocprofv3 without times; give its kernel_trace.csv, its JSON or its database (rocpd), or a trace "
    "of torch.profiler";

constexpr std::string_view utf16 =
    "is text in UTF-16, as > of PowerShell writes it; convert it (Get-Content FILE | Set-Content -Encoding utf8 NEW)";

constexpr OtherFormat other_formats[] = {
    {257,
     "ustar"sv,
     ""sv,
     {".tar", ".tar.gz", ".tgz"},
     "is a tar archive; extract it first (tar xf) and give the trace inside"},
    {0,
     "PK\x03\x04"sv,
     ""sv,
     {".zip", ".pt", ".pth"},
     "is a zip archive, which torch.save writes, too; extract it first (unzip) or give a trace"},
    {0, "\x1f\x8b"sv, ""sv, {}, "was compressed with gzip twice; decompress it first (gunzip)"},
    {0, "\x28\xb5\x2f\xfd"sv, ""sv, {".zst"}, "is compressed with zstd; decompress it first (zstd -d)"},
    {0, "\xfd\x37zXZ"sv, ""sv, {".xz"}, "is compressed with xz; decompress it first (xz -d)"},
    {0, "BZh"sv, ""sv, {".bz2"}, "is compressed with bzip2; decompress it first (bzip2 -d)"},
    {0, "\xff\xfe"sv, ""sv, {}, utf16},
    {0, "\xfe\xff"sv, ""sv, {}, utf16},
    {0,
     ""sv,
     ""sv,
     {".nsys-rep", ".qdrep", ".qdstrm"},
     "is a report of Nsight Systems; convert it (nsys export --type sqlite) and give the .sqlite file"},
    {0, "\x0a"sv, "/host:"sv, {".xplane.pb"}, xla_profile},
    {0, "\x0a"sv, "/device:"sv, {}, xla_profile},
    {0, "\x0a"sv, "Task Environment"sv, {}, xla_profile},
    {0, "\"Kind\",\""sv, ""sv, {}, rocprof_output},
    {0, "\"Domain\",\"Function\""sv, ""sv, {}, rocprof_output},
    {0, "\"Name\",\"Calls\""sv, ""sv, {}, rocprof_output},
    {0, "\"Node_Id\",\""sv, ""sv, {}, rocprof_output},
    {0, "\"Correlation_Id\",\"Dispatch_Id\""sv, ""sv, {}, rocprof_output},  // counters
    {0, "OTF2"sv, ""sv, {".otf2"}, rocprof_output},
    {0, "V"sv, "torch/_"sv, {}, torch_trace_log},
    {0,
     ""sv,
     ""sv,
     {".pftrace", ".perfetto-trace", ".perfetto"},
     "is a Perfetto trace in protobuf; convert it to JSON (traceconv json FILE trace.json), or record with rocprofv3 "
     "--output-format json or rocpd"},
    {0, "<!DOCTYPE html"sv, ""sv, {".html"}, "is a web page; give the trace or memory snapshot from which it was made"},
};

}  // namespace

std::optional<std::string_view> other_format(std::string_view begin, std::string_view name) {
  for (const OtherFormat& kind : other_formats) {
    const bool signed_so = !kind.signature.empty() && begin.size() >= kind.at &&
                           begin.substr(kind.at).starts_with(kind.signature) &&
                           begin.find(kind.inside) != std::string_view::npos;
    const bool named_so = std::ranges::any_of(
        kind.endings, [&](std::string_view ending) { return !ending.empty() && name.ends_with(ending); });
    if (signed_so || named_so) return kind.what;
  }
  return {};
}

}  // namespace warpwalk::trace
