import { StyledElement, StyleRules } from './style-rules';

const element = (tag: string, classes = '') => new StyledElement(tag, classes ? { class: classes } : {});
const within = (depth: number, tag = 'div') => Array.from({ length: depth }, () => element(tag));

describe('what style rules hide by where it stands', () => {
  it.each<[string, StyledElement[], boolean]>([
    ['.a .b .c{display:none}', [element('div', 'a'), element('p', 'b'), element('i'), element('p', 'c')], true],
    ['.a .b .c{display:none}', [element('div', 'b'), element('p', 'a'), element('p', 'c')], false],
    ['.a > .b .c{display:none}', [element('div', 'a'), element('p'), element('p', 'b'), element('p', 'c')], false],
    // The nearest .b is no child of .a; the one around it is.
    [
      '.a > .b .c{display:none}',
      [element('div', 'a'), element('p', 'b'), element('p'), element('p', 'b'), element('p', 'c')],
      true,
    ],
    ['.a .b > .c{display:none}', [element('div', 'a'), element('p', 'b'), element('i'), element('p', 'c')], false],
    ['.a > .c{display:none}', [element('p', 'c')], false],
  ])('%s', (style, path, hidden) => {
    const rules = new StyleRules(style);
    // Twice: what is remembered of the elements around says the same.
    expect([rules.hide(path), rules.hide(path)]).toEqual([hidden, hidden]);
  });

  it('is told for a large page to its end', () => {
    const rules = new StyleRules('.off .note{display:none} .off p{display:none} .gone > p{display:none}');
    const page = [element('body'), ...within(40)];
    const off = [...page, element('div', 'off')];
    let wrong = 0;
    for (let at = 0; at < 200_000; at++) {
      if (rules.hide([...page, element('p', 'note')])) wrong++;
      if (at % 100 === 0 && !rules.hide([...off, element('p', 'note')])) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it('is left out where a page asks for more looks than any honest one', () => {
    const rules = new StyleRules('.none .note{display:none}');
    const hidden = () => rules.hide([...within(500), element('p', 'note')]);
    const shown = () => rules.hide([...within(500), element('p', 'other')]);
    expect(hidden()).toBe(false);
    // Each of them has other elements around it.
    for (let at = 0; at < 7000; at++) hidden();
    expect([hidden(), shown()]).toEqual([true, false]);
  });
});
