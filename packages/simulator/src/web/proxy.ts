/** Serves `proxy` of pods, services and nodes, with the response of a web server in a pod, without a connection to it. */

import type { ProxyTarget } from '@fleet/apiserver/connect/connector.ts';
import type { ApiReply, ApiRequest } from '@fleet/apiserver/http/message.ts';
import { unavailable } from '@fleet/kube/status.ts';
import type { RunningPodSource } from '../pods/observed-container.ts';
import { asPod } from '../pods/pod.ts';
import { type WebAnswer, webAnswer } from './answer.ts';
import { listeningPorts, portNumber } from './ports.ts';
import { type Backend, type ListPods, serviceBackend } from './service-backend.ts';

export interface ProxyOptions {
  nodes(): RunningPodSource | undefined;
  listPods: ListPods;
  random(): number;
}

export async function proxied(target: ProxyTarget, request: ApiRequest, options: ProxyOptions): Promise<ApiReply> {
  if (target.object.kind === 'Node') return replyOf(kubeletAnswer(target.path));
  const { pod, port } = await backendOf(target, options);
  if (!listeningPorts(pod, options.nodes()).has(port)) {
    throw unavailable(
      `error trying to reach service: dial tcp ${pod.status?.podIP ?? ''}:${port}: connect: connection refused`,
    );
  }
  const { accept } = request.headers;
  const asked = {
    method: request.method,
    path: target.path || '/',
    accept: Array.isArray(accept) ? accept[0] : accept,
  };
  return replyOf(webAnswer(pod, port, asked));
}

async function backendOf({ object, port }: ProxyTarget, { listPods, random }: ProxyOptions): Promise<Backend> {
  if (object.kind === 'Service') return serviceBackend(object, port, listPods, random);
  const pod = asPod(object);
  // Without a port, that of the scheme.
  return { pod, port: port === '' ? 80 : (portNumber(pod, port) ?? 0) };
}

/** Kubelets serve only their health endpoint here. */
const kubeletAnswer = (path: string): WebAnswer => {
  const isHealth = path.split('?', 1)[0] === '/healthz';
  const contentType = 'text/plain; charset=utf-8';
  return isHealth
    ? { status: 200, contentType, body: 'ok' }
    : { status: 404, contentType, body: '404 page not found\n' };
};

const replyOf = ({ status, contentType, body }: WebAnswer): ApiReply => ({
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(body),
});
