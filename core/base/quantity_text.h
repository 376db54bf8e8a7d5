#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::base {

/// The marks in the numbers that people read: "1,234.5" in English, "1.234,5" in German.
struct NumberMarks {
  std::string decimal = ".", group = ",";
  bool operator==(const NumberMarks&) const = default;
};

/// While it lives, the functions below use these marks on this thread; without it, those of English. Only what shows
/// numbers to people opens it, from the narration (words::number_marks): one stage, one frame of the window. So what is
/// for programs (JSON, CSV, the command line) is the same in every language.
class WithNumberMarks {
 public:
  explicit WithNumberMarks(const NumberMarks& marks);
  ~WithNumberMarks();
  WithNumberMarks(const WithNumberMarks&) = delete;
  WithNumberMarks& operator=(const WithNumberMarks&) = delete;

 private:
  NumberMarks marks_;
  const NumberMarks* outer_;
};

/// Numbers as fmt writes them, perhaps with units, with the decimal mark: "0.25 %", "1.5–3 GB/s". Every "." in the text
/// must be a decimal point.
std::string with_marks(std::string numbers);
/// With this many decimals and separated thousands: "1,593.9".
std::string decimal_text(double value, int decimals);
/// 1234567 -> "1,234,567".
std::string with_thousands(std::int64_t value);
/// Nanoseconds as ns, µs (to 10,000 µs, so that the parts of one op share a unit), ms or s.
std::string time_text(double nanoseconds);
/// Bytes as B, KiB, MiB, GiB or TiB (powers of 1024) with one decimal, or none if it is a whole number: "2 KiB",
/// "1.4 GiB". All sizes that a person reads are in these units; rates are decimal, as in data sheets: "4.8 TB/s".
std::string bytes_text(double bytes);
/// Bytes of shared memory, exactly: "19,840 B", or a whole number of KiB, the unit of its limits: "64 KiB".
std::string shared_bytes_text(std::int64_t bytes);
/// "12.3 %", or "< 0.1 %" for what is not nothing but would be shown as such.
std::string share_text(std::int64_t part, std::int64_t whole);

}  // namespace warpwalk::base
