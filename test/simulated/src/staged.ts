/** Simulated clusters on the stage of the routing tables, with the requests that come over their ports as witnesses. */

import type { Headers } from '@fleet/client/upstream.ts';
import { readRequestInfo } from '@fleet/kube/request-info.ts';
import type { Asked, SeenRequest, Staged } from '@fleet/suites/request-routing/stage.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { send } from './send.ts';

export function apiOf(config: KubeConfig, prefix = ''): Asked['api'] {
  const ask: Asked['api']['ask'] = async (path, { method = 'GET', body, contentType = 'application/json' } = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': contentType } };
    const { status, text } = await send(config, { method, path: `${prefix}${path}`, ...sent });
    return { code: status, body: text };
  };
  return {
    ask,
    async object<T>(path: string, options = {}) {
      const { code, body } = await ask(path, options);
      if (code < 200 || code > 299) throw new Error(`${path}: ${code} ${body}`);
      return JSON.parse(body) as T;
    },
  };
}

/** What a cluster is asked, as its options take it, and the same on the stage. */
export function witness() {
  const seen: SeenRequest[] = [];
  return {
    onRequest({ method, url, headers }: { method: string; url: string; headers: Headers }): void {
      const { pathname, searchParams } = new URL(url, 'https://member');
      const info = readRequestInfo(method, pathname.split('/').filter(Boolean).map(decodeURIComponent), searchParams);
      if (!info) return;
      const [user] = [headers['impersonate-user']].flat();
      seen.push({ user, verb: info.verb, resource: info.resource, name: info.name });
    },
    staged(kubeconfig: string): Staged {
      const config = new KubeConfig();
      config.loadFromString(kubeconfig);
      return {
        api: apiOf(config),
        // Requests are noted before they are answered.
        watch: async () => {
          const mark = seen.length;
          return async () => seen.slice(mark);
        },
      };
    },
  };
}
