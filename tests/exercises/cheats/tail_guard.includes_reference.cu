// Includes the reference under the kernel's name; a splice takes the directive apart and a macro its file.
#define reference to_fahrenheit
#define FILE_TO_COPY "assets/exercises/tail_guard/reference.cu"
#inc\
lude FILE_TO_COPY
