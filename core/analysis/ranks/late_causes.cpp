// Chooses why ranks arrive late from what they do more than the others.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/ranks/rank_report.h"
#include "core/analysis/ranks/stretch_comparison.h"

namespace warpwalk::analysis {
namespace {

// A cause counts if it delays its rank by this share of the run in all, and by this much each time.
constexpr double least_share_of_run = 0.02;
constexpr std::int64_t least_late = 20'000;    // ns
constexpr std::int64_t least_uncertainty = 4;  // times the uncertainty of the clocks
// ... if it takes this share of what the rank does more than others, and this many times what the others need for it.
constexpr double least_share_of_excess = 0.25, least_share_of_all = 0.1;
constexpr double least_ratio_cpu = 1.5, least_ratio_gpu = 1.1;
// As many kernels, within this share, that take longer are more work; else there are more kernels.
constexpr double most_kernels_apart = 0.05;
constexpr std::int64_t longest_launch = 100'000;  // ns of Python and ops around a launch
// A rank without a cause is said to be late if it is last in this share of its collectives, makes others wait for this
// share of the run, and needs more time than the others by this share of the run, on its CPU or its GPU. Else it only
// began later: where launching takes longer than the kernels, the GPUs of all ranks wait for the one that is behind,
// however little that is. CPUs of one machine were seen to differ by 30 %.
constexpr double least_last = 0.75, least_waiting = 0.2, least_slower_cpu = 0.4, least_slower_gpu = 0.1;

// "data/train.py(31): load_batch" in its parts.
void set_place(LateCause& cause, std::string_view line) {
  const std::size_t colon = line.rfind("): "), open = line.rfind('(', colon);
  if (colon == std::string_view::npos || open == std::string_view::npos) return;
  cause.file = line.substr(0, open);
  cause.function = line.substr(colon + 3);
  const std::string_view number = line.substr(open + 1, colon - open - 1);
  std::from_chars(number.data(), number.data() + number.size(), cause.line);
}

class Finder {
 public:
  explicit Finder(const RankReport& report) : report_(report), span_(span_of(report)), comparison_(report) {}

  std::vector<LateCause> find() {
    std::vector<LateCause> causes;
    for (std::size_t rank = 0; rank < report_.ranks.size(); ++rank) look_at(rank, causes);
    std::ranges::stable_sort(causes, std::ranges::greater{}, [](const LateCause& cause) {
      return std::pair{cause.kind != LateKind::unknown, cause.late * static_cast<std::int64_t>(cause.times)};
    });
    return causes;
  }
  const std::optional<LastRank>& always_last() const { return always_last_; }
  RankDoubt doubt() const {
    const std::int64_t world = report_.ranks.empty() ? 0 : report_.ranks.front().identity.world;
    if (world > static_cast<std::int64_t>(report_.ranks.size())) return RankDoubt::missing;
    return share(least_uncertainty * report_.alignment.uncertainty, span()) > least_share_of_run ? RankDoubt::clocks
                                                                                                 : RankDoubt::none;
  }

 private:
  // The time of the run in which collectives follow each other: pauses, such as the program's start, count as ten
  // usual stretches. The collectives are those of the rank that has most of them: those of many groups come at once.
  static std::int64_t span_of(const RankReport& report) {
    std::vector<std::size_t> counts(report.ranks.size(), 0);
    for (const MatchedCollective& one : report.collectives)
      for (const Member& member : one.members) ++counts[member.rank];
    const auto busiest = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    std::vector<std::int64_t> stretches;
    std::optional<std::int64_t> before;
    for (const MatchedCollective& one : report.collectives) {
      if (!std::ranges::binary_search(one.members, busiest, {}, &Member::rank)) continue;
      if (before) stretches.push_back(one.last_arrival - *before);
      before = one.last_arrival;
    }
    if (stretches.empty()) return std::max<std::int64_t>(1, report.end - report.begin);
    std::ranges::sort(stretches);
    constexpr std::int64_t most_usual = std::numeric_limits<std::int64_t>::max() / 10;  // in damaged traces
    const std::int64_t longest = std::max<std::int64_t>(1, 10 * std::min(stretches[stretches.size() / 2], most_usual));
    std::int64_t sum = 1;
    for (const std::int64_t one : stretches) sum += std::min(one, longest);
    return sum;
  }
  std::int64_t span() const { return span_; }
  std::int64_t least_each() const { return std::max(least_late, least_uncertainty * report_.alignment.uncertainty); }

