// Finds whose trace a file is: the rank, the number of ranks and the process groups.
#include "core/analysis/ranks/rank_identity.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include <rapidjson/document.h>

#include "core/analysis/ranks/collective_fields.h"
#include "core/analysis/ranks/rank_hosts.h"
#include "core/trace/json/numbers.h"
#include "core/trace/metadata_entry.h"
#include "core/trace/ranks.h"

namespace warpwalk::analysis {
namespace {

using trace::Track;
using trace::TrackId;

// Larger numbers in names are process numbers or times.
constexpr std::int64_t most_ranks = 1 << 20;

std::optional<std::int64_t> integer_in(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd()) return {};
  if (at->value.IsInt64()) return at->value.GetInt64();
  if (at->value.IsString()) return trace::parse_integer(at->value.GetString());
  return {};
}

std::string text_in(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd()) return {};
  if (at->value.IsString()) return {at->value.GetString(), at->value.GetStringLength()};
  return at->value.IsInt64() ? std::to_string(at->value.GetInt64()) : std::string();
}

std::vector<std::int64_t> ranks_in(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd()) return {};
  if (!at->value.IsArray()) return {};  // a list that PyTorch shortened is a text
  std::vector<std::int64_t> ranks;
  for (const rapidjson::Value& rank : at->value.GetArray()) {
    if (!rank.IsInt64() || rank.GetInt64() < 0) return {};
    ranks.push_back(rank.GetInt64());
  }
  return ranks;
}

bool is_of_all_ranks(const CollectiveFields& fields) {
  return fields.description == "default_pg" || fields.group == "0" || fields.group == "default_pg";
}

std::optional<std::int64_t> rank_of_fields(const CollectiveFields& fields) {
  if (fields.rank < 0) return {};
  const auto within = static_cast<std::size_t>(fields.rank);
  if (within < fields.ranks.size()) return fields.ranks[within];
  return is_of_all_ranks(fields) || fields.group.empty() ? std::optional(fields.rank) : std::nullopt;
}

// What the collectives on some tracks say of their groups, each once. PyTorch writes it to the op record_param_comms,
// and parts of it to the kernels.
std::vector<CollectiveFields> recorded_groups(const Trace& trace, const std::vector<bool>& tracks) {
  std::vector<CollectiveFields> all;
  std::unordered_set<trace::StringId> seen;
  const trace::Slices& slices = trace.slices;
  const auto add = [&](SliceId slice) {
    if (!tracks.empty() && !tracks[slices.track[slice]]) return;
    if (slices.extra[slice] == 0 || !seen.insert(slices.extra[slice]).second) return;
    if (auto fields = collective_fields(trace.text(slices.extra[slice]))) all.push_back(*std::move(fields));
  };
  const trace::StringId op_name = trace.strings.find("record_param_comms");
  if (op_name != 0)
    for (const SliceId op : trace.op_order)
      if (slices.name[op] == op_name) add(op);
  if (all.empty())
    for (const SliceId kernel : trace.kernel_order)
      if (trace.name(kernel).starts_with("nccl")) add(kernel);
  return all;
}

void add_group(std::vector<ProcessGroup>& groups, ProcessGroup group) {
  if (group.name.empty() && group.ranks.empty()) return;
  std::ranges::sort(group.ranks);
  for (ProcessGroup& known : groups) {
    if (known.name != group.name) continue;
    if (!known.ranks.empty() && !group.ranks.empty() && known.ranks != group.ranks) continue;
    if (known.ranks.empty()) known.ranks = std::move(group.ranks);
    if (known.description.empty()) known.description = std::move(group.description);
    return;
  }
  groups.push_back(std::move(group));
}

