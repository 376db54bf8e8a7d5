#include "core/analysis/ranks/rank_hosts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

namespace warpwalk::analysis {
namespace {

bool are_digits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

// "node3" of "node3_4711.1700000000000" (host, process, time).
std::string_view host_before_process(std::string_view name) {
  const std::size_t dot = name.rfind('.'), line = dot == std::string_view::npos ? dot : name.rfind('_', dot);
  if (line == std::string_view::npos || line == 0) return {};
  if (!are_digits(name.substr(line + 1, dot - line - 1)) || !are_digits(name.substr(dot + 1))) return {};
  return name.substr(0, line);
}

// "node3" of "node3_rank_24": only names that begin as those of machines do.
std::string_view host_before_rank(std::string_view name) {
  for (const std::string_view word : {"_rank", "-rank", ".rank"})
    if (const std::size_t at = name.find(word); at != std::string_view::npos)
      if (const std::string_view host = name.substr(0, at); host.starts_with("node") || host.starts_with("host"))
        return host;
  return {};
}

RankHosts hosts_by_name(const std::vector<RankDigest>& ranks) {
  RankHosts hosts;
  std::map<std::string, std::size_t, std::less<>> places;
  for (const RankDigest& digest : ranks) {
    const std::string& name = digest.identity.host;
    if (name.empty()) {
      hosts.of.push_back(RankHosts::unknown);
      continue;
    }
    const auto [at, fresh] = places.try_emplace(name, hosts.names.size());
    if (fresh) hosts.names.push_back(name);
    hosts.of.push_back(at->second);
  }
  return hosts;
}

RankHosts hosts_by_device(const std::vector<RankDigest>& ranks) {
  std::int64_t gpus = 0;
  for (const RankDigest& digest : ranks) gpus = std::max(gpus, digest.identity.device + 1);
  const auto fits = [&](const RankDigest& digest) { return digest.identity.rank % gpus == digest.identity.device; };
  if (gpus < 2 || !std::ranges::all_of(ranks, fits)) return {};
  RankHosts hosts;
  std::map<std::int64_t, std::size_t> places;
  for (const RankDigest& digest : ranks) {
    const auto [at, fresh] = places.try_emplace(digest.identity.rank / gpus, hosts.names.size());
    if (fresh) hosts.names.emplace_back();
    hosts.of.push_back(at->second);
  }
  return hosts;
}

}  // namespace

std::string host_of_file(const std::filesystem::path& file) {
  const std::string whole = file.filename().string();
  std::string_view name = whole;
  bool of_profiler = false;
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view ending : {".gz", ".json", ".digest", ".sqlite", ".trace", ".pt"})
      if (name.size() > ending.size() && name.ends_with(ending)) {
        name.remove_suffix(ending.size());
        of_profiler = of_profiler || ending == ".pt";
        more = true;
      }
  }
  return std::string(of_profiler ? host_before_process(name) : host_before_rank(name));
}

std::int64_t device_of_rank(const Trace& trace, const RankDigest& digest) {
  std::map<std::int64_t, std::size_t> counts;
  for (const RankCollective& one : digest.collectives)
    if (one.work < trace.slices.size())
      if (const trace::Track& track = trace.tracks[trace.slices.track[one.work]]; track.gpu && track.device >= 0)
        ++counts[track.device];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  constexpr std::int64_t most_devices = 1024;
  return most == counts.end() || most->first >= most_devices ? -1 : most->first;
}

std::vector<std::size_t> RankHosts::ranks_of(std::size_t host) const {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < of.size(); ++rank)
    if (of[rank] == host) ranks.push_back(rank);
  return ranks;
}

RankHosts hosts_of(const std::vector<RankDigest>& ranks) {
  RankHosts hosts = hosts_by_name(ranks);
  if (!hosts.known()) hosts = hosts_by_device(ranks);
  return hosts.names.size() > 1 ? hosts : RankHosts{};
}

}  // namespace warpwalk::analysis
