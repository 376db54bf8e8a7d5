// Aligns two ranks' lists of collectives. First the shift is found that fits most of both lists; then the lists are
// walked from a place where it fits surely, in both directions, and where they part, the shift is corrected.
#include "core/analysis/ranks/call_order.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/analysis/ranks/call_shift.h"

namespace warpwalk::analysis {
namespace {

bool is_uneven(CollectiveKind kind) {
  return kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::all_to_all || kind == CollectiveKind::gather || kind == CollectiveKind::scatter ||
         kind == CollectiveKind::barrier;
}

std::int64_t median_of_ends(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Walks two lists forward from a place where they fit.
class ListWalk {
 public:
  ListWalk(CallSigns a, CallSigns b, std::int64_t noise) : a_(a), b_(b), noise_(noise) {}

  /// Starts at places of a and b. `distance`: end in a minus end in b there; none: times do not tell.
  void walk(CallPlace from_a, CallPlace from_b, std::optional<std::int64_t> distance,
            std::vector<std::size_t>& places) {
    shift_ = from_a - from_b;
    distance_ = distance;
    since_ = from_b < calls_in(b_) ? sign_b(from_b).end : 0;
    CallPlace sure = 0;  // before it, no other shift is looked for
    for (CallPlace at = from_b; at < calls_in(b_);) {
      if (at + shift_ >= calls_in(a_)) return;
      if (at >= sure && is_bad(at, shift_) && parts_at(at)) {
        Change change = change_at(at, points_ahead);
        // Two changes close to each other: each fits only a few places. Only times tell these for sure.
        if (change.more == 0 && distance_) change = change_at(at, few_ahead);
        if (change.more != 0) {
          while (at < calls_in(b_) && is_better_before(at, change)) accept(at++, places);
          shift_ += change.more;
          at += std::max<CallPlace>(-change.more, 0);
          continue;
        }
        // Lists that do not fit at all must not take more than linear time.
        constexpr int most_patience = 12;
        sure = at + (CallPlace{1} << patience_);
        patience_ = std::min(patience_ + 1, most_patience);
        if (!trusts_times()) distance_ = distance_ahead(at);
      } else if (!is_bad(at, shift_)) {
        patience_ = 0;
      }
      if (!trusts_times() || !is_elsewhere(at, shift_)) accept(at, places);
      ++at;
    }
  }

 private:
  const CallSign& sign_a(CallPlace at) const { return a_[static_cast<std::size_t>(at)]; }
  const CallSign& sign_b(CallPlace at) const { return b_[static_cast<std::size_t>(at)]; }
  bool is_in_a(CallPlace at) const { return at >= 0 && at < calls_in(a_); }

  bool agrees_in_time(CallPlace at, CallPlace other) const {
    return !has_time(at, other - at) || off_by(at, other - at) <= gap_tolerance(sign_b(at).end - since_, noise_);
  }
  bool is_bad(CallPlace at, CallPlace shift) const {
    const CallPlace other = at + shift;
    if (!is_in_a(other)) return false;
    return fit_of(sign_a(other), sign_b(at)) == SignFit::differs || !agrees_in_time(at, other);
  }

  // Not where no shift has fitted for long.
  bool trusts_times() const { return patience_ <= 6; }

  std::int64_t off_by(CallPlace at, CallPlace shift) const {
    return std::abs(sign_a(at + shift).end - sign_b(at).end - *distance_);
  }
  bool has_time(CallPlace at, CallPlace shift) const {
    return distance_ && is_in_a(at + shift) && have_common_end(sign_b(at), sign_a(at + shift));
  }

  // Whether the ends are so far apart, while others fit, that it is another collective: each list lacks one.
  bool is_elsewhere(CallPlace at, CallPlace shift) const {
    constexpr std::int64_t far_off = 10;  // times the usual noise
    return has_time(at, shift) && off_by(at, shift) > far_off * gap_tolerance(sign_b(at).end - since_, noise_);
  }

  // Whether the lists part here: most of the next ones are bad too. Else a single end is late, or a collective mixed.
  bool parts_at(CallPlace at) const {
    constexpr CallPlace next = 4;
    CallPlace bad = 0, seen = 0;
    for (CallPlace i = at; i < at + next && i < calls_in(b_) && is_in_a(i + shift_); ++i, ++seen)
      bad += is_bad(i, shift_) ? 1 : 0;
    return 4 * bad >= 3 * seen;
  }

  std::int64_t points(CallPlace from, CallPlace shift, CallPlace ahead) const {
    std::int64_t sum = 0;
    for (CallPlace at = from; at < from + ahead && at < calls_in(b_); ++at)
      if (is_in_a(at + shift)) sum += is_bad(at, shift) ? -1 : 1;
    return sum;
  }

  // Looks for a shift by `more` that fits from `at` on; where b has more, after those.
  struct Change {
    CallPlace more = 0;
    std::int64_t points = 0;
  };
  void consider(CallPlace at, CallPlace more, CallPlace ahead, Change& best) const {
    if (more == 0 || !is_in_a(at + shift_ + std::max<CallPlace>(more, 0))) return;
    const CallPlace from = at + std::max<CallPlace>(-more, 0);
    if (from >= calls_in(b_)) return;
    const std::int64_t sum = points(from, shift_ + more, ahead);
    if (sum > best.points || (sum == best.points && std::abs(more) < std::abs(best.more))) best = {more, sum};
  }

  // The place in a where the end of a place of b should be, by time.
  std::optional<CallPlace> place_by_time(CallPlace at) const {
    if (!distance_ || !sign_b(at).common_end) return {};
    const std::int64_t wanted = sign_b(at).end + *distance_;
    const std::int64_t tolerance = gap_tolerance(sign_b(at).end - since_, noise_);
    const auto found = std::ranges::lower_bound(a_, wanted - tolerance, {}, &CallSign::end);
    if (found == a_.end() || found->end > wanted + tolerance) return {};
    return found - a_.begin();
  }

  // Judged by the places ahead, so many.
  Change change_at(CallPlace at, CallPlace judged) const {
    constexpr CallPlace near = 64, far = 4096;
    const CallPlace seen = std::min({judged, calls_in(b_) - at, calls_in(a_) - at - shift_});
    Change best{0, std::max<std::int64_t>(0, points(at, shift_, judged) + seen / 4)};
    for (CallPlace more = 1; more <= near; ++more) {
      consider(at, more, judged, best);
      consider(at, -more, judged, best);
    }
    for (CallPlace ahead = 0; ahead <= far && at + ahead < calls_in(b_); ahead = ahead == 0 ? 1 : 2 * ahead)
      if (const auto place = place_by_time(at + ahead)) consider(at, *place - at - ahead - shift_, judged, best);
    return best;
  }

  // A late end just before the lists part looks as if they parted there.
  bool is_better_before(CallPlace at, const Change& change) const {
    if (!has_time(at, shift_) || is_elsewhere(at, shift_)) return false;
    return change.more < 0 || !has_time(at, shift_ + change.more) ||
           off_by(at, shift_) < off_by(at, shift_ + change.more);
  }

  // Where times stop to fit and no other shift is better, as when a clock was set.
  std::optional<std::int64_t> distance_ahead(CallPlace from) {
    constexpr CallPlace next = 9;
    std::vector<std::int64_t> distances;
    for (CallPlace at = from; at < from + next && at < calls_in(b_); ++at)
      if (is_in_a(at + shift_) && have_common_end(sign_b(at), sign_a(at + shift_)))
        distances.push_back(sign_a(at + shift_).end - sign_b(at).end);
    if (distances.empty()) return distance_;
    since_ = sign_b(from).end;
    return median_of_ends(std::move(distances));
  }

  void accept(CallPlace at, std::vector<std::size_t>& places) {
    const CallPlace other = at + shift_;
    if (!is_in_a(other)) return;
    places[static_cast<std::size_t>(at)] = static_cast<std::size_t>(other);
    if (!distance_ || !have_common_end(sign_b(at), sign_a(other)) || !agrees_in_time(at, other)) return;
    // One late end must not move the distance far; after a long break, drift may have.
    const std::int64_t off = sign_a(other).end - sign_b(at).end - *distance_;
    const bool long_break = gap_tolerance(sign_b(at).end - since_, 0) > noise_;
    *distance_ += long_break ? off : off / 4;
    since_ = sign_b(at).end;
  }

  static constexpr CallPlace points_ahead = 16, few_ahead = 4;  // places by which a shift is judged
  CallSigns a_, b_;
  std::int64_t noise_;
  CallPlace shift_ = 0;
  std::optional<std::int64_t> distance_;  // of ends: a minus b
  std::int64_t since_ = 0;                // end in b where the distance was seen
  int patience_ = 0;
};
// A place where a shift fits surely, by the times of a run of ends.
struct Anchor {
  CallPlace at = 0;  // in b
  std::optional<std::int64_t> distance;
};

Anchor anchor_of(CallSigns a, CallSigns b, const CallShift& found) {
  constexpr CallPlace run = 16, tries = 64;
  const CallPlace from = std::max<CallPlace>(0, -found.shift), to = std::min(calls_in(b), calls_in(a) - found.shift);
  Anchor anchor{from, {}};
  std::size_t most = 2;  // two ends prove nothing
  for (CallPlace i = 0; i < tries; ++i) {
    const CallPlace first = from + std::max<CallPlace>(0, to - from - run) * i / tries,
                    last = std::min(first + run, to);
    std::vector<std::int64_t> distances;
    for (CallPlace at = first; at < last; ++at) {
      const CallSign &own = b[static_cast<std::size_t>(at)], &its = a[static_cast<std::size_t>(at + found.shift)];
      if (have_common_end(own, its) && fit_of(its, own) != SignFit::differs) distances.push_back(its.end - own.end);
    }
    if (distances.empty()) continue;
    const std::int64_t middle = median_of_ends(distances);
    const auto agree = static_cast<std::size_t>(std::ranges::count_if(
        distances, [&](std::int64_t distance) { return std::abs(distance - middle) <= found.noise; }));
    if (agree <= most || 10 * agree < 6 * distances.size()) continue;
    most = agree;
    anchor = {first, middle};
  }
  return anchor;
}

std::vector<CallSign> backwards(CallSigns list) {
  std::vector<CallSign> result(list.rbegin(), list.rend());
  for (CallSign& one : result) one.end = -one.end;
  return result;
}

}  // namespace

SignFit fit_of(const CallSign& a, const CallSign& b) {
  const bool numbered = a.sequence >= 0 && b.sequence >= 0;
  if (numbered && a.sequence != b.sequence) return SignFit::differs;
  if (a.kind == CollectiveKind::other || b.kind == CollectiveKind::other) return SignFit::possible;
  if (a.kind != b.kind) return SignFit::differs;
  if (numbered || a.bytes == b.bytes) return a.bytes == 0 && !numbered ? SignFit::possible : SignFit::equal;
  if (a.bytes == 0 || b.bytes == 0 || is_uneven(a.kind)) return SignFit::possible;
  return SignFit::differs;
}

std::vector<std::size_t> places_in(std::span<const CallSign> a, std::span<const CallSign> b) {
  std::vector<std::size_t> places(b.size(), not_there);
  if (a.empty() || b.empty()) return places;
  const CallShift found = best_shift(a, b);
  const Anchor anchor = anchor_of(a, b, found);
  const CallPlace in_a = anchor.at + found.shift;
  if (in_a >= calls_in(a) || anchor.at >= calls_in(b)) return places;
  ListWalk(a, b, found.noise).walk(in_a, anchor.at, anchor.distance, places);
  if (anchor.at == 0 || in_a == 0) return places;

  const std::vector<CallSign> before_a = backwards(a.first(static_cast<std::size_t>(in_a)));
  const std::vector<CallSign> before_b = backwards(b.first(static_cast<std::size_t>(anchor.at)));
  std::vector<std::size_t> before(before_b.size(), not_there);
  const auto distance = anchor.distance ? std::optional(-*anchor.distance) : std::nullopt;
  ListWalk(before_a, before_b, found.noise).walk(0, 0, distance, before);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != not_there) places[before.size() - 1 - i] = before_a.size() - 1 - before[i];
  return places;
}

}  // namespace warpwalk::analysis
