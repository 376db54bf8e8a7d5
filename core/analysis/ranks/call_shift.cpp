// Finds the shift between two ranks' lists of collectives by signs and by the times between their ends.
#include "core/analysis/ranks/call_shift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/analysis/ranks/robust_line.h"

namespace warpwalk::analysis {
namespace {

// Clocks may drift by this share, which is more than the oscillators of computers do.
constexpr double most_call_drift = 1e-4;

// Weights of one place of a sample. Times weigh more than signs, because signs repeat with each step.
constexpr double sign_weight = 2, time_weight = 4;

// How well the places of b fit those of a with one shift.
struct ShiftScore {
  CallPlace shift = 0;
  std::size_t seen = 0, differing = 0;   // signs
  double signs = 0;                      // their sum: 1 for equal ones, -1 for differing ones
  std::size_t gaps = 0, equal_gaps = 0;  // times between ends
  double times = 0;                      // their sum: 1 for equal ones, -1 for differing ones
  double points = 0;                     // what it has beyond other shifts
  double apart = 0;                      // ns: the median distance of the ends, by the clocks as they are

  double mean_sign() const { return seen == 0 ? 0 : signs / static_cast<double>(seen); }
  double mean_time() const { return gaps == 0 ? 0 : times / static_cast<double>(gaps); }
};

double median_over(const std::vector<ShiftScore>& scores, double (ShiftScore::*value)() const) {
  std::vector<double> values;
  for (const ShiftScore& one : scores)
    if (one.seen > 0) values.push_back((one.*value)());
  return quantile_of(values, 0.5);
}

class ShiftFinder {
 public:
  ShiftFinder(CallSigns a, CallSigns b, std::int64_t noise) : a_(a), b_(b), noise_(noise) { take_sample(); }

  /// The likely shifts come first: both lists begin together, or they end together.
  ShiftScore find() {
    const CallPlace at_end = calls_in(a_) - calls_in(b_);
    for (const CallPlace shift : {CallPlace{0}, at_end})
      for (CallPlace more = 0; more <= 2; ++more) add_around(shift, more);
    if (const ShiftScore* const sure = sure_one()) return *sure;

    for (CallPlace more = 3; more <= near; ++more) {
      add_around(0, more);
      add_around(at_end, more);
    }
    for (CallPlace part = 0; part < windows; ++part) {
      const CallPlace shift = shift_of_window(distinct_window(part));
      for (CallPlace more = 0; more <= 2; ++more) add_around(shift, more);
    }
    return best_of_many();
  }

 private:
  static constexpr CallPlace most_samples = 256, window = 32, windows = 4, near = 16;

  const CallSign& sign_a(CallPlace at) const { return a_[static_cast<std::size_t>(at)]; }
  const CallSign& sign_b(CallPlace at) const { return b_[static_cast<std::size_t>(at)]; }

  // Places of b, spread by the golden ratio so that they do not fall into step with a period.
  void take_sample() {
    constexpr double golden = 0.6180339887498949;
    const CallPlace size = calls_in(b_);
    for (CallPlace i = 0; i < std::min(size, most_samples); ++i) {
      const double place = std::fmod(static_cast<double>(i) * golden, 1.0) * static_cast<double>(size);
      sample_.push_back(size <= most_samples ? i : static_cast<CallPlace>(place));
    }
  }

  void add_around(CallPlace shift, CallPlace more) {
    for (const CallPlace one : {shift + more, shift - more}) {
      if (one <= -calls_in(b_) || one >= calls_in(a_)) continue;
      if (std::ranges::find(scores_, one, &ShiftScore::shift) != scores_.end()) continue;
      ShiftScore score;
      score.shift = one;
      for (const CallPlace at : sample_) add_points(at, score);
      score.apart = distance_with(one);
      scores_.push_back(score);
    }
  }

  // 1 for equal times, 0 for those that differ by the noise, at least -1.
  double equality_of(std::int64_t difference, std::int64_t gap) const {
    const auto tolerance = static_cast<double>(gap_tolerance(gap, noise_));
    return std::max(-1.0, 1 - std::abs(static_cast<double>(difference)) / tolerance);
  }

  // By the signs, and by the time since the end before.
  void add_points(CallPlace at, ShiftScore& sum) const {
    const CallPlace other = at + sum.shift;
    if (other < 0 || other >= calls_in(a_)) return;
    const CallSign &own = sign_b(at), &its = sign_a(other);
    const SignFit fit = fit_of(its, own);
    ++sum.seen;
    sum.differing += fit == SignFit::differs ? 1 : 0;
    sum.signs += fit == SignFit::differs ? -1 : fit == SignFit::equal ? 1 : 0;
    if (at == 0 || other == 0 || !have_common_end(own, its)) return;
    const CallSign &before = sign_b(at - 1), &its_before = sign_a(other - 1);
    if (!have_common_end(before, its_before)) return;
    const std::int64_t gap = own.end - before.end;
    const double equal = equality_of(gap - (its.end - its_before.end), gap);
    sum.times += equal;
    ++sum.gaps;
    sum.equal_gaps += equal > 0 ? 1 : 0;
  }

  double distance_with(CallPlace shift) const {
    std::vector<double> distances;
    for (const CallPlace at : sample_) {
      const CallPlace other = at + shift;
      if (other >= 0 && other < calls_in(a_))
        distances.push_back(std::abs(static_cast<double>(sign_a(other).end - sign_b(at).end)));
    }
    return quantile_of(distances, 0.5);
  }

