/** What one controller under test works with: a fake control plane, live copies of it, and the events that it reports. */

import { Pace } from '@fleet/client/pace.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import { isTemplateKind } from '../claim/never-templates.ts';
import { createExplorer } from '../explore/hooks/explorer.ts';
import { createHookIndex } from '../explore/hooks/select-hook.ts';
import { nativeRulesOf } from '../explore/native/native-rules.ts';
import type { Resource } from '../kinds/kinds.ts';
import { MemberObjects } from '../members/member-objects.ts';
import { bindingsOf, clustersOf, type Pipeline, worksOf } from '../pipeline.ts';
import { Templates } from '../templates/templates.ts';
import { managedSelector } from '../work/marks.ts';
import { type FakeControlPlane, fakeControlPlane } from './fake-control-plane.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

const resource = (apiVersion: string, kind: string, plural: string, namespaced = true): Resource => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { apiVersion, group, version, kind, plural, namespaced, verbs, preferred: true };
};

export const servedKinds: readonly Resource[] = [
  resource('v1', 'Namespace', 'namespaces', false),
  resource('v1', 'ConfigMap', 'configmaps'),
  resource('v1', 'Secret', 'secrets'),
  resource('apps/v1', 'Deployment', 'deployments'),
  resource('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', false),
];

export interface FakePipeline extends AsyncDisposable {
  fake: FakeControlPlane;
  pipeline: Pipeline;
  /** `Kind name: Reason`, in order. */
  events: string[];
  /** Of the same events. */
  messages: string[];
  /** What failed and will be retried. */
  failures: unknown[];
}

export async function fakePipeline(): Promise<FakePipeline> {
  const fake = fakeControlPlane();
  const { client } = fake;
  const failures: unknown[] = [];
  const events: string[] = [];
  const messages: string[] = [];
  const onError = (error: unknown) => void failures.push(error);
  const informers = new SharedInformers({ client, onError });
  const templates = new Templates({ client, isTemplateKind, onError });
  const connections = { client: () => undefined };
  const objects = new MemberObjects({ connections, selector: managedSelector, onChange() {}, onError });
  const explorer = createExplorer({
    hooks: () => createHookIndex([]),
    native: nativeRulesOf,
    call: () => Promise.reject(new Error('there are no hooks')),
    factsOf: (object) => templates.kinds.of(object),
  });
  const pipeline: Pipeline = {
    client,
    informers,
    templates,
    connections,
    objects,
    explorer,
    onHooks: () => ({ [Symbol.dispose]() {} }),
    record: ({ kind, metadata }, _type, reason, message) => {
      events.push(`${kind} ${metadata.name}: ${reason}`);
      messages.push(message);
    },
    log: { info() {}, warn: (fields) => onError((fields as { err: unknown }).err) },
    now: () => '2026-01-01T00:00:00Z',
    pace: new Pace(),
  };
  templates.follow(servedKinds);
  clustersOf(pipeline);
  bindingsOf(pipeline);
  worksOf(pipeline);
  await informers.synced();
  return {
    fake,
    pipeline,
    events,
    messages,
    failures,
    async [Symbol.asyncDispose]() {
      await Promise.all([informers[Symbol.asyncDispose](), templates[Symbol.asyncDispose]()]);
    },
  };
}
