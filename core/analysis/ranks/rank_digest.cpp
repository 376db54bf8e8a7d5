#include "core/analysis/ranks/rank_digest.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/analysis/intervals.h"
#include "core/analysis/memory/tensor_layout.h"
#include "core/analysis/ranks/collective_fields.h"
#include "core/analysis/ranks/rank_costs.h"
#include "core/analysis/time/path_index.h"
#include "core/analysis/time/training_steps.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

// Finds the collectives of one rank.
class Collectives {
 public:
  Collectives(const Trace& trace, const PathEvents& events, const std::vector<bool>& tracks, RankDigest& digest)
      : trace_(trace), events_(events), tracks_(tracks), digest_(digest) {}

  void find() {
    for (trace::TrackId t = 0; t < trace_.tracks.size(); ++t)
      if (trace_.tracks[t].gpu && is_of_rank(t)) find_on_stream(trace_.tracks[t]);
    add_grouped();
    add_unlabelled();
    if (digest_.collectives.empty()) find_on_cpu();
    std::ranges::stable_sort(digest_.collectives, {}, &RankCollective::call);
  }

 private:
  bool is_of_rank(trace::TrackId track) const { return tracks_.empty() || tracks_[track]; }

  void find_on_stream(const trace::Track& track) {
    const auto& rows = trace_.slices;
    for (SliceId s = track.first; s < track.last; ++s) {
      if (!events_.communication().is(s) || rows.duration[s] <= 0) continue;
      RankCollective one;
      one.work = s;
      const SliceId launch = trace::launch_of(trace_, s);
      one.op = op_around(launch);
      one.call = launch == no_slice ? std::min(trace_.begin_ns, rows.start[s]) : rows.start[launch];
      one.arrival = rows.start[s];
      one.end = rows.end(s);
      one.ready = ready_before(s);
      const bool labelled = fill(one, s) || fill(one, one.op);
      if (!labelled) describe(one, s, launch);
      if (is_end_of_group(one))
        grouped_.push_back({one, labelled});
      else
        (labelled ? digest_.collectives : unlabelled_).push_back(one);
      if (labelled) labelled_.insert(one.op);
    }
  }

  // PyTorch launches the ops of a group (batch_isend_irecv, the coalescing manager) after they have returned, from a
  // range "nccl:coalesced", and NCCL from ncclGroupEnd. The calls with the fields come before it on the thread.
  bool is_end_of_group(const RankCollective& one) const {
    if (one.op == no_slice) return false;
    const std::string_view name = trace_.name(one.op);
    return name == "nccl:coalesced" || (name == "ncclGroupEnd" && !joins_all(one.kind));
  }

  bool is_in_group(SliceId s) const {
    const SliceKind kind = trace_.slices.kind[s];
    if (kind == SliceKind::op) return trace_.name(s) == "record_param_comms" && !labelled_.contains(s);
    return kind == SliceKind::annotation && (trace_.name(s) == "ncclSend" || trace_.name(s) == "ncclRecv");
  }

  void add_grouped() {
    const auto& rows = trace_.slices;
    std::map<trace::TrackId, std::vector<SliceId>> calls;  // by thread, in order
    for (SliceId s = 0; !grouped_.empty() && s < rows.size(); ++s)
      if (is_of_rank(rows.track[s]) && is_in_group(s)) calls[rows.track[s]].push_back(s);
    std::map<trace::TrackId, std::size_t> next;  // in `calls`
    std::ranges::stable_sort(grouped_, {}, [](const Grouped& one) { return one.whole.call; });
    for (const auto& [whole, labelled] : grouped_) {
      const std::vector<SliceId>& all = calls[rows.track[whole.op]];
      std::vector<RankCollective> members;
      for (std::size_t& at = next[rows.track[whole.op]]; at < all.size() && rows.end(all[at]) <= whole.call; ++at) {
        RankCollective member = whole;
        if (!fill(member, all[at]) || member.kind == CollectiveKind::other) continue;
        member.op = all[at];
        members.push_back(member);
      }
      const bool receives =
          std::ranges::any_of(members, [](const RankCollective& m) { return m.kind == CollectiveKind::receive; });
      for (RankCollective& member : members) member.receives_too = receives && member.kind == CollectiveKind::send;
      if (members.empty()) (labelled ? digest_.collectives : unlabelled_).push_back(whole);
      // Collectives that run as one kernel are one, with all of their bytes: their waiting counts once.
      if (std::ranges::none_of(members, [](const RankCollective& m) { return is_message(m.kind); }) &&
          members.size() > 1) {
        for (std::size_t i = 1; i < members.size(); ++i) members.front().bytes += members[i].bytes;
        members.resize(1);
      }
      digest_.collectives.insert(digest_.collectives.end(), members.begin(), members.end());
    }
  }

