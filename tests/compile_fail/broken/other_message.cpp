// A case whose mistake is refused for another reason; the message stands in the quoted source line only.
// expect: the message that was promised
#ifdef SLUICE_MISTAKE
int mistake = undeclared("the message that was promised");
#endif
