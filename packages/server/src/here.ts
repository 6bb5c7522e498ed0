/** What the product answers itself: health, version, metrics, discovery and OpenAPI of the merged views (URL-10). */

import { methodNotAllowed, noSuchResource, unavailable } from '@fleet/kube/status.ts';
import type { Granted } from './authz/authorize.ts';
import { answerDiscovery } from './discovery/answer.ts';
import type { Discovery } from './discovery/discovery.ts';
import type { VersionInfo } from './discovery/kubernetes-version.ts';
import { answerOpenApi } from './discovery/openapi/answer.ts';
import type { OpenApi } from './discovery/openapi/openapi.ts';
import { type Incoming, jsonReply, type PlainReply } from './http/message.ts';
import type { Metrics } from './observe/metrics.ts';
import { answerHealth, type Check } from './own-health.ts';
import { productVersion } from './version.ts';

export interface HereParts {
  discovery: Discovery;
  openapi: OpenApi;
  metrics: Metrics;
  /** The control plane's `/version`. */
  version: VersionInfo;
  /** False once it is told to end. */
  ready: () => boolean;
  /** What else it takes to be ready. */
  checks: readonly Check[];
}

const paths = ['/api', '/apis', '/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];

export const createHere =
  ({ discovery, openapi, metrics, version, ready, checks }: HereParts) =>
  async ({ target }: Pick<Granted, 'target'>, { headers }: Incoming): Promise<PlainReply> => {
    const view = target.about ?? 'fleet';
    const { method, path, query } = target.wire;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(`${method} is not allowed on ${path}`);
    switch (path) {
      case '/':
        return jsonReply(200, { paths });
      // One that is about to end is well, and so is one without its control plane: to start it anew would help neither.
      case '/healthz':
      case '/livez':
        return answerHealth(path, query, []);
      case '/readyz':
        return answerHealth(path, query, [{ name: 'shutdown', isWell: ready }, ...checks]);
      case '/version':
        return jsonReply(200, marked(view === 'fleet' ? version : await membersVersion(discovery)));
      case '/metrics':
        return {
          is: 'plain',
          status: 200,
          headers: { 'content-type': metrics.registry.contentType, 'x-content-type-options': 'nosniff' },
          body: Buffer.from(await metrics.registry.metrics()),
        };
      default: {
        const found =
          (await answerDiscovery(discovery, view, path, headers)) ??
          (await answerOpenApi(openapi, { view, path, query, headers }));
        if (!found) throw noSuchResource();
        return found;
      }
    }
  };

async function membersVersion(discovery: Discovery): Promise<VersionInfo> {
  const version = await discovery.oldestMember();
  if (!version) throw unavailable('no member has told its version yet');
  return version;
}

/** Clients compare versions for skew, so the cluster's stands first. A version has one `+` at most (k3s has its own). */
const marked = ({ gitVersion = '', ...rest }: VersionInfo): VersionInfo => ({
  ...rest,
  gitVersion: `${gitVersion}${gitVersion.includes('+') ? '.' : '+'}fleet.${productVersion}`,
});
