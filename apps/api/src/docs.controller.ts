import { NotFoundError } from '@app/contract';
import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpenApiDocument } from './openapi';

/** Injection token of a function that gives the OpenAPI document, made when it is first wanted. */
export const OPENAPI = Symbol('OPENAPI');

/** The files of Swagger UI that the page needs; nothing else of its folder is served. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Toolwright API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" href="docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
const START = `window.ui = SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui', deepLinking: true });\n`;
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** The API documentation, from this machine alone. Guarded like every route: in the server profile it needs a key. */
@Controller()
export class DocsController {
  constructor(@Inject(OPENAPI) private readonly document: () => OpenApiDocument) {}

  @Get('openapi.json')
  openapi(): OpenApiDocument {
    return this.document();
  }

  @Get('docs')
  page(@Res() reply: FastifyReply): void {
    void reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE);
  }

  @Get('docs/:asset')
  asset(@Param('asset') name: string, @Res() reply: FastifyReply): void {
    const type = name === 'start.js' ? ASSETS['swagger-ui-bundle.js'] : Object.hasOwn(ASSETS, name) && ASSETS[name];
    if (!type) throw new NotFoundError('There is no such file.');
    reply.header('cache-control', 'max-age=86400').type(type);
    void reply.send(name === 'start.js' ? START : createReadStream(join(folder(), name)));
  }
}

const folder = () => dirname(require.resolve('swagger-ui-dist/package.json'));
