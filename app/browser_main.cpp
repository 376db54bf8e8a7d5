// The page calls the program by this name, since emscripten expects main() in a form that clang 19 does not give it.
int program_main(int argc, char** argv);  // main() of app/main.cpp, which Page.cmake renames

extern "C" int warpwalk_main(int argc, char** argv) { return program_main(argc, argv); }
