// A case without a mistake.
// expect: anything