  // Without fields, the group is a guess: where other collectives have them, a collective whose launch was not recorded
  // is left out.
  void add_unlabelled() {
    const bool others_have_fields = !digest_.collectives.empty();
    for (const RankCollective& one : unlabelled_) {
      if (others_have_fields && trace::launch_of(trace_, one.work) == no_slice)
        ++digest_.launched_before;
      else
        digest_.collectives.push_back(one);
    }
  }

  // Collectives on the CPU (Gloo, MPI), where nothing runs on the GPU.
  void find_on_cpu() {
    const auto& rows = trace_.slices;
    for (SliceId s = 0; s < rows.size(); ++s) {
      const bool named = rows.kind[s] == SliceKind::op || rows.kind[s] == SliceKind::annotation;
      if (!named || rows.duration[s] <= 0 || !is_of_rank(rows.track[s])) continue;
      const std::string_view name = trace_.name(s);
      const bool runs = name.starts_with("gloo:") || name.starts_with("mpi:");
      if (!runs) continue;
      RankCollective one;
      one.op = s;
      one.call = one.arrival = rows.start[s];
      one.end = rows.end(s);
      one.ready = one.call;
      if (!fill(one, s) && !fill(one, op_around(s))) one.kind = collective_kind_of(name);
      digest_.collectives.push_back(one);
    }
  }

  // The op with the fields of the collective, else the innermost op or range around the launch.
  SliceId op_around(SliceId slice) const {
    const auto& rows = trace_.slices;
    SliceId innermost = no_slice;
    constexpr int most_levels = 64;
    int levels = 0;
    for (; slice != no_slice && levels < most_levels; slice = rows.parent[slice], ++levels) {
      if (rows.kind[slice] != SliceKind::op && rows.kind[slice] != SliceKind::annotation) continue;
      if (innermost == no_slice) innermost = slice;
      if (trace_.text(rows.extra[slice]).find("\"Collective name\"") != std::string_view::npos) return slice;
    }
    return innermost;
  }

  bool fill(RankCollective& one, SliceId slice) {
    if (slice == no_slice || trace_.slices.extra[slice] == 0) return false;
    const auto fields = collective_fields(trace_.text(trace_.slices.extra[slice]));
    if (!fields) return false;
    one.kind = fields->kind;
    one.group = group_of(*fields);
    one.sequence = fields->sequence;
    one.bytes = fields->bytes;
    one.peer = fields->peer;
    return true;
  }

  // Without fields (PyTorch before 2.2), the names of the kernel and of what is around the launch tell the kind, and
  // the shapes of these ops (record_shapes=True) the bytes. NCCL has one kernel for all-to-all and for messages.
  void describe(RankCollective& one, SliceId work, SliceId launch) const {
    const auto& rows = trace_.slices;
    one.kind = collective_kind_of(trace_.name(work));
    constexpr int most_levels = 64;
    int levels = 0;
    for (SliceId s = launch; s != no_slice && levels < most_levels; s = rows.parent[s], ++levels) {
      if (rows.kind[s] != SliceKind::op && rows.kind[s] != SliceKind::annotation) continue;
      const std::string_view name = trace_.name(s);
      const CollectiveKind kind = collective_kind_of(name);
      if (one.kind == CollectiveKind::other && joins_all(kind)) one.kind = kind;
      if (kind == CollectiveKind::other && name != "record_param_comms") continue;
      for (const Tensor& tensor : tensors_of(trace_, s)) one.bytes = std::max(one.bytes, tensor.bytes());
    }
  }

  std::uint32_t group_of(const CollectiveFields& fields) {
    std::vector<ProcessGroup>& groups = digest_.identity.groups;
    const auto fits = [&](const ProcessGroup& group) {
      return group.name == fields.group && (fields.ranks.empty() || group.ranks.empty() || group.ranks == fields.ranks);
    };
    auto found = std::ranges::find_if(groups, fits);
    if (found == groups.end()) found = groups.insert(found, {fields.group, fields.description, fields.ranks});
    if (found->ranks.empty()) found->ranks = fields.ranks;
    if (found->description.empty()) found->description = fields.description;
    return static_cast<std::uint32_t>(found - groups.begin());
  }

