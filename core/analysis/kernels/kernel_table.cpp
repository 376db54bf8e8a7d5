#include "core/analysis/kernels/kernel_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/analysis/names/short_names.h"
#include "core/gpu/blocks/occupancy.h"

namespace warpwalk::analysis {
namespace {

std::int64_t count_of_shape(const std::array<std::int32_t, 3>& shape) {
  std::int64_t count = 1;
  for (const std::int32_t size : shape) {
    if (size < 1 || count > (std::int64_t{1} << 40)) return 0;  // not recorded, or damaged
    count *= size;
  }
  return count;
}

// The occupancy of launches with the same needs is computed once.
class OccupancyIndex {
 public:
  explicit OccupancyIndex(const DeviceMatch& match) : device_(match.device ? &*match.device : nullptr) {}

  std::optional<double> operator()(const trace::KernelDetail& kernel) {
    const std::int64_t threads = count_of_shape(kernel.block);
    if (device_ == nullptr || threads == 0 || kernel.registers < 0 || kernel.shared_bytes < 0) return {};
    const auto [place, is_new] = known_.try_emplace({threads, kernel.registers, kernel.shared_bytes});
    if (is_new) place->second = percent(threads, kernel);
    return place->second;
  }

 private:
  std::optional<double> percent(std::int64_t threads, const trace::KernelDetail& kernel) const {
    gpu::BlockNeeds needs;
    needs.threads = threads;
    needs.registers = kernel.registers;
    needs.dynamic_shared = kernel.shared_bytes;  // the record has static and dynamic shared memory as one number
    needs.shared_optin = kernel.shared_bytes > *device_->shared_per_block;
    const gpu::Occupancy occupancy = gpu::occupancy_of(*device_, needs);
    // It ran, so a failure means that the record and the limits do not fit.
    if (!occupancy.failure.empty()) return {};
    return occupancy.percent;
  }

  const gpu::Device* device_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::optional<double>> known_;
};

// Fills the rows launch by launch.
class TableBuilder {
 public:
  TableBuilder(const Trace& trace, KernelTable& table)
      : trace_(trace), table_(table), amounts_(trace), communication_(trace), occupancy_(table.device) {}

  void add(SliceId work) {
    const trace::Slices& slices = trace_.slices;
    const auto [place, is_new] = rows_.try_emplace(slices.name[work], table_.rows.size());
    if (is_new) begin_row(work);
    KernelRow& row = table_.rows[place->second];
    ++row.count;
    const std::int64_t time = slices.duration[work];
    if (has_time(trace_, work)) {
      row.min = row.timed == 0 ? time : std::min(row.min, time);
      row.max = row.timed == 0 ? time : std::max(row.max, time);
      ++row.timed;
      row.total += time;
    }
    if (row.longest == no_slice || time > slices.duration[row.longest]) row.longest = work;
    if (slices.kind[work] == trace::SliceKind::kernel) {
      table_.kernel_time += time;
      ++table_.kernel_launches;
      add_kernel(row, trace_.kernels[slices.detail[work]]);
    }
    add_amount(row, amounts_.of(work), has_time(trace_, work) ? time : 0);
  }

  void finish() {
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      KernelRow& row = table_.rows[i];
      if (estimates_[i].second > 0)
        row.occupancy_profiler = estimates_[i].first / static_cast<double>(estimates_[i].second);
      if (units_differ_[i]) row.unit.reset();
      if (row.is_kernel())
        row.category = communication_.is(row.longest) ? WorkCategory::communication
                                                      : category_of_kernel(trace_.text(row.name), row.rule);
      if (row.is_kernel() && table_.kernel_time > 0)
        row.share = static_cast<double>(row.total) / static_cast<double>(table_.kernel_time);
    }
  }

 private:
  void begin_row(SliceId work) {
    KernelRow row;
    row.name = trace_.slices.name[work];
    row.kind = trace_.slices.kind[work];
    if (row.is_kernel()) row.tensor_cores = tensor_core_use(trace_.text(row.name));
    table_.rows.push_back(std::move(row));
    estimates_.emplace_back(0.0, 0);
    units_differ_.push_back(false);
  }

  void add_kernel(KernelRow& row, const trace::KernelDetail& kernel) {
    row.grid.add(kernel.grid);
    row.block.add(kernel.block);
    if (kernel.registers != trace::absent) row.registers.add(kernel.registers);
    if (kernel.shared_bytes != trace::absent) row.shared.add(kernel.shared_bytes);
    if (const std::optional<double> percent = occupancy_(kernel)) {
      if (!row.occupancy) row.occupancy = {*percent, *percent};
      (*row.occupancy)[0] = std::min((*row.occupancy)[0], *percent);
      (*row.occupancy)[1] = std::max((*row.occupancy)[1], *percent);
    }
    if (!trace::is_absent(kernel.occupancy_pct)) {
      auto& [sum, count] = estimates_[index_of(row)];
      sum += kernel.occupancy_pct;
      ++count;
    }
  }

  void add_amount(KernelRow& row, const WorkAmount& amount, std::int64_t time) {
    row.counted_elsewhere += amount.counted_elsewhere;
    row.fewer += amount.fewer;
    if (amount.rule == WorkRule::none) return;
    if (row.rule == WorkRule::none) row.rule = amount.rule;
    row.rules_differ = row.rules_differ || row.rule != amount.rule;
    row.flops.add(amount.flops, time);
    row.bytes.add(amount.bytes, time);
    if (!amount.flops) return;
    if (amount.bytes) {
      row.both_flops.add(amount.flops, time);
      row.both_bytes.add(amount.bytes, time);
    }
    // Element by element, nothing runs on tensor cores, whatever the name leaves open.
    const TensorCoreUse use = amount.rule == WorkRule::arithmetic ? TensorCoreUse::no : row.tensor_cores.use;
    const MathUnit unit = table_.peaks.present(unit_of(amount.math, use));
    if (row.unit && *row.unit != unit) units_differ_[index_of(row)] = true;
    row.unit = unit;
  }

