#include "core/gpu/history/writer/nan_source.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

/// Answers after which the search ends with the last one: a value that goes through memory again and again.
constexpr std::size_t max_answers = 256;

bool is_nan_16(std::uint64_t bits, NumberFormat format) {
  const std::uint64_t exponent = format == NumberFormat::f16 ? 0x7c00 : 0x7f80;
  return (bits & exponent) == exponent && (bits & 0x7fff) != exponent;
}

bool has_nan(const WriterStep& step, NumberFormat format) {
  if (step.step.value_bytes == 0) return false;
  if (step.values.empty()) return is_nan(step.step.value, step.step.value_bytes, format);
  return std::ranges::any_of(step.values,
                             [&](std::uint64_t value) { return is_nan(value, step.step.value_bytes, format); });
}

}  // namespace

bool is_nan(std::uint64_t bits, std::size_t bytes, NumberFormat format) {
  switch (format) {
    case NumberFormat::f16:
    case NumberFormat::bf16:
      return (bytes >= 2 && is_nan_16(bits & 0xffff, format)) || (bytes >= 4 && is_nan_16(bits >> 16 & 0xffff, format));
    case NumberFormat::f32: return bytes >= 4 && (bits & 0x7fff'ffff) > 0x7f80'0000;
    case NumberFormat::f64: return bytes >= 8 && (bits & ~(std::uint64_t{1} << 63)) > std::uint64_t{0x7ff} << 52;
  }
  return false;
}

base::Result<NanSource> find_nan_source(LaunchWriters& writers, WriterQuestion question, NumberFormat format) {
  NanSource source;
  for (;;) {
    auto answered = writers.ask(question);
    if (!answered) return base::Error{answered.error()};
    source.writer = std::move(*answered);
    ++source.asked;
    if (!source.writer.written()) return source;
    source.step = static_cast<std::uint32_t>(source.writer.steps.size()) - 1;
    source.path.clear();
    // The steps whose result is a NaN, as far as they lead.
    for (bool further = true; further;) {
      further = false;
      const std::vector<std::uint32_t>& from = source.writer.steps[source.step].step.from;
      for (std::size_t i = from.size(); i-- > 0 && !further;)
        if (has_nan(source.writer.steps[from[i]], format)) {
          source.path.push_back(source.step);
          source.step = from[i];
          further = true;
        }
    }
    const auto read = std::ranges::find_if(source.writer.reads, [&](const ReadBytes& one) {
      return one.step == source.step && one.known && is_nan(one.value, one.place.bytes, format);
    });
    if (read == source.writer.reads.end() || source.asked == max_answers) return source;
    question = question_about(source.writer, *read);
  }
}

}  // namespace warpwalk::gpu
