/** An API server with controllers for tests. A stand-in for nodes makes every pod ready immediately. */

import type { AdmissionName } from '@fleet/apiserver/admission/admission.ts';
import { privileged } from '@fleet/apiserver/authn/user.ts';
import { InProcessUpstream } from '@fleet/apiserver/http/in-process-upstream.ts';
import { openServer } from '@fleet/apiserver/testing/open-server.ts';
import { isStatus, KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { bodyOf } from '@fleet/client/reply-body.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { expect, onTestFinished, vi } from 'vitest';
import { Delays } from '../../delays.ts';
import type { Pod } from '../../pods/pod.ts';
import { startControllers } from '../start-controllers.ts';

export interface TestCluster {
  client: KubeClient;
  /** Unexpected errors of the controllers. */
  errors: unknown[];
  /** All objects of a path below `/api` or `/apis`. */
  list<T extends KubeObject>(path: string): Promise<T[]>;
  /** Type, reason and message of each Event about it, in order. */
  events(name: string): Promise<string[]>;
  /** Retries until it passes. */
  eventually(check: () => Promise<void>): Promise<void>;
}

export interface TestClusterOptions {
  /** The status of a new pod; undefined leaves it pending. */
  statusOf?(pod: Pod): object | undefined;
  factor?: number;
  /** By default, that of a control plane. */
  admission?: readonly AdmissionName[];
  /** The error with which a request of the controllers is refused. */
  refuse?(method: string, path: string): StatusError | undefined;
}

export const readyStatus = (ip = '10.0.0.1'): object => {
  const now = timeText(Date.now());
  return {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    startTime: now,
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime: now },
      { type: 'ContainersReady', status: 'True', lastTransitionTime: now },
    ],
  };
};

export async function startTestCluster({
  statusOf = () => readyStatus(),
  factor = 1,
  refuse = () => undefined,
  admission,
}: TestClusterOptions = {}): Promise<TestCluster> {
  const { server, internalErrors } = await openServer({ admission });
  const upstream = new InProcessUpstream(server.handler, privileged('controllers'));
  const client = new KubeClient(upstream, 'controllers');
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const ending = new AbortController();
  const informers = new SharedInformers({ client, onError });
  standInForNodes(informers, client, statusOf, onError);
  const refusing = {
    call: async (call: UpstreamCall) => {
      const refused = refuse(call.method, call.path);
      if (!refused) return upstream.call(call);
      return { status: refused.code, headers: {}, body: bodyOf(Buffer.from(JSON.stringify(refused.toStatus()))) };
    },
  };
  const controllers = startControllers({
    name: 'test',
    version: 'v1.36.3',
    client: new KubeClient(refusing as unknown as Upstream),
    informers,
    delays: new Delays({ factor }),
    signal: ending.signal,
    onError,
  });
  onTestFinished(async () => {
    ending.abort();
    await controllers[Symbol.asyncDispose]();
    await informers[Symbol.asyncDispose]();
    expect(internalErrors).toEqual([]);
  });
  const list = async <T extends KubeObject>(path: string): Promise<T[]> => (await client.list<T>(path)).items;
  return {
    client,
    errors,
    list,
    events: async (name) => {
      type RecordedEvent = KubeObject & {
        type: string;
        reason: string;
        message: string;
        involvedObject: { name: string };
      };
      return (await list<RecordedEvent>('/api/v1/events'))
        .filter(({ involvedObject }) => involvedObject.name === name)
        .sort((left, right) => (suffix(left) < suffix(right) ? -1 : 1))
        .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
    },
    eventually: (check) => vi.waitFor(check, { timeout: 10_000, interval: 20 }),
  };
}

/** Names of Events end with the time, all with the same number of digits. */
const suffix = ({ metadata }: KubeObject): string => metadata.name.slice(metadata.name.lastIndexOf('.'));

function standInForNodes(
  informers: SharedInformers,
  client: KubeClient,
  statusOf: (pod: Pod) => object | undefined,
  onError: (error: unknown) => void,
): void {
  const quietly = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => {
      if (!isStatus(error, 404) && !isStatus(error, 409)) onError(error);
    });
  informers.of<Pod>('/api/v1/pods').subscribe((_, now) => {
    if (!now) return;
    const path = `/api/v1/namespaces/${now.metadata.namespace}/pods/${now.metadata.name}`;
    if (now.metadata.deletionTimestamp) {
      // The uid protects a newer pod of the same name.
      quietly(client.delete(path, { gracePeriodSeconds: 0, preconditions: { uid: now.metadata.uid } }));
      return;
    }
    const status = now.status?.startTime ? undefined : statusOf(now);
    if (status)
      quietly(client.patch(`${path}/status`, 'merge', { status: { startTime: timeText(Date.now()), ...status } }));
  });
}
