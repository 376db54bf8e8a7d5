#include "core/story/facts/code/dispatch_keys.h"

#include <algorithm>

namespace warpwalk::story {
namespace {

// Highest key first. PyTorch has more keys between these, for other tensors or modes (functorch, quantized, nested
// ...).
enum KeyPlace : unsigned char {
  autocast_cuda,
  autocast_cpu,
  autograd_cuda,
  autograd_cpu,
  in_place,
  select,
  csr_cuda,
  csr_cpu,
  coo_cuda,
  coo_cpu,
  dense_cuda,
  dense_cpu,
  key_count
};
constexpr std::string_view names[key_count] = {"AutocastCUDA",    "AutocastCPU",   "AutogradCUDA",  "AutogradCPU",
                                               "ADInplaceOrView", "BackendSelect", "SparseCsrCUDA", "SparseCsrCPU",
                                               "SparseCUDA",      "SparseCPU",     "CUDA",          "CPU"};

bool of_cuda(std::size_t key) {
  return key == autocast_cuda || key == autograd_cuda || key == csr_cuda || key == coo_cuda || key == dense_cuda;
}
bool is_autocast(std::size_t key) { return key == autocast_cuda || key == autocast_cpu; }
bool is_autograd(std::size_t key) { return key == autograd_cuda || key == autograd_cpu; }

// A tensor's keys: its backend and layout, and the keys that wrap that backend.
Bit carried(std::size_t key, const KeyQuestion& question) {
  const bool inference = question.mode == KeyMode::inference;
  if (key == select) return Bit::off;
  if (key == in_place) return inference ? Bit::off : Bit::on;
  if (is_autograd(key) && inference) return Bit::off;
  if (key >= csr_cuda) {
    const KeyLayout layout = key <= csr_cpu ? KeyLayout::csr : key <= coo_cpu ? KeyLayout::coo : KeyLayout::strided;
    const KeyLayout asked = question.layout == KeyLayout::unknown ? KeyLayout::strided : question.layout;
    if (layout != asked) return Bit::off;
  }
  switch (question.backend) {
    case KeyBackend::both: return Bit::on;
    case KeyBackend::unknown: return Bit::maybe;
    case KeyBackend::cuda: return of_cuda(key) ? Bit::on : Bit::off;
    case KeyBackend::cpu: return of_cuda(key) ? Bit::off : Bit::on;
  }
  return Bit::off;
}

std::string_view function_at(std::size_t key, const OpEntry* entry) {
  if (entry == nullptr) return {};
  switch (key) {
    case csr_cuda:
    case csr_cpu: return entry->csr;
    case coo_cuda: return entry->sparse_cuda;
    case coo_cpu: return entry->sparse_cpu;
    case dense_cuda: return entry->cuda;
    case dense_cpu: return entry->cpu;
    default: return {};
  }
}

}  // namespace

std::vector<KeyRow> key_table(const KeyQuestion& question, std::string_view op) {
  const OpEntry* entry = op_entry(op);
  const bool composite = entry != nullptr && entry->kind == OpKind::composite;
  std::vector<KeyRow> rows(key_count);
  for (std::size_t k = 0; k < key_count; ++k) {
    KeyRow& row = rows[k];
    row.key = std::string(names[k]);
    row.function = std::string(function_at(k, entry));
    row.tensors = carried(k, question);
    if (k == select || (k == in_place && question.mode != KeyMode::inference)) row.adds = Bit::on;
    if (is_autocast(k) && question.mode != KeyMode::autocast) row.removes = Bit::on;
    const bool below = question.mode == KeyMode::nested || question.mode == KeyMode::inference;
    if (is_autograd(k) && below) row.removes = Bit::on;
    if (k == in_place && question.mode == KeyMode::nested) row.removes = Bit::on;
    if (question.mode == KeyMode::unknown && (is_autograd(k) || k == in_place)) row.removes = Bit::maybe;
    if (row.removes == Bit::off) row.set = row.adds == Bit::on ? Bit::on : row.tensors;
    if (row.removes == Bit::maybe && (row.adds == Bit::on || row.tensors != Bit::off)) row.set = Bit::maybe;
  }

  // Calls each function from the highest key down, until one of them ends the call. If there are two backends, the one
  // with the higher bit comes first.
  int turn = 0;
  bool ended = false;
  bool autograd_done = false;
  for (std::size_t k = 0; k < key_count; ++k) {
    KeyRow& row = rows[k];
    if (row.set == Bit::off) continue;
    if (row.removes == Bit::maybe && !(is_autograd(k) && composite)) {
      row.effect = k == in_place && !in_place_or_view(op) ? KeyEffect::skipped : KeyEffect::perhaps;
      continue;
    }
    if (row.set == Bit::maybe && k % 2 == 1 && k != select && rows[k - 1].set == Bit::maybe) {
      // The trace does not say which of the two backends it is, so they share the turn.
      row.effect = rows[k - 1].effect;
      row.turn = rows[k - 1].turn;
      continue;
    }
    if (ended) {
      row.effect = KeyEffect::below;
      continue;
    }
    if (is_autocast(k)) {
      row.effect = entry != nullptr && entry->lower_precision ? KeyEffect::casts : KeyEffect::skipped;
    } else if (is_autograd(k)) {
      row.effect = composite ? KeyEffect::composite : autograd_done ? KeyEffect::below : KeyEffect::records;
      autograd_done = true;
    } else if (k == in_place) {
      row.effect = in_place_or_view(op) ? KeyEffect::marks : KeyEffect::skipped;
    } else if (k == select) {
      row.effect = is_factory(op) ? KeyEffect::selects : KeyEffect::skipped;
    } else {
      row.effect = composite ? KeyEffect::composite : KeyEffect::kernel;
    }
    if (row.effect == KeyEffect::skipped || row.effect == KeyEffect::below) continue;
    row.turn = ++turn;
    ended = row.effect == KeyEffect::kernel || row.effect == KeyEffect::composite;
  }
  return rows;
}

std::size_t first_turn(const std::vector<KeyRow>& rows) {
  return static_cast<std::size_t>(
      std::find_if(rows.begin(), rows.end(), [](const KeyRow& row) { return row.turn == 1; }) - rows.begin());
}

std::size_t last_turn(const std::vector<KeyRow>& rows) {
  std::size_t last = rows.size();
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].turn > 0 && (last == rows.size() || rows[r].turn > rows[last].turn)) last = r;
  return last;
}

}  // namespace warpwalk::story
