#include "core/gpu/blocks/block_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {
namespace {

/// The number of blocks of one round for each small TPC and each GPC.
struct Round {
  std::vector<std::size_t> small;  ///< indexed by TPC of the small groups
  std::vector<std::size_t> gpc;
  bool full = false;
  double dealing = 0.0;  ///< time to deal out the round, in GPC batches; 0 for a full round
};

/// The constants of the rule. Devices without small groups do not need them and may omit them.
struct Constants {
  double run_ahead_first, run_ahead_again, deal_base, deal_pass, deal_small, deal_gpc;
};

Constants constants_of(const Device& device) {
  return {static_cast<double>(device.run_ahead_first.value.value_or(0)),
          static_cast<double>(device.run_ahead_again.value.value_or(0)),
          device.deal_base.value.value_or(0.0),
          device.deal_pass.value.value_or(0.0),
          device.deal_small.value.value_or(0.0),
          device.deal_gpc.value.value_or(0.0)};
}

Round full_round(const SmLayout& layout) {
  Round round;
  for (const auto& tpc : layout.small_tpcs) round.small.push_back(tpc.sms.size());
  for (const auto& gpc : layout.gpcs) round.gpc.push_back(gpc.size());
  round.full = true;
  return round;
}

/// Deals out `left` blocks one by one. There are fewer blocks than SMs.
Round dealt_round(const SmLayout& layout, const Constants& constants, std::uint64_t left) {
  Round round{std::vector<std::size_t>(layout.small_tpcs.size()), std::vector<std::size_t>(layout.gpcs.size()), false,
              constants.deal_base};
  for (std::size_t each = 1; left > 0 && each <= layout.tpc_sms && !layout.small_tpcs.empty(); ++each) {
    round.dealing += constants.deal_pass;
    for (std::size_t i = 0; left > 0 && i < round.small.size(); ++i, --left) {
      round.small[i] = each;
      round.dealing += constants.deal_small;
    }
  }
  for (std::size_t per_tpc = 1; left > 0 && per_tpc <= layout.tpc_sms; ++per_tpc) {
    for (bool dealt = true; left > 0 && dealt;) {
      dealt = false;
      for (std::size_t i = 0; left > 0 && i < round.gpc.size(); ++i) {
        if (round.gpc[i] == layout.gpcs[i].size() / layout.tpc_sms * per_tpc) continue;
        ++round.gpc[i];
        --left;
        round.dealing += constants.deal_gpc + (dealt ? 0.0 : constants.deal_pass);
        dealt = true;
      }
    }
  }
  return round;
}

/// Assigns the rounds of one launch.
class Dispatch {
 public:
  Dispatch(const Device& device, std::uint64_t blocks, std::uint64_t blocks_per_sm, SchedulerState& state)
      : layout_(layout_of(device)), constants_(constants_of(device)), state_(state) {
    const std::uint64_t sms = layout_.sm_count();
    full_ = full_round(layout_);
    full_rounds_ = std::min(blocks / sms, blocks_per_sm);
    rounds_ = full_rounds_;
    if (full_rounds_ < blocks_per_sm && blocks % sms > 0) {
      last_ = dealt_round(layout_, constants_, blocks % sms);
      ++rounds_;
    }
    out_.reserve(static_cast<std::size_t>(std::min(blocks, sms * blocks_per_sm)));
  }

  std::vector<SmId> run() {
    const int gpcs = static_cast<int>(layout_.gpcs.size());
    const int groups = std::max(1, layout_.small_groups);
    const int first_gpc = state_.next_gpc % gpcs;  // a state from another device may have a larger index
    first_small_ = state_.first_small % groups;
    for (std::uint64_t r = 0; r < rounds_; ++r) {
      if (small_round_ == r) put_small();
      for (int k = 0; k < gpcs; ++k) {
        if (small_round_ < rounds_ && since_small_ >= wait()) put_small();
        put_gpc((first_gpc + k) % gpcs, round(r));
      }
    }
    return std::move(out_);
  }

