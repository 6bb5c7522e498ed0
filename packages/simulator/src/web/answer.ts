/** The response of a web server in a simulated pod: which pod it is, and what was requested. */

import type { Pod } from '../pods/pod.ts';

export interface WebRequest {
  method: string;
  /** Including the query. */
  path: string;
  accept: string | undefined;
}

export interface WebAnswer {
  status: number;
  contentType: string;
  body: string;
}

const health = ['/healthz', '/livez', '/readyz'];

export function webAnswer({ metadata, spec, status }: Pod, port: number, request: WebRequest): WebAnswer {
  const { method, path, accept = '' } = request;
  const [place] = path.split('?', 1);
  if (health.includes(place!)) return text('ok\n');
  if (place === '/hostname') return text(metadata.name!);
  // `agnhost serve-hostname`, by which Kubernetes' own tests distinguish pods.
  if (spec.containers.some(({ args }) => args?.[0] === 'serve-hostname')) return text(metadata.name!);
  const facts = {
    pod: metadata.name!,
    namespace: metadata.namespace!,
    node: spec.nodeName ?? '',
    address: `${status?.podIP ?? ''}:${port}`,
    images: shortened(spec.containers.map(({ image }) => image).join(', ')),
    method,
    path,
  };
  if (accept.includes('application/json')) {
    return { status: 200, contentType: 'application/json', body: `${JSON.stringify(facts)}\n` };
  }
  const lines = Object.entries(facts).map(([name, value]) => `${`${name}:`.padEnd(11)}${value}`);
  return text(`Hello from ${metadata.name}\n\n${lines.join('\n')}\n`);
}

/**
 * Responses to pipelined requests are buffered for a client that does not read: an image name may be as long as an object, and a
 * response of that length for each 26 bytes of requests would exhaust the process's memory (LIMIT-2).
 */
const longestImages = 1_024;
const shortened = (text: string): string => (text.length > longestImages ? `${text.slice(0, longestImages)}…` : text);

const text = (body: string): WebAnswer => ({ status: 200, contentType: 'text/plain; charset=utf-8', body });
