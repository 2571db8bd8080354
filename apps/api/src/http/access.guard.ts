import { AccessService, requireScope, type Caller, type CredentialHeaders, type Scope } from '@app/access';
import { createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';

const PUBLIC = 'access:public';
const SCOPE = 'access:scope';

/** The route answers anybody. Health only: it is the single exception to SEC-01. */
export const Public = () => SetMetadata(PUBLIC, true);

/** What a key must be allowed to do to use the route. Without it: `read`. */
export const Requires = (scope: Scope) => SetMetadata(SCOPE, scope);

interface CallersRequest extends FastifyRequest {
  caller?: Caller;
}

/** The caller whom the guard let in. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<CallersRequest>().caller,
);

/** Who made a request, where the guard has found out. */
export const callerOf = (request: FastifyRequest): Caller | undefined => (request as CallersRequest).caller;

/** Stands before every route (SEC-01), and before a byte of its body is read. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly demands = new WeakMap<object, Scope | 'public'>();

  constructor(
    private readonly access: AccessService,
    private readonly reflector: Reflector,
  ) {}

  /** @throws PlatformError 401, 403 or 429. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const demand = this.demandOf(context);
    if (demand === 'public') return true;
    const request = context.switchToHttp().getRequest<CallersRequest>();
    const known = this.access.known(credentialsIn(request));
    if (!known) return this.admit(request, demand).then(() => true);
    letIn(request, known, demand);
    return true;
  }

  /** What the route asks of its callers. Read from its decorators once, as they do not change. */
  private demandOf(context: ExecutionContext): Scope | 'public' {
    const handler = context.getHandler();
    let demand = this.demands.get(handler);
    if (demand === undefined) {
      const targets = [handler, context.getClass()];
      demand = this.reflector.getAllAndOverride<boolean>(PUBLIC, targets)
        ? 'public'
        : (this.reflector.getAllAndOverride<Scope>(SCOPE, targets) ?? 'read');
      this.demands.set(handler, demand);
    }
    return demand;
  }

  /** For routes that are not Nest's. @throws PlatformError 401, 403 or 429. */
  async admit(request: CallersRequest, scope: Scope): Promise<void> {
    letIn(request, await this.access.authenticate(credentialsIn(request), request.ip), scope);
  }
}

function letIn(request: CallersRequest, caller: Caller, scope: Scope): void {
  requireScope(caller, scope);
  request.caller = caller;
}

const credentialsIn = ({ headers }: FastifyRequest): CredentialHeaders => ({
  authorization: single(headers.authorization),
  apiKey: single(headers['x-api-key']),
  organisation: single(headers['x-org']),
});

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
