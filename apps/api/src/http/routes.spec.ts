import fastify from 'fastify';
import { HttpError } from './http-error';
import { Routes } from './routes';

const server = fastify();
const routes = new Routes(server);
server.get('/v1/models/:id', () => 'x');
server.get('/v1/models', () => 'x');
server.post('/v1/messages', () => 'x');

describe('a path that cannot be served', () => {
  it('is a 405 that names the methods where only the method is wrong', () => {
    const refusal = routes.refusal('GET', '/v1/messages');
    expect(refusal).toBeInstanceOf(HttpError);
    expect(refusal).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(routes.allowed('/v1/models/some%2Fmodel')).toEqual(['GET', 'HEAD']);
  });

  it('does not exist where a parameter of it would be empty', () => {
    expect(routes.allowed('/v1/models/')).toEqual([]);
    expect(routes.refusal('GET', '/v1/models/').type).toBe('not_found_error');
  });

  it.each([
    ['/v1/v1/messages', 'root of the server as base URL'],
    ['/messages', 'ends in /v1'],
    ['/models/x', 'ends in /v1'],
    ['/v1/chat/completions', 'POST /v1/messages'],
    ['/nothing', '/openapi.json'],
  ])('is a 404 that tells the way out: %s', (path, words) => {
    const refusal = routes.refusal('POST', path);
    expect(refusal.type).toBe('not_found_error');
    expect(refusal.message).toContain(words);
  });
});
