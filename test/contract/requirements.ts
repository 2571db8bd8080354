/**
 * Every promise that the API and its client document make of the message endpoints.
 *
 * A test cites what it proves by `§id` in its title; `requirements.spec.ts` finds what nobody cites, and what nobody
 * has promised. Where a decision departs from a document, the promise is the decision, and its section names it.
 */
import { blocks } from './requirements/blocks';
import { clients } from './requirements/clients';
import { conversation } from './requirements/conversation';
import { databases } from './requirements/databases';
import { endpoints } from './requirements/endpoints';
import { errors } from './requirements/errors';
import { message } from './requirements/message';
import { request } from './requirements/request';
import { stream } from './requirements/stream';
import { tools } from './requirements/tools';
import { transport } from './requirements/transport';
import type { Requirement } from './requirement';

export const requirements: readonly Requirement[] = [
  ...transport,
  ...request,
  ...conversation,
  ...blocks,
  ...tools,
  ...databases,
  ...message,
  ...stream,
  ...errors,
  ...endpoints,
  ...clients,
];