  void look_at(std::size_t rank, std::vector<LateCause>& causes) {
    rank_ = rank;
    stretches_.clear();
    std::size_t last_in = 0, late_in = 0;
    std::int64_t waited = 0, communicating = 0;
    for (std::size_t i = 0; i < report_.collectives.size(); ++i) {
      const MatchedCollective& one = report_.collectives[i];
      const auto member = std::ranges::lower_bound(one.members, rank, {}, &Member::rank);
      if (member == one.members.end() || member->rank != rank) continue;
      RankStretch& stretch = stretches_.emplace_back();
      stretch.matched = i;
      stretch.own = member->collective;
      for (const Member& other : one.members)
        if (other.rank != rank) communicating += other.end - other.arrival;
      const auto place = static_cast<std::size_t>(member - one.members.begin());
      stretch.late_by = one.lateness(place);
      if (stretch.late_by == 0) continue;
      ++late_in;
      last_in += place == one.late ? 1 : 0;
      waited += place == one.late ? one.wait : wait_for(one, *member);
    }
    if (late_in == 0 || static_cast<double>(waited) < least_share_of_run * static_cast<double>(span())) return;
    std::ranges::sort(stretches_, {}, &RankStretch::own);

    LateCause all;
    all.rank = rank;
    all.last_in = last_in;
    all.late_in = late_in;
    all.of = stretches_.size();
    all.waited = waited;
    all.communicating = communicating;
    const std::vector<CostExcess> candidates = comparison_.excesses(rank, stretches_);
    const std::size_t before = causes.size();
    const CostExcess work = comparison_.all_work(rank, stretches_, candidates);
    add_causes(all, work, candidates, causes);
    if (causes.size() > before) return;
    if (share(static_cast<std::int64_t>(late_in), static_cast<std::int64_t>(all.of)) < least_last) return;
    if (share(waited, span()) < least_waiting * static_cast<double>(report_.ranks.size() - 1)) return;
    all.times = late_in;
    for (const RankStretch& stretch : stretches_) all.late += stretch.late_by;
    all.late /= static_cast<std::int64_t>(late_in);
    all.collective = std::ranges::max_element(stretches_, {}, &RankStretch::late_by)->matched;
    // What differs may delay the rank by little, and have made it late before the first collective that is recorded.
    if (is_more_work(work, candidates)) {
      all.kind = LateKind::more_work;
      all.late = std::min(all.late, work.excess / static_cast<std::int64_t>(late_in));
    } else if (!set_wait(all, candidates) && !needs_more_time(all, work)) {
      return;
    }
    causes.push_back(all);
  }

  // What those that came before a late rank wait for it, if nobody were later.
  static std::int64_t wait_for(const MatchedCollective& one, const Member& late) {
    std::int64_t sum = 0;
    for (const Member& other : one.members)
      sum += std::clamp<std::int64_t>(late.arrival - other.arrival, 0, other.wait);
    return sum;
  }

  // Keeps the rank as the one that is always last if it does not.
  bool needs_more_time(const LateCause& all, const CostExcess& work) {
    const std::optional<BusyTimes> busy = comparison_.busy_times(rank_, stretches_);
    if (!busy || share(busy->own - busy->others, span()) >= least_slower_cpu ||
        share(work.excess, span()) >= least_slower_gpu)
      return true;
    if (!always_last_ || all.waited > longest_wait_)
      always_last_ = LastRank{rank_, all.last_in, all.of, share(busy->own - busy->others, busy->others)};
    longest_wait_ = std::max(longest_wait_, all.waited);
    return false;
  }

  static double share(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
  }

  // Whether the GPU had work for so long that its waiting can matter.
  bool can_run_dry(const CostExcess& one) const {
    return one.key.kind == CostKind::wait && share(one.excess, span()) >= least_share_of_run;
  }

  // A wait that only this rank has is what is left to tell it from the others. It delays the CPU by its time.
  bool set_wait(LateCause& cause, const std::vector<CostExcess>& candidates) const {
    for (const CostExcess& one : candidates) {
      if (one.key.kind != CostKind::wait || one.count <= 0) continue;
      LateCause wait = cause;
      wait.kind = LateKind::synchronize;
      wait.name = comparison_.name(one.key);
      wait.times = 0;
      wait.late = 0;
      for (const StretchExcess& part : one.parts) {
        if (part.count <= 0 || part.time <= 0 || stretches_[part.stretch].late_by == 0) continue;
        ++wait.times;
        wait.late += part.time;
        wait.collective = stretches_[part.stretch].matched;
        wait.slice = part.slice;
        set_place(wait, line_of(part));
      }
      if (wait.times < 2) continue;
      wait.late /= static_cast<std::int64_t>(wait.times);
      cause = wait;
      return true;
    }
    return false;
  }

