/** What the XML of an XLSX workbook has in common: names, and texts that are put together from runs. */
import { cellText } from './cell';
import { readXml } from './xml-stream';

export interface XlsxListener {
  /** @param name without the prefix of the root, which is the file's own affair; what has another one is an extension. */
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** @throws as `readXml` does. */
export function readXlsxXml(bytes: Uint8Array, listener: XlsxListener): void {
  let prefix: string | undefined;
  const nameOf = (qualified: string) => {
    const colon = qualified.indexOf(':') + 1;
    prefix ??= qualified.slice(0, colon);
    return prefix.length === colon && qualified.startsWith(prefix) ? qualified.slice(colon) : qualified;
  };
  readXml(bytes, {
    open: ({ name, attributes }) => listener.open(nameOf(name), attributes),
    close: ({ name }) => listener.close?.(nameOf(name)),
    text: (text) => listener.text?.(text),
  });
}

/** Characters that XML does not take, as the format writes them: `_x000D_`. */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** A text of the file as somebody reads it. */
export function xlsxText(written: string): string {
  const read = written.includes('_x')
    ? written.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : written;
  return cellText(read.includes('\r') ? read.replace(/\r\n?/g, '\n') : read);
}

/** A text of several runs; how it is pronounced stands among them, and is no part of it. */
export class RunsOfText {
  private written = '';
  private spoken = 0;
  private isText = false;

  begin(): void {
    this.written = '';
    this.spoken = 0;
    this.isText = false;
  }

  open(name: string): void {
    if (name === 'rPh') this.spoken++;
    else if (name === 't') this.isText = this.spoken === 0;
  }

  close(name: string): void {
    if (name === 'rPh') this.spoken--;
    else if (name === 't') this.isText = false;
  }

  text(piece: string): void {
    if (this.isText) this.written += piece;
  }

  end(): string {
    return xlsxText(this.written);
  }
}
