// A case that says only affected compilers refuse it, where all do.
// only: affected
// expect: undeclared
#ifdef SLUICE_MISTAKE
int mistake = undeclared;
#endif
