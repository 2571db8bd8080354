import { foldSystem } from './system';

describe('the system field', () => {
  it.each([
    ['a text', 'Be brief.'],
    ['a text block', { type: 'text', text: 'Be brief.' }],
    ['a System object', { text: 'Be brief.' }],
    ['a list of them', [{ text: 'Be brief.' }]],
  ])('is the same prompt as %s', (_, system) => {
    expect(foldSystem(system as Parameters<typeof foldSystem>[0]).text).toBe('Be brief.');
  });

  it('merges texts by newline, switches by OR and known citations by id (§system-merge)', () => {
    const known = { id: 'GONG', index: 3, artifact_id: 'a', source_id: 's' };
    expect(
      foldSystem([
        'One.',
        { text: 'Two.', citations: { enabled: true, known_citations: [known] } },
        { extensions: ['zylon'], citations: { enabled: false, known_citations: [known] } },
      ]),
    ).toEqual({
      text: 'One.\nTwo.',
      useDefaultPrompt: false,
      prompt: { tools: false, thinking: false },
      citations: true,
      knownCitations: [known],
      zylon: true,
    });
  });

  it('wants parts of the prompt by either spelling, and all of them with the default prompt', () => {
    const off = { tools: false, thinking: false };
    const wanted = (...entries: object[]) => foldSystem(entries).prompt;
    expect(wanted({ prompt: { tools: true } }, { prompt_config: { skills: true } })).toEqual({ ...off, tools: true });
    expect(wanted({ prompt_config: { thinking: true } })).toEqual({ ...off, thinking: true });
    expect(wanted({ prompt: { tools: false } }, { text: 'x' })).toEqual(off);
    expect(wanted({ use_default_prompt: true })).toEqual({ tools: true, thinking: true });
  });
});