  // The shift that fits by all signs and most times, clearly better than those beside it.
  const ShiftScore* sure_one() const {
    constexpr std::size_t least_seen = 8;
    constexpr double least_equal = 0.8, clearly = 0.15;
    const ShiftScore& best = *std::ranges::max_element(
        scores_, {}, [](const ShiftScore& one) { return sign_weight * one.signs + time_weight * one.times; });
    if (best.differing > 0 || best.seen < std::max(least_seen, sample_.size() / 2)) return nullptr;
    if (static_cast<double>(best.equal_gaps) < least_equal * static_cast<double>(best.gaps)) return nullptr;
    for (const ShiftScore& one : scores_)
      if (&one != &best && one.differing == 0 && one.gaps > 0 && one.mean_time() > best.mean_time() - clearly)
        return nullptr;
    return &best;
  }

  // What a wrong shift gets, as most are, counts nothing: then a shift that fits a part of the lists is better than
  // one that fits nowhere, and a short overlap is no worse than a long one. Signs alone would prefer a long overlap
  // that is wrong by whole steps; where there are times, equal signs count little, and only differing ones much. Where
  // several shifts are about as good, which needs very regular times, clocks that agree within a few milliseconds
  // decide, else the order of the shifts.
  ShiftScore best_of_many() {
    constexpr double about = 0.1, most_apart = 10e6;  // points for each place, ns
    const bool timed = std::ranges::any_of(scores_, [](const ShiftScore& one) { return 2 * one.gaps > one.seen; });
    const double usual_sign = median_over(scores_, &ShiftScore::mean_sign);
    const double usual_time = median_over(scores_, &ShiftScore::mean_time);
    for (ShiftScore& one : scores_) {
      const double beside_times = 0.25 * one.signs - 0.75 * static_cast<double>(one.differing);
      const double alone = sign_weight * (one.signs - usual_sign * static_cast<double>(one.seen));
      one.points =
          (timed ? beside_times : alone) + time_weight * (one.times - usual_time * static_cast<double>(one.gaps));
    }
    const double most = std::ranges::max_element(scores_, {}, &ShiftScore::points)->points;
    const ShiftScore* best = nullptr;
    for (const ShiftScore& one : scores_) {
      if (one.points < most - about * static_cast<double>(sample_.size())) continue;
      if (best == nullptr || (one.apart < most_apart && 2 * one.apart < best->apart)) best = &one;
    }
    return *best;
  }

  // The first place of a window around the longest time in a part of b: a break between steps differs from others.
  CallPlace distinct_window(CallPlace part) const {
    const CallPlace size = calls_in(b_), from = size * part / windows, to = size * (part + 1) / windows;
    CallPlace longest = from;
    std::int64_t longest_gap = 0;
    for (CallPlace at = std::max<CallPlace>(from, 1); at < to; ++at) {
      const std::int64_t gap = sign_b(at).end - sign_b(at - 1).end;
      if (gap <= longest_gap) continue;
      longest_gap = gap;
      longest = at;
    }
    return std::clamp<CallPlace>(longest - window / 2, 0, std::max<CallPlace>(0, size - window));
  }

  // The shift that brings a window of b to the place in a where it fits best.
  CallPlace shift_of_window(CallPlace from) const {
    constexpr double hopeless = -20;
    const CallPlace to = std::min(from + window, calls_in(b_));
    CallPlace best = 0;
    double most = hopeless;
    for (CallPlace shift = -from; from + shift < calls_in(a_); ++shift) {
      ShiftScore sum;
      sum.shift = shift;
      const auto points = [&] { return sign_weight * sum.signs + time_weight * sum.times; };
      for (CallPlace at = from; at < to && points() > hopeless; ++at) add_points(at, sum);
      if (points() <= most) continue;
      most = points();
      best = shift;
    }
    return best;
  }

  CallSigns a_, b_;
  std::int64_t noise_;
  std::vector<CallPlace> sample_;  // of b
  std::vector<ShiftScore> scores_;
};

}  // namespace

std::int64_t gap_tolerance(std::int64_t gap, std::int64_t noise) {
  return noise + static_cast<std::int64_t>(most_call_drift * std::abs(static_cast<double>(gap)));
}

CallShift best_shift(CallSigns a, CallSigns b) {
  // Ranks of one machine or rack leave a collective within microseconds. Over slower networks it takes longer; then
  // times help as long as they are longer still.
  constexpr std::array<std::int64_t, 3> noises = {20'000, 200'000, 2'000'000};  // ns
  std::vector<double> gaps;
  for (std::size_t i = 1; i < b.size(); ++i) gaps.push_back(static_cast<double>(b[i].end - b[i - 1].end));
  const double usual_gap = quantile_of(gaps, 0.5);
  std::optional<CallShift> first;
  for (const std::int64_t noise : noises) {
    if (first && 4 * static_cast<double>(noise) > usual_gap) break;
    const ShiftScore best = ShiftFinder(a, b, noise).find();
    if (!first) first = {best.shift, noise};
    if (10 * best.equal_gaps >= 6 * best.gaps) return {best.shift, noise};
  }
  return *first;
}

}  // namespace warpwalk::analysis
