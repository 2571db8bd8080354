import { estimateTokens } from './estimate-tokens';
import { Tokenizer } from './tokenizer';

describe('the tokenizer', () => {
  let tokenizer: Tokenizer;
  beforeAll(() => (tokenizer = new Tokenizer()));
  afterAll(() => tokenizer.close());

  it('knows what the rule of thumb can only guess', async () => {
    const spanish = 'La garantía de la válvula dura veinticuatro meses desde la entrega.';
    expect(await tokenizer.count([spanish])).toBe(16 + 4);
    const prose = `${spanish} `.repeat(200);
    const counted = (await tokenizer.count([prose]))!;
    expect(estimateTokens(prose) / counted).toBeGreaterThan(1.1);
  });

  it('counts what looks like a control token as text', async () => {
    expect(await tokenizer.count(['<|endoftext|>'])).toBeGreaterThan(1 + 4);
  });

  it('gives up on what is too long, and does not choke on one endless word', async () => {
    expect(await tokenizer.count(['a b '.repeat(2 * 1024 * 1024)])).toBeUndefined();
    expect(await tokenizer.count(['a'.repeat(100_000)])).toBeGreaterThan(1000);
  });

  it('stops for who has gone', async () => {
    const reason = new Error('gone');
    await expect(tokenizer.count(['Hi'], AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
