/**
 * The baseline: a bare `node:http` forwarder that pipes bytes both ways and looks at none of them.
 *
 * The least that anything between a client and a model server can cost in Node. Last argument: the model server's port.
 */
import { Agent, createServer, request as httpRequest } from 'node:http';
import { tellPort } from './helper-process';

const port = Number(process.argv.at(-1));
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const upstream = httpRequest(
    { host: '127.0.0.1', port, agent, path: '/v1/chat/completions', method: 'POST', headers: request.headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  upstream.on('error', () => response.destroy());
  response.once('close', () => upstream.destroy());
  request.pipe(upstream);
});

tellPort(server);
