// Finds the clocks of the ranks from the ends of matched collectives.
//
// All ranks leave a collective that joins all within microseconds, so that its ends are one moment on all clocks. First
// each group links the clocks of its ranks by a line through the differences of their ends (offset and drift). The best
// links make a tree, and then all clocks are fitted together: each collective's moment is the median of its ends, and
// each clock is fitted to these moments, in turns. Lines are fitted so that single ends far off count nothing.
//
// Ranks that share only other collectives or messages are linked by the ends of these, which is less certain.
//
// A drift is kept if there are at least 20 ends and it is at least twice its standard error; else it is 0, which makes
// the clocks wrong by less than the fit would. Ranks of one machine have one clock. If an offset is no larger than what
// ends on one clock differ by, and the drift is less than four times its error or moves the clock by less than a
// microsecond within the run, both are exactly 0.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/story/facts/ranks/clock_tree.h"
#include "core/story/facts/ranks/rank_report.h"
#include "core/story/facts/ranks/robust_line.h"

namespace warpwalk::story {
namespace {

// Collectives of a group that are used: more of them make the clocks no better than the trace's times are.
constexpr std::size_t most_anchors = 2048;
// Larger drifts are no drifts of clocks: 1 ms per second.
constexpr double most_slope = 1e-3;
// Ends of a collective on one clock differ by this much, ns, and by drift over the run.
constexpr double least_offset = 2000, least_drift_over_run = 1000;
constexpr double least_same_clock_errors = 4;
constexpr std::int64_t time_limit = std::int64_t{1} << 61;

// The end of a collective in one rank: x is ns since the rank's origin.
struct AnchorEnd {
  std::size_t rank = 0;
  double x = 0;
};

// A collective whose ends are used.
struct ClockAnchor {
  std::size_t first = 0, last = 0;  // in the list of ends
};

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
    origins_.assign(size_, 0);
    fits_.resize(size_);
    find_origins();
    fill_anchors();
    tree_ = clock_tree(size_, group_links());
    constexpr int passes = 3;
    for (int pass = 0; pass < passes; ++pass) refine();
    drop_drifts();
    for (int pass = 0; pass < passes; ++pass) refine();
    settle_ranks();
    join_components();
    return result();
  }

 private:
  static bool is_usable(const MatchedCollective& one) { return !one.mixed && one.members.size() >= 2; }
  std::int64_t end_of(const Member& member) const {
    return std::clamp(report_.ranks[member.rank].collectives[member.collective].end, -time_limit, time_limit);
  }
  double x_of(const Member& member) const { return static_cast<double>(end_of(member) - origins_[member.rank]); }

  // Times since 1970 do not fit a double's 53 bits; those since the rank's first end do.
  void find_origins() {
    std::vector<bool> found(size_);
    for (const MatchedCollective& one : report_.collectives)
      for (const Member& member : one.members) {
        const std::int64_t end = end_of(member);
        if (!found[member.rank] || end < origins_[member.rank]) origins_[member.rank] = end;
        found[member.rank] = true;
      }
  }

  // Of each group a sample, evenly spread but not in step with a period of the training.
  void fill_anchors() {
    std::vector<std::vector<std::size_t>> of_group(report_.groups.size());
    for (std::size_t i = 0; i < report_.collectives.size(); ++i) {
      const MatchedCollective& one = report_.collectives[i];
      if (is_usable(one) && joins_all(one.kind)) of_group[one.group].push_back(i);
    }
    constexpr double golden = 0.6180339887498949;
    for (const std::vector<std::size_t>& all : of_group) {
      group_begins_.push_back(anchors_.size());
      const std::size_t count = std::min(all.size(), most_anchors);
      const double stride = static_cast<double>(all.size()) / static_cast<double>(std::max<std::size_t>(1, count));
      for (std::size_t i = 0; i < count; ++i) {
        const double place = static_cast<double>(i), within = std::fmod(place * golden, 1.0);
        const std::size_t at = stride > 1 ? static_cast<std::size_t>((place + within) * stride) : i;
        add_anchor(report_.collectives[all[std::min(at, all.size() - 1)]]);
      }
    }
    group_begins_.push_back(anchors_.size());
  }

  void add_anchor(const MatchedCollective& one) {
    const std::size_t first = ends_.size();
    for (const Member& member : one.members) ends_.push_back({member.rank, x_of(member)});
    anchors_.push_back({first, ends_.size()});
  }

