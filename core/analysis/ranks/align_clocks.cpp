// Finds the clocks of the ranks from the ends of matched collectives.
//
// All ranks leave a collective that joins all within microseconds, so that its ends are one moment on all clocks. First
// each group links the clocks of its ranks by a line through the differences of their ends (offset and drift). The best
// links make a tree, and then all clocks are fitted together: each collective's moment is the median of its ends, and
// each clock is fitted to these moments, in turns. Lines are fitted so that single ends far off count nothing. Drifts
// come from all collectives, offsets from the short ones at last (AnchorGroup says why).
//
// Ranks that share only other collectives or messages are linked by the ends of these, which is less certain.
//
// A drift is kept if there are at least 20 ends, its standard error is less than 20 ppm, which the oscillators of
// computers differ by, and it is at least 1.5 times this error. Else it is 0, which is nearer than the fit would be.
// Ranks of one machine have one clock. If an offset is no larger than what ends on one clock differ by, and the drift
// is less than four times its error or moves the clock by less than a microsecond within the run, both are exactly 0.
#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "core/analysis/ranks/clock_anchors.h"
#include "core/analysis/ranks/clock_tree.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/analysis/ranks/robust_line.h"

namespace warpwalk::analysis {
namespace {

// Larger drifts are no drifts of clocks: 1 ms per second.
constexpr double most_slope = 1e-3;
constexpr double most_slope_error = 20e-6;
// Ends of a collective on one clock differ by this much, ns, and by drift over the run.
constexpr double least_offset = 2000, least_drift_over_run = 1000;
constexpr double least_same_clock_errors = 4;
constexpr double most_uncertainty = 1e18;  // ns

// The ends of a message, or of a collective that does not join all, in two components of linked clocks.
struct LoosePoint {
  LinePoint point;
  int direction = 0;  // 1: the lower component sends, -1: it receives
};

struct LooseLink {
  std::vector<LoosePoint> points;
  double spread = 0;  // ns: 95 % of the ends are this close to the middle of their two
};

double median_of_clocks(std::vector<double>& values) {
  if (values.size() == 2) return (values[0] + values[1]) / 2;
  return quantile_of(values, 0.5);
}

class ClockAligner {
 public:
  explicit ClockAligner(const RankReport& report) : report_(report), size_(report.ranks.size()) {}

  Alignment align() {
    if (size_ == 0) return {};
    anchors_ = clock_anchors(report_);
    fits_.resize(size_);
    errors_.resize(size_);
    tree_ = clock_tree(size_, group_links());
    constexpr int passes = 3;
    for (int pass = 0; pass < passes; ++pass) refine_drifts();
    drop_drifts();
    for (int pass = 0; pass < passes; ++pass) refine_drifts();
    for (int pass = 0; pass < passes; ++pass) refine_offsets();
    settle_ranks();
    join_components();
    return result();
  }

 private:
  // Links the clocks of each group to that of its rank with the most ends.
  std::vector<ClockLink> group_links() const {
    std::vector<ClockLink> links;
    for (const AnchorGroup& group : anchors_.groups) {
      std::map<std::size_t, std::size_t> counts;
      for (const ClockAnchor& anchor : group.all)
        for (std::size_t at = anchor.first; at < anchor.last; ++at) ++counts[anchors_.ends[at].rank];
      const std::size_t hub = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
      std::map<std::size_t, std::vector<LinePoint>> points, precise;
      for (const ClockAnchor& anchor : group.all) add_differences(anchor, hub, points);
      for (const ClockAnchor& anchor : group.precise) add_differences(anchor, hub, precise);
      for (auto& [rank, list] : points) {
        const RobustLine line = robust_line(list);
        std::vector<LinePoint>& rest = precise[rank];
        for (LinePoint& point : rest) point.y -= line.at(point.x);
        links.push_back({rank, hub, {line.at_zero + robust_line(rest, true).at_zero, line.slope}, line.points});
      }
    }
    return links;
  }

  void add_differences(const ClockAnchor& anchor, std::size_t hub,
                       std::map<std::size_t, std::vector<LinePoint>>& points) const {
    const auto ends = ends_of(anchor);
    const auto middle = std::ranges::find(ends, hub, &AnchorEnd::rank);
    if (middle == ends.end()) return;
    for (const AnchorEnd& end : ends)
      if (end.rank != hub) points[end.rank].push_back({end.x, middle->x - end.x});
  }

  std::span<const AnchorEnd> ends_of(const ClockAnchor& anchor) const {
    return std::span(anchors_.ends).subspan(anchor.first, anchor.last - anchor.first);
  }

  double common_of(const AnchorEnd& end) const { return tree_.to_root[end.rank].at(end.x); }

