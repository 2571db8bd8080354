/** TLS over a socket to PostgreSQL: verified, chain and name, or not at all (SEC-54). */
import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** @param operatorCa certificate authorities in PEM, besides those that everybody knows. */
export const trust = (operatorCa?: string): SecureContext =>
  createSecureContext({
    ca: [...rootCertificates, ...(operatorCa === undefined ? [] : [operatorCa])],
    minVersion: 'TLSv1.2',
  });

/** @throws Error with why, for the operator; the socket is then of no use. */
export async function secured(socket: Socket, host: string, secureContext: SecureContext): Promise<TLSSocket> {
  const answer = await ask(socket);
  // More than the one byte came before the encryption began: somebody put it there.
  if (answer.length !== 1) throw new Error('the answer to the request for TLS is not one byte');
  if (answer.toString('latin1') !== 'S') throw new Error('the server does not offer TLS');
  return new Promise((resolve, reject) => {
    const encrypted = connect({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      secureContext,
      rejectUnauthorized: true,
    });
    encrypted.once('secureConnect', () => {
      encrypted.removeListener('error', reject);
      resolve(encrypted);
    });
    encrypted.once('error', reject);
    encrypted.once('close', () => reject(new Error('closed while TLS was agreed on')));
  });
}

function ask(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      socket.removeListener('data', onData).removeListener('error', onError).removeListener('close', onClose);
      end();
    };
    const onData = (chunk: Buffer) =>
      settle(() => {
        socket.pause();
        resolve(chunk);
      });
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new Error('closed instead of an answer')));
    socket.on('data', onData).on('error', onError).on('close', onClose);
    socket.write(SSL_REQUEST);
  });
}
