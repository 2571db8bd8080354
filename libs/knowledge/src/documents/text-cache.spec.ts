import { TextCache } from './text-cache';

const text = (length: number, letter = 'a') => ({ format: 'text', text: letter.repeat(length) });

describe('the texts of documents that were sent lately', () => {
  it('are known to their organisation alone', () => {
    const cache = new TextCache(10_000, 5000);
    cache.set('a', 'key', text(10));
    expect(cache.get('a', 'key')).toEqual(text(10));
    expect(cache.get('b', 'key')).toBeUndefined();
  });

  it('make room for newer ones, those not asked for longest first', () => {
    const cache = new TextCache(3500, 3500);
    for (const key of ['1', '2', '3']) cache.set('a', key, text(400));
    cache.get('a', '1');
    cache.set('a', '4', text(400));
    const kept = ['1', '2', '3', '4'].filter((key) => cache.get('a', key));
    expect(kept).toEqual(['1', '3', '4']);
  });

  it('of one organisation do not push out those of another', () => {
    const cache = new TextCache(10_000, 2500);
    cache.set('b', 'old', text(400));
    for (let at = 0; at < 20; at += 1) cache.set('a', String(at), text(400));
    expect(cache.get('b', 'old')).toBeDefined();
    expect(cache.get('a', '19')).toBeDefined();
    expect(cache.get('a', '17')).toBeUndefined();
  });

  it('are not kept when one alone would fill the share', () => {
    const cache = new TextCache(10_000, 2500);
    cache.set('a', 'small', text(100));
    cache.set('a', 'large', text(5000));
    expect(cache.get('a', 'large')).toBeUndefined();
    expect(cache.get('a', 'small')).toBeDefined();
  });

  it('hold the latest of one key', () => {
    const cache = new TextCache(10_000, 2500);
    cache.set('a', 'key', text(100, 'a'));
    cache.set('a', 'key', text(100, 'b'));
    expect(cache.get('a', 'key')).toEqual(text(100, 'b'));
  });
});
