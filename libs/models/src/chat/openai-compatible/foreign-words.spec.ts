import { forCallers } from './foreign-words';

describe('words of a model server', () => {
  it.each([
    'no such sampler: tail_free_z',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'temperature must be between 0 and 2, got 5.5 (24 tokens/s and/or less)',
    'Invalid schema for function `find_it`: at #/properties/query/type, "strin" is not valid',
    'The model `meta-llama/Meta-Llama-3.1-8B-Instruct` does not support images.',
    "max_tokens: 100000 > 8192, which is the maximum of 'test-model'",
    'chat_template_kwargs.enable_thinking_of_any_kind is not known; la petición no es válida',
  ])('are passed on where they are about the request: %s', (words) => {
    expect(forCallers(words)).toBe(words);
  });

  const hex = 'deadbeef'.repeat(4);
  const base64 = Buffer.from(Array.from({ length: 48 }, (_, at) => at * 37)).toString('base64');
  it.each([
    ['cannot read /S3CR3T/models/llama.gguf', 'cannot read [path]'],
    ['cannot read "/home/John S3CR3T/models/llama.gguf" now', 'cannot read "[path]" now'],
    ['cannot read /home/John S3CR3T/models/a.gguf now', 'cannot read [path] now'],
    ['path=/S3CR3T:/S3CR3T/b', 'path=[path]'],
    ['in ~/.S3CR3T or ../S3CR3T', 'in [path] or [path]'],
    ['cannot read C:\\S3CR3T\\models and \\\\S3CR3T\\share', 'cannot read [path] and [path]'],
    ['File "/usr/lib/S3CR3T.py", line 7', 'File "[path]", line 7'],
    ['could not reach postgresql://u:S3CR3T@h/d', 'could not reach [address]'],
    ['see http://S3CR3T.internal:8000/v1 or file:///S3CR3T', 'see [address] or [address]'],
    ['proxy admin:S3CR3T@10.0.0.7:3128', 'proxy [address]'],
    ['10.1.2.3:8000 refused, S3CR3T.svc.cluster:9000 too', '[address] refused, [address] too'],
    ['Incorrect API key provided: sk-S3CR3T***x. Try again', 'Incorrect API key provided: [secret] Try again'],
    ['got sk-proj-S3CR3T', 'got [secret]'],
    ['got Authorization: Bearer S3CR3T.abc', 'got Authorization: [secret] [secret]'],
    ['password=S3CR3T is wrong', 'password= [secret] is wrong'],
    [`bad digest ${hex}S3CR3T`, 'bad digest [secret]'],
    [`bad body ${base64}/S3CR3T==`, 'bad body [secret]'],
  ])("lose what is the operator's: %s", (words, told) => {
    expect(forCallers(words)).toBe(told);
    expect(forCallers(words)).not.toContain('S3CR3T');
  });

  it('are one line without control characters, half characters or marks that turn text around', () => {
    expect(forCallers('a\r\nevent: x\u001b[31m\0b\u202ec\ud800')).toBe('a event: x [31m b c\ufffd');
  });

  it('are cut to 300 characters, however long they were, in no time', () => {
    expect(forCallers('word '.repeat(1000))).toMatch(/^(word ?)+…$/);
    expect(forCallers('x '.repeat(1000))).toHaveLength(300);
    const started = process.cpuUsage();
    for (const piece of ['a', '/', '/a', 'a:', 'a.', '\\', "'/", 'a-', ' /a b', 'api key ', '1'])
      forCallers(piece.repeat(100_000));
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  });
});
