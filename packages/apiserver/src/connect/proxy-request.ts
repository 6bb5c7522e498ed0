/** Serves paths below `proxy` of a pod, a service or a node. */

import { badRequest, noSuchResource, unavailable } from '@fleet/kube/status.ts';
import { quoted } from '../errors/quoted.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ProxyTarget } from './connector.ts';
import { firstPort } from './pod-checks.ts';

export const proxyMethods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

type Named = Pick<ProxyTarget, 'scheme' | 'port'> & { name: string };

const schemes: readonly string[] = ['', 'http', 'https'];

/** `name`, `name:port` or `scheme:name:port`. */
export function splitName(text: string, singular: string): Named {
  const parts = text.split(':');
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || !name || !schemes.includes(scheme!)) {
    throw badRequest(`invalid ${singular} request ${quoted(text)}`);
  }
  return { scheme: scheme as Named['scheme'], name, port: port ?? '' };
}

/** As sent: the path below `proxy` with its query. Empty if not even a slash follows. */
export function pathBelowProxy({ url }: ApiRequest): string {
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  // `api v1 [namespaces n] resource name proxy`
  const segments = path.split('/');
  const own = segments[3] === 'namespaces' ? 8 : 6;
  if (segments.length < own) throw noSuchResource();
  const below = segments.slice(own).join('/');
  return segments.length === own ? query : `/${below}${query}`;
}

/** Redirects to the path with a slash, which relative links of a page need. */
export function slashRedirect({ method, url }: ApiRequest, path: string): ApiReply | undefined {
  if (path.startsWith('/') || !['GET', 'HEAD'].includes(method)) return undefined;
  const [before, ...query] = url.split('?');
  const location = `${before}/${query.length > 0 ? `?${query.join('?')}` : ''}`;
  return { status: 301, headers: { location }, body: Buffer.alloc(0), isPassed: true };
}

/** The port to connect to; throws if there is none. */
export function proxyPort(object: KubeObject, { port }: Named): string {
  const { kind, metadata, spec, status } = object;
  switch (kind) {
    case 'Pod': {
      const { podIPs = [] } = (status ?? {}) as { podIPs?: { ip?: string }[] };
      if (!podIPs[0]?.ip) throw badRequest('address not allowed');
      return port || String(firstPort(object) ?? '');
    }
    case 'Service': {
      const { ports = [] } = (spec ?? {}) as { ports?: { port: number }[] };
      if (/^\d+$/.test(port) && !ports.some((one) => one.port === Number(port))) {
        throw unavailable(`no service port ${Number(port)} found for service ${quoted(metadata.name!)}`);
      }
      return port;
    }
    default:
      return port;
  }
}
