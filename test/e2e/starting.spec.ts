/** What an operator meets who starts the server for the first time, and gets something wrong. */
import { failToStart, startServer } from '../support/start-server';

describe('a setting that is misspelt', () => {
  it('is told once, by its name and with the nearest one, and never with its value', async () => {
    const env = { DATABSE_URL: 'postgres://user:S3CR3T@host/db', MODEL_TEMPERATURE: 'S3CR3T', WEB_CONCURRENCY: '2' };
    const server = await startServer({ env });
    const said = server.output();
    await server.stop();
    expect(said.match(/\w+ is no setting of this server, and nothing reads it\. The nearest is \w+\./g)).toEqual([
      'DATABSE_URL is no setting of this server, and nothing reads it. The nearest is DATABASE_URL.',
      expect.stringMatching(/^MODEL_TEMPERATURE is no setting .* MODEL_\w+\.$/),
    ]);
    expect(said).not.toMatch(/S3CR3T|WEB_CONCURRENCY/);
  });
});

describe('a data folder without room', () => {
  it('is told in one line with the way out, and nothing half made stays in it', async () => {
    // No file may be larger than 32 KiB: as on a full disk, what PostgreSQL writes first does not fit.
    const { code, said, left } = await failToStart({}, { first: 'ulimit -f 64' });
    expect({ code, said: said.trim().split('\n') }).toEqual({
      code: 1,
      said: [expect.stringMatching(/^Toolwright could not start\. PostgreSQL .*File too large.* DATA_DIR/)],
    });
    expect(left).toEqual([]);
  });
});
