#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/analysis/ranks/hang/mismatch.h"
#include "core/analysis/ranks/hang/open_calls.h"

namespace warpwalk::analysis {
namespace {

/// The first open send and the first open receive between two ranks in one direction. NCCL keeps their order, and a
/// receive whose send is complete is complete, too, once it runs: so the first open ones belong together.
struct Channel {
  std::optional<HangCall> send, recv;
};
using Channels = std::map<std::pair<std::int64_t, std::int64_t>, Channel>;  // by sender and receiver

Channels open_channels(const GroupCalls& all, std::size_t group) {
  Channels channels;
  for (const auto& [rank, calls] : all.calls[group])
    for (const CallUnit& unit : calls.units) {
      if (!unit.message || !unit.open()) continue;
      for (std::size_t i = 0; i < unit.count; ++i) {
        const auto message = message_of(all.dumps.text(all.call(calls, calls.of[unit.first + i]).name));
        if (!message) continue;
        Channel& channel = channels[{all.rank_at(group, message->from), all.rank_at(group, message->to)}];
        std::optional<HangCall>& end = message->sends ? channel.send : channel.recv;
        if (end) continue;
        CallUnit one = unit;  // this message of a batch
        one.first += i;
        one.count = 1;
        end = all.described(group, calls, one);
        end->timed_out = all.described(group, calls, unit).timed_out;
      }
    }
  return channels;
}

}  // namespace

std::vector<Wait> open_messages(const GroupCalls& all, std::size_t group) {
  std::vector<Wait> waits;
  // A rank that waits for another in several messages of one batch waits for it once.
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> known;
  for (const auto& [ranks, channel] : open_channels(all, group)) {
    Wait wait;
    wait.group = group;
    wait.message = true;
    const HangCall& first = channel.recv ? *channel.recv : *channel.send;
    const std::int64_t other = channel.recv ? ranks.first : ranks.second;
    wait.collective = first.name;
    wait.sequence = first.sequence;
    wait.waiting.push_back(first.rank);
    wait.calls.push_back(first);
    if (channel.recv && channel.send) {
      wait.waiting.push_back(channel.send->rank);
      wait.calls.push_back(*channel.send);
      wait.mismatch = mismatch_of(*channel.send, *channel.recv);
    } else if (!known.emplace(first.rank, first.sequence, other).second) {
      continue;
    } else {
      (all.dump_of.contains(other) ? wait.missing : wait.unknown).push_back(other);
    }
    waits.push_back(std::move(wait));
  }
  return waits;
}

}  // namespace warpwalk::analysis
