import { createHash, randomBytes, randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const FORMAT = /^zgk_([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;

/** A new key: `zgk_<8 characters to look it up by>_<256 random bits>` (SEC-110). */
export function newKey(): { id: string; key: string } {
  const id = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { id, key: `zgk_${id}_${randomBytes(32).toString('base64url')}` };
}

/** The look-up id of a key, or undefined when it is not one of ours. */
export const keyIdOf = (credential: string): string | undefined => FORMAT.exec(credential)?.[1];

export const hashOf = (credential: string): Buffer => createHash('sha256').update(credential).digest();
