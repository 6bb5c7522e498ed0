/** Where a hook is: the server that is dialled, the name that its certificate is for, and the path. */

import type { Upstream } from '@fleet/client/upstream.ts';
import { HookError } from './hook-error.ts';
import type { Hook, HookService, Operation } from './hook-model.ts';

/** Undefined: the address of the service is not known. */
export type ResolveService = (
  namespace: string,
  name: string,
  port: number,
  path: string,
) => ResolvedService | undefined | Promise<ResolvedService | undefined>;

/** The URL with `path` in it, or the member that has the service. */
export type ResolvedService = string | ServiceInMember;

/** It is reached by the service proxy of the member's API server, which checks no certificate of what it leads to. */
export interface ServiceInMember {
  cluster: string;
  /** Undefined: the member cannot be reached. */
  upstream: Upstream | undefined;
}

export type HookTarget = {
  /** With the timeout, as API servers send it to webhooks. */
  path: string;
} & (DialledTarget | { upstream: Upstream });

/** A server that is dialled. */
export interface DialledTarget {
  /** `https://host:port`. */
  origin: string;
  /** The header. */
  host: string;
  /** What the certificate is checked against, where that is not the host of the origin. */
  servername: string | undefined;
  ca: string | undefined;
}

export async function targetOf(hook: Hook, operation: Operation, resolve: ResolveService): Promise<HookTarget> {
  const { client } = hook;
  const fail = (reason: string) => new HookError(hook, operation, 'configuration', reason);
  if (!client) throw fail('its clientConfig has not exactly one of url and service, or a caBundle that is not base64');
  switch (client.at) {
    case 'url': {
      const url = httpsUrl(client.url);
      if (!url) throw fail('its url is no https URL');
      return { origin: url.origin, path: pathOf(url, hook), host: url.host, servername: undefined, ca: client.ca };
    }
    case 'service': {
      const found = await resolved(client, resolve, fail);
      if (typeof found === 'object') return inMember(client, found, hook, fail);
      const url = found === undefined ? undefined : httpsUrl(found);
      if (!url) throw fail(`${its(client)} cannot be resolved: --federation-services does not name it`);
      // Wherever the service is reached: the certificate is for the name that it has in its cluster.
      const servername = `${client.name}.${client.namespace}.svc`;
      const host = client.port === 443 ? servername : `${servername}:${client.port}`;
      return { origin: url.origin, path: pathOf(url, hook), host, servername, ca: client.ca };
    }
    default:
      return client satisfies never;
  }
}

async function resolved(
  service: HookService,
  resolve: ResolveService,
  fail: (reason: string) => HookError,
): Promise<ResolvedService | undefined> {
  const { namespace, name, port, path } = service;
  try {
    return await resolve(namespace, name, port, path);
  } catch {
    // What went wrong may name servers that users should not know.
    throw fail(`${its(service)} cannot be resolved`);
  }
}

const its = ({ namespace, name }: HookService): string => `its service ${namespace}/${name}`;

function inMember(
  service: HookService,
  { cluster, upstream }: ServiceInMember,
  hook: Hook,
  fail: (reason: string) => HookError,
): HookTarget {
  if (!upstream) throw fail(`${its(service)} is in cluster "${cluster}", which cannot be reached`);
  const { namespace, name, port, path } = service;
  const proxy = `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/https:${encodeURIComponent(name)}:${port}/proxy`;
  // As a URL it has no dot segments that would lead out of the proxy.
  return { upstream, path: `${proxy}${pathOf(new URL(path || '/', 'https://service'), hook)}` };
}

function httpsUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' ? url : undefined;
}

function pathOf(url: URL, { timeoutSeconds }: Hook): string {
  const query = url.search ? `${url.search}&` : '?';
  return `${url.pathname}${query}timeout=${timeoutSeconds}s`;
}
