#pragma once

#include <filesystem>
#include <string>

#include "app/draw/image.h"

namespace warpwalk::testing {

/// A stored picture, and where to put the new one if it differs.
struct GoldenPicture {
  std::filesystem::path folder;  ///< of the pictures; its identity.txt names the fonts they were drawn with
  std::string name;              ///< of the file, without .png
  std::filesystem::path output;  ///< a folder

  std::filesystem::path file() const { return folder / (name + ".png"); }
};

/// The difference: the new picture where the two differ, over a faded old one.
draw::Image difference(const draw::Image& was, const draw::Image& now);

/// Fails the test if the pictures differ in a pixel. Skips it if the fonts, known by their identity, are not those of
/// the stored picture: fonts differ between machines. With WARPWALK_RENEW=1 it stores the picture and skips the test.
void expect_golden(const draw::Image& now, const GoldenPicture& golden, const std::string& identity);

}  // namespace warpwalk::testing
