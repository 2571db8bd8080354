/**
 * LanceDB's native part reads RUST_LOG when it loads, and by default prints a warning for many a harmless query.
 * Import this before `@lancedb/lancedb`.
 */
// eslint-disable-next-line no-restricted-properties -- a native library reads it, there is no other way to tell it.
process.env.RUST_LOG ??= 'error';
