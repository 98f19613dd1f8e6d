// A case that does not compile without its mistake either.
// expect: undeclared
int twin = undeclared;
#ifdef SLUICE_MISTAKE
#endif
