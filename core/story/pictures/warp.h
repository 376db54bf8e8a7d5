#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A value that every lane has: a register, or the address that it accesses.
struct WarpValue {
  std::string name;  ///< "R4", "new R4"
  Tone tone = Tone::plain;
  bool result = false;                ///< known only when the instruction is done
  std::array<std::string, 32> lanes;  ///< may be empty for a lane that takes no part

  template <class V>
  void visit(V& v) const {
    v.data(name, tone, result, lanes);
  }
};

/// One lane of the warp.
struct WarpLane {
  bool active = true;
  bool followed = false;
  Tone tone = Tone::quiet;  ///< what its result means, once it is there; quiet: nothing
  std::vector<std::pair<std::size_t, std::size_t>> words = {};  ///< that it accesses: the strip, and the word in it

  template <class V>
  void visit(V& v) const {
    v.data(active, followed, tone, words);
  }
};

/// Four bytes of memory.
struct WarpWord {
  Tone tone = Tone::quiet;  ///< once the addresses are there
  std::string label;        ///< may be empty
  std::string tip;          ///< at the pointer

  template <class V>
  void visit(V& v) const {
    v.data(tone, label, tip);
  }
};

/// Words side by side: a line of memory, or what the banks of shared memory give at a time.
struct WarpStrip {
  std::string name;       ///< may be empty
  std::size_t group = 1;  ///< so many words belong together: 8 in a sector
  std::vector<WarpWord> words;

  template <class V>
  void visit(V& v) const {
    v.data(name, group);
    if (!name.empty()) v.line(name);
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i].tone != Tone::quiet && (i % group == 0 || words[i].tip != words[i - 1].tip)) v.line(words[i].tip);
    v.each(words);
  }
};

/// One instruction on the 32 lanes of a warp: what goes from the lanes to memory, and what comes back into their
/// registers. The lanes stand in two halves, and the memory between them.
struct WarpPicture {
  std::array<WarpLane, 32> lanes;
  std::vector<WarpValue> values;
  std::vector<WarpStrip> strips;  ///< empty: the instruction accesses no memory
  std::string instruction;        ///< between the lanes in place of memory
  double out = 1;                 ///< how far the addresses, or the instruction, are on their way; 1: there
  double back = 1;                ///< how far the results are on their way back
  bool writes = false;            ///< nothing comes back
  std::string word_lane;          ///< "lane"
  std::vector<std::pair<Tone, std::string>> legend;  ///< what the tones of the words mean
  std::string note;                                  ///< under the picture; may be empty

  /// "lane 18: R4 2, R16 1, new R4 2"
  std::string tip_of(std::size_t lane) const;

  template <class V>
  void visit(V& v) const {
    v.data(instruction, out, back, writes, word_lane, legend, note);
    v.each(lanes);
    v.each(values);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      v.line(tip_of(lane), lanes[lane].followed ? " (followed)" : "");
    v.each(strips);
    if (!note.empty()) v.line(note);
  }
};

}  // namespace warpwalk::story
