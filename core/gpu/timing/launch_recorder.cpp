#include "core/gpu/timing/launch_recorder.h"

#include <algorithm>
#include <utility>

namespace warpwalk::gpu {

namespace {

/// Stretches of the overview; with more, two become one.
constexpr std::size_t most_stretches = 1024;

}  // namespace

void LaunchRecorder::begin(std::vector<std::uint16_t> groups, std::int64_t epoch) {
  record_ = {};
  record_.sms.resize(groups.size());
  record_.group = std::move(groups);
  record_.epoch = record_.stretch = epoch;
  accesses_.assign(record_.sms.size(), 0);
  issued_.assign(record_.sms.size(), 0);
  warp_cycles_.assign(record_.sms.size(), 0);
}

void LaunchRecorder::epoch_begins() {
  for (SmRecord& sm : record_.sms) sm.before_epoch.push_back(static_cast<std::uint32_t>(sm.inputs.size()));
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
  const std::size_t sms = record_.sms.size();
  std::vector<SmActivity>& all = record_.activity;
  for (std::size_t i = 0; i < all.size() / 2; ++i) {
    const std::size_t first = i / sms * 2 * sms + i % sms;
    all[i] = {all[first].issued + all[first + sms].issued, (all[first].warps + all[first + sms].warps) / 2};
  }
  all.resize(all.size() / 2);
  record_.stretch *= 2;
}

LaunchRecorder::Thread::Thread(LaunchRecorder& recorder, const Memory& memory, MemoryObserver* next)
    : recorder_(recorder), memory_(memory), next_(next), writers_(memory.regions().size()) {}

void LaunchRecorder::Thread::patch(std::size_t region, std::uint64_t first_word, std::uint64_t last_word) {
  const std::vector<std::uint16_t>& writers = writers_[region];
  const Region& of = memory_.regions()[region];
  const auto foreign = [&](std::uint64_t word) { return writers[word] != nobody && writers[word] != sm_; };
  for (std::uint64_t word = first_word; word <= last_word; ++word) {
    if (!foreign(word)) continue;
    std::uint64_t end = word;
    while (end <= last_word && foreign(end)) ++end;
    const std::uint64_t from = word * 4, to = std::min(of.bytes, end * 4);
    recorder_.record_.sms[sm_].patches.push_back(
        {recorder_.accesses_[sm_], static_cast<std::uint32_t>(region), from, {of.data + from, of.data + to}});
    word = end;
  }
}

void LaunchRecorder::Thread::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  if (next_ != nullptr) next_->before_access(region, offset, bytes, kind);
  const Region& of = memory_.regions()[region];
  if (of.read_only) return;
  ++recorder_.accesses_[sm_];
  std::vector<std::uint16_t>& writers = writers_[region];
  const std::uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
  // A write of whole words replaces what others wrote; any other access finds it.
  const bool whole = kind == Kind::write && offset % 4 == 0 && bytes % 4 == 0;
  if (!writers.empty() && !whole) patch(region, first, last);
  if (kind == Kind::read) return;
  if (writers.empty()) writers.assign(of.bytes / 4 + 1, nobody);
  std::fill(writers.begin() + static_cast<std::ptrdiff_t>(first),
            writers.begin() + static_cast<std::ptrdiff_t>(last) + 1, static_cast<std::uint16_t>(sm_));
}

}  // namespace warpwalk::gpu
