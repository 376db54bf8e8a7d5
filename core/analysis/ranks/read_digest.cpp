// Reads digests. A file may be damaged: whatever is used as a place in another list is checked.
#include <array>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/analysis/ranks/digest_columns.h"
#include "core/analysis/ranks/digest_file.h"
#include "core/platform/byte_source.h"
#include "core/platform/fetch_address.h"
#include "core/platform/read_file.h"

namespace warpwalk::analysis {
namespace {

constexpr std::string_view digest_begin = R"({"format":"warpwalk digest")";
constexpr std::size_t most_ranks_of_group = std::size_t{1} << 20;

// What is wrong with a file, from deep inside of it.
struct DamagedDigest {
  std::string where;
};

const rapidjson::Value& member_of_json(const rapidjson::Value& object, const char* key) {
  if (!object.IsObject()) throw DamagedDigest{key};
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd()) throw DamagedDigest{key};
  return at->value;
}

std::int64_t digest_integer(const rapidjson::Value& object, const char* key, std::int64_t least, std::int64_t most) {
  const rapidjson::Value& value = member_of_json(object, key);
  if (!value.IsInt64() || value.GetInt64() < least || value.GetInt64() > most) throw DamagedDigest{key};
  return value.GetInt64();
}

std::string digest_string(const rapidjson::Value& object, const char* key) {
  const rapidjson::Value& value = member_of_json(object, key);
  if (!value.IsString()) throw DamagedDigest{key};
  return {value.GetString(), value.GetStringLength()};
}

const rapidjson::Value& digest_list(const rapidjson::Value& object, const char* key) {
  const rapidjson::Value& value = member_of_json(object, key);
  if (!value.IsArray()) throw DamagedDigest{key};
  return value;
}

std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t added_in_row(DigestLess less, const RankCollective& row) {
  return less == DigestLess::call ? row.call : less == DigestLess::arrival ? row.arrival : 0;
}
std::int64_t added_in_row(DigestLess, const StretchCost&) { return 0; }

template <class Row>
std::vector<Row> table_of_json(const rapidjson::Value& rank, const char* key,
                               std::span<const DigestColumn<Row>> columns) {
  const rapidjson::Value& table = member_of_json(rank, key);
  const rapidjson::Value& given = digest_list(table, "columns");
  constexpr std::int64_t most_rows = std::numeric_limits<std::uint32_t>::max();
  const auto rows = static_cast<std::size_t>(digest_integer(table, "rows", 0, most_rows));
  if (given.Size() != columns.size()) throw DamagedDigest{key};
  std::vector<Row> result;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const DigestColumn<Row>& column = columns[i];
    const rapidjson::Value& own = given[static_cast<rapidjson::SizeType>(i)];
    const auto damaged = [&] { return DamagedDigest{fmt::format("{}.{}", key, column.name)}; };
    if (digest_string(own, "name") != column.name) throw damaged();
    const rapidjson::Value& values = digest_list(own, "values");
    if (values.Size() != rows) throw damaged();
    result.resize(rows);
    std::int64_t previous = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const rapidjson::Value& number = values[static_cast<rapidjson::SizeType>(row)];
      if (!number.IsInt64()) throw damaged();
      const std::int64_t less = column.less == DigestLess::previous ? previous : added_in_row(column.less, result[row]);
      const std::int64_t value = wrapped_sum(number.GetInt64(), less);
      if (value < column.least || value > column.most) throw damaged();
      column.set(result[row], value);
      previous = value;
    }
  }
  return result;
}

std::vector<std::int64_t> ranks_of_group(const rapidjson::Value& group) {
  std::vector<std::int64_t> ranks;
  for (const rapidjson::Value& run : digest_list(group, "ranks").GetArray()) {
    if (!run.IsArray() || run.Size() != 3) throw DamagedDigest{"ranks"};
    for (const rapidjson::Value& number : run.GetArray())
      if (!number.IsInt64() || number.GetInt64() < 0 || number.GetInt64() > std::numeric_limits<std::int32_t>::max())
        throw DamagedDigest{"ranks"};
    const std::int64_t first = run[0].GetInt64(), step = run[2].GetInt64();
    const auto count = static_cast<std::size_t>(run[1].GetInt64());
    if (count > most_ranks_of_group - ranks.size()) throw DamagedDigest{"ranks"};
    for (std::size_t i = 0; i < count; ++i) ranks.push_back(first + static_cast<std::int64_t>(i) * step);
  }
  for (std::size_t i = 1; i < ranks.size(); ++i)
    if (ranks[i] <= ranks[i - 1]) throw DamagedDigest{"ranks"};
  return ranks;
}

// Sets where the costs of each collective begin, and checks the numbers of names and groups.
void connect_costs(RankDigest& digest) {
  std::size_t next = 0;
  for (RankCollective& one : digest.collectives) {
    one.first_cost = next;
    if (one.costs > digest.costs.size() - next) throw DamagedDigest{"costs"};
    next += one.costs;
    if (one.group != 0 && one.group >= digest.identity.groups.size()) throw DamagedDigest{"group"};
  }
  if (next != digest.costs.size()) throw DamagedDigest{"costs"};
  for (const StretchCost& cost : digest.costs)
    if (cost.name >= digest.names.size() || cost.line >= digest.names.size()) throw DamagedDigest{"names"};
}