  // The end of the work before on its stream, or of the work that its stream waited for.
  std::int64_t ready_before(SliceId work) const {
    std::int64_t ready = std::numeric_limits<std::int64_t>::min();
    const PathWork* const one = events_.work_of(work);
    if (one == nullptr) return ready;
    if (const PathWork* const before = events_.before(*one)) ready = before->end;
    if (const PathWork* const waited = events_.order_of(*one).work) ready = std::max(ready, waited->end);
    return std::min(ready, one->start);
  }

  const Trace& trace_;
  const PathEvents& events_;
  const std::vector<bool>& tracks_;
  RankDigest& digest_;
  std::unordered_set<SliceId> labelled_;  // ops with the fields of a collective that was launched in them
  std::vector<RankCollective> unlabelled_;
  struct Grouped {
    RankCollective whole;
    bool labelled = false;
  };
  std::vector<Grouped> grouped_;
};

// The rank's GPU time, and how much of each collective it computes beside. Returns when its GPU worked.
std::vector<Interval> add_gpu_times(const Trace& trace, const PathEvents& events, const std::vector<bool>& tracks,
                                    RankDigest& digest) {
  std::vector<Interval> computing, communicating, working;
  const auto& rows = trace.slices;
  for (trace::TrackId t = 0; t < trace.tracks.size(); ++t) {
    const trace::Track& track = trace.tracks[t];
    if (!track.gpu || (!tracks.empty() && !tracks[t])) continue;
    for (SliceId s = track.first; s < track.last; ++s) {
      if (rows.duration[s] <= 0 || !trace::is_gpu_work(rows.kind[s])) continue;
      working.push_back({rows.start[s], rows.end(s)});
      if (rows.kind[s] == SliceKind::kernel)
        (events.communication().is(s) ? communicating : computing).push_back(working.back());
    }
  }
  computing = united_intervals(std::move(computing));
  communicating = united_intervals(std::move(communicating));
  digest.computing = length_of_intervals(computing);
  digest.communicating = length_of_intervals(communicating);
  digest.exposed = digest.communicating;
  for (const Interval& one : communicating) digest.exposed -= covered_by(computing, one.from, one.to);
  for (RankCollective& one : digest.collectives) one.computing = covered_by(computing, one.arrival, one.end);
  return united_intervals(std::move(working));
}

}  // namespace

RankDigest digest_of(const Trace& trace, RankIdentity identity, const std::vector<bool>& tracks) {
  RankDigest digest;
  digest.identity = std::move(identity);
  digest.base = trace.base_time_ns;
  digest.events = trace.slices.size();
  const PathFinder paths(trace, tracks);
  const CodePlaces places(trace);
  Collectives(trace, paths.events(), tracks, digest).find();
  const std::vector<Interval> working = add_gpu_times(trace, paths.events(), tracks, digest);
  const std::vector<Interval> steps = step_times(trace);
  digest.steps = steps.size();

  RankCosts costs(trace, paths, places, tracks);
  std::int64_t from = trace.begin_ns, arrived = trace.begin_ns;
  for (RankCollective& one : digest.collectives) {
    const SliceId launch = one.work == no_slice ? one.op : trace::launch_of(trace, one.work);
    if (launch != no_slice) {
      costs.append(trace.slices.track[launch], from, one.call, arrived, one, digest.costs);
      from = one.call;
    }
    if (one.arrival > arrived) one.idle = one.arrival - arrived - covered_by(working, arrived, one.arrival);
    arrived = std::max(arrived, one.arrival);
    const auto after = std::ranges::upper_bound(steps, one.call, {}, &Interval::from);
    if (after != steps.begin() && one.call < std::prev(after)->to) one.step = after - steps.begin() - 1;
  }
  digest.names = costs.take_names();
  digest.begin = trace.begin_ns + digest.base;
  digest.end = trace.end_ns + digest.base;
  for (RankCollective& one : digest.collectives)
    for (std::int64_t* const time : {&one.call, &one.arrival, &one.end, &one.ready})
      if (*time != std::numeric_limits<std::int64_t>::min()) *time += digest.base;
  return digest;
}

}  // namespace warpwalk::analysis
