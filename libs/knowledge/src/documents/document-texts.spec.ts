import type { Caller } from '@app/access';
import { loadConfig } from '@app/platform';
import { makePdf } from '../../../../test/support/documents/pdf-documents';
import { DocumentReader, type ReadDocument } from '../ingestion/document-reader';
import { ChildDocumentReader } from '../ingestion/document-reader.child';
import type { SourceFile } from '../parsers/parser';
import { DocumentTexts } from './document-texts';

const caller = (organisationId: string): Caller => ({ organisationId, organisation: organisationId, scopes: ['read'] });
const file = (bytes: Buffer | string, mediaType: string) => ({
  base64: Buffer.from(bytes as string).toString('base64'),
  mediaType,
});

/** Counts what it is asked to read. */
class CountingReader extends DocumentReader {
  readonly names: string[] = [];
  override read(): Promise<ReadDocument> {
    throw new Error('not asked for');
  }
  override text({ name }: SourceFile) {
    this.names.push(name);
    return Promise.resolve({ format: 'pdf', text: `text ${this.names.length}` });
  }
  override close() {
    return Promise.resolve();
  }
}

describe('the text of a document in a message', () => {
  it('is read once for an organisation, however often the document comes', async () => {
    const reader = new CountingReader();
    const texts = new DocumentTexts(reader, 1000);
    const pdf = file('%PDF-1.7 a', 'application/pdf');
    expect((await texts.read(caller('a'), pdf)).text).toBe('text 1');
    expect((await texts.read(caller('a'), pdf)).text).toBe('text 1');
    expect((await texts.read(caller('b'), pdf)).text).toBe('text 2');
    expect((await texts.read(caller('a'), file('%PDF-1.7 b', 'application/pdf'))).text).toBe('text 3');
    expect(reader.names).toEqual(['document.pdf', 'document.pdf', 'document.pdf']);
  });

  it('has a limit', async () => {
    const texts = new DocumentTexts(new ChildDocumentReader(loadConfig({}).ingestion), 40);
    const long = await makePdf((page) => page.text('Una línea de más de cuarenta caracteres, sin duda.'));
    await expect(texts.read(caller('a'), file(long, 'application/pdf'))).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^limit_exceeded: .*MAX_MESSAGE_BODY_MB/),
    });
    await texts.close();
  });

  it('of a charset that is not UTF-8 is left to the parser', async () => {
    const texts = new DocumentTexts(new ChildDocumentReader(loadConfig({}).ingestion), 1000);
    const latin1 = Buffer.from('El año pasado fueron 27 días; éste también. Mañana más.', 'latin1');
    expect((await texts.read(caller('a'), file(latin1, 'text/plain'))).text).toContain('El año pasado');
    await texts.close();
  });
});