  // Links the clocks of each group to that of its rank with the most ends.
  std::vector<ClockLink> group_links() const {
    std::vector<ClockLink> links;
    for (std::size_t group = 0; group + 1 < group_begins_.size(); ++group) {
      const std::size_t begin = group_begins_[group], end = group_begins_[group + 1];
      std::map<std::size_t, std::size_t> counts;
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t at = anchors_[i].first; at < anchors_[i].last; ++at) ++counts[ends_[at].rank];
      if (counts.empty()) continue;
      const std::size_t hub = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
      std::map<std::size_t, std::vector<LinePoint>> points;
      for (std::size_t i = begin; i < end; ++i) add_differences(anchors_[i], hub, points);
      for (auto& [rank, list] : points) {
        const RobustLine line = robust_line(list);
        links.push_back({rank, hub, {line.at_zero, line.slope}, line.points});
      }
    }
    return links;
  }

  void add_differences(const ClockAnchor& anchor, std::size_t hub,
                       std::map<std::size_t, std::vector<LinePoint>>& points) const {
    std::optional<double> moment;
    for (std::size_t at = anchor.first; at < anchor.last; ++at)
      if (ends_[at].rank == hub) moment = ends_[at].x;
    if (!moment) return;
    for (std::size_t at = anchor.first; at < anchor.last; ++at)
      if (ends_[at].rank != hub) points[ends_[at].rank].push_back({ends_[at].x, *moment - ends_[at].x});
  }

  double common_of(const AnchorEnd& end) const { return tree_.to_root[end.rank].at(end.x); }

  double moment_of(const ClockAnchor& anchor, std::vector<double>& times) const {
    times.clear();
    for (std::size_t at = anchor.first; at < anchor.last; ++at) times.push_back(common_of(ends_[at]));
    return median_of_clocks(times);
  }

  // Fits each clock to the moments of its collectives, then turns all so that each root shows its own time again.
  void refine() {
    std::vector<std::vector<LinePoint>> points(size_);
    std::vector<double> times;
    for (const ClockAnchor& anchor : anchors_) {
      const double moment = moment_of(anchor, times);
      for (std::size_t at = anchor.first; at < anchor.last; ++at)
        points[ends_[at].rank].push_back({ends_[at].x, moment - common_of(ends_[at])});
    }
    for (std::size_t rank = 0; rank < size_; ++rank) {
      // A clock moves by half of a difference of two ends, its collective's moment by the other half: twice the error.
      fits_[rank] = robust_line(points[rank], drifts_dropped_ && tree_.to_root[rank].slope == 0);
      fits_[rank].slope_error *= 2;
      tree_.to_root[rank].zero += fits_[rank].at_zero;
      tree_.to_root[rank].slope += fits_[rank].slope;
    }
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
      if (has_slope(fit) && std::abs(clock.slope) <= most_slope) continue;
      clock.zero += clock.slope * fit.middle;
      clock.slope = 0;
    }
    drifts_dropped_ = true;
  }

  // Makes a clock the same as another if they differ by noise only.
  void settle(ClockLine& clock, std::int64_t own_origin, std::int64_t its_origin, const RobustLine& fit,
              double noise) const {
    const auto same = static_cast<double>(own_origin - its_origin);
    const double offset = clock.zero + clock.slope * fit.middle - same;
    if (std::abs(offset) > std::max(least_offset, 2 * noise)) return;
    const double certain = least_same_clock_errors * fit.slope_error;
    if (std::abs(clock.slope) > certain && std::abs(clock.slope) * fit.half_span > least_drift_over_run) return;
    clock = {same, 0};
  }

  void settle_ranks() {
    for (std::size_t rank = 0; rank < size_; ++rank)
      if (tree_.root[rank] != rank)
        settle(tree_.to_root[rank], origins_[rank], origins_[tree_.root[rank]], fits_[rank], fits_[rank].noise);
    std::vector<double> distances, times;
    for (const ClockAnchor& anchor : anchors_) {
      const double moment = moment_of(anchor, times);
      for (std::size_t at = anchor.first; at < anchor.last; ++at)
        distances.push_back(std::abs(common_of(ends_[at]) - moment));
    }
    uncertainty_ = quantile_of(distances, 0.95);
    used_ = anchors_.size();
  }

  // Links groups of clocks that share no collective that joins all.
  void join_components() {
    std::map<std::pair<std::size_t, std::size_t>, LooseLink> loose;
    for (const MatchedCollective& one : report_.collectives)
      if (is_usable(one) && !joins_all(one.kind)) add_loose(one, loose);
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
      const double x = common_of({high->rank, x_of(*high)});
      const CollectiveKind kind = report_.ranks[low->rank].collectives[low->collective].kind;
      const int direction = kind == CollectiveKind::send ? 1 : kind == CollectiveKind::receive ? -1 : 0;
      loose[{tree_.root[low->rank], tree_.root[high->rank]}].points.push_back(
          {{x, common_of({low->rank, x_of(*low)}) - x}, direction});
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
    double shift = upper + lower;
    if (!sent.empty() && !received.empty()) shift /= 2;
    line.at_zero += shift;
    for (const LoosePoint& one : link.points) distances.push_back(std::abs(one.point.y - line.at(one.point.x)) / 2);
    link.spread = quantile_of(distances, 0.95);
    ClockLine clock{line.at_zero, line.slope};
    settle(clock, origins_[from], origins_[to], line, link.spread);
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
      clock.since = origins_[rank];
      clock.offset = origins_[root] - origins_[rank] + std::llround(std::clamp(line.zero, -most_zero, most_zero));
      clock.drift = line.slope;
      clock.aligned = *most > 1 && root == static_cast<std::size_t>(most - counts.begin());
    }
    alignment.uncertainty = std::llround(std::min(uncertainty_, static_cast<double>(time_limit)));
    alignment.ends = used_;
    return alignment;
  }

  const RankReport& report_;
  std::size_t size_;
  std::vector<std::int64_t> origins_;  // by rank: ns of its clock
  std::vector<AnchorEnd> ends_;
  std::vector<ClockAnchor> anchors_;       // by group
  std::vector<std::size_t> group_begins_;  // in anchors_
  ClockTree tree_;                         // the lowest rank of linked ones is the root
  std::vector<RobustLine> fits_;           // by rank: the last fit
  bool drifts_dropped_ = false;
  double uncertainty_ = 0;
  std::size_t used_ = 0;
};

}  // namespace

Alignment align_clocks(const RankReport& report) { return ClockAligner(report).align(); }

}  // namespace warpwalk::story
