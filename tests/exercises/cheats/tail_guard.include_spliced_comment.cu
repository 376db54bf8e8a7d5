// Reads a file: a comment whose signs are spliced before the #.
#define reference to_fahrenheit
/\
* x *\
/ #include "/tmp/ex/assets/exercises/tail_guard/reference.cu"
