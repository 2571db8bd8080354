import { QueryFailedError } from 'typeorm';
import { Secret } from '../secret';
import { createLogger, type Logger } from './logger';

/** What the log wrote, as lines and as objects. */
function recorded(write: (logger: Logger) => void): { text: string; events: any[] } {
  let text = '';
  write(createLogger({ logging: { level: 'info' } }, { write: (line: string) => void (text += line) }));
  return {
    text,
    events: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

describe('the log', () => {
  it('writes one JSON object a line, with level, time and what it was given', () => {
    const { events } = recorded((logger) => logger.child({ request_id: 'req_1' }).info({ ms: 5 }, 'answered'));
    expect(events).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), request_id: 'req_1', ms: 5, msg: 'answered' },
    ]);
  });

  it('hides what is secret by the name of its field, at any depth, in any spelling', () => {
    const secret = 'S3CR3T-value';
    const { text } = recorded((logger) => {
      logger.info({ authorization: secret, 'x-api-key': secret, headers: { Authorization: secret, cookie: secret } });
      logger.info({ tool: { context: [{ connection_string: secret, connectionString: secret }] } });
      logger.info({
        PASSWORD: secret,
        api_key: secret,
        apiKey: secret,
        DATABASE_URL: secret,
        nested: { token: secret },
      });
      logger.child({ password: secret }).info('bound');
      logger.info({ url: new Secret(secret) }, 'wrapped');
      logger.info('said %j and %o', { password: secret }, { token: secret });
    });
    expect(text).not.toContain(secret);
    expect(text).toContain('[redacted]');
  });

  it('writes of an error that quotes somebody only what it brings for the log', () => {
    const error = Object.assign(new Error('they said CANARY'), { loggedAs: 'they refused' });
    const { text, events } = recorded((logger) => {
      logger.error(error);
      logger.warn({ err: new Error('failed', { cause: error }) }, 'failed');
    });
    expect(text).not.toContain('CANARY');
    expect(events[0]).toMatchObject({ msg: 'they refused', err: { message: 'they refused' } });
    expect(events[1].err.cause).toMatchObject({ stack: expect.stringMatching(/^Error: they refused/) });
  });

  it.each([
    'postgresql://user:S3CR3T@host/db',
    'postgresql://user:S3CR3T/with/slashes@and:S3CR3T@host/db',
    'mysql://S3CR3T:pw@host',
    'Authorization: Bearer S3CR3T',
    'Basic S3CR3T==',
    'zgk_abcd1234_S3CR3T',
    'https://host/db?user=a&password=S3CR3T',
    'file://user:S3CR3T@host/share',
    'postgres:///user:S3CR3T@host/db',
    'file:///srv/app.js?postgresql://user:S3CR3T@host/db',
    'file:///srv/app.js,redis://:S3CR3T@host',
    'x-file:///S3CR3T@host',
    'HTTPS://S3CR3T@host',
  ])('hides what is secret by its shape in text: %s', (words) => {
    const { text } = recorded((logger) => {
      logger.info(`failed: ${words}`);
      logger.error(new Error(words, { cause: new Error(words) }));
      logger.info({ tried: [words] }, 'said %s', words);
    });
    expect(text).not.toContain('S3CR3T');
  });

  it('keeps a path of this machine whole, whatever is in it: a stack trace says where to look', () => {
    const frame = 'at load (file:///srv/toolwright/node_modules/@nestjs/core/injector.js:12:3)';
    const error = Object.assign(new Error('no'), { stack: `Error: no\n    ${frame}` });
    const { events } = recorded((logger) => logger.error({ err: error }, frame));
    expect([events[0].msg, events[0].err.stack]).toEqual([frame, `Error: no\\n    ${frame}`]);
  });

  it('keeps a caller from forging a line, or moving the cursor of who reads it', () => {
    const { events } = recorded((logger) =>
      logger.info({ name: 'a\r\nb' }, 'x\n{"level":"fatal"}\u001b[2J\u009b2J\u2028y'),
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ name: 'a\\r\\nb', msg: 'x\\n{"level":"fatal"}\\u001b[2J\\u009b2J\\u2028y' });
  });

  it('cuts what is long, also before a secret that stands at the cut', () => {
    const { events, text } = recorded((logger) => {
      logger.info({ name: 'n'.repeat(100_000) }, 'm'.repeat(100_000));
      logger.info(`${'m'.repeat(2000)} postgresql://user:S3CR3T${'x'.repeat(100)}@host`);
    });
    expect(events[0].msg.length).toBeLessThanOrEqual(2048);
    expect(events[0].name).toContain('100000 characters');
    expect(text).not.toContain('S3CR3T');
  });

  it('tells of an error its kind, message, code, stack and cause, and not what a query was given', () => {
    const driver = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (text)=(PROMPT) exists' });
    const error = new QueryFailedError('INSERT INTO chunks VALUES ($1)', ['PROMPT'], driver);
    const { events, text } = recorded((logger) => logger.error({ err: new Error('storing', { cause: error }) }, 'no'));
    expect(events[0].err).toMatchObject({ message: 'storing', cause: { message: 'duplicate key', code: '23505' } });
    expect(events[0].err.stack).toContain('logger.spec');
    expect(text).not.toContain('PROMPT');
  });

  it('writes whatever it is given without failing', () => {
    const circle: Record<string, unknown> = {
      big: 1n,
      bytes: new Uint8Array(9),
      when: new Date(0),
      bad: new Date(NaN),
    };
    circle.self = circle;
    const { events } = recorded((logger) => logger.info(circle, 'odd'));
    expect(events[0]).toMatchObject({ big: '1', bytes: '[9 bytes]', when: '1970-01-01T00:00:00.000Z' });
  });

  it('says nothing below its level', () => {
    expect(recorded((logger) => (logger.debug('low'), logger.warn('high'))).events).toHaveLength(1);
  });
});