  // Calls use(end, distance to the moment of its collective).
  template <typename Use>
  void for_each_distance(const std::vector<ClockAnchor>& anchors, Use use) const {
    std::vector<double> times;
    for (const ClockAnchor& anchor : anchors) {
      times.clear();
      for (const AnchorEnd& end : ends_of(anchor)) times.push_back(common_of(end));
      const double moment = median_of_clocks(times);
      for (const AnchorEnd& end : ends_of(anchor)) use(end, moment - common_of(end), anchor.last - anchor.first);
    }
  }

  // Fits each clock to the moments of its collectives.
  void refine_drifts() {
    std::vector<std::vector<LinePoint>> points(size_);
    std::vector<double> members(size_, 0);
    for (const AnchorGroup& group : anchors_.groups)
      for_each_distance(group.all, [&](const AnchorEnd& end, double distance, std::size_t size) {
        points[end.rank].push_back({end.x, distance});
        members[end.rank] += static_cast<double>(size);
      });
    for (std::size_t rank = 0; rank < size_; ++rank) {
      RobustLine& fit = fits_[rank];
      fit = robust_line(points[rank], drifts_dropped_ && tree_.to_root[rank].slope == 0);
      tree_.to_root[rank].zero += fit.at_zero;
      tree_.to_root[rank].slope += fit.slope;
      if (fit.points == 0) continue;
      // An end is a part of its moment, so that its distance is too small by (n - 1) / n; and the root has the same
      // error.
      const double n = members[rank] / static_cast<double>(fit.points);
      fit.slope_error *= std::sqrt(2 * n / (n - 1));
    }
    turn_to_roots();
  }

  // Moves each clock to the moments of its short collectives. Where groups disagree, the one with the smaller error
  // counts more.
  void refine_offsets() {
    std::vector<double> sums(size_, 0), weights(size_, 0);
    std::vector<std::vector<LinePoint>> points(size_);
    for (const AnchorGroup& group : anchors_.groups) {
      for_each_distance(group.precise, [&](const AnchorEnd& end, double distance, std::size_t) {
        points[end.rank].push_back({end.x, distance});
      });
      for (std::size_t rank = 0; rank < size_; ++rank) {
        if (points[rank].empty()) continue;
        const RobustLine line = robust_line(points[rank], true);
        const double error = group.error + line.noise / std::sqrt(static_cast<double>(line.points)) + 1;
        const double weight = 1 / (error * error);
        if (weights[rank] == 0 || group.error < errors_[rank]) errors_[rank] = group.error;
        sums[rank] += weight * line.at_zero;
        weights[rank] += weight;
        points[rank].clear();
      }
    }
    for (std::size_t rank = 0; rank < size_; ++rank)
      if (weights[rank] > 0) tree_.to_root[rank].zero += sums[rank] / weights[rank];
    turn_to_roots();
  }

  // Each root shows its own time again.
  void turn_to_roots() {
    for (std::size_t rank = 0; rank < size_; ++rank)
      if (tree_.root[rank] != rank)
        tree_.to_root[rank] = composed(inverse(tree_.to_root[tree_.root[rank]]), tree_.to_root[rank]);
    for (std::size_t rank = 0; rank < size_; ++rank)
      if (tree_.root[rank] == rank) tree_.to_root[rank] = {};
  }

  void drop_drifts() {
    for (std::size_t rank = 0; rank < size_; ++rank) {
      RobustLine& fit = fits_[rank];
      ClockLine& clock = tree_.to_root[rank];
      fit.slope = clock.slope;
      if (has_slope(fit) && fit.slope_error < most_slope_error && std::abs(clock.slope) <= most_slope) continue;
      clock.zero += clock.slope * fit.middle;
      clock.slope = 0;
    }
    drifts_dropped_ = true;
  }

  // Makes a clock the same as another if they differ by no more than ends on one clock do.
  void settle(ClockLine& clock, std::size_t own, std::size_t other, const RobustLine& fit, double error) const {
    const auto same = static_cast<double>(anchors_.origins[own] - anchors_.origins[other]);
    const double offset = clock.zero + clock.slope * fit.middle - same;
    if (std::abs(offset) > std::max(least_offset, error)) return;
    const double certain = least_same_clock_errors * fit.slope_error;
    if (std::abs(clock.slope) > certain && std::abs(clock.slope) * fit.half_span > least_drift_over_run) return;
    clock = {same, 0};
  }

  void settle_ranks() {
    for (std::size_t rank = 0; rank < size_; ++rank)
      if (tree_.root[rank] != rank) settle(tree_.to_root[rank], rank, tree_.root[rank], fits_[rank], 2 * errors_[rank]);
    std::vector<double> distances;
    for (const AnchorGroup& group : anchors_.groups) {
      for_each_distance(
          group.all, [&](const AnchorEnd&, double distance, std::size_t) { distances.push_back(std::abs(distance)); });
      used_ += group.all.size();
    }
    uncertainty_ = quantile_of(distances, 0.95);
  }