RankDigest rank_of_json(const rapidjson::Value& json) {
  constexpr std::int64_t most_time = std::int64_t{1} << 62;
  constexpr std::int64_t most_rank = std::numeric_limits<std::int32_t>::max();
  RankDigest digest;
  RankIdentity& identity = digest.identity;
  identity.rank = digest_integer(json, "rank", 0, most_rank);
  identity.from =
      static_cast<RankFrom>(digest_integer(json, "rank_from", 0, static_cast<std::int64_t>(RankFrom::order)));
  identity.world = digest_integer(json, "world", 0, most_rank);
  identity.backend = digest_string(json, "backend");
  identity.host = digest_string(json, "host");
  identity.device = digest_integer(json, "device", -1, most_rank);
  for (const rapidjson::Value& group : digest_list(json, "groups").GetArray())
    identity.groups.push_back(
        {digest_string(group, "name"), digest_string(group, "description"), ranks_of_group(group)});
  digest.begin = digest_integer(json, "begin_ns", -most_time, most_time);
  digest.end = digest_integer(json, "end_ns", -most_time, most_time);
  digest.base = digest_integer(json, "base_ns", -most_time, most_time);
  digest.computing = digest_integer(json, "computing_ns", 0, most_time);
  digest.communicating = digest_integer(json, "communicating_ns", 0, most_time);
  digest.exposed = digest_integer(json, "exposed_ns", 0, most_time);
  digest.steps = static_cast<std::size_t>(digest_integer(json, "steps", 0, most_time));
  digest.launched_before = static_cast<std::size_t>(digest_integer(json, "launched_before", 0, most_rank));
  digest.events = static_cast<std::size_t>(digest_integer(json, "events", 0, most_time));
  for (const rapidjson::Value& name : digest_list(json, "names").GetArray()) {
    if (!name.IsString()) throw DamagedDigest{"names"};
    digest.names.emplace_back(name.GetString(), name.GetStringLength());
  }
  digest.collectives = table_of_json(json, "collectives", collective_columns());
  digest.costs = table_of_json(json, "costs", cost_columns());
  connect_costs(digest);
  return digest;
}

// Where the trace is now: where it was, else beside its digest.
std::filesystem::path place_of_trace(const std::string& place, const std::filesystem::path& digest) {
  if (platform::is_address(place)) return place;
  std::error_code unknown;
  if (std::filesystem::exists(place, unknown)) return place;
  std::filesystem::path beside = digest.parent_path() / std::filesystem::path(place).filename();
  return std::filesystem::exists(beside, unknown) ? beside : std::filesystem::path(place);
}

}  // namespace

bool is_digest_file(const std::filesystem::path& file) {
  if (!platform::check_regular_file(file)) return false;
  if (file.extension() == ".digest") return true;
  const auto source = platform::open_source(file);
  if (!source) return false;
  std::array<char, digest_begin.size()> begin{};
  std::size_t read = 0;
  while (read < begin.size()) {
    const std::size_t more = (*source)->read(begin.data() + read, begin.size() - read);
    if (more == 0) return false;
    read += more;
  }
  return std::string_view(begin.data(), begin.size()) == digest_begin;
}

base::Result<std::vector<RankDigest>> digests_in(std::string_view json, const std::filesystem::path& file) {
  if (!json.starts_with(digest_begin))
    return base::Error{fmt::format("{}: is no digest; make one of a trace: warpwalk digest TRACE -o {}", file.string(),
                                   file.filename().string())};
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  const auto damaged = [&](std::string_view where) {
    return base::Error{fmt::format("{}: is a damaged digest ({}); make it again of its trace: warpwalk digest TRACE",
                                   file.string(), where)};
  };
  if (document.HasParseError()) return damaged(fmt::format("at byte {}", document.GetErrorOffset()));
  try {
    const std::int64_t version = digest_integer(document, "version", 1, std::numeric_limits<std::int32_t>::max());
    if (version != digest_version)
      return base::Error{fmt::format(
          "{}: is a digest of version {}, and this warpwalk reads version {}; make it again of its trace: warpwalk "
          "digest TRACE",
          file.string(), version, digest_version)};
    const std::string place = digest_string(member_of_json(document, "trace"), "place");
    std::vector<RankDigest> digests;
    for (const rapidjson::Value& rank : digest_list(document, "ranks").GetArray()) {
      digests.push_back(rank_of_json(rank));
      digests.back().file = place_of_trace(place, file);
      digests.back().digest = file;
    }
    if (digests.empty()) return damaged("ranks");
    return digests;
  } catch (const DamagedDigest& problem) {
    return damaged(problem.where);
  }
}

base::Result<std::vector<RankDigest>> read_digest_file(const std::filesystem::path& file) {
  const auto text = platform::read_compressed_file(file);
  if (!text) return base::Error{text.error()};
  return digests_in(text->text, file);
}

}  // namespace warpwalk::analysis
