// For a fragment that is plain statements.
inline void example() {
@fragment@
}
