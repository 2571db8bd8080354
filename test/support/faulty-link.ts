/** A port that leads to another, counts who comes, and can be made to misbehave. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type Fault =
  | 'none'
  /** Takes connections and says nothing. */
  | 'silent'
  /** Ends each connection when so many bytes have come back. */
  | { readonly cutAfter: number }
  /** Says something that no database says. */
  | { readonly says: string };

export class FaultyLink {
  fault: Fault = 'none';
  connections = 0;
  private readonly open = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: number) {
    // As a wire does: an end of one side is none of the other.
    this.server = createServer({ allowHalfOpen: true }, (client) => this.take(client));
  }

  static async to(port: number): Promise<FaultyLink> {
    const link = new FaultyLink(port);
    await new Promise<void>((resolve) => link.server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  get live(): number {
    return this.open.size;
  }

  close(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }

  private take(client: Socket): void {
    this.connections++;
    this.open.add(client);
    client.on('error', () => undefined).on('close', () => this.open.delete(client));
    const { fault } = this;
    if (fault === 'silent') return void client.resume().on('end', () => client.end());
    if (typeof fault === 'object' && 'says' in fault) return void client.resume().end(fault.says);
    const far = connect({ port: this.target, host: '127.0.0.1', allowHalfOpen: true });
    let left = typeof fault === 'object' ? fault.cutAfter : Infinity;
    far.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => far.destroy());
    client.pipe(far);
    far.on('end', () => client.end());
    far.on('data', (chunk: Buffer) => {
      client.write(chunk);
      left -= chunk.length;
      if (left <= 0) client.destroy();
    });
  }
}
