// What L2 does between launches: copies and memsets pass through it, and what it holds can be kept in a file.
#include <algorithm>
#include <utility>

#include "core/gpu/timing/l2.h"
#include "core/platform/deflate.h"

namespace warpwalk::gpu {
namespace {

/// Steps of a launch in which the order of the uses of its lines is kept.
constexpr std::uint32_t launch_steps = 16;
constexpr std::uint64_t saved_version = 1;

/// Numbers in groups of seven bits, the lowest first.
void put_number(std::vector<std::uint8_t>& into, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) into.push_back(static_cast<std::uint8_t>(value | 0x80));
  into.push_back(static_cast<std::uint8_t>(value));
}

/// The 4-byte words of these sectors.
std::uint32_t words_of(std::uint8_t sectors) {
  std::uint32_t words = 0;
  for (unsigned sector = 0; sector < 4; ++sector)
    if ((sectors >> sector & 1) != 0) words |= 0xffU << 8 * sector;
  return words;
}

/// Reads what put_number() has written.
class SavedNumbers {
 public:
  explicit SavedNumbers(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  /// 0 after the end.
  std::uint64_t next() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) {
        good_ = false;
        return 0;
      }
      const std::uint8_t byte = bytes_[at_++];
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  std::span<const std::uint8_t> rest() const { return bytes_.subspan(at_); }
  bool good() const { return good_; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

/// Lines that follow one another and have the same state.
struct SavedRun {
  std::uint64_t first = 0, count = 0;
  std::uint64_t sectors = 0;  ///< present, 16 * written, 256 * partial
  std::uint64_t words = 0;    ///< that are written, of sectors that are not present
  std::uint64_t age = 0;
};

}  // namespace

void L2::begin_launch() {
  const auto slices = std::max<std::size_t>(1, static_cast<std::size_t>(timing_.l2_slices));
  reads_.assign(slices, Calendar());
  writes_.assign(slices, Calendar());
  gpc_in_.assign(partition_of_gpc_.size(), Calendar());
  link_ = Calendar();
  memory_.emplace(timing_);
  counters_ = {};
  source_ = DataSource::l2;
  order_partial_lines();
}

void L2::end_launch() {
  for (Cache& cache : partitions_) {
    for (std::uint32_t index = 0; index < cache.size(); ++index) {
      cache.at(index).ready = 0;
      cache.at(index).promised = 0;
    }
    cache.gather_uses(launch_steps);
  }
  order_partial_lines();
  // They are larger than the lines.
  reads_ = writes_ = gpc_in_ = {};
  memory_.reset();
}

void L2::begin_step() {
  for (Cache& cache : partitions_) cache.begin_step();
}

void L2::order_partial_lines() {
  struct Partial {
    std::uint32_t age;
    std::uint64_t line;
  };
  std::vector<Partial> lines;
  for (const Cache& cache : partitions_)
    for (std::uint32_t index = 0; partial_lines_ > 0 && index < cache.size(); ++index)
      if (cache.number_of(index) != Cache::empty && cache.at(index).partial != 0)
        lines.push_back({cache.age(index), cache.number_of(index)});
  std::ranges::sort(
      lines, [](const Partial& a, const Partial& b) { return a.age != b.age ? a.age > b.age : a.line < b.line; });
  partial_.clear();
  for (const Partial& one : lines) partial_.push_back(one.line);
}

void L2::note_passed(Cache& cache, std::uint32_t index, std::uint8_t sectors, bool writes) {
  Line& line = cache.at(index);
  line.present |= sectors;
  if (writes) line.written |= sectors;
  if (line.partial != 0) {
    line.partial = static_cast<std::uint8_t>(line.partial & ~sectors);
    if (line.partial == 0) --partial_lines_;
  }
  cache.use_in_step(index);
}

/// Gives the place of a line to another one.
std::uint32_t L2::replace(Cache& cache, std::uint32_t index, std::uint64_t line) {
  if (cache.number_of(index) != Cache::empty && cache.at(index).partial != 0) --partial_lines_;
  cache.assign(index, line);
  return index;
}

void L2::drop_copies(std::uint64_t line, std::uint8_t sectors, unsigned kept, unsigned kept_too) {
  for (unsigned partition = 0; partition < partitions_.size(); ++partition) {
    if (partition == kept || partition == kept_too) continue;
    Cache& cache = partitions_[partition];
    const std::uint32_t index = cache.find(line, mixed(line));
    if (index == Cache::none) continue;
    Line& copy = cache.at(index);
    copy.present = static_cast<std::uint8_t>(copy.present & ~sectors);
    copy.written = static_cast<std::uint8_t>(copy.written & ~sectors);
    if (copy.present == 0) cache.remove(index);
  }
}

bool L2::holds(std::uint64_t line) const { return partitions_[home_of(line)].find(line, mixed(line)) != Cache::none; }

/// Memsets and copies within the device are kernels of the driver: an H200 then holds lines as after other kernels, in
/// the partition of an SM and in the home (tests/cuda/microbench, carried). Which SM is not known; each page has one.
void L2::pass_by_sm(std::uint64_t line, std::uint8_t sectors, bool writes) {
  constexpr std::uint64_t other_hash = std::uint64_t{1} << 40;
  const unsigned home = home_of(line);
  const auto own = static_cast<unsigned>(mixed(line / 32 + other_hash) % partitions_.size());
  const std::uint64_t hash = mixed(line);
  for (const unsigned partition : {own, home}) {
    Cache& cache = partitions_[partition];
    std::uint32_t index = cache.find(line, hash);
    if (index == Cache::none) index = replace(cache, cache.victim(hash), line);
    note_passed(cache, index, sectors, writes);
    if (own == home) break;
  }
  if (writes) drop_copies(line, sectors, own, home);
}

/// On an H200, a copy between host and device changes what L2 holds, in the line's home, and drops the copy in the
/// other partition. Of what L2 does not hold, about 3.7 MB stay, a sixteenth of L2: one line per set
/// (tests/cuda/microbench, carried).
void L2::pass_by_engine(std::uint64_t line, std::uint8_t sectors, bool writes) {
  const unsigned home = home_of(line);
  const std::uint64_t hash = mixed(line);
  Cache& cache = partitions_[home];
  std::uint32_t index = cache.find(line, hash);
  if (index == Cache::none) {
    if (copied_.empty()) copied_.assign(partitions_.size() * cache.sets(), Cache::empty);
    std::uint64_t& copied = copied_[home * cache.sets() + cache.set_of(hash)];
    const std::uint32_t old = copied == Cache::empty ? Cache::none : cache.find(copied, hash);
    index = replace(cache, old != Cache::none ? old : cache.victim(hash), line);
    copied = line;
  }
  note_passed(cache, index, sectors, writes);
  if (writes) drop_copies(line, sectors, home, home);
}

void L2::drop(const std::function<bool(std::uint64_t)>& drops) {
  for (Cache& cache : partitions_)
    for (std::uint32_t index = 0; index < cache.size(); ++index) {
      if (cache.number_of(index) == Cache::empty || !drops(cache.number_of(index))) continue;
      if (cache.at(index).partial != 0) --partial_lines_;
      cache.remove(index);
    }
}

std::vector<std::uint8_t> L2::saved(const L2& after) const {
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t number :
       {saved_version, std::uint64_t{partitions_.size()}, partitions_[0].sets(), std::uint64_t{partitions_[0].ways()}})
    put_number(bytes, number);
  for (std::size_t partition = 0; partition < partitions_.size(); ++partition) {
    const Cache& cache = partitions_[partition];
    const Cache& then = after.partitions_[partition];
    std::vector<std::pair<std::uint64_t, std::uint32_t>> lines;  // with their indices
    for (std::uint32_t first = 0; first < cache.size(); first += cache.ways()) {
      bool needed = false;
      for (std::uint32_t index = first; index < first + cache.ways(); ++index)
        needed = needed || then.age(index) < launch_steps ||
                 (cache.number_of(index) != Cache::empty && cache.at(index).partial != 0);
      for (std::uint32_t index = first; needed && index < first + cache.ways(); ++index)
        if (cache.number_of(index) != Cache::empty) lines.emplace_back(cache.number_of(index), index);
    }
    std::ranges::sort(lines);
    std::vector<SavedRun> runs;
    for (const auto& [number, index] : lines) {
      const Line& line = cache.at(index);
      const auto sectors = static_cast<std::uint64_t>(line.present | line.written << 4 | line.partial << 8);
      const std::uint64_t words = line.words & ~words_of(line.present), age = cache.age(index);
      SavedRun* const last = runs.empty() ? nullptr : &runs.back();
      if (last != nullptr && last->first + last->count == number && last->sectors == sectors && last->words == words &&
          last->age == age)
        ++last->count;
      else
        runs.push_back({number, 1, sectors, words, age});
    }
    put_number(bytes, runs.size());
    std::uint64_t end = 0;
    for (const SavedRun& run : runs) {
      put_number(bytes, run.first - end);
      end = run.first + run.count;
    }
    for (const auto member : {&SavedRun::count, &SavedRun::sectors, &SavedRun::words, &SavedRun::age})
      for (const SavedRun& run : runs) put_number(bytes, run.*member);
  }
  std::vector<std::uint8_t> out;
  put_number(out, bytes.size());
  const std::vector<std::uint8_t> small = platform::deflated(bytes);
  out.insert(out.end(), small.begin(), small.end());
  return out;
}

bool L2::restore(std::span<const std::uint8_t> saved) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 26;  // of 1.5 million lines, 40 bytes each
  SavedNumbers head(saved);
  const std::uint64_t size = head.next();
  if (!head.good() || size > most_bytes) return false;
  const auto bytes = platform::inflated(head.rest(), size);
  if (!bytes) return false;
  SavedNumbers in(*bytes);
  if (in.next() != saved_version || in.next() != partitions_.size() || in.next() != partitions_[0].sets() ||
      in.next() != partitions_[0].ways())
    return false;
  for (unsigned partition = 0; partition < partitions_.size(); ++partition) {
    Cache& cache = partitions_[partition];
    const std::uint64_t count = in.next();
    if (count > cache.size()) return false;
    std::vector<SavedRun> runs(count);
    for (const auto member : {&SavedRun::first, &SavedRun::count, &SavedRun::sectors, &SavedRun::words, &SavedRun::age})
      for (SavedRun& run : runs) run.*member = in.next();
    if (!in.good()) return false;
    std::uint64_t end = 0;
    for (const SavedRun& run : runs) {
      if (run.count > cache.size() || run.sectors > 0xfff || run.words > 0xffffffff || run.age > 0xffffffff)
        return false;
      const std::uint64_t first = end + run.first;
      end = first + run.count;
      if (first < run.first || end < first || end == Cache::empty) return false;
      for (std::uint64_t number = first; number < end; ++number) {
        const std::uint64_t hash = mixed(number);
        const std::uint32_t index = cache.victim(hash);
        if (cache.number_of(index) != Cache::empty) return false;
        cache.assign(index, number);
        cache.set_age(index, static_cast<std::uint32_t>(run.age));
        Line& line = cache.at(index);
        line.present = static_cast<std::uint8_t>(run.sectors & 15);
        line.written = static_cast<std::uint8_t>(run.sectors >> 4 & 15);
        line.partial = static_cast<std::uint8_t>(run.sectors >> 8);
        line.words = static_cast<std::uint32_t>(run.words);
        if (line.partial == 0) continue;
        if (home_of(number) != partition) return false;
        ++partial_lines_;
      }
    }
  }
  order_partial_lines();
  return in.at_end();
}

}  // namespace warpwalk::gpu
