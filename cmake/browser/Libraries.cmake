# The libraries of Dependencies.cmake, compiled from Debian's source packages, which scripts/browser unpacks.
set(sources ${WARPWALK_TOOLS}/sources)

add_library(Threads::Threads INTERFACE IMPORTED)

# warpwalk_source(name FOLDER path FILES patterns INCLUDE folders DEFINES words): the library warpwalk::NAME.
function(warpwalk_source name)
  cmake_parse_arguments(SOURCE "" "FOLDER" "FILES;INCLUDE;DEFINES" ${ARGN})
  set(files "")
  foreach(pattern ${SOURCE_FILES})
    file(GLOB found ${sources}/${SOURCE_FOLDER}/${pattern})
    list(APPEND files ${found})
  endforeach()
  add_library(browser_${name} STATIC ${files})
  list(TRANSFORM SOURCE_INCLUDE PREPEND ${sources}/${SOURCE_FOLDER}/)
  target_include_directories(browser_${name} SYSTEM PUBLIC ${SOURCE_INCLUDE})
  target_compile_definitions(browser_${name} PRIVATE ${SOURCE_DEFINES})
  target_compile_options(browser_${name} PRIVATE -w $<$<NOT:$<STREQUAL:${name},sqlite>>:-O2>)
  set_target_properties(browser_${name} PROPERTIES CXX_STANDARD 20)
  add_library(warpwalk::${name} ALIAS browser_${name})
endfunction()

# Headers alone, as installed by scripts/setup.
foreach(name rapidjson cli11)
  add_library(browser_${name} INTERFACE)
  target_include_directories(browser_${name} SYSTEM INTERFACE ${WARPWALK_TOOLS}/headers)
  add_library(warpwalk::${name} ALIAS browser_${name})
endforeach()

# Debian compiles stb's headers into a library; the page needs the pictures of slides.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/stb_image.c CONTENT
"#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#include <stb_image.h>
")
add_library(browser_stb STATIC ${PROJECT_BINARY_DIR}/stb_image.c)
target_include_directories(browser_stb SYSTEM PUBLIC ${WARPWALK_TOOLS}/headers)
target_compile_options(browser_stb PRIVATE -w -O2)
add_library(warpwalk::stb ALIAS browser_stb)

warpwalk_source(zlib FOLDER zlib FILES *.c INCLUDE . DEFINES HAVE_UNISTD_H)
add_library(ZLIB::ZLIB ALIAS browser_zlib)
warpwalk_source(fmt FOLDER fmtlib FILES src/format.cc INCLUDE include)
add_library(fmt::fmt ALIAS browser_fmt)
warpwalk_source(xxhash FOLDER xxhash FILES xxhash.c INCLUDE .)
warpwalk_source(sqlite FOLDER sqlite FILES sqlite3.c INCLUDE .
                DEFINES SQLITE_THREADSAFE=0 SQLITE_OMIT_LOAD_EXTENSION SQLITE_ENABLE_COLUMN_METADATA)
# SHA-256 alone.
warpwalk_source(crypto FOLDER openssl FILES crypto/sha/sha256.c INCLUDE . include DEFINES OPENSSL_NO_ASM OPENSSL_SUPPRESS_DEPRECATED)
target_sources(browser_crypto PRIVATE ${CMAKE_CURRENT_LIST_DIR}/openssl_rest.c)

set(modules autofit/autofit.c base/ftbase.c base/ftbitmap.c base/ftdebug.c base/ftglyph.c base/ftinit.c base/ftmm.c
            base/ftstroke.c base/ftsynth.c base/ftsystem.c cff/cff.c gzip/ftgzip.c psaux/psaux.c pshinter/pshinter.c
            psnames/psmodule.c sfnt/sfnt.c smooth/smooth.c truetype/truetype.c)
list(TRANSFORM modules PREPEND src/)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/freetype/warpwalk_modules.h CONTENT
"FT_USE_MODULE( FT_Module_Class, autofit_module_class )
FT_USE_MODULE( FT_Driver_ClassRec, tt_driver_class )
FT_USE_MODULE( FT_Driver_ClassRec, cff_driver_class )
FT_USE_MODULE( FT_Module_Class, psaux_module_class )
FT_USE_MODULE( FT_Module_Class, psnames_module_class )
FT_USE_MODULE( FT_Module_Class, pshinter_module_class )
FT_USE_MODULE( FT_Module_Class, sfnt_module_class )
FT_USE_MODULE( FT_Renderer_Class, ft_smooth_renderer_class )
")
warpwalk_source(freetype FOLDER freetype FILES ${modules} INCLUDE include
                DEFINES FT2_BUILD_LIBRARY FT_CONFIG_MODULES_H=<warpwalk_modules.h> FT_CONFIG_OPTION_SUBPIXEL_RENDERING FT_CONFIG_OPTION_SYSTEM_ZLIB)
target_link_libraries(browser_freetype PRIVATE browser_zlib)
target_include_directories(browser_freetype PRIVATE ${PROJECT_BINARY_DIR}/freetype)

warpwalk_source(imgui FOLDER imgui FILES imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp
                                         misc/freetype/imgui_freetype.cpp INCLUDE . misc/freetype)
target_link_libraries(browser_imgui PUBLIC browser_freetype browser_stb)
