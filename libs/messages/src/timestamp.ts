/** The whole seconds of the last timestamp, and how they are written: a busy server writes thousands in one second. */
let second = NaN;
let written = '';

/** Now, in UTC with microseconds, as the contract writes it: `2026-02-06T13:18:37.331257Z` (messages-api §1.1). */
export function timestamp(): string {
  const now = performance.timeOrigin + performance.now();
  const seconds = Math.floor(now / 1000);
  if (seconds !== second) {
    second = seconds;
    written = new Date(seconds * 1000).toISOString().slice(0, 19);
  }
  const micros = Math.floor((now - seconds * 1000) * 1000);
  return `${written}.${String(micros).padStart(6, '0')}Z`;
}
