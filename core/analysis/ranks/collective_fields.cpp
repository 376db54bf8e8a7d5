#include "core/analysis/ranks/collective_fields.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/exact_json.h"

namespace warpwalk::analysis {
namespace {

std::int64_t number_of_field(const rapidjson::Value& fields, const char* key) {
  const auto found = fields.FindMember(key);
  return found != fields.MemberEnd() && found->value.IsInt64() ? found->value.GetInt64() : -1;
}

std::string text_of_field(const rapidjson::Value& fields, const char* key) {
  const auto found = fields.FindMember(key);
  if (found == fields.MemberEnd() || !found->value.IsString()) return {};
  return {found->value.GetString(), found->value.GetStringLength()};
}

// Bytes of an element of PyTorch's type; 0: not known.
std::int64_t bytes_of_type(std::string_view type) {
  constexpr std::pair<std::string_view, std::int64_t> types[] = {
      {"Float8", 1}, {"BFloat16", 2}, {"Half", 2},         {"Float", 4},         {"Double", 8},
      {"Int", 4},    {"Long", 8},     {"Short", 2},        {"Char", 1},          {"Byte", 1},
      {"Bool", 1},   {"UInt16", 2},   {"UInt32", 4},       {"UInt64", 8},        {"QInt8", 1},
      {"QUInt8", 1}, {"QInt32", 4},   {"ComplexFloat", 8}, {"ComplexDouble", 16}};
  for (const auto& [name, bytes] : types)
    if (type == name || (name == "Float8" && type.starts_with(name))) return bytes;
  return 0;
}

// "[0, 1, 2]"; empty if it is cut ("[0, 1, ..., 63]").
std::vector<std::int64_t> ranks_of(std::string_view text) {
  std::vector<std::int64_t> ranks;
  if (text.find("...") != std::string_view::npos) return ranks;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    std::int64_t rank = 0;
    const auto [next, error] = std::from_chars(at, text.data() + text.size(), rank);
    if (error == std::errc()) ranks.push_back(rank);
    at = error == std::errc() ? next : at + 1;
  }
  std::ranges::sort(ranks);
  return ranks;
}

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  constexpr std::string_view names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                        "broadcast",  "reduce",     "gather",         "scatter",
                                        "barrier",    "send",       "receive",        "other"};
  return names[static_cast<std::size_t>(kind)];
}

CollectiveKind collective_kind_of(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != '_' && c != '-') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  constexpr std::pair<std::string_view, CollectiveKind> parts[] = {
      {"reducescatter", CollectiveKind::reduce_scatter},
      {"allreduce", CollectiveKind::all_reduce},
      {"allgather", CollectiveKind::all_gather},
      {"alltoall", CollectiveKind::all_to_all},
      {"barrier", CollectiveKind::barrier},
      {"broadcast", CollectiveKind::broadcast},
      {"scatter", CollectiveKind::scatter},
      {"gather", CollectiveKind::gather},
      {"reduce", CollectiveKind::reduce},
      {"sendrecv", CollectiveKind::other},  // both in one group
      {"recv", CollectiveKind::receive},
      {"receive", CollectiveKind::receive},
      {"send", CollectiveKind::send},
  };
  for (const auto& [part, kind] : parts)
    if (letters.find(part) != std::string::npos) return kind;
  return CollectiveKind::other;
}

std::optional<CollectiveFields> collective_fields(std::string_view extra) {
  if (extra.find("\"Collective name\"") == std::string_view::npos) return std::nullopt;
  rapidjson::Document fields;
  const std::string object = "{" + std::string(extra) + "}";
  if (base::parse_exact(object, fields, base::Encoding::as_is).IsError() || !fields.IsObject()) return std::nullopt;
  const std::string name = text_of_field(fields, "Collective name");
  if (name.empty()) return std::nullopt;
  CollectiveFields found;
  found.kind = collective_kind_of(name);
  found.group = text_of_field(fields, "Process Group Name");
  found.description = text_of_field(fields, "Process Group Description");
  found.ranks = ranks_of(text_of_field(fields, "Process Group Ranks"));
  found.rank = number_of_field(fields, "Rank");
  found.size = number_of_field(fields, "Group size");
  found.sequence = number_of_field(fields, "Seq");
  const std::int64_t start = number_of_field(fields, "Global rank start");
  const std::int64_t stride = number_of_field(fields, "Global rank stride");
  constexpr std::int64_t most_ranks = 1 << 20;
  if (found.ranks.empty() && start >= 0 && stride > 0 && stride < most_ranks && found.size > 0 &&
      found.size < most_ranks)
    for (std::int64_t i = 0; i < found.size; ++i) found.ranks.push_back(start + i * stride);
  const std::int64_t elements =
      std::max(number_of_field(fields, "In msg nelems"), number_of_field(fields, "Out msg nelems"));
  constexpr std::int64_t most_elements = std::int64_t{1} << 56;
  if (elements > 0 && elements < most_elements) found.bytes = elements * bytes_of_type(text_of_field(fields, "dtype"));
  // warpwalk's recorder writes bytes, because NCCL does not report elements to it.
  const std::int64_t given =
      std::max(number_of_field(fields, "In msg bytes"), number_of_field(fields, "Out msg bytes"));
  if (given > 0 && given < most_elements) found.bytes = given;
  const bool sends = found.kind == CollectiveKind::send;
  found.peer = number_of_field(fields, sends ? "Dst Rank" : "Src Rank");
  return found;
}

}  // namespace warpwalk::analysis
