import type { Config } from '../config/config';
import { AllowList } from './allow-list';
import { EgressPolicy } from './egress-policy';
import type { OwnServices } from './own-services';
import { resolveByServers, resolveBySystem } from './resolver';
import { WebClient } from './web-client';

export type { WebLimits } from './web-client';

/** The way to the web, as the configuration allows it. */
export function webClient({ web }: Pick<Config, 'web'>, own: OwnServices): WebClient {
  const policy = new EgressPolicy({
    allow: new AllowList(web.allow),
    own,
    resolve: web.dns.length > 0 ? resolveByServers(web.dns) : resolveBySystem,
    setting: 'WEB_ALLOW',
  });
  return new WebClient({ policy, userAgent: web.userAgent });
}
