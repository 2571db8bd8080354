import { messagesRequestSchema, searchBodySchema } from '@app/contract';
import type { z } from 'zod';
import { bodyIssues } from './body-issues';

const issuesOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  if (!error) throw new Error('The schema accepts it');
  return bodyIssues(error, 'body');
};
const message = (content: unknown) => ({ messages: [{ role: 'user', content }] });

describe('what is wrong with a body', () => {
  it('names a missing field by its place', () => {
    expect(issuesOf(messagesRequestSchema, {})).toEqual([expect.objectContaining({ loc: ['body', 'messages'] })]);
    expect(issuesOf(searchBodySchema, { text: 'x' })).toEqual([
      { type: 'missing', loc: ['body', 'context_filter'], msg: 'Field required' },
    ]);
  });

  it('keeps the words of the contract', () => {
    expect(issuesOf(messagesRequestSchema, { messages: [] })).toEqual([
      { type: 'value_error', loc: ['body', 'messages'], msg: 'Value error, Messages cannot be empty' },
    ]);
  });

  it('names a block of an unknown type by its place in the conversation', () => {
    const [issue] = issuesOf(messagesRequestSchema, message([{ type: 'text', text: 'a' }, { type: 'hologram' }]));
    expect(issue).toMatchObject({ type: 'union_tag_invalid', loc: ['body', 'messages', 0, 'content', 1] });
    expect(issue?.msg).toContain('text, image');
  });

  it('tells about the block that was meant, not about the other forms that the field may have', () => {
    const block = { type: 'tool_use', id: 'a b', name: 'x', input: {} };
    const issues = issuesOf(messagesRequestSchema, { messages: [{ role: 'assistant', content: [block] }] });
    expect(issues[0]).toMatchObject({ loc: ['body', 'messages', 0, 'content', 0, 'id'] });
  });

  it('says all kinds of value that would do where none of them was given', () => {
    const [issue] = issuesOf(messagesRequestSchema, message(5));
    expect(issue).toMatchObject({
      loc: ['body', 'messages', 0, 'content'],
      msg: 'Invalid input: expected string or array',
    });
  });

  it('never repeats a value', () => {
    const canary = 'S3CR3T-canary';
    const issues = issuesOf(messagesRequestSchema, {
      messages: [{ role: canary, content: [{ type: canary }] }],
      temperature: canary,
      tool_choice: { type: canary },
    });
    expect(issues.length).toBeGreaterThan(2);
    expect(JSON.stringify(issues)).not.toContain(canary);
  });

  it('stops at ten', () => {
    expect(issuesOf(messagesRequestSchema, { messages: Array(50).fill({ role: 'x', content: 'y' }) })).toHaveLength(10);
  });
});
