/** The helper's side of a benchmark's helper processes: they report by IPC and never outlive who started them. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free loopback port and tells the parent which. */
export function tellPort(server: Server): void {
  endWithParent();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}

/** Runs the task that the parent gave as its last argument, and sends back what it found. */
export function runTask<Task, Result>(run: (task: Task) => Promise<Result>): void {
  endWithParent();
  const task = JSON.parse(process.argv.at(-1) ?? '') as Task;
  run(task).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.exit(1)),
  );
}

const endWithParent = () => process.once('disconnect', () => process.exit(0));
