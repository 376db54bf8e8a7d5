// Which issue a beat about an instruction shows.
#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/gpu/exec/program.h"
#include "core/run/replay/history.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

using gpu::LoggedAccess;

/// Enough for the instructions of a loop; each look steps through the SM's cycles.
constexpr std::size_t most_looks = 48;

const LoggedAccess* first_access(const gpu::Issue& issue) {
  return issue.accesses.empty() ? nullptr : &issue.accesses.front();
}

// Arithmetic on floating-point numbers is what most kernels are for.
int interest(const LanesSubject& s, const gpu::Issue& issue) {
  const std::string text = instruction_text(s.travel, s.history, issue.what.instruction).text;
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (has("FMNMX") || has("max.f")) return 4;
  if (has("HMMA") || has("IMMA") || has("mma.sync")) return 5;
  if (has("FFMA") || has("fma.rn")) return 3;
  if (has("FADD") || has("FMUL") || has("DFMA") || has("HFMA2") || has("add.f") || has("mul.f")) return 2;
  return has("IMAD") || has("IADD") || has("mad.") || has("add.") ? 1 : 0;
}

// Whether an instruction writes a constant: compilers write HFMA2.MMA R6, -RZ, RZ, 0, 0 for it. Without machine code
// nothing is known of registers.
bool writes_constant(const LanesSubject& s, std::uint32_t instruction) {
  const auto& code = s.travel.program().machine_code;
  if (!code || instruction >= code->uses.size()) return false;
  return code->uses[instruction].reads.general.none();
}

// The issues of the window whose operands were computed from what the warp loaded, by their index. An address or an
// index is not: it comes from the numbers of thread and block.
std::vector<bool> issues_with_data(const LanesSubject& s) {
  const std::vector<gpu::Issue>& issues = s.window->issues;
  const auto& code = s.travel.program().machine_code;
  std::vector<bool> from_data(issues.size());
  if (!code) return from_data;
  using Registers = decltype(sass::RegisterSet::general);
  std::map<std::pair<std::uint64_t, std::uint32_t>, Registers> data_of;  // by block and warp
  for (std::size_t i = 0; i < issues.size(); ++i) {
    const gpu::IssuedInstruction& what = issues[i].what;
    if (what.executing == 0 || what.instruction >= code->uses.size()) continue;
    const sass::RegisterUse& use = code->uses[what.instruction];
    Registers& data = data_of[{what.warp.block, what.warp.warp}];
    const LoggedAccess* const access = first_access(issues[i]);
    from_data[i] = access == nullptr && (use.reads.general & data).any();
    if (from_data[i] || (access != nullptr && !access->writes))
      data |= use.writes.general;
    else if (use.always)
      data &= ~use.writes.general;
  }
  return from_data;
}

// Whether the lanes that execute an issue do not all write the same value; also if that is not known.
bool lanes_differ(const LanesSubject& s, const gpu::Issue& issue) {
  const auto& code = s.travel.program().machine_code;
  if (!code || issue.what.instruction >= code->uses.size()) return true;
  const auto after = s.travel.at(s.sm, issue.what.cycle + 1);
  const auto warp = std::ranges::find(after->state.warps, issue.what.warp, &gpu::WarpState::place);
  if (warp == after->state.warps.end() || warp->warp == nullptr) return false;
  const auto& registers = warp->warp->registers;
  const auto& written = code->uses[issue.what.instruction].writes.general;
  for (std::size_t r = 0; r < written.size(); ++r) {
    if (!written.test(r)) continue;
    std::set<std::uint32_t> values;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t offset = code->frame.general + 128 * r + 4 * lane;
      if ((issue.what.executing >> lane & 1) == 0 || offset + 4 > registers.size()) continue;
      std::uint32_t word = 0;
      std::memcpy(&word, registers.data() + offset, 4);
      values.insert(word);
    }
    if (values.size() > 1) return true;
  }
  return false;
}

using Wanted = std::function<bool(const gpu::WarpPlace&)>;

// The issue of the warps that are wanted that is worth most; null if none is worth anything.
const gpu::Issue* issue_of(const LanesSearch& search, const LanesSubject& s, const Wanted& wanted) {
  const std::vector<gpu::Issue>& issues = s.window->issues;
  const gpu::Issue* best = nullptr;
  int most = 0;
  for (std::size_t i = 0; i < issues.size() && most < search.enough; ++i) {
    if (!wanted(issues[i].what.warp) || issues[i].what.executing == 0) continue;
    const int worth = search.worth(s, i);
    if (worth <= most) continue;
    most = worth;
    best = &issues[i];
  }
  return best;
}

