/** Every kind of request that reads something of a member, and what comes of one. */

import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import type { Product } from '@fleet/bed/product.ts';

export const oneOf = (member: string) => `/clusterspaces/${member}/api/v1/namespaces/default/pods/web`;

export interface Outcome {
  code: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Broken: by the product. Left: by us, when the time was over. */
  end: 'whole' | 'broken' | 'left';
}

interface Ask {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

const pod = '/api/v1/namespaces/default/pods/web.clusterspace.hostile';
const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const about = (name: string) => ({
  method: 'POST',
  body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods', name, namespace: 'default' } } },
});
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };

export const kinds = {
  list: { path: '/api/v1/pods?partial=true' },
  'one list': { path: '/api/v1/namespaces/default.clusterspace.hostile/pods' },
  table: { path: '/api/v1/pods', headers: { accept: asTable } },
  watch: { path: '/api/v1/pods?watch=true' },
  'one watch': { path: '/api/v1/namespaces/default.clusterspace.hostile/pods?watch=true' },
  named: { path: pod },
  found: { path: '/api/v1/namespaces/default/pods/web' },
  'one review': { path: review, ...about('x.clusterspace.hostile') },
  review: { path: review, ...about('x') },
  rules: {
    path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    method: 'POST',
    body: { spec: { namespace: 'default' } },
  },
  upgrade: { path: `${pod}/exec?command=x`, method: 'POST', headers: upgrade },
  log: { path: `${pod}/log` },
  proxy: { path: `${pod}/proxy/` },
  'bytes through': { path: oneOf('hostile') },
} satisfies Record<string, Ask>;

export type Kind = keyof typeof kinds;

/** They go on for as long as the member likes. */
export const streams = new Set<Kind>(['watch', 'one watch', 'log', 'proxy', 'bytes through']);

const agents = new Map<Product, Agent>();
const agentOf = (to: Product): Agent => {
  const agent = agents.get(to) ?? new Agent({ ca: to.ca, ...to.admin });
  agents.set(to, agent);
  return agent;
};

export interface Asked {
  /** An answer has begun, or none will. */
  begun: Promise<void>;
  outcome: Promise<Outcome>;
}

/** What comes of it within the time; only the beginning of an answer is kept. */
export function ask(to: Product, { path, method = 'GET', headers = {}, body }: Ask, over: AbortSignal): Asked {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Outcome>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const type = body ? { 'content-type': 'application/json' } : {};
  const asking = request(`${to.server}${path}`, { agent: agentOf(to), method, headers: { ...headers, ...type } });
  const leave = () => asking.destroy();
  over.addEventListener('abort', leave, { once: true });
  const none = { code: 0, headers: {}, body: '' };
  asking.on('error', () => (over.aborted ? resolve({ ...none, end: 'left' }) : resolve({ ...none, end: 'broken' })));
  asking.on('upgrade', () => reject(new Error('changed protocols')));
  asking.on('close', begin);
  asking.on('response', (response) => {
    begin();
    const got = { code: response.statusCode ?? 0, headers: response.headers, body: '' };
    response.on('data', (data: Buffer) => {
      got.body += data.toString('utf8', 0, 4096);
      // The rest waits where it is, which is the product's to bear.
      if (got.body.length > 64 * 1024) response.pause();
    });
    response.once('end', () => resolve({ ...got, end: 'whole' }));
    response.once('error', () => resolve({ ...got, end: over.aborted ? 'left' : 'broken' }));
  });
  asking.end(body && JSON.stringify(body));
  return { begun, outcome };
}
