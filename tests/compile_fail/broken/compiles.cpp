// A case whose mistake is none.
// expect: anything
#ifdef SLUICE_MISTAKE
inline int mistake = 1;
#endif