// The same among the issues whose lanes write different values: floating-point arithmetic on data, then other
// floating-point arithmetic, then other arithmetic on data, then the rest. Of each instruction, the first two issues of
// a warp are looked at: a first pass of a loop may begin with zeros.
const gpu::Issue* varied_issue_of(const LanesSearch& search, const LanesSubject& s, const std::vector<bool>& from_data,
                                  const Wanted& wanted) {
  constexpr int looks_each = 2;
  constexpr int floating = 2;  // and more: a worth of floating-point arithmetic
  struct Candidate {
    const gpu::Issue* issue;
    int worth;
  };
  std::vector<Candidate> candidates;
  std::map<std::pair<std::uint32_t, std::uint16_t>, int> seen;
  for (std::size_t i = 0; i < s.window->issues.size(); ++i) {
    const gpu::Issue& issue = s.window->issues[i];
    if (!wanted(issue.what.warp) || issue.what.executing == 0) continue;
    if (seen[{issue.what.instruction, issue.what.warp.slot}]++ >= looks_each) continue;
    const int worth = search.worth(s, i);
    if (worth == 0) continue;
    const int kind = worth >= floating ? (from_data[i] ? 3 : 2) : from_data[i] ? 1 : 0;
    candidates.push_back({&issue, 10 * kind + worth});
  }
  std::ranges::stable_sort(candidates, std::greater{}, &Candidate::worth);
  candidates.resize(std::min(candidates.size(), most_looks));
  const auto found =
      std::ranges::find_if(candidates, [&](const Candidate& one) { return lanes_differ(s, *one.issue); });
  return found == candidates.end() ? nullptr : found->issue;
}

}  // namespace

int worth_as_arithmetic(const LanesSubject& s, std::size_t issue) {
  const gpu::Issue& here = s.window->issues[issue];
  return first_access(here) != nullptr || writes_constant(s, here.what.instruction) ? 0 : interest(s, here);
}

int worth_as_global_load(const LanesSubject& s, std::size_t issue) {
  const LoggedAccess* const access = first_access(s.window->issues[issue]);
  return access != nullptr && access->space == LoggedAccess::Space::global && !access->writes ? 1 : 0;
}

int worth_by_wavefronts(const LanesSubject& s, std::size_t issue) {
  const LoggedAccess* const access = first_access(s.window->issues[issue]);
  if (access == nullptr || access->space != LoggedAccess::Space::shared) return 0;
  return gpu::wavefronts_of(access->at.data(), access->mask, access->bytes, access->writes).passes;
}

int worth_as_divergent(const LanesSubject& s, std::size_t issue) {
  const std::vector<gpu::Issue>& issues = s.window->issues;
  const gpu::Issue& here = issues[issue];
  if (std::popcount(here.what.lanes) == 32 || here.what.lanes == 0) return 0;
  const auto whole = [&](const gpu::Issue& other) {
    return other.what.warp == here.what.warp && other.what.lanes == ~0u;
  };
  if (std::none_of(issues.begin(), issues.begin() + static_cast<std::ptrdiff_t>(issue), whole)) return 0;
  if (instruction_text(s.travel, s.history, here.what.instruction).text.find("BSYNC") != std::string::npos) return 1;
  return first_access(here) != nullptr || interest(s, here) >= 2 ? 3 : 2;
}

const gpu::Issue* followed_issue(const LanesSearch& search, const LanesSubject& s, const BlockOnSm& followed,
                                 std::optional<double> slot) {
  const std::vector<bool> from_data = search.varied ? issues_with_data(s) : std::vector<bool>();
  const auto varied = [&](const Wanted& wanted) {
    return search.varied ? varied_issue_of(search, s, from_data, wanted) : nullptr;
  };
  if (slot) {  // a person chose this warp
    const Wanted chosen = [slot](const gpu::WarpPlace& warp) { return warp.slot == static_cast<std::uint16_t>(*slot); };
    if (const gpu::Issue* const found = varied(chosen)) return found;
    if (const gpu::Issue* const found = issue_of(search, s, chosen)) return found;
  }
  for (const bool differing : {true, false})
    for (const int rank : {2, 1, 0}) {
      const Wanted wanted = [&followed, rank](const gpu::WarpPlace& warp) { return followed.rank(warp) == rank; };
      if (const gpu::Issue* const found = differing ? varied(wanted) : issue_of(search, s, wanted)) return found;
    }
  return nullptr;
}

}  // namespace warpwalk::story
