import { text } from '@app/contract';
import type { ChatModel, ChatPart, ChatRequest } from '@app/models';
import type { ToolBox } from '@app/tools';
import { collectMessage } from './collect-message';
import { KeptResults } from './kept-results';
import { runTurn } from './turn';

const search = { name: 'search', description: '', inputSchema: {} };

describe('a result that is too large for the prompt', () => {
  it('reaches the caller whole, and the model by its beginning, a handle and a tool to read on', async () => {
    const long = 'passage '.repeat(20_000);
    const requests: ChatRequest[] = [];
    const model = {
      info: { id: 'm' },
      async *stream(request: ChatRequest): AsyncGenerator<ChatPart> {
        requests.push({ ...request, messages: [...request.messages] });
        yield { type: 'started' };
        if (requests.length === 1) yield { type: 'tool_call', id: 'a', name: 'search', arguments: '{}' };
        else yield { type: 'text', text: 'Done.' };
        yield { type: 'finish', reason: 'stop' };
      },
    } as unknown as ChatModel;
    const toolBox = {
      declarations: [search],
      firstForcing: { type: 'auto' },
      parallel: true,
      isCallers: () => false,
      takeUsage: () => [],
      arguments: () => ({}),
      run: async ({ id }) => ({ type: 'tool_result', tool_use_id: id, content: [text(long)], is_error: false }),
    } satisfies Partial<ToolBox> as unknown as ToolBox;
    const message = await collectMessage(
      runTurn({
        model,
        toolBox,
        settings: { system: '', citations: false },
        history: [{ role: 'user', content: [{ type: 'text', text: 'Find it.' }] }],
        kept: new KeptResults([search]),
        stopSequences: [],
        thinking: 'none',
        promptTokens: 1,
        signal: new AbortController().signal,
      }),
    );
    const [call, result] = message.content as any[];
    expect(result.content).toEqual([text(long)]);
    const [block] = requests[1]!.messages.at(-1)!.content as any[];
    expect(block.content.length).toBeLessThan(9000);
    expect(block.content).toContain(`"handle": "${call.id}"`);
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['search'], ['search', 'read_result']]);
  });

  it('takes no more than about a quarter of a small window, and neither does a page of it', () => {
    const result = 'metre '.repeat(5000);
    expect(new KeptResults([search], 200_000).forModel('a', result)).toBe(result);
    const kept = new KeptResults([search], 8192);
    const shown = kept.forModel('a', result);
    expect(shown.length).toBeLessThan(8192);
    expect(shown.startsWith('metre '.repeat(1000))).toBe(true);
    const { content } = kept.read({
      id: 'x',
      name: 'read_result',
      input: { handle: 'a', offset: 6144, length: 25_000 },
    });
    expect((content[0] as any).text).toMatch(/\[Characters 6144 to 8192 of 30000\.\]$/);
    expect(kept.forModel('b', 'metre '.repeat(1000))).toBe('metre '.repeat(1000));
  });

  it('is read page by page, to its end and without half a character', () => {
    const kept = new KeptResults([{ ...search, name: 'read_result' }]);
    const long = '😀'.repeat(40_000);
    expect(kept.isReader('read_result_')).toBe(false);
    kept.forModel('a', long);
    expect([kept.isReader('read_result'), kept.isReader('read_result_')]).toEqual([false, true]);
    let offset = 0;
    let read = '';
    while (offset < long.length) {
      const { content } = kept.read({ id: 'x', name: 'read_result_', input: { handle: 'a', offset, length: 24_999 } });
      const [, page, end] = /^([^]*)\n\n\[Characters \d+ to (\d+) of 80000\.\]$/.exec((content[0] as any).text)!;
      expect(page!.isWellFormed()).toBe(true);
      read += page;
      offset = Number(end);
    }
    expect(read).toBe(long);
  });

  it.each([
    ['😀'.repeat(40_000), undefined],
    [`x${'😀'.repeat(40_000)}`, undefined],
    [`x${'中文'.repeat(3000)}`, 4096],
    [`${'ñandú 😀 中'.repeat(300)}.`, 1],
    ['中'.repeat(1400), 4096],
  ])(
    'is whole where its beginning and its pages are put together, each within its share: %# (SEC-125)',
    (long, window) => {
      const kept = new KeptResults([search], window);
      const most = Math.max(1024, Math.min(100 * 1024, window ?? Infinity));
      const [, head, at] = /^([^]*)\n\n\[This result .*"offset": (\d+)\}\]$/.exec(kept.forModel('a', long))!;
      let read = head!;
      let offset = Number(at);
      const wellFormed = [read.isWellFormed()];
      const sizes = [Buffer.byteLength(read)];
      for (let pages = 0; offset < long.length && pages < 1000; pages++) {
        const { content } = kept.read({ id: 'x', name: 'read_result', input: { handle: 'a', offset } });
        const [, page, end] = /^([^]*)\n\n\[Characters \d+ to (\d+) of \d+\.\]$/.exec((content[0] as any).text)!;
        wellFormed.push(page!.isWellFormed());
        sizes.push(Buffer.byteLength(page!));
        read += page;
        offset = Number(end);
      }
      expect(read).toBe(long);
      expect(wellFormed).not.toContain(false);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
    },
  );

  it('has whole characters wherever a model begins, and however little it wants', () => {
    const kept = new KeptResults([search]);
    kept.forModel('a', '😀'.repeat(40_000));
    const read = (offset: number, length: number) =>
      (kept.read({ id: 'x', name: 'read_result', input: { handle: 'a', offset, length } }).content[0] as any).text;
    expect(read(4, 1)).toBe('😀\n\n[Characters 4 to 6 of 80000.]');
    expect(read(5, 1)).toBe('😀\n\n[Characters 4 to 6 of 80000.]');
    expect(read(79_999, 9)).toBe('😀\n\n[Characters 79998 to 80000 of 80000.]');
    expect(read(90_000, 9)).toBe('\n\n[Characters 80000 to 80000 of 80000.]');
  });
});
