#include "core/analysis/ranks/hang/mismatch.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace warpwalk::analysis {
namespace {

// What all ranks of a collective have to agree on. Sizes are numbers of elements as text; empty: they may differ, or
// the dump lacks them.
struct Signature {
  std::string name, input_sizes, output_sizes, input_types, output_types;
  auto operator<=>(const Signature&) const = default;
};

// "[[10, 20], [5]]" -> "200 5": elements of each tensor. Numbers of a damaged file may be anything, so they wrap.
std::string elements_text(std::string_view sizes) {
  std::string out;
  std::uint64_t product = 1, number = 0;
  bool digits = false, inside = false;
  for (const char c : sizes.size() < 2 ? std::string_view() : sizes.substr(1, sizes.size() - 2)) {
    if (c == '[') {
      inside = true;
      product = 1;
      number = 0;
      digits = false;
    } else if (c >= '0' && c <= '9') {
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
      digits = true;
    } else if (c == ',' || c == ']') {
      if (digits) product *= number;
      number = 0;
      digits = false;
      if (c == ']' && inside) {
        if (!out.empty()) out += ' ';
        out += std::to_string(product);
        inside = false;
      }
    }
  }
  return out;
}

// Which sides of a collective every rank gives in the same size (torch/distributed/distributed_c10d.py): in a gather
// the root alone has outputs, in a scatter inputs; all_to_all and the calls with "_v" may split unevenly.
std::pair<bool, bool> same_sizes(std::string_view name) {
  if (name.find("all_to_all") != std::string_view::npos || name.find("_v") != std::string_view::npos)
    return {false, false};
  if (name == "gather") return {true, false};
  if (name == "scatter") return {false, true};
  return {true, true};
}

Signature signature_of(const GroupCalls& all, const RankCalls& rank, const CallUnit& unit) {
  Signature out;
  for (const std::size_t index : all.calls_of(rank, unit)) {
    const trace::flight::Call& call = all.call(rank, index);
    const std::string_view name = all.dumps.text(call.name);
    const auto [input, output] = same_sizes(name);
    out.name += std::string(name) + ";";
    if (input) out.input_sizes += elements_text(all.dumps.text(call.input_sizes)) + ";";
    if (output) out.output_sizes += elements_text(all.dumps.text(call.output_sizes)) + ";";
    if (input) out.input_types += std::string(all.dumps.text(call.input_types)) + ";";
    if (output) out.output_types += std::string(all.dumps.text(call.output_types)) + ";";
  }
  return out;
}

// Whether two units are written alike, as nearly all are.
bool same_texts(const GroupCalls& all, const std::pair<const RankCalls*, const CallUnit*>& a,
                const std::pair<const RankCalls*, const CallUnit*>& b) {
  const auto first = all.calls_of(*a.first, *a.second), second = all.calls_of(*b.first, *b.second);
  return std::ranges::equal(first, second, [&](std::size_t left, std::size_t right) {
    const trace::flight::Call& l = all.call(*a.first, left);
    const trace::flight::Call& r = all.call(*b.first, right);
    return l.name == r.name && l.input_sizes == r.input_sizes && l.output_sizes == r.output_sizes &&
           l.input_types == r.input_types && l.output_types == r.output_types;
  });
}

// Whether the ranks of the second side call now what those of the first call with a neighbouring number, or the
// reverse.
bool is_other_order(const GroupCalls& all, std::size_t group, std::int64_t sequence, const Signature& first,
                    const Signature& second, std::int64_t first_rank, std::int64_t second_rank) {
  const auto finds = [&](std::int64_t rank, std::int64_t number, const Signature& wanted) {
    const RankCalls& calls = all.calls[group].at(rank);
    const CallUnit* const unit = calls.collective(number);
    return unit != nullptr && signature_of(all, calls, *unit) == wanted;
  };
  return finds(first_rank, sequence + 1, second) || finds(second_rank, sequence + 1, first);
}

MismatchKind kind_of(const Signature& a, const Signature& b) {
  if (a.name != b.name) return MismatchKind::collective;
  if (a.input_sizes != b.input_sizes || a.output_sizes != b.output_sizes) return MismatchKind::size;
  return MismatchKind::type;
}

}  // namespace

std::string_view name_of(MismatchKind kind) {
  switch (kind) {
    case MismatchKind::collective: return "collective";
    case MismatchKind::order: return "order";
    case MismatchKind::size: return "size";
    case MismatchKind::type: return "type";
  }
  return "";
}

std::optional<Mismatch> mismatch_at(const GroupCalls& all, std::size_t group, std::int64_t sequence) {
  std::vector<std::pair<const RankCalls*, const CallUnit*>> units;
  for (const auto& [rank, calls] : all.calls[group]) {
    const CallUnit* const unit = calls.collective(sequence);
    if (unit == nullptr || (calls.active_only && !unit->open())) continue;
    // The first calls of a ring buffer may be the rest of coalesced ones.
    if (!calls.from_start && calls.of[unit->first] == 0 && !calls.active_only) continue;
    units.emplace_back(&calls, unit);
  }
  const auto equal_to_first = [&](const auto& one) { return same_texts(all, units.front(), one); };
  if (std::ranges::all_of(units, equal_to_first)) return {};
  std::map<Signature, std::vector<std::int64_t>> ways;
  for (const auto& [calls, unit] : units) ways[signature_of(all, *calls, *unit)].push_back(calls->rank);
  if (ways.size() < 2) return {};
  std::vector<std::pair<Signature, std::vector<std::int64_t>>> sides(ways.begin(), ways.end());
  std::ranges::stable_sort(sides, [](const auto& a, const auto& b) {
    if (a.second.size() != b.second.size()) return a.second.size() > b.second.size();
    return a.second.front() < b.second.front();
  });
  Mismatch out;
  out.sequence = sequence;
  const auto& [most, most_ranks] = sides.front();
  out.kind = kind_of(most, sides[1].first);
  for (std::size_t i = 1; i < sides.size(); ++i) out.kind = std::min(out.kind, kind_of(most, sides[i].first));
  if (out.kind == MismatchKind::collective &&
      is_other_order(all, group, sequence, most, sides[1].first, most_ranks.front(), sides[1].second.front()))
    out.kind = MismatchKind::order;
  for (auto& [signature, ranks] : sides) {
    const RankCalls& calls = all.calls[group].at(ranks.front());
    out.sides.push_back(all.described(group, calls, *calls.collective(sequence)));
    out.ranks.push_back(std::move(ranks));
  }
  return out;
}

std::optional<Mismatch> mismatch_of(const HangCall& send, const HangCall& recv) {
  const std::string sent = elements_text(send.input_sizes), received = elements_text(recv.output_sizes);
  Mismatch out;
  if (!sent.empty() && !received.empty() && sent != received)
    out.kind = MismatchKind::size;
  else if (!send.input_types.empty() && !recv.output_types.empty() && send.input_types != recv.output_types)
    out.kind = MismatchKind::type;
  else
    return {};
  out.sequence = send.sequence;
  out.sides = {send, recv};
  out.ranks = {{send.rank}, {recv.rank}};
  return out;
}

}  // namespace warpwalk::analysis
