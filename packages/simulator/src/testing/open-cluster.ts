/** An in-process API server with the context of a cluster, for a test. Delays are a thousandth of real ones. */

import { privileged } from '@fleet/apiserver/authn/user.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { openServer } from '@fleet/apiserver/testing/open-server.ts';
import { Informer } from '@fleet/client/informer.ts';
import { KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import { onTestFinished } from 'vitest';
import type { ClusterContext } from '../cluster-context.ts';
import { Delays } from '../delays.ts';
import type { Pod } from '../pods/pod.ts';

export interface TestCluster {
  context: ClusterContext;
  client: KubeClient;
  errors: unknown[];
  /** Each state of each pod, in order. */
  seen: Pod[];
  createPod(name: string, spec: object, metadata?: object): Promise<Pod>;
  /** Resolves with the first state of the pod that passes; undefined if the pod is gone. */
  podThat(name: string, test: (pod: Pod | undefined) => boolean): Promise<Pod | undefined>;
  eventsOf(name: string): Promise<string[]>;
}

interface Event extends KubeObject {
  involvedObject: { name: string };
  type: string;
  reason: string;
  message: string;
  firstTimestamp: string;
}

export async function openCluster(factor = 1000): Promise<TestCluster> {
  const { server } = await openServer();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const upstream = new InProcessUpstream(server.handler, privileged('test'));
  const client = new KubeClient(upstream);
  const ending = new AbortController();
  const informers = new SharedInformers({ client, onError });
  const seen: Pod[] = [];
  const waiting = new Set<() => void>();
  const pods = new Informer<Pod>({
    client,
    path: '/api/v1/pods',
    onError,
    onChange: (_key, now) => {
      if (now) seen.push(now);
      for (const check of waiting) check();
    },
  });
  await pods.synced;
  onTestFinished(async () => {
    ending.abort();
    await pods[Symbol.asyncDispose]();
    await informers[Symbol.asyncDispose]();
  });
  const context: ClusterContext = {
    name: 'test',
    version: 'v1.36.3',
    client,
    informers,
    delays: new Delays({ factor, seed: 7 }),
    signal: ending.signal,
    onError,
  };
  return {
    context,
    client,
    errors,
    seen,
    createPod: (name, spec, metadata = {}) =>
      client.create('/api/v1/namespaces/default/pods', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, ...metadata },
        spec,
      }),
    async podThat(name, test) {
      const find = (): Pod | undefined => pods.get(`default/${name}`);
      if (test(find())) return find();
      const { promise, resolve } = Promise.withResolvers<Pod | undefined>();
      const check = (): void => {
        if (test(find())) resolve(find());
      };
      waiting.add(check);
      const found = await promise;
      waiting.delete(check);
      return found;
    },
    async eventsOf(name) {
      const { items } = await client.list<Event>('/api/v1/events');
      return items
        .filter(({ involvedObject }) => involvedObject.name === name)
        .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
        .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
    },
  };
}
