// A case that does not say which message it expects.
#ifdef SLUICE_MISTAKE
int mistake = undeclared;
#endif