// From the entry that PyTorch's profiler writes. Returns whether it has the rank.
bool add_distributed_info(const Trace& trace, RankIdentity& identity) {
  const auto info = trace::metadata_entry(trace, "distributedInfo");
  if (!info) return false;
  identity.backend = text_in(*info, "backend");
  identity.world = std::max<std::int64_t>(integer_in(*info, "world_size").value_or(0), 0);
  const auto configured = info->FindMember("pg_config");
  if (configured != info->MemberEnd() && configured->value.IsArray())
    for (const rapidjson::Value& one : configured->value.GetArray())
      if (one.IsObject())
        add_group(identity.groups, {text_in(one, "pg_name"), text_in(one, "pg_desc"), ranks_in(one, "ranks")});
  const auto rank = integer_in(*info, "rank");
  if (!rank || *rank < 0) return false;
  identity.rank = *rank;
  identity.from = RankFrom::distributed_info;
  return true;
}

// Returns whether the fields have the rank. Those of the group of all ranks come first.
bool add_recorded_groups(const std::vector<CollectiveFields>& all, RankIdentity& identity, bool known) {
  for (const CollectiveFields& one : all) {
    if (is_of_all_ranks(one)) identity.world = std::max(identity.world, one.size);
    add_group(identity.groups, {one.group, one.description, one.ranks});
  }
  if (known) return true;
  for (const bool of_all : {true, false})
    for (const CollectiveFields& one : all) {
      const auto rank = rank_of_fields(one);
      if (is_of_all_ranks(one) != of_all || !rank) continue;
      identity.rank = *rank;
      identity.from = RankFrom::process_group;
      return true;
    }
  return false;
}

// The last number in a text.
std::optional<std::int64_t> last_number(std::string_view text) {
  const std::size_t last = text.find_last_of("0123456789");
  if (last == std::string_view::npos) return {};
  const std::size_t before = text.find_last_not_of("0123456789", last);
  const std::size_t from = before == std::string_view::npos ? 0 : before + 1;
  const auto number = trace::parse_integer(text.substr(from, last + 1 - from));
  return number && *number >= 0 && *number < most_ranks ? number : std::nullopt;
}

// The rank that the names of the processes say, if they agree: "rank 1".
std::optional<std::int64_t> rank_of_processes(const Trace& trace) {
  std::optional<std::int64_t> rank;
  for (const Track& track : trace.tracks)
    for (const trace::StringId text : {track.pid_is_text ? track.pid : 0, track.process_labels, track.process_name}) {
      const std::string_view name = trace::rank_name(trace.text(text));
      if (name.empty() || name.starts_with('[')) continue;
      const auto number = last_number(name);
      if (!number || (rank && *rank != *number)) return {};
      rank = number;
    }
  return rank;
}

