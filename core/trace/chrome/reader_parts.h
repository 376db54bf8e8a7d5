#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/platform/byte_source.h"
#include "core/trace/chrome/builder.h"
#include "core/trace/chrome/event.h"
#include "core/trace/chrome/key_predictor.h"
#include "core/trace/chrome/reader.h"
#include "core/trace/json/json_cursor.h"
#include "core/trace/json/window.h"

namespace warpwalk::trace {

/// Reads one file into a ReadResult, for read_chrome(). reader.cpp reads the file as a whole, from its first byte to
/// the verdict at its end; reader_entries.cpp reads the top-level object, and reader_events.cpp the events.
class Reader {
 public:
  Reader(platform::ByteSource& source, Window window, const ReadOptions& options, std::string_view name,
         ReadResult& result)
      : source_(source),
        options_(options),
        name_(name),
        result_(result),
        window_(std::move(window)),
        builder_(result.trace, result.problems) {}

  bool run();  // see read_chrome()

 private:
  enum class Step { done, failed, ended };  // failed: malformed; ended: the text ended, or an entry exceeded its cap

  // The token before the next comma, element or closing bracket.
  enum class Separator { opening, comma, element, unknown };

  struct Boundary {
    std::size_t skip = 0;  // found: offset of the opening brace; else bytes that cannot contain a boundary
    bool found = false;
  };

  // The whole file, in reader.cpp.

  // Whether the next element of an array is an array that begins with a number.
  bool begins_list_of_numbers();
  // Whether the first element of an array is a node of a tree of Proton or Hatchet.
  bool begins_profile_tree();
  // Reads to the end of the file, because gzip's checksum is there.
  void skip_trailing_text();
  // Reads more text. Returns false at its end, when cancelled, and at the memory cap.
  bool more();
  void note_end_of_source();
  bool source_is_whole() const;
  void set_error(bool recognised, bool empty);

  // The top-level object, in reader_entries.cpp.

  void top_level();
  // Reads one top-level entry. Returns false if nothing more can be read.
  bool member();
  // Counts what is not strict JSON in a top-level entry, but was read nevertheless.
  void note_irregular(std::uint32_t irregular, const std::string& where, std::uint64_t at);
  void metadata(const std::string& key, const RawValue& value, std::uint64_t at);
  // After a broken entry, continues at the events if they are still ahead.
  bool lost_metadata(std::uint64_t at, const std::string& what);

  // The events, in reader_events.cpp.

  // Reads the elements of traceEvents. Returns true if its end was found.
  bool events();
  // Whether the closing brace that is next is followed by a comma and an object.
  bool event_follows_brace();
  // Reports a top-level object that ends before its array of events. Always returns true.
  bool array_left_open();
  // Skips zeros: a machine that crashes while writing can leave zeros in place of text. Returns false if they continue
  // to the end.
  bool skip_zeros();
  // Reads one element, or skips it if it is unreadable. Returns false if nothing more can be read.
  bool read_element();
  void accept(std::uint64_t at);
  void note_lost(std::uint64_t at, const std::string& lost);
  // Finds the start of the next event: "{" after "}", followed by a readable event; or the end of the array if there is
  // none. The text in between is lost. Returns false at the end of the text; the rest then counts as lost if
  // `count_tail`.
  bool resync(std::uint64_t lost_at, bool count_tail);
  Boundary next_boundary() const;
  // Finds the "]" that closes traceEvents in the last window of the text: only complete entries follow it to the end.
  std::size_t closing_bracket() const;

  // Runs `parse` on the window, and again with more text until it needs no more.
  template <class Parse>
  Step parse_refilling(Parse parse, std::uint64_t cap = ~std::uint64_t{0}) {
    for (;;) {
      JsonCursor cursor(window_.text(), window_.complete());
      if (parse(cursor)) {
        used_ = cursor.offset();
        return Step::done;
      }
      failed_at_ = window_.offset() + cursor.offset();
      too_deep_ = cursor.too_deep();
      if (!cursor.need_more() && !(window_.complete() && cursor.at_end())) return Step::failed;
      if (window_.text().size() >= cap) return Step::failed;
      if (!more()) return Step::ended;
    }
  }

  // The next character that is not white space, without consuming it; 0 at the end of the text.
  char peek() {
    char c = 0;
    const Step step = parse_refilling([&](JsonCursor& cursor) {
      c = cursor.peek();
      return c != 0;
    });
    if (step != Step::done) return 0;
    window_.drop(used_);
    return c;
  }

  void note_invalid(std::string_view what);
  void note_comma(Separator& last) {
    if (last == Separator::opening || last == Separator::comma) note_invalid("there is a comma too many");
    last = Separator::comma;
  }
  void note_element(Separator& last) {
    if (last == Separator::element) note_invalid("a comma is missing");
    last = Separator::element;
  }
  void note_closing(Separator last) {
    if (last == Separator::comma) note_invalid("there is a comma before a closing bracket");
  }

  platform::ByteSource& source_;
  const ReadOptions& options_;
  std::string_view name_;
  ReadResult& result_;
  Window window_;
  Builder builder_;
  RawEvent event_;
  KeyPredictor keys_;
  std::size_t used_ = 0;         // bytes of the window used by the last parse_refilling()
  std::uint64_t failed_at_ = 0;  // where the last parse_refilling() failed
  bool too_deep_ = false;
  bool stopped_ = false;                        // cancelled or at the memory cap
  bool finished_ = false;                       // the top-level object was closed
  bool resumed_ = false;                        // reading went on behind text that could not be read
  bool is_array_ = false;                       // the text is a bare array of events
  bool lists_ = false;                          // its first element is an array of numbers
  std::uint64_t with_phase_ = 0;                // events that have a phase ("ph")
  bool has_records_ = false;                    // a "warpwalk" entry has been read
  std::optional<std::string_view> other_kind_;  // what an array without events is; see other_documents.h
  int event_arrays_ = 0;
  std::uint64_t metadata_entries_ = 0;
};

}  // namespace warpwalk::trace