  // The lateness of the rank from one stretch until before another one.
  std::int64_t late_between(std::size_t from, std::size_t to) const {
    std::int64_t sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += stretches_[i].late_by;
    return sum;
  }

  std::int64_t idle_between(std::size_t from, std::size_t to) const {
    std::int64_t sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += report_.ranks[rank_].collectives[stretches_[i].own].idle;
    return sum;
  }

  void add_causes(const LateCause& all, const CostExcess& work, const std::vector<CostExcess>& candidates,
                  std::vector<LateCause>& causes) const {
    const bool more_work = is_more_work(work, candidates);
    const double slower = slowdown(candidates);
    std::vector<const CostExcess*> found;
    std::deque<CostExcess> all_few;
    if (more_work) found.push_back(&work);
    // What happens again and again comes before a single stretch, such as the first one of a recording.
    struct Whole {
      std::int64_t found = 0, all = 0;
    } again, once;
    if (more_work) again = {work.counts(), work.counts()};
    for (const CostExcess& one : candidates) {
      if (more_work && one.key.kind == CostKind::kernel) continue;
      Whole& whole = one.is_once() ? once : again;
      const double expected = is_of_gpu(one.key.kind) ? 0 : (slower - 1) * static_cast<double>(one.own - one.excess);
      whole.all += std::max<std::int64_t>(0, one.counts() - static_cast<std::int64_t>(expected));
      if (one.counts() == 0) continue;
      if (share(one.own, one.high) >= (is_of_gpu(one.key.kind) ? least_ratio_gpu : slower * least_ratio_cpu))
        found.push_back(&one);
      else if (CostExcess few = few_stretches(one); few.parts.size() > 1)
        found.push_back(&all_few.emplace_back(std::move(few)));
      else
        continue;
      whole.found += found.back()->counts();
    }
    const std::size_t before = causes.size();
    for (const bool looks_once : {false, true}) {
      const Whole whole = looks_once ? Whole{once.found + again.found, once.all + again.all} : again;
      for (const CostExcess* const one : found)
        if ((one != &work && one->is_once()) == looks_once &&
            share(one->counts(), whole.found) >= least_share_of_excess &&
            share(one->counts(), whole.all) >= least_share_of_all)
          add_cause(all, *one, one == &work ? LateKind::more_work : kind_of(*one, candidates), causes);
      if (causes.size() > before) return;
    }
    // The GPU ran dry after a wait that the others do not have: nothing takes longer than theirs, but later.
    for (const CostExcess& one : candidates)
      if (can_run_dry(one) && one.count > 1) {
        add_cause(all, one, LateKind::synchronize, causes);
        if (causes.size() > before) return;
      }
  }

  // Without Python frames, all time outside of calls is one cost. What delays the rank stands out in few stretches.
  CostExcess few_stretches(const CostExcess& one) const {
    constexpr double least_ratio = 3;
    CostExcess few;
    few.key = one.key;
    if (one.key.kind != CostKind::line) return few;
    for (const StretchExcess& part : one.parts)
      if (part.time >= least_each() && share(part.own, part.high) >= least_ratio) few.add(part);
    return few;
  }

  // How much longer the rank needs for the lines that all ranks have: its CPU is slower, or launches to an idle GPU.
  static double slowdown(const std::vector<CostExcess>& candidates) {
    std::int64_t own = 0, theirs = 0;
    for (const CostExcess& one : candidates) {
      if (one.key.kind != CostKind::line || 2 * one.excess > one.own) continue;
      own += one.own;
      theirs += one.own - one.excess;
    }
    return theirs > 0 ? std::max(1.0, share(own, theirs)) : 1;
  }

  // Whether there are as many kernels as in other ranks, but larger or other ones.
  static bool is_more_work(const CostExcess& work, const std::vector<CostExcess>& candidates) {
    if (work.excess <= 0 || share(work.own, work.own - work.excess) < least_ratio_gpu) return false;
    if (share(std::abs(work.count), work.blocks) > most_kernels_apart) return false;
    std::int64_t slower = 0;  // the same kernels with the same grids
    for (const CostExcess& one : candidates)
      if (one.key.kind == CostKind::kernel && one.count == 0 && one.blocks == 0) slower += one.excess;
    return 2 * slower < work.excess;
  }

