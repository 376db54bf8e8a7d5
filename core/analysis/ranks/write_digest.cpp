// Writes digests, and the trace that one stands for.
#include <algorithm>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/analysis/ranks/digest_columns.h"
#include "core/analysis/ranks/digest_file.h"

namespace warpwalk::analysis {
namespace {

using DigestWriter = rapidjson::Writer<rapidjson::StringBuffer>;

void put_text(DigestWriter& json, std::string_view text) {
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void put_key(DigestWriter& json, std::string_view key) {
  json.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
}

void put_member(DigestWriter& json, std::string_view key, std::string_view text) {
  put_key(json, key);
  put_text(json, text);
}

void put_member(DigestWriter& json, std::string_view key, std::int64_t number) {
  put_key(json, key);
  json.Int64(number);
}

// Differences may be larger than 64 bits have room for; they come back by the same arithmetic.
std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t taken_off(DigestLess less, const RankCollective& row) {
  return less == DigestLess::call ? row.call : less == DigestLess::arrival ? row.arrival : 0;
}
std::int64_t taken_off(DigestLess, const StretchCost&) { return 0; }

template <class Row>
void put_table(DigestWriter& json, std::string_view key, std::span<const DigestColumn<Row>> columns,
               const std::vector<Row>& rows) {
  put_key(json, key);
  json.StartObject();
  put_member(json, "rows", static_cast<std::int64_t>(rows.size()));
  put_key(json, "columns");
  json.StartArray();
  for (const DigestColumn<Row>& column : columns) {
    json.StartObject();
    put_member(json, "name", column.name);
    if (column.less != DigestLess::nothing) put_member(json, "less", name_of(column.less));
    put_member(json, "about", column.about);
    put_key(json, "values");
    json.StartArray();
    std::int64_t previous = 0;
    for (const Row& row : rows) {
      const std::int64_t value = std::clamp(column.get(row), column.least, column.most);
      json.Int64(
          wrapped_difference(value, column.less == DigestLess::previous ? previous : taken_off(column.less, row)));
      previous = value;
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

// [first, count, step] for each run of ranks at equal distances: a group of 1,024 ranks is a few numbers.
void put_ranks(DigestWriter& json, const std::vector<std::int64_t>& ranks) {
  put_key(json, "ranks");
  json.StartArray();
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    const std::int64_t step = end < ranks.size() ? ranks[end] - ranks[i] : 1;
    while (end < ranks.size() && ranks[end] - ranks[end - 1] == step) ++end;
    json.StartArray();
    json.Int64(ranks[i]);
    json.Int64(static_cast<std::int64_t>(end - i));
    json.Int64(step);
    json.EndArray();
    i = end;
  }
  json.EndArray();
}

void put_rank(DigestWriter& json, const RankDigest& digest) {
  const RankIdentity& identity = digest.identity;
  json.StartObject();
  put_member(json, "rank", identity.rank);
  put_member(json, "rank_from", static_cast<std::int64_t>(identity.from));
  put_member(json, "world", identity.world);
  put_member(json, "backend", identity.backend);
  put_member(json, "host", identity.host);
  put_member(json, "device", identity.device);
  put_key(json, "groups");
  json.StartArray();
  for (const ProcessGroup& group : identity.groups) {
    json.StartObject();
    put_member(json, "name", group.name);
    put_member(json, "description", group.description);
    put_ranks(json, group.ranks);
    json.EndObject();
  }
  json.EndArray();
  put_member(json, "begin_ns", digest.begin);
  put_member(json, "end_ns", digest.end);
  put_member(json, "base_ns", digest.base);
  put_member(json, "computing_ns", digest.computing);
  put_member(json, "communicating_ns", digest.communicating);
  put_member(json, "exposed_ns", digest.exposed);
  put_member(json, "steps", static_cast<std::int64_t>(digest.steps));
  put_member(json, "launched_before", static_cast<std::int64_t>(digest.launched_before));
  put_member(json, "events", static_cast<std::int64_t>(digest.events));
  put_key(json, "names");
  json.StartArray();
  for (const std::string& name : digest.names) put_text(json, name);
  json.EndArray();
  put_table(json, "collectives", collective_columns(), digest.collectives);
  put_table(json, "costs", cost_columns(), digest.costs);
  json.EndObject();
}

}  // namespace

std::string digest_json(const std::vector<RankDigest>& digests, const DigestedTrace& trace) {
  rapidjson::StringBuffer text;
  DigestWriter json(text);
  json.StartObject();
  put_member(json, "format", "warpwalk digest");
  put_member(json, "version", digest_version);
  put_member(
      json, "about",
      "What a comparison of the ranks of a distributed run needs of one trace. Times are ns since the epoch of the "
      "rank's "
      "own clock. A value in a column is the sum of the number there and of what its 'less' names: the value before it "
      "in "
      "the column, or the value of that column in the same row. The ranks of a group are runs [first, count, step].");
  put_key(json, "trace");
  json.StartObject();
  put_member(json, "place", trace.place);
  put_member(json, "bytes", static_cast<std::int64_t>(trace.bytes));
  json.EndObject();
  put_key(json, "collective_kinds");
  json.StartArray();
  for (std::size_t kind = 0; kind < collective_kinds; ++kind)
    put_text(json, name_of(static_cast<CollectiveKind>(kind)));
  json.EndArray();
  put_key(json, "cost_kinds");
  json.StartArray();
  for (std::size_t kind = 0; kind < cost_kinds; ++kind) put_text(json, name_of(static_cast<CostKind>(kind)));
  json.EndArray();
  put_key(json, "ranks");
  json.StartArray();
  for (const RankDigest& digest : digests) put_rank(json, digest);
  json.EndArray();
  json.EndObject();
  return {text.GetString(), text.GetSize()};
}

std::string trace_json_of(const RankDigest& digest) {
  const std::int64_t device = std::max<std::int64_t>(0, digest.identity.device);
  std::string json = fmt::format(
      R"({{"baseTimeNanoseconds": {}, "distributedInfo": {{"backend": "{}", "rank": {}, "world_size": {}}}, "traceEvents": [)",
      digest.base, digest.identity.backend == "nccl" ? "nccl" : "", digest.identity.rank, digest.identity.world);
  bool first = true;
  const auto add = [&](std::int64_t from, std::int64_t to, std::string_view name, int stream) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const std::int64_t start = std::clamp<std::int64_t>(from - digest.base, 0, most);
    const std::int64_t length = std::clamp<std::int64_t>(to - from, 0, most);
    json += fmt::format(
        R"({}{{"ph": "X", "cat": "kernel", "name": "{}", "pid": {}, "tid": {}, "ts": {}.{:03}, "dur": {}.{:03}, )"
        R"("args": {{"device": {}, "stream": {}}}}})",
        first ? "" : ",\n", name, device, stream, start / 1000, start % 1000, length / 1000, length % 1000, device,
        stream);
    first = false;
  };
  for (const RankCollective& one : digest.collectives)
    add(one.arrival, one.end, fmt::format("ncclDevKernel_{}", name_of(one.kind)), 1);
  if (first) add(digest.begin, digest.end, "work", 1);
  return json + "]}\n";
}

}  // namespace warpwalk::analysis
