/** Now, in UTC with microseconds, as the contract writes it: `2026-02-06T13:18:37.331257Z` (messages-api §1.1). */
export function timestamp(): string {
  const now = performance.timeOrigin + performance.now();
  const whole = Math.floor(now);
  const micros = Math.floor((now - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}