// The number in the name by which trace::Ranks gave a track its rank.
std::optional<std::int64_t> number_of_track(const Trace& trace, const Track& track) {
  if (track.pid_is_text) {
    const std::string_view pid = trace.text(track.pid);
    if (const std::string_view name = trace::rank_name(pid); !name.empty()) return last_number(name);
    const std::size_t end = pid.find_last_not_of("0123456789");  // "TP00" of "TP00 700"
    if (end != std::string_view::npos && end + 1 < pid.size()) return last_number(pid.substr(0, end));
  }
  for (const trace::StringId text : {track.process_labels, track.process_name})
    if (const std::string_view name = trace::rank_name(trace.text(text)); !name.empty()) return last_number(name);
  return {};
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// The number after the last such word: "rank_3" in "node0_rank_3".
std::optional<std::int64_t> number_after(std::string_view text, std::string_view word) {
  constexpr std::size_t none = std::string_view::npos;
  for (std::size_t at = text.rfind(word); at != none; at = at == 0 ? none : text.rfind(word, at - 1)) {
    std::size_t from = at + word.size();
    if (from < text.size() && std::string_view("_-.=: ").find(text[from]) != none) ++from;
    std::size_t to = from;
    while (to < text.size() && trace::is_digit(text[to])) ++to;
    const bool begins = at == 0 || !is_letter_or_digit(text[at - 1]);
    // A single letter is a word only as a whole: "r12", not "r12x". "worker-3_4242" is a host and a process number.
    bool whole = true;
    if (word == "r") whole = from == at + 1 && (to == text.size() || !is_letter_or_digit(text[to]));
    if (word == "worker") whole = to == text.size() || text[to] == '.';
    if (begins && whole && to > from) return last_number(text.substr(from, to - from));
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> rank_of_file(const std::filesystem::path& file) {
  std::string name = lower(file.filename().string());
  bool of_profiler = false;
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view ending : {".gz", ".json", ".sqlite", ".trace", ".pt"})
      if (name.size() > ending.size() && name.ends_with(ending)) {
        name.resize(name.size() - ending.size());
        of_profiler = of_profiler || ending == ".pt";
        more = true;
      }
  }
  for (const std::string_view word : {"rank", "worker", "r"})
    if (const auto rank = number_after(name, word)) return rank;
  constexpr std::size_t most_digits = 4;
  const std::size_t before = name.find_last_not_of("0123456789");
  const std::size_t digits = before == std::string::npos ? name.size() : name.size() - before - 1;
  const bool apart = before == std::string::npos || !is_letter_or_digit(name[before]);
  if (!of_profiler && apart && digits > 0 && digits <= most_digits) return last_number(name);
  return number_after(lower(file.parent_path().filename().string()), "rank");
}

std::vector<RankTracks> merged_ranks(const Trace& trace) {
  const trace::Ranks ranks(trace);
  if (!ranks.merged()) return {};
  std::vector<RankTracks> parts;
  std::vector<std::optional<std::int64_t>> numbers;
  for (TrackId id = 0; id < trace.tracks.size(); ++id) {
    const std::uint32_t number = ranks.of(id);
    if (number == 0) continue;
    if (parts.size() < number) {
      parts.resize(number);
      numbers.resize(number);
    }
    RankTracks& part = parts[number - 1];
    part.tracks.resize(trace.tracks.size());
    part.tracks[id] = true;
    if (!numbers[number - 1]) numbers[number - 1] = number_of_track(trace, trace.tracks[id]);
  }
  const bool complete = std::ranges::all_of(numbers, [](const auto& number) { return number.has_value(); });
  const bool distinct = complete && std::set(numbers.begin(), numbers.end()).size() == numbers.size();
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].rank = distinct ? *numbers[i] : static_cast<std::int64_t>(i);
  std::ranges::sort(parts, {}, &RankTracks::rank);
  return parts;
}

RankIdentity identity_of(const Trace& trace, const std::filesystem::path& file, std::int64_t place) {
  RankIdentity identity;
  const bool informed = add_distributed_info(trace, identity);
  if (add_recorded_groups(recorded_groups(trace, {}), identity, informed)) return identity;
  if (const auto rank = rank_of_processes(trace)) {
    identity.rank = *rank;
    identity.from = RankFrom::process_name;
  } else if (const auto named = rank_of_file(file); named && (identity.world == 0 || *named < identity.world)) {
    identity.rank = *named;
    identity.from = RankFrom::file_name;
  } else {
    identity.rank = place;
    identity.from = RankFrom::order;
  }
  return identity;
}

std::vector<RankDigest> digests_of(const Trace& trace, const std::filesystem::path& file, std::int64_t place) {
  std::vector<RankDigest> digests;
  for (const RankTracks& part : merged_ranks(trace)) {
    RankIdentity identity;
    identity.rank = part.rank;
    identity.from = RankFrom::process_name;
    add_recorded_groups(recorded_groups(trace, part.tracks), identity, true);
    digests.push_back(digest_of(trace, std::move(identity), part.tracks));
  }
  if (digests.empty()) digests.push_back(digest_of(trace, identity_of(trace, file, place)));
  for (RankDigest& digest : digests) {
    digest.file = file;
    digest.identity.host = host_of_file(file);
    digest.identity.device = device_of_rank(trace, digest);
  }
  return digests;
}

}  // namespace warpwalk::analysis
