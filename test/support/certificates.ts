import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** An authority of a test's own, and certificates for `localhost` from it. Needs `openssl`. */
export class TestAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), 'toolwright-ca-'));
  readonly file = join(this.folder, 'ca.pem');

  constructor() {
    this.openssl([
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=Test',
    ]);
  }

  /** @param days from now on; fewer than none is one that has expired. */
  issue({
    name = 'localhost',
    address,
    days = 2,
  }: { name?: string; address?: string; days?: number } = {}): Certificate {
    const names = [`DNS:${name}`, ...(address ? [`IP:${address}`] : [])].join(',');
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`];
    this.openssl(['req', ...NEW_KEY, '-keyout', 'leaf.key', '-out', 'leaf.csr', ...subject]);
    this.openssl([
      ...['x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-copy_extensions', 'copy', '-days', `${days}`, '-out', 'leaf.pem'],
    ]);
    const [key, certificate] = ['leaf.key', 'leaf.pem'].map((file) => readFileSync(join(this.folder, file), 'utf8'));
    return { key: key!, certificate: certificate! };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private openssl(args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'pipe' });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
