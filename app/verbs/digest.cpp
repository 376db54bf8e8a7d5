#include "app/verbs/digest.h"

#include <memory>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/common/files.h"
#include "app/verbs/common/load.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/standard_input.h"
#include "app/verbs/common/terminal.h"
#include "core/analysis/ranks/digest_file.h"
#include "core/analysis/ranks/rank_groups.h"
#include "core/analysis/ranks/read_ranks.h"
#include "core/base/quantity_text.h"
#include "core/platform/blocked_signals.h"
#include "core/platform/output_file.h"

namespace warpwalk::verbs {
namespace {

// "rank3.digest" of "rank3.json.gz".
std::filesystem::path beside(const std::filesystem::path& trace) {
  std::filesystem::path file = trace;
  if (file.extension() == ".gz") file.replace_extension();
  return file.replace_extension(".digest");
}

// Where the trace is, for later.
std::string place_of(const DigestOptions& options) {
  if (options.place.find("://") != std::string::npos) return options.place;  // http, s3 ...
  if (!options.place.empty()) return std::filesystem::absolute(options.place).string();
  return options.file == "-" ? std::string() : std::filesystem::absolute(options.file).string();
}

base::Result<void> write_digest(const std::filesystem::path& file, const std::string& json) {
  if (file == "-") return write_file(file, json + "\n");
  platform::OutputFile out(file, platform::OutputFile::Packing::gzip);
  out.write(json);
  return out.finish();
}

std::string digest_line(const std::filesystem::path& file, const std::vector<analysis::RankDigest>& digests,
                        std::uint64_t trace_bytes) {
  std::vector<std::int64_t> ranks;
  std::size_t collectives = 0;
  for (const analysis::RankDigest& one : digests) {
    ranks.push_back(one.identity.rank);
    collectives += one.collectives.size();
  }
  std::error_code error;
  const auto bytes = static_cast<double>(std::filesystem::file_size(file, error));
  std::string line = fmt::format(
      "{}: {} {}, {} collectives, {}", file.string(), ranks.size() == 1 ? "rank" : "ranks", analysis::ranks_list(ranks),
      base::with_thousands(static_cast<std::int64_t>(collectives)), base::bytes_text(error ? 0 : bytes));
  if (trace_bytes > 0)
    line += fmt::format(" of {} ({:.2g} %)", base::bytes_text(static_cast<double>(trace_bytes)),
                        100 * bytes / static_cast<double>(trace_bytes));
  return line + "\n";
}

}  // namespace

int digest(const DigestOptions& options) {
  if (options.file == "-" && options.out.empty())
    return refuse("digest -: name the file to write, with -o x.digest (-o - for stdout)");
  const std::filesystem::path out = options.out.empty() ? beside(options.file) : options.out;
  if (analysis::is_digest_file(options.file))
    return refuse(fmt::format("{}: is a digest already; give a trace", options.file.string()));
  std::error_code error;
  if (std::filesystem::is_directory(options.file, error))
    return refuse(fmt::format("{}: is a folder; give the trace of one rank, and call digest for each of them",
                              options.file.string()));
  if (std::filesystem::equivalent(out, options.file, error))
    return refuse(fmt::format("-o {}: is the trace itself; give another name", out.string()));
  if (out != "-")
    if (const auto may = check_writable(out); !may) return refuse(may.error());
  trace::ReadOptions read;
  if (options.memory_cap_gb > 0) read.memory_cap_bytes = static_cast<std::uint64_t>(options.memory_cap_gb * 1e9);
  platform::BlockedSignals signals;
  read.on_progress = [&signals](const trace::ReadProgress&) { return !signals.stop_requested(); };
  std::filesystem::path file = options.file;
  std::unique_ptr<StandardInput> input;
  if (file == "-") {
    input = std::make_unique<StandardInput>();
    constexpr std::uint64_t longest = std::uint64_t{64} << 30;
    if (const auto copied = input->copy(longest, [&] { return signals.stop_requested(); }); !copied)
      return refuse(copied.error());
    file = input->file();
  }
  analysis::RankFile ranks = analysis::read_rank_file(file, 0, read);
  if (signals.stop_requested()) return refuse("stopped before the end; nothing was written");
  if (input != nullptr)
    if (const std::size_t at = ranks.problem.find(file.string()); at != std::string::npos)
      ranks.problem.replace(at, file.string().size(), "stdin");
  if (ranks.digests.empty()) return refuse(ranks.problem);
  if (!ranks.problem.empty()) print_message(ranks.problem);
  const std::uint64_t bytes = std::filesystem::file_size(file, error);
  const std::string json = analysis::digest_json(ranks.digests, {place_of(options), error ? 0 : bytes});
  if (const auto done = write_digest(out, json); !done) return refuse(done.error());
  if (out != "-") print_report(digest_line(out, ranks.digests, error ? 0 : bytes));
  return 0;
}

Verb add_digest(CLI::App& app) {
  const auto options = std::make_shared<DigestOptions>();
  CLI::App* const verb = app.add_subcommand(
      "digest", "Write what the comparison of ranks keeps of a trace: a small file, made where the trace lies");
  verb->add_option("TRACE", options->file, "the trace of a rank; - for stdin")->required();
  verb->add_option("-o,--output", options->out,
                   "the digest to write (default: beside the trace, with the ending .digest; - for stdout, as JSON)");
  verb->add_option("--place", options->place,
                   "the path or the address (https://...) from which the trace is opened later (default: where it is "
                   "now)");
  verb->add_option("--memory-cap", options->memory_cap_gb,
                   "stop reading at this many GB (10^9 bytes) of memory (default: 8 GiB)")
      ->check(number_above_zero());
  return {verb, [options] { return digest(*options); }};
}

}  // namespace warpwalk::verbs
