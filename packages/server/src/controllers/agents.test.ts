import { KubeClient } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Agent, agentsPath } from '../members/agent.ts';
import { type Cluster, clustersPath, connectionTypeAnnotation, secretsNamespace } from '../members/cluster.ts';
import { MemberRegistry } from '../members/registry.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { replyOf, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { keepAgents } from './agents.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;
const secretRef = { namespace: secretsNamespace, name: 'm1' };
const tokenRef = { namespace: secretsNamespace, name: 'm1-agent-token' };

const cluster = (annotations: Record<string, string> = {}): Cluster => ({
  metadata: { name: 'm1', uid: 'u', annotations },
  spec: { syncMode: 'Push', secretRef },
});

let controlPlane: FakeControlPlane;
const running = { stack: new AsyncDisposableStack() };

beforeEach(() => {
  running.stack = new AsyncDisposableStack();
  controlPlane = new FakeControlPlane();
  // Collections that are there and empty.
  for (const path of [clustersPath, agentsPath, secretsPath]) controlPlane.get(path, '');
  const { answer } = controlPlane.upstream;
  controlPlane.upstream.answer = (call) => {
    const { method, path, body } = call;
    const [parent, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    if (method === 'GET') return answer(call);
    if (method === 'DELETE') controlPlane.remove(parent, name);
    else {
      const object = JSON.parse(String(body)) as Agent;
      const known = controlPlane.get<Agent>(agentsPath, object.metadata.name);
      if (known?.metadata.resourceVersion !== object.metadata.resourceVersion)
        return statusReply(409, 'Conflict', 'no');
      controlPlane.put(agentsPath, object);
    }
    return replyOf(200, {});
  };
});

afterEach(() => running.stack.disposeAsync());

async function start(): Promise<void> {
  const { log } = silentLog();
  const client = new KubeClient(controlPlane.upstream);
  const members = running.stack.use(new MemberRegistry(client, log));
  await members.synced();
  running.stack.use(keepAgents({ members, controlPlane: client, log }));
}

const agent = () => controlPlane.get<Agent>(agentsPath, 'm1') as Agent | undefined;

describe('KS-5: one Agent per cluster', () => {
  it('is made with its cluster, and follows it', async () => {
    await start();
    controlPlane.put(clustersPath, cluster());
    await vi.waitFor(() => expect(agent()?.spec).toEqual({ secretRef }));
    expect(agent()?.metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'm1', uid: 'u' }]);
    controlPlane.put(clustersPath, cluster({ [connectionTypeAnnotation]: 'proxy' }));
    await vi.waitFor(() => expect(agent()?.spec).toEqual({ secretRef, tokenRef }));
  });

  it('keeps what others have written in it, and is made again when somebody deletes it', async () => {
    controlPlane.put(clustersPath, cluster());
    const publicKeys = ['ssh-ed25519 AAAA'];
    controlPlane.put(agentsPath, { metadata: { name: 'm1' }, spec: { publicKeys } } as Agent);
    await start();
    await vi.waitFor(() => expect(agent()?.spec).toEqual({ secretRef, publicKeys }));
    controlPlane.remove(agentsPath, 'm1');
    await vi.waitFor(() => expect(agent()?.spec).toEqual({ secretRef }));
  });

  it('goes with its cluster, and its token with it, also if nobody saw the cluster go', async () => {
    controlPlane.put(agentsPath, { metadata: { name: 'm1', uid: 'a' } });
    const annotations = { 'fleet.karmada.io/cluster': 'm1' };
    controlPlane.put(secretsPath, { metadata: { ...tokenRef, annotations } });
    await start();
    await vi.waitFor(() => expect(agent()).toBeUndefined());
    expect(controlPlane.get(secretsPath, tokenRef.name)).toBeUndefined();
  });

  it('a Secret of that name that is another cluster’s stays', async () => {
    controlPlane.put(agentsPath, { metadata: { name: 'm1', uid: 'a' } });
    controlPlane.put(secretsPath, { metadata: { ...tokenRef } });
    await start();
    await vi.waitFor(() => expect(agent()).toBeUndefined());
    expect(controlPlane.get(secretsPath, tokenRef.name)).toBeDefined();
  });
});