  // Links groups of clocks that share no collective that joins all.
  void join_components() {
    std::map<std::pair<std::size_t, std::size_t>, LooseLink> loose;
    for (const MatchedCollective& one : report_.collectives)
      if (!one.mixed && !joins_all(one.kind)) add_loose(one, loose);
    if (loose.empty()) return;
    std::vector<ClockLink> links;
    std::vector<double> spreads;
    for (auto& [roots, link] : loose) {
      links.push_back({roots.second, roots.first, line_of(link, roots.second, roots.first), link.points.size()});
      spreads.push_back(link.spread);
    }
    const ClockTree joined = clock_tree(size_, links);
    for (std::size_t rank = 0; rank < size_; ++rank) {
      const std::size_t root = tree_.root[rank];
      tree_.to_root[rank] = composed(joined.to_root[root], tree_.to_root[rank]);
      tree_.root[rank] = joined.root[root];
    }
    for (const std::size_t link : joined.used) {
      uncertainty_ = std::max(uncertainty_, spreads[link]);
      used_ += links[link].points;
    }
  }

  void add_loose(const MatchedCollective& one, std::map<std::pair<std::size_t, std::size_t>, LooseLink>& loose) const {
    const Member& first = one.members.front();
    for (const Member& other : one.members) {
      const Member *low = &first, *high = &other;
      if (tree_.root[low->rank] == tree_.root[high->rank]) continue;
      if (tree_.root[low->rank] > tree_.root[high->rank]) std::swap(low, high);
      const double x = common_of({high->rank, anchors_.x(report_, *high)});
      const CollectiveKind kind = report_.ranks[low->rank].collectives[low->collective].kind;
      const int direction = kind == CollectiveKind::send ? 1 : kind == CollectiveKind::receive ? -1 : 0;
      loose[{tree_.root[low->rank], tree_.root[high->rank]}].points.push_back(
          {{x, common_of({low->rank, anchors_.x(report_, *low)}) - x}, direction});
    }
  }

  // A message is received when it was sent, or later: the sender may leave early. So the least late receivers of both
  // directions count, and the clocks are between these, as NTP's are.
  ClockLine line_of(LooseLink& link, std::size_t from, std::size_t to) const {
    constexpr double least_late = 0.25;
    std::vector<LinePoint> points;
    for (const LoosePoint& one : link.points) points.push_back(one.point);
    RobustLine line = robust_line(points);
    if (!has_slope(line) || std::abs(line.slope) > most_slope) line = robust_line(points, true);
    std::vector<double> sent, received, distances;
    for (const LoosePoint& one : link.points) {
      const double rest = one.point.y - line.at(one.point.x);
      if (one.direction > 0) sent.push_back(rest);
      if (one.direction < 0) received.push_back(rest);
    }
    const double upper = quantile_of(sent, 1 - least_late), lower = quantile_of(received, least_late);
    line.at_zero += !sent.empty() && !received.empty() ? (upper + lower) / 2 : upper + lower;
    for (const LoosePoint& one : link.points) distances.push_back(std::abs(one.point.y - line.at(one.point.x)) / 2);
    // Between the two directions; how late the other receivers were says nothing about the clocks.
    if (!sent.empty() && !received.empty())
      link.spread = std::max(std::abs(upper - lower) / 2, quantile_of(distances, least_late));
    else
      link.spread = quantile_of(distances, 0.95);
    ClockLine clock{line.at_zero, line.slope};
    settle(clock, from, to, line, 2 * link.spread);
    return clock;
  }

  Alignment result() const {
    Alignment alignment;
    std::vector<std::size_t> counts(size_, 0);
    for (const std::size_t root : tree_.root) ++counts[root];
    const auto most = std::ranges::max_element(counts);
    for (std::size_t rank = 0; rank < size_; ++rank) {
      constexpr double most_zero = static_cast<double>(std::int64_t{1} << 60);
      const std::size_t root = tree_.root[rank];
      const ClockLine& line = tree_.to_root[rank];
      RankClock& clock = alignment.clocks.emplace_back();
      clock.since = anchors_.origins[rank];
      clock.offset =
          anchors_.origins[root] - anchors_.origins[rank] + std::llround(std::clamp(line.zero, -most_zero, most_zero));
      clock.drift = std::clamp(line.slope, -most_slope, most_slope);
      clock.aligned = *most > 1 && root == static_cast<std::size_t>(most - counts.begin());
    }
    alignment.uncertainty = std::llround(std::min(uncertainty_, most_uncertainty));
    alignment.ends = used_;
    return alignment;
  }

  const RankReport& report_;
  std::size_t size_;
  ClockAnchors anchors_;
  ClockTree tree_;                // the lowest rank of linked ones is the root
  std::vector<RobustLine> fits_;  // by rank: the last fit of the drift
  std::vector<double> errors_;    // by rank: ns, AnchorGroup::error of its best group
  bool drifts_dropped_ = false;
  double uncertainty_ = 0;
  std::size_t used_ = 0;
};

}  // namespace

Alignment align_clocks(const RankReport& report) { return ClockAligner(report).align(); }

}  // namespace warpwalk::analysis
