#include "core/gpu/timing/launch_recorder.h"

#include <algorithm>
#include <utility>

namespace warpwalk::gpu {

namespace {

/// Stretches of the overview; with more, two become one.
constexpr std::size_t most_stretches = 1024;

}  // namespace

void LaunchRecorder::begin(const Memory& memory, std::vector<std::uint16_t> sms, std::int64_t epoch,
                           std::uint32_t sm_count) {
  memory_ = &memory;
  record_ = {};
  record_.sms = std::move(sms);
  record_.inputs.resize(record_.sms.size());
  record_.epoch = record_.stretch = epoch;
  record_.sm_count = sm_count;
  foreign_.assign(memory.regions().size(), {});
  recorded_ = false;
  accesses_ = 0;
  issued_.assign(sm_count, 0);
  warp_cycles_.assign(sm_count, 0);
  next_ = nullptr;
}

int LaunchRecorder::index_of(std::size_t sm) const {
  const auto at = std::ranges::lower_bound(record_.sms, sm);
  return at != record_.sms.end() && *at == sm ? static_cast<int>(at - record_.sms.begin()) : -1;
}

void LaunchRecorder::runs(std::size_t sm) { recorded_ = records(sm); }

void LaunchRecorder::add(std::uint16_t sm, const SmInput& input) {
  if (const int index = index_of(sm); index >= 0)
    record_.inputs[static_cast<std::size_t>(index)].inputs.push_back(input);
}

void LaunchRecorder::epoch_begins() {
  for (SmInputs& of : record_.inputs) of.before_epoch.push_back(static_cast<std::uint32_t>(of.inputs.size()));
  ++record_.epochs;
}

void LaunchRecorder::epoch_ended(const std::vector<std::uint64_t>& issued, const std::vector<double>& warp_cycles) {
  if (record_.epochs * record_.epoch % record_.stretch != 0) return;
  for (std::size_t sm = 0; sm < issued.size(); ++sm)
    record_.activity.push_back(
        {static_cast<std::uint32_t>(issued[sm] - issued_[sm]),
         static_cast<float>((warp_cycles[sm] - warp_cycles_[sm]) / static_cast<double>(record_.stretch))});
  issued_ = issued;
  warp_cycles_ = warp_cycles;
  if (record_.activity.size() >= most_stretches * issued.size()) halve_activity();
}

void LaunchRecorder::halve_activity() {
  const std::size_t sms = record_.sm_count;
  std::vector<SmActivity>& all = record_.activity;
  for (std::size_t i = 0; i < all.size() / 2; ++i) {
    const std::size_t first = i / sms * 2 * sms + i % sms;
    all[i] = {all[first].issued + all[first + sms].issued, (all[first].warps + all[first + sms].warps) / 2};
  }
  all.resize(all.size() / 2);
  record_.stretch *= 2;
}

void LaunchRecorder::patch(std::size_t region, std::uint64_t first_word, std::uint64_t last_word) {
  std::vector<bool>& foreign = foreign_[region];
  const Region& of = memory_->regions()[region];
  for (std::uint64_t word = first_word; word <= last_word; ++word) {
    if (!foreign[word]) continue;
    std::uint64_t end = word;
    while (end <= last_word && foreign[end]) foreign[end++] = false;
    const std::uint64_t from = word * 4, to = std::min(of.bytes, end * 4);
    record_.patches.push_back({accesses_, region, from, {of.data + from, of.data + to}});
    word = end;
  }
}

void LaunchRecorder::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  if (next_ != nullptr) next_->before_access(region, offset, bytes, kind);
  const Region& of = memory_->regions()[region];
  if (of.read_only) return;
  std::vector<bool>& foreign = foreign_[region];
  const std::uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
  if (!recorded_) {
    if (kind == Kind::read) return;
    if (foreign.empty()) foreign.resize(of.bytes / 4 + 1);
    std::fill(foreign.begin() + static_cast<std::ptrdiff_t>(first),
              foreign.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
    return;
  }
  ++accesses_;
  if (foreign.empty()) return;
  // A write of whole words replaces what others wrote; any other access finds it.
  if (kind == Kind::write && offset % 4 == 0 && bytes % 4 == 0) {
    std::fill(foreign.begin() + static_cast<std::ptrdiff_t>(first),
              foreign.begin() + static_cast<std::ptrdiff_t>(last) + 1, false);
    return;
  }
  patch(region, first, last);
}

}  // namespace warpwalk::gpu