 private:
  const Round& round(std::uint64_t r) const { return r < full_rounds_ ? full_ : last_; }

  /// Number of GPC batches to wait before the small groups get their next round.
  double wait() const {
    if (layout_.small_tpcs.empty()) return std::numeric_limits<double>::infinity();
    const Round& next = round(small_round_);
    if (!next.full) return std::ceil(next.dealing);
    return small_round_ == 1 ? constants_.run_ahead_first : constants_.run_ahead_again;
  }

  void put(const std::vector<SmId>& sms, std::size_t count) {
    const std::size_t tpcs = sms.size() / layout_.tpc_sms;
    for (std::size_t t = 0; t < tpcs; ++t) {
      const std::size_t here = count / tpcs + (t < count % tpcs ? 1 : 0);
      for (std::size_t i = 0; i < here; ++i) out_.push_back(sms[t * layout_.tpc_sms + i]);
    }
  }

  void put_small() {
    const Round& now = round(small_round_);
    for (int g = 0; g < layout_.small_groups; ++g) {
      const int group = (first_small_ + g) % layout_.small_groups;
      for (std::size_t t = 0; t < now.small.size(); ++t) {
        if (layout_.small_tpcs[t].group != group || now.small[t] == 0) continue;
        put(layout_.small_tpcs[t].sms, now.small[t]);
        state_.first_small = group;
      }
    }
    ++small_round_;
    since_small_ = 0;
  }

  void put_gpc(int gpc, const Round& now) {
    const auto index = static_cast<std::size_t>(gpc);
    if (now.gpc[index] == 0) return;
    put(layout_.gpcs[index], now.gpc[index]);
    state_.next_gpc = (gpc + 1) % static_cast<int>(layout_.gpcs.size());
    ++since_small_;
  }

  SmLayout layout_;
  Constants constants_;
  SchedulerState& state_;
  Round full_, last_;
  std::uint64_t full_rounds_ = 0, rounds_ = 0;
  std::uint64_t small_round_ = 0;  ///< the next round of the small groups
  int first_small_ = 0;
  double since_small_ = 0;  ///< GPC batches since the last round of the small groups
  std::vector<SmId> out_;
};

}  // namespace

std::vector<SmId> first_blocks(const Device& device, std::uint64_t blocks, std::int64_t blocks_per_sm,
                               SchedulerState& state) {
  if (blocks_per_sm < 1) return {};
  return Dispatch(device, blocks, static_cast<std::uint64_t>(blocks_per_sm), state).run();
}

SchedulerState state_after(const Device& device, std::span<const SmId> placement, SchedulerState before) {
  const SmLayout layout = layout_of(device);
  bool gpc_seen = false;
  bool small_seen = layout.small_tpcs.empty();
  for (auto sm = placement.rbegin(); sm != placement.rend() && !(gpc_seen && small_seen); ++sm) {
    if (*sm >= layout.sm_count()) continue;  // recorded on another GPU
    const SmLayout::Position& place = layout.positions[*sm];
    if (place.small && !small_seen) before.first_small = place.group;
    if (!place.small && !gpc_seen) before.next_gpc = (place.group + 1) % static_cast<int>(layout.gpcs.size());
    (place.small ? small_seen : gpc_seen) = true;
  }
  return before;
}

SchedulerState state_before(const Device& device, std::span<const SmId> placement) {
  const SmLayout layout = layout_of(device);
  SchedulerState state;
  bool gpc_seen = false;
  bool small_seen = layout.small_tpcs.empty();
  for (auto sm = placement.begin(); sm != placement.end() && !(gpc_seen && small_seen); ++sm) {
    if (*sm >= layout.sm_count()) continue;
    const SmLayout::Position& place = layout.positions[*sm];
    if (place.small && !small_seen) state.first_small = place.group;
    if (!place.small && !gpc_seen) state.next_gpc = place.group;
    (place.small ? small_seen : gpc_seen) = true;
  }
  return state;
}

}  // namespace warpwalk::gpu