  LateKind kind_of(const CostExcess& one, const std::vector<CostExcess>& candidates) const {
    switch (one.key.kind) {
      case CostKind::wait: return one.count > 0 ? LateKind::synchronize : LateKind::line;
      case CostKind::transfer:
      case CostKind::copy: return LateKind::copy;
      case CostKind::kernel: return LateKind::kernel;
      case CostKind::blocked: return LateKind::line;
      case CostKind::line:
      case CostKind::loading: break;
    }
    // A line that launches kernels which the others do not launch.
    for (const CostExcess& other : candidates)
      if (other.key.kind == CostKind::kernel && other.count > 0 &&
          (4 * other.excess > one.excess || other.count * longest_launch > one.excess) &&
          line_of(one) == line_of(other) && (!line_of(one).empty() || one.count >= other.count))
        return LateKind::kernel;
    return LateKind::line;
  }

  const std::string& line_of(const StretchExcess& part) const { return report_.ranks[rank_].names[part.line]; }
  const std::string& line_of(const CostExcess& one) const {
    return line_of(*std::ranges::max_element(one.parts, {}, &StretchExcess::time));
  }

  void add_cause(const LateCause& all, const CostExcess& one, LateKind kind, std::vector<LateCause>& causes) const {
    LateCause cause = all;
    cause.kind = kind;
    cause.times = 0;
    std::int64_t largest = 0;
    for (const StretchExcess& part : one.parts) largest = std::max(largest, part.time);
    std::vector<std::size_t> times;  // in parts: where it happened; what lies between is added to the one before
    for (std::size_t i = 0; i < one.parts.size(); ++i)
      if (kind == LateKind::more_work || (kind == LateKind::synchronize && one.parts[i].count > 0) ||
          2 * one.parts[i].time >= largest)
        times.push_back(i);
    std::int64_t sum = 0, most = 0;
    const StretchExcess* worst = nullptr;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const bool is_last = i + 1 == times.size();
      const std::size_t end = is_last ? one.parts.size() : times[i + 1];
      std::int64_t on_path = 0;
      for (std::size_t k = times[i]; k < end; ++k) on_path += one.parts[k].on_path;
      // Without it, the CPU would be ahead by as much, and the GPU by no more than it was idle.
      const std::int64_t idle =
          idle_between(one.parts[times[i]].stretch, is_last ? stretches_.size() : one.parts[end].stretch);
      if (!is_of_gpu(one.key.kind)) on_path = std::min(on_path, idle);
      const StretchExcess& part = one.parts[times[i]];
      const std::int64_t between = late_between(part.stretch, is_last ? stretches_.size() : one.parts[end].stretch);
      // After a wait the GPU has run dry, and how long that takes is all that tells its cost.
      const std::int64_t late = kind == LateKind::synchronize ? std::min(idle, stretches_[part.stretch].late_by)
                                                              : std::min({part.time, on_path, between});
      if (late < (kind == LateKind::more_work ? 1 : least_each())) continue;
      ++cause.times;
      sum += late;
      if (late <= most) continue;
      most = late;
      worst = &part;
    }
    if (worst == nullptr || static_cast<double>(sum) < least_share_of_run * static_cast<double>(span())) return;
    cause.late = sum / static_cast<std::int64_t>(cause.times);
    cause.slept = one.key.kind == CostKind::blocked;
    cause.collective = stretches_[worst->stretch].matched;
    cause.slice = worst->slice;
    cause.name = comparison_.name(one.key);
    set_place(cause, line_of(*worst));
    causes.push_back(cause);
  }

  const RankReport& report_;
  std::int64_t span_;
  StretchComparison comparison_;
  std::vector<RankStretch> stretches_;  // of the rank that is looked at, by its collectives
  std::size_t rank_ = 0;
  std::optional<LastRank> always_last_;
  std::int64_t longest_wait_ = 0;  // ns, of others for that rank
};

}  // namespace

void find_late_causes(RankReport& report) {
  Finder finder(report);
  report.causes = finder.find();
  if (!report.causes.empty()) return;
  report.always_last = finder.always_last();
  report.doubt = finder.doubt();
}

}  // namespace warpwalk::analysis
