// The C++ library of GCC uses the attribute __noinline__, which is a macro of CUDA here.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
