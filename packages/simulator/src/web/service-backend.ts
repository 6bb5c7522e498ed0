/** Chooses a pod and its port for a Service. */

import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { unavailable } from '@fleet/kube/status.ts';
import { asPod, type Pod } from '../pods/pod.ts';
import { isServing } from '../pods/pod-conditions.ts';
import { portNumber } from './ports.ts';

interface ServicePort {
  name?: string;
  port: number;
  targetPort?: number | string;
}

interface Service extends KubeObject {
  spec: { selector?: Record<string, string>; ports?: ServicePort[] };
}

/** Pods of a namespace by a label selector. */
export type ListPods = (namespace: string, labelSelector: string) => Promise<readonly KubeObject[]>;

export interface Backend {
  pod: Pod;
  port: number;
}

/** `port` is a number or the name of a Service port. A ready pod is chosen by `random`, in [0, 1). */
export async function serviceBackend(
  object: KubeObject,
  port: string,
  listPods: ListPods,
  random: () => number,
): Promise<Backend> {
  const { metadata, spec } = object as Service;
  const { selector, ports = [] } = spec;
  const none = () => unavailable(`no endpoints available for service "${metadata.name}"`);
  const servicePort = ports.find((one) => (one.name ?? '') === port || String(one.port) === port);
  // An empty selector selects no pod.
  if (!servicePort || !selector || Object.keys(selector).length === 0) throw none();
  const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  const ready = (await listPods(metadata.namespace!, labels.join(','))).map(asPod).filter(isServing);
  const backends = ready.flatMap((pod) => {
    const target = portNumber(pod, servicePort.targetPort ?? servicePort.port);
    return target === undefined ? [] : [{ pod, port: target }];
  });
  const picked = backends[Math.floor(random() * backends.length)];
  if (!picked) throw none();
  return picked;
}
