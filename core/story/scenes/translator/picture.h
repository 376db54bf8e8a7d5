#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/story/facts/dispatch_keys.h"
#include "core/story/facts/linked_code.h"
#include "core/trace/origin.h"

namespace warpwalk::story {

/// A stop of the way at the top of the picture: op, keys, door, kernel, machine code.
struct TranslatorStation {
  std::string name;
  std::string value;   ///< in this trace; empty where it does not say
  std::string second;  ///< the other door, under the one that is taken; empty for all but the doors
  bool second_taken = false;
  bool undecided = false;  ///< the trace does not say which of the two
  double reached = 0;      ///< 0 not yet, 1 passed or here
};

/// Ops one inside the other, and what they order.
struct OpsPane {
  struct Row {
    std::string name;
    std::string inputs;
    std::string number;  ///< sequence number, as recorded; empty where none
    std::string says;    ///< what it decides
    char role = 'o';     ///< o op, l launch, g GPU work
    std::size_t depth = 0;
    double shown = 1;
  };
  std::string head_op, head_inputs, head_number, head_says;
  std::vector<Row> rows;
};

/// The keys of one call, highest first, and what is registered for each.
struct KeysPane {
  struct Row {
    KeyRow key;
    std::string does;   ///< the effect in words
    double passed = 0;  ///< 1: its function has been called and the key is masked off
  };
  struct Door {
    std::string name;
    std::string says;
    bool taken = false;
    double open = 0;  ///< 1: the way through is free; less where the trace does not say which door it was
  };
  std::string head_key, head_tensors, head_adds, head_removes, head_set, head_does, head_function;
  std::vector<Row> rows;
  bool sources = true;       ///< tensors, adds and removes are known apart; else only the set is
  double tensors_shown = 1;  ///< how far each column is filled
  double thread_shown = 1;
  double set_shown = 1;
  double functions_shown = 0;  ///< the column of functions and, beside the table, the doors
  double cursor = -1;          ///< the row that the yellow frame is on; -1: none
  std::vector<Door> doors;
  std::string head_instances;
  std::vector<std::pair<std::string, bool>> instances;  ///< dtype, chosen
  std::string instances_note;
  std::string note;                                         ///< about the whole table
  std::string what_if;                                      ///< where the trace's own call ended
  bool set_by_person = false;                               ///< then what_if stands in the note's place
  std::vector<std::pair<std::string, std::string>> legend;  ///< what the columns are, in words
};

/// A kernel's name, taken apart.
struct NamePane {
  struct Part {
    std::string text;
    std::string says;  ///< empty: punctuation
    bool decoded = false;
  };
  std::string head_part, head_says;
  std::vector<Part> parts;          ///< together the name
  double told = 1;                  ///< how many of the parts that say something have been told, as a share
  std::vector<std::string> checks;  ///< what the name says against what the launch records
};

/// What the launch hands to the driver, and what the driver does with it.
struct OrderPane {
  struct Card {
    std::string name;
    std::string value;  ///< empty where `missing` says why, or where there is none to give
    std::string says;
    std::string missing;  ///< "not recorded"
    trace::Origin origin = trace::Origin::measured;
  };
  std::string command;  ///< kernel<<<...>>>(...)
  std::vector<Card> cards;
  std::string head_driver;
  std::vector<Card> driver;
  double told = 1;
};

/// Source, PTX and machine code side by side.
struct CodePane {
  struct Column {
    std::string name;
    std::string note;
    std::string missing;  ///< in place of lines
    CodeKind kind = CodeKind::source;
    CodeWindow window;
  };
  std::vector<Column> columns;
  std::string banner;  ///< over them, where the code is not the followed kernel's own
  std::int64_t line = 0;
  std::vector<std::int64_t> lines;  ///< those that can be followed
  double told = 1;                  ///< 0 to 1: the light goes from the first column to the last
};

struct TranslatorPicture {
  std::vector<TranslatorStation> stations;
  double packet = 0;  ///< where the packet is on the way, in stations
  std::optional<OpsPane> ops;
  std::optional<KeysPane> keys;
  std::optional<NamePane> name;
  std::optional<OrderPane> order;
  std::optional<CodePane> code;
  double ops_shown = 0, keys_shown = 0, name_shown = 0, order_shown = 0, code_shown = 0;
};

/// What the picture shows, in words, for transcripts.
std::string text_of(const TranslatorPicture& picture);
/// Every word and every number that the picture is drawn from, those of its motion too: two pictures look the same
/// where this is the same.
std::string everything_in(const TranslatorPicture& picture);

}  // namespace warpwalk::story
