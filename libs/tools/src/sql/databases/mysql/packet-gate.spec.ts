import { packetOf } from '../../../../../../test/support/fake-mysql-server';
import { PacketGate } from './packet-gate';

const inPieces = (gate: PacketGate, bytes: Buffer, size: number): boolean => {
  for (let at = 0; at < bytes.length; at += size) if (!gate.passes(bytes.subarray(at, at + size))) return false;
  return true;
};

describe('what a MySQL server may send', () => {
  const packets = Buffer.concat([...'abc'].map((letter, i) => packetOf(letter.repeat(300 * i), i)));

  it.each([1, 2, 3, 5, 7, 10_000])('is packets of any length, in pieces of %i bytes', (size) => {
    expect(inPieces(new PacketGate(), packets, size)).toBe(true);
  });

  it.each([1, 3, 10_000])('is nothing long before we are let in, in pieces of %i bytes', (size) => {
    const long = Buffer.concat([packets, packetOf('x'.repeat(70_000), 3)]);
    expect(inPieces(new PacketGate(), long.subarray(0, packets.length + 4), size)).toBe(false);
    const gate = new PacketGate();
    gate.loggedIn();
    expect(inPieces(gate, Buffer.concat([long, packets]), size)).toBe(true);
  });

  it('is no endless talk before, and no packet that goes on in another afterwards', () => {
    expect(inPieces(new PacketGate(), Buffer.concat(Array.from({ length: 200 }, () => packets)), 1000)).toBe(false);
    const gate = new PacketGate();
    gate.loggedIn();
    expect(gate.passes(packets)).toBe(true);
    expect(gate.passes(Buffer.from([0xff, 0xff, 0xff, 3]))).toBe(false);
  });
});
