// Whether the 16-byte paths are compiled: SLUICE_ENCODE_SSE2, 1 or 0.
#pragma once

// They need SSE2, which every x86-64 has. Defining SLUICE_NO_SIMD turns them off, with the same results; it must be
// defined in the whole program or nowhere.
#if defined(__SSE2__) && !defined(SLUICE_NO_SIMD)
#define SLUICE_ENCODE_SSE2 1
#include <emmintrin.h>
#else
#define SLUICE_ENCODE_SSE2 0
#endif