  std::size_t index_of(const KernelRow& row) const { return static_cast<std::size_t>(&row - table_.rows.data()); }

  const Trace& trace_;
  KernelTable& table_;
  WorkAmounts amounts_;
  Communication communication_;
  OccupancyIndex occupancy_;
  std::unordered_map<trace::StringId, std::size_t> rows_;
  std::vector<std::pair<double, std::uint64_t>> estimates_;  // sum and number of the profiler's estimates, by row
  std::vector<bool> units_differ_;                           // by row
};

void name_rows(const Trace& trace, std::vector<KernelRow>& rows) {
  std::vector<std::string_view> names;
  for (const KernelRow& row : rows) names.push_back(trace.text(row.name));
  std::vector<std::string> labels = kernel_labels(names);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].label = std::move(labels[i]);
}

// The launches of each row beside each other, in the order of `work`.
void index_launches(const Trace& trace, const std::vector<SliceId>& work, KernelTable& table) {
  std::unordered_map<trace::StringId, std::size_t> next;  // the place of each name's next launch
  std::size_t first = 0;
  for (KernelRow& row : table.rows) {
    row.first = first;
    row.last = first += static_cast<std::size_t>(row.count);
    next[row.name] = row.first;
  }
  table.launches.resize(first);
  for (const SliceId one : work) table.launches[next[trace.slices.name[one]]++] = one;
}

// The SMs of the GPU with this name, as the trace records them.
std::int64_t recorded_sms_of(const Trace& trace, std::string_view name) {
  for (const trace::Device& device : trace.devices)
    if (trace.text(device.name) == name) return device.sms;
  return trace::absent;
}

// All GPU work by start.
std::vector<SliceId> gpu_work_by_start(const Trace& trace) {
  std::vector<SliceId> work(trace.kernel_order.begin(), trace.kernel_order.end());
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu) continue;
    for (SliceId s = track.first; s < track.last; ++s)
      if (trace.slices.kind[s] == trace::SliceKind::memcpy || trace.slices.kind[s] == trace::SliceKind::memset)
        work.push_back(s);
  }
  std::ranges::stable_sort(work, {}, [&](SliceId s) { return trace.slices.start[s]; });
  return work;
}

}  // namespace

void Spread::add(std::int64_t value) {
  if (!known()) least = most = value;
  least = std::min(least, value);
  most = std::max(most, value);
}

void ShapeSpread::add(const std::array<std::int32_t, 3>& shape) {
  const std::int64_t size = count_of_shape(shape);
  if (size == 0) return;
  if (!count.known()) first = shape;
  same = same && shape == first;
  count.add(size);
}

void WorkSum::add(const std::optional<double>& one, std::int64_t of_time) {
  if (!one) return;
  amount += *one;
  time += of_time;
  ++launches;
}

std::optional<double> WorkSum::rate() const {
  if (launches == 0 || time <= 0) return {};
  return amount / (static_cast<double>(time) * 1e-9);
}

std::optional<double> KernelRow::mean() const {
  if (timed == 0) return {};
  return static_cast<double>(total) / static_cast<double>(timed);
}

std::optional<PeakShare> KernelTable::share_of_peak(const KernelRow& row) const {
  if (!row.is_kernel()) return {};
  std::optional<PeakShare> share;
  const UnitPeak* const peak = row.unit ? peaks.find(*row.unit) : nullptr;
  if (const auto rate = row.flops.rate(); rate && peak != nullptr && row.fewer == 0)
    share = PeakShare{*rate / peak->flops_per_second, false};
  if (const auto rate = row.bytes.rate(); rate && peaks.bytes_per_second)
    if (const double of_memory = *rate / *peaks.bytes_per_second; !share || of_memory > share->share)
      share = PeakShare{of_memory, true};
  return share;
}

DeviceMatch kernel_device(const Trace& trace, std::span<const gpu::Device> known) {
  SliceId longest = no_slice;
  std::optional<trace::StringId> name;
  std::optional<std::int64_t> device_of_name;
  for (const SliceId kernel : trace.kernel_order) {
    if (longest == no_slice || trace.slices.duration[kernel] > trace.slices.duration[longest]) longest = kernel;
    const std::int64_t device = trace.tracks[trace.slices.track[kernel]].device;
    if (device_of_name == device) continue;
    device_of_name = device;
    const auto at = std::ranges::find(trace.devices, device, &trace::Device::id);
    if (at == trace.devices.end()) continue;
    if (name && *name != at->name) return {};
    name = at->name;
  }
  if (longest == no_slice) return {};
  Walk walk;
  walk.kernel = longest;
  return device_of(trace, walk, known);
}

KernelTable kernel_table(const Trace& trace, const DeviceMatch& device) {
  KernelTable table;
  table.device = device;
  table.peaks = device_peaks(device, recorded_sms_of(trace, device.recorded));
  const std::vector<SliceId> work = gpu_work_by_start(trace);
  TableBuilder builder(trace, table);
  for (const SliceId one : work) builder.add(one);
  builder.finish();
  std::ranges::stable_sort(table.rows, std::ranges::greater{}, &KernelRow::total);
  name_rows(trace, table.rows);
  index_launches(trace, work, table);
  return table;
}

}  // namespace warpwalk::analysis
