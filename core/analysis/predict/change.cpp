#include "core/analysis/predict/change.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace warpwalk::analysis {
namespace {

constexpr std::string_view possible =
    "drop-sync:FILE:LINE or drop-sync:all, pinned, stream:copies, graph:step, compile, fused-optimizer, dtype:bf16 "
    "(f16, tf32, fp8), "
    "batch:x4, seq:x2, hidden:x2, fuse:OP+OP, kernel:NAME:x2 or kernel:NAME:roofline, gpu:NAME, launch-us:N, cpu:x2, "
    "ranks:x2, link:x0.5";

struct Word {
  std::string_view word;
  ChangeKind kind;
  std::string_view form;  // what follows the colon; empty: nothing
};
constexpr std::array words = {Word{"drop-sync", ChangeKind::drop_sync, "FILE:LINE or all"},
                              Word{"pinned", ChangeKind::pinned, ""},
                              Word{"stream", ChangeKind::stream, "copies"},
                              Word{"graph", ChangeKind::graph, "step"},
                              Word{"compile", ChangeKind::compile, ""},
                              Word{"fused-optimizer", ChangeKind::fused_optimizer, ""},
                              Word{"dtype", ChangeKind::dtype, "bf16, f16, tf32 or fp8"},
                              Word{"batch", ChangeKind::batch, "xN, for example x4"},
                              Word{"seq", ChangeKind::sequence, "xN, for example x2"},
                              Word{"hidden", ChangeKind::hidden, "xN, for example x2"},
                              Word{"fuse", ChangeKind::fuse, "names of ops, for example gelu+add"},
                              Word{"ranks", ChangeKind::ranks, "xN, for example x2"},
                              Word{"link", ChangeKind::link, "xN, for example x0.5"},
                              Word{"kernel", ChangeKind::kernel, "NAME:xN or NAME:roofline"},
                              Word{"gpu", ChangeKind::gpu, "the name of a GPU"},
                              Word{"launch-us", ChangeKind::launch_us, "microseconds"},
                              Word{"cpu", ChangeKind::cpu, "xN, for example x2"}};

constexpr std::array<std::string_view, 4> narrow_types = {"bf16", "f16", "tf32", "fp8"};

std::optional<double> read_number(std::string_view text, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0 || value > most)
    return {};
  return value;
}

// "x4" is 4.
std::optional<double> read_factor(std::string_view text) {
  if (!text.starts_with('x')) return {};
  const auto value = read_number(text.substr(1), 1e4);
  return value && *value >= 1e-4 ? value : std::nullopt;
}

// Reads what follows the colon; false if it is nothing of the word's form.
bool read_rest(Change& change, std::string_view rest) {
  const std::size_t colon = rest.rfind(':');
  switch (change.kind) {
    case ChangeKind::pinned:
    case ChangeKind::compile:
    case ChangeKind::fused_optimizer: return rest.empty();
    case ChangeKind::graph: return rest == "step";
    case ChangeKind::stream: return rest == "copies";
    case ChangeKind::drop_sync: {
      if (rest == "all") return true;
      if (colon == std::string_view::npos || colon == 0) return false;
      const auto line = read_number(rest.substr(colon + 1), 1e9);
      if (!line || *line < 1 || *line != std::floor(*line)) return false;
      change.name = rest.substr(0, colon);
      change.line = static_cast<std::int64_t>(*line);
      return true;
    }
    case ChangeKind::dtype: {
      for (std::size_t i = 0; i < narrow_types.size(); ++i)
        if (rest == narrow_types[i]) {
          change.type = static_cast<NarrowType>(i);
          return true;
        }
      return false;
    }
    case ChangeKind::kernel: {
      if (colon == std::string_view::npos || colon == 0) return false;
      change.name = rest.substr(0, colon);
      rest = rest.substr(colon + 1);
      change.roofline = rest == "roofline";
      if (change.roofline) return true;
      break;
    }
    case ChangeKind::gpu:
    case ChangeKind::fuse: change.name = rest; return !rest.empty();
    case ChangeKind::launch_us: {
      const auto value = read_number(rest, 1e6);
      if (value) change.factor = *value;
      return value.has_value();
    }
    case ChangeKind::batch:
    case ChangeKind::sequence:
    case ChangeKind::hidden:
    case ChangeKind::ranks:
    case ChangeKind::link:
    case ChangeKind::cpu: break;
  }
  const auto factor = read_factor(rest);
  if (factor) change.factor = *factor;
  return factor.has_value();
}

}  // namespace

std::string_view change_words() { return possible; }

std::string_view name_of(NarrowType type) { return narrow_types[static_cast<std::size_t>(type)]; }

base::Result<Change> parse_change(std::string_view text) {
  const std::string_view head = text.substr(0, text.find(':'));
  for (const Word& word : words) {
    if (word.word != head) continue;
    Change change;
    change.kind = word.kind;
    change.text = text;
    const std::string_view rest = head.size() < text.size() ? text.substr(head.size() + 1) : std::string_view();
    if (read_rest(change, rest) && (head.size() < text.size()) == !word.form.empty()) return change;
    if (word.form.empty()) return base::Error{fmt::format("{}: nothing can follow the word {}", text, head)};
    return base::Error{fmt::format("{}: after {}: comes {}", text, head, word.form)};
  }
  return base::Error{fmt::format("{}: not a change; possible are {}", text, possible)};
}

}  // namespace warpwalk::analysis
