import { abortSignalOf, Stopper, type StopSignal } from './stop-signal';

/** The two must not be told apart by who listens. */
const KINDS: readonly [string, () => { readonly signal: StopSignal; abort(reason?: unknown): void }][] = [
  ['Stopper', () => new Stopper()],
  ['AbortController', () => new AbortController()],
];

describe.each(KINDS)('%s', (_, make) => {
  it('tells its listeners once, in their order, and holds the first reason', () => {
    const { signal, ...controller } = withAbort(make());
    const heard: string[] = [];
    signal.addEventListener('abort', () => heard.push('one'));
    signal.addEventListener('abort', () => heard.push(`two, ${String(signal.reason)}`), { once: true });
    expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
    signal.throwIfAborted();

    controller.abort('enough');
    controller.abort('too late');
    expect(heard).toEqual(['one', 'two, enough']);
    expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
    expect(() => signal.throwIfAborted()).toThrow('enough');
  });

  it('does not tell who has left, who came twice only once, and who comes too late not at all', () => {
    const { signal, ...controller } = withAbort(make());
    const heard: string[] = [];
    const left = () => heard.push('left');
    const twice = () => heard.push('twice');
    for (const listener of [left, twice, twice]) signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', left);
    controller.abort();
    signal.addEventListener('abort', () => heard.push('late'));
    expect(heard).toEqual(['twice']);
  });

  it('has an AbortError as its reason where none is given', () => {
    const { signal, ...controller } = withAbort(make());
    controller.abort();
    expect(signal.reason).toMatchObject({ name: 'AbortError' });
    expect(signal.reason).toBeInstanceOf(DOMException);
  });

  it('lends a real signal, before it is aborted and after', () => {
    const early = withAbort(make());
    const real = abortSignalOf(early.signal);
    expect(real).toBeInstanceOf(AbortSignal);
    expect(abortSignalOf(early.signal)).toBe(real);
    expect(AbortSignal.any([real]).aborted).toBe(false);
    early.abort('enough');
    expect([real.aborted, real.reason]).toEqual([true, 'enough']);

    const late = withAbort(make());
    late.abort('long ago');
    expect(abortSignalOf(late.signal)).toMatchObject({ aborted: true, reason: 'long ago' });
  });
});

const withAbort = (controller: { readonly signal: StopSignal; abort(reason?: unknown): void }) => ({
  signal: controller.signal,
  abort: (reason?: unknown) => controller.abort(reason),
});
