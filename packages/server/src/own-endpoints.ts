/** The endpoints that the product serves itself: health, version, metrics, discovery and OpenAPI of the merged views (URL-10). */

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

export interface OwnEndpointsParts {
  discovery: Discovery;
  openapi: OpenApi;
  metrics: Metrics;
  /** The version in the control plane's `/version`. */
  version: VersionInfo;
  /** False once the server shuts down. */
  ready: () => boolean;
  /** Further checks of `/readyz`. */
  checks: readonly Check[];
}

const paths = ['/api', '/apis', '/healthz', '/livez', '/metrics', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];

export const createOwnEndpoints =
  ({ discovery, openapi, metrics, version, ready, checks }: OwnEndpointsParts) =>
  async ({ target }: Pick<Granted, 'target'>, { headers }: Incoming): Promise<PlainReply> => {
    const view = target.about ?? 'fleet';
    const { method, path, query } = target.wire;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(`${method} is not allowed on ${path}`);
    switch (path) {
      case '/':
        return jsonReply(200, { paths });
      // A server that shuts down, or cannot reach its control plane, is still live: a restart would not help.
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
  if (!version) throw unavailable('no member has reported its version yet');
  return version;
}

/** Clients compare versions for skew, so the cluster's version comes first. A version has one `+` at most (k3s has its own). */
const marked = ({ gitVersion = '', ...rest }: VersionInfo): VersionInfo => ({
  ...rest,
  gitVersion: `${gitVersion}${gitVersion.includes('+') ? '.' : '+'}fleet.${productVersion}`,
});
