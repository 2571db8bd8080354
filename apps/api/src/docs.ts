/** `/openapi.json` and, from this machine alone, Swagger UI at `/docs`. */
import type { Config } from '@app/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from './http/access.guard';
import { openApiDocument } from './openapi';

const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
const ROUTES = /^\/(docs|openapi\.json)(\/|$)/;

/** Must be called before the application listens. The document is made when it is first wanted. */
export function serveDocs(app: NestFastifyApplication, config: Config): void {
  guard(app.getHttpAdapter().getInstance(), app.get(AccessGuard));
  SwaggerModule.setup('docs', app, () => openApiDocument(app, config), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Toolwright API',
    swaggerOptions: { deepLinking: true },
  });
}

/** SwaggerModule gives its routes to Fastify, where Nest's guards do not stand before them (SEC-01). */
function guard(fastify: FastifyInstance, access: AccessGuard): void {
  fastify.addHook('onRoute', (route) => {
    if (!ROUTES.test(route.url)) return;
    route.onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      await access.admit(request, 'read');
      reply.header('content-security-policy', POLICY);
    };
  });
}
