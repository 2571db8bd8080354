import { OversizedEventError, SseReader } from './sse-reader';

function read(...reads: (string | Buffer)[]): string[] {
  const events: string[] = [];
  const reader = new SseReader((data) => events.push(data));
  for (const bytes of reads) reader.read(Buffer.from(bytes));
  reader.end();
  return events;
}

describe('SseReader', () => {
  it('gives the data of each event in order', () => {
    expect(read('data: one\n\ndata: two\n\ndata: [DONE]\n\n')).toEqual(['one', 'two', '[DONE]']);
  });

  it('reads over comments, other fields, and events without data', () => {
    expect(
      read(': keep-alive\n\nevent: chunk\nid: 7\nretry: 10\ndata: one\n\nevent: ping\n\ndatabase: no\n\n'),
    ).toEqual(['one']);
  });

  it('joins the data lines of one event by newlines', () => {
    expect(read('data: {"a":\ndata: 1}\n\n')).toEqual(['{"a":\n1}']);
  });

  it('takes CRLF for a line end, data without a space, data without a value, and a byte order mark', () => {
    expect(read('\uFEFFdata:one\r\n\r\ndata\r\n\r\ndata:  two\r\n\r\n')).toEqual(['one', '', ' two']);
  });

  it('takes a carriage return alone for a line end, wherever the network cuts', () => {
    const stream = Buffer.from('data: one\r\rdata: {"a":\rdata: 1}\r\r: hi\r\n\r\ndata: two\r\n\rdata: three\n\r\r');
    const whole = ['one', '{"a":\n1}', 'two', 'three'];
    for (let cut = 0; cut <= stream.length; cut++) {
      expect(read(stream.subarray(0, cut), stream.subarray(cut))).toEqual(whole);
    }
    expect(read(...Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it('counts a last event without its blank line, or without any line end', () => {
    expect(read('data: one\n')).toEqual(['one']);
    expect(read('data: one')).toEqual(['one']);
    expect(read('data: one\r')).toEqual(['one']);
  });

  it('finds nothing in an empty stream', () => {
    expect(read()).toEqual([]);
    expect(read('', '')).toEqual([]);
  });

  it('reads the same events wherever the network cuts them, also inside a character', () => {
    const stream = Buffer.from(
      ': hi\r\n\r\ndata: añil 😀 漢字\r\n\r\nevent: x\ndata: {"a":\ndata: "é"}\n\ndata: [DONE]',
    );
    const whole = read(stream);
    expect(whole).toEqual(['añil 😀 漢字', '{"a":\n"é"}', '[DONE]']);
    for (let cut = 0; cut <= stream.length; cut++) {
      expect(read(stream.subarray(0, cut), stream.subarray(cut))).toEqual(whole);
    }
    expect(read(...Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it('gives replacement characters for bytes that are not UTF-8, and goes on', () => {
    const events = read(Buffer.from([...Buffer.from('data: a'), 0xff, 0xc3]), '\n\ndata: b\n\n');
    expect(events).toEqual(['a\uFFFD\uFFFD', 'b']);
  });

  it('refuses an event or a line beyond its limit, instead of keeping it all', () => {
    const bounded = () => new SseReader(() => undefined, 100);
    const piece = Buffer.from('x'.repeat(60));
    const endless = bounded();
    endless.read(piece);
    expect(() => endless.read(piece)).toThrow(OversizedEventError);

    const lines = bounded();
    lines.read(Buffer.from(`data: ${'x'.repeat(60)}\n`));
    expect(() => lines.read(Buffer.from(`data: ${'x'.repeat(60)}\n`))).toThrow(OversizedEventError);

    const fits = bounded();
    for (let event = 0; event < 10; event++) fits.read(Buffer.from(`data: ${'x'.repeat(60)}\n\n`));
  });

  it('stays quick when one long line comes in small pieces', () => {
    const reader = new SseReader(() => undefined);
    const piece = Buffer.from('x'.repeat(64));
    const started = process.cpuUsage();
    for (let sent = 0; sent < 100_000; sent++) reader.read(piece);
    reader.end();
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });
});
