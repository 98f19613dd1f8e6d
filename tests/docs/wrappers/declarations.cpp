// For a fragment that only declares: that it compiles is the example.
@fragment@
inline void example() {}
