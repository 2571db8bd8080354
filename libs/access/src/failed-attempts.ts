import { parse, type IPv6 } from 'ipaddr.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

interface Window {
  failures: number;
  readonly endsAt: number;
}

/**
 * Failed authentications of each address in the minute since its first one (SEC-112).
 *
 * An IPv6 network of 64 bits counts as one address: that is what one household gets. Addresses beyond ten thousand
 * push out those that came first.
 */
export class FailedAttempts {
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly limit = 20,
    private readonly now: () => number = Date.now,
  ) {}

  /** Seconds until the address may try again, or undefined when it may now. */
  blockedFor(ip: string): number | undefined {
    const window = this.current(network(ip));
    if (!window || window.failures < this.limit) return undefined;
    return Math.ceil((window.endsAt - this.now()) / 1000);
  }

  add(ip: string): void {
    const address = network(ip);
    const window = this.current(address);
    if (window) window.failures++;
    else this.open(address);
  }

  private open(address: string): void {
    this.windows.delete(address);
    if (this.windows.size >= MAX_ADDRESSES) this.windows.delete(this.windows.keys().next().value!);
    this.windows.set(address, { failures: 1, endsAt: this.now() + WINDOW_MS });
  }

  private current(address: string): Window | undefined {
    const window = this.windows.get(address);
    return window && window.endsAt > this.now() ? window : undefined;
  }
}

function network(ip: string): string {
  try {
    const address = parse(ip);
    if (address.kind() === 'ipv4') return address.toString();
    const v6 = address as IPv6;
    return v6.isIPv4MappedAddress() ? v6.toIPv4Address().toString() : v6.parts.slice(0, 4).join(':');
  } catch {
    return ip;
  }
}
