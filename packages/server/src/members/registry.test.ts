import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jsonReply } from '../http/message.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { startListening } from '../testing/listening.ts';
import { silentLog } from '../testing/silent-log.ts';
import { activeAnnotation, clustersPath, connectionTypeAnnotation, secretsNamespace } from './cluster.ts';
import { clusterAnnotation } from './credential.ts';
import { defaultRules, type MemberRules } from './member.ts';
import { MemberRegistry } from './registry.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;

const cluster = (name: string, apiEndpoint = 'https://127.0.0.1:1') => ({
  metadata: { name, uid: `uid-${name}` },
  spec: { syncMode: 'Push' as const, apiEndpoint, secretRef: { namespace: secretsNamespace, name } },
});

const secret = (name: string, token = 't') => ({
  metadata: { name, namespace: secretsNamespace },
  data: { token: Buffer.from(token).toString('base64') },
});

let controlPlane: FakeControlPlane;
let registry: MemberRegistry;
const seen: string[] = [];

let logged: ReturnType<typeof silentLog>;

async function open(rules?: MemberRules): Promise<void> {
  logged = silentLog();
  registry = new MemberRegistry(new KubeClient(controlPlane.upstream), logged.log, rules);
  for (const event of ['joined', 'changed', 'left'] as const) {
    registry.events.on(event, ({ name }) => seen.push(`${event} ${name}`));
  }
  await registry.synced();
}

beforeEach(() => {
  seen.length = 0;
  controlPlane = new FakeControlPlane();
  controlPlane.put(secretsPath, secret('b'));
  controlPlane.put(clustersPath, cluster('b'));
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
});

const codeOf = (name: string): number => {
  try {
    registry.get(name);
    return 200;
  } catch (error) {
    return (error as { code: number }).code;
  }
};

describe('CP-4: the member registry, on a control plane in the same process', () => {
  it('knows the clusters that are there and those that join, in name order', async () => {
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    controlPlane.put(secretsPath, secret('a'));
    controlPlane.put(clustersPath, cluster('a'));
    await vi.waitFor(() => expect(codeOf('a')).toBe(200));
    expect(registry.names()).toEqual(['a', 'b']);
    expect(seen).toEqual(['joined b', 'joined a']);
  });

  it('NAME-8: an unknown cluster is 404, one without a credential 503', async () => {
    controlPlane.put(clustersPath, cluster('bare'));
    await open();
    expect(() => registry.get('zz')).toThrow('clusters.cluster.karmada.io "zz" not found');
    expect(codeOf('zz')).toBe(404);
    expect(codeOf('bare')).toBe(503);
    expect(registry.names()).toContain('bare');
  });

  it.each(['http://%ff@127.0.0.1:2', 'http://alice:50%off@127.0.0.1:2'])(
    'SEC-2: a Cluster with the proxyURL %s is a connection error of its own, now and after a restart',
    async (proxyURL) => {
      await open();
      const bad = { ...cluster('bad'), spec: { ...cluster('bad').spec, proxyURL } };
      controlPlane.put(secretsPath, secret('bad'));
      controlPlane.put(clustersPath, bad);
      controlPlane.put(secretsPath, secret('z'));
      controlPlane.put(clustersPath, cluster('z'));
      for (const restart of [false, true]) {
        if (restart) {
          await registry[Symbol.asyncDispose]();
          await open();
        }
        await vi.waitFor(() => expect([codeOf('b'), codeOf('z'), codeOf('bad')]).toEqual([200, 200, 503]));
        expect([...registry.blocked()]).toMatchObject([[bad, { reason: 'EndpointInvalid' }]]);
      }
    },
  );

  it('SEC-2: whatever else is thrown for one Cluster stops no other', async () => {
    const canDial = () => true;
    // As a check that does not know of something that the connection cannot bear.
    const rules = {
      ...defaultRules,
      canDial,
      get objectLimit(): number {
        throw new Error('planted');
      },
    };
    await open(rules);
    expect(codeOf('b')).toBe(503);
    expect([...registry.blocked()]).toMatchObject([[{ metadata: { name: 'b' } }, { reason: 'EndpointInvalid' }]]);
    controlPlane.put(clustersPath, cluster('later'));
    await vi.waitFor(() => expect(registry.names()).toEqual(['b', 'later']));
    expect(logged.lines.filter(({ msg }) => msg.includes('cannot be processed'))).not.toEqual([]);
  });

  it('CLU-2: the credential may come after the Cluster', async () => {
    controlPlane.put(clustersPath, cluster('late'));
    await open();
    expect(codeOf('late')).toBe(503);
    controlPlane.put(secretsPath, secret('late'));
    await vi.waitFor(() => expect(codeOf('late')).toBe(200));
  });

  it('CLU-4: a changed credential or endpoint means a new connection, other changes do not', async () => {
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    const first = registry.get('b');
    controlPlane.put(clustersPath, {
      ...cluster('b'),
      metadata: { name: 'b', uid: 'uid-b', labels: { x: 'y' } },
    } as never);
    await vi.waitFor(() => expect(registry.get('b').cluster.metadata.labels).toEqual({ x: 'y' }));
    expect(registry.get('b')).toBe(first);

    controlPlane.put(secretsPath, secret('b', 'rotated'));
    await vi.waitFor(() => expect(registry.get('b')).not.toBe(first));
    const second = registry.get('b');
    controlPlane.put(clustersPath, cluster('b', 'https://127.0.0.1:2'));
    await vi.waitFor(() => expect(registry.get('b')).not.toBe(second));
    expect(seen).toEqual(['joined b', 'changed b', 'changed b']);
  });

  it('KS-2: deactivated, it is 503 and what goes to it ends; its probes go on', async () => {
    const hanging = new Set<string>();
    await using server = await startListening(async ({ url }) => {
      if (url !== '/stream') return jsonReply(200, {});
      hanging.add(url);
      return new Promise<never>(() => {});
    });
    const data = { ...secret('b').data, caBundle: Buffer.from(server.ca.cert).toString('base64') };
    const withCa = { ...secret('b'), data };
    controlPlane.put(secretsPath, withCa);
    const known = cluster('b', server.url);
    controlPlane.put(clustersPath, known);
    await open();
    const { impersonator, control } = registry.get('b');
    const call = { method: 'GET', headers: {}, signal: AbortSignal.timeout(10_000) };
    const stream = impersonator.call({ ...call, path: '/stream' }).then(
      () => 'answered',
      () => 'ended',
    );
    await vi.waitFor(() => expect(hanging.size).toBe(1));
    const annotations = { [activeAnnotation]: 'false' };
    controlPlane.put(clustersPath, { ...known, metadata: { ...known.metadata, annotations } });
    expect(await stream).toBe('ended');
    expect(() => registry.get('b')).toThrow('cluster is not active');
    expect((await control.call({ ...call, path: '/readyz' })).status).toBe(200);
    controlPlane.put(clustersPath, known);
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
  });

  it('AGENT-11: a Cluster of connection type proxy has no connection, whatever its endpoint and Secret are', async () => {
    const metadata = { ...cluster('b').metadata, annotations: { [connectionTypeAnnotation]: 'proxy' } };
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    controlPlane.put(clustersPath, { ...cluster('b'), metadata });
    await vi.waitFor(() => expect(codeOf('b')).toBe(503));
    expect([...registry.blocked()]).toMatchObject([[{}, { reason: 'AgentNotConnected' }]]);
    expect(registry.all()).toEqual([]);
  });

  it('CLU-4: what holds a member goes on after its credential changed, with the new one', async () => {
    const tokens: unknown[] = [];
    await using server = await startListening(async ({ headers }) => {
      tokens.push(headers['authorization']);
      return jsonReply(200, {});
    });
    const ask = async (upstream: Upstream): Promise<number> => {
      const signal = AbortSignal.timeout(5_000);
      const { status, body } = await upstream.call({ method: 'GET', path: '/', headers: {}, signal });
      await body.bytes();
      return status;
    };
    const withCa = (token: string) => ({
      ...secret('b'),
      data: { ...secret('b', token).data, caBundle: Buffer.from(server.ca.cert).toString('base64') },
    });
    controlPlane.put(secretsPath, withCa('first'));
    controlPlane.put(clustersPath, cluster('b', server.url));
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    // As a list between two pages, whose next request comes after the rotation.
    const { impersonator, control } = registry.get('b');
    expect(await ask(impersonator)).toBe(200);
    for (const token of ['second', 'third']) {
      const before = registry.get('b');
      controlPlane.put(secretsPath, withCa(token));
      await vi.waitFor(() => expect(registry.get('b')).not.toBe(before));
      expect([await ask(impersonator), await ask(control)]).toEqual([200, 200]);
      expect(tokens.slice(-2)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
    }
    // Asked in the same moment: the old connections may close under it before it is sent.
    const before = registry.get('b');
    const { call } = HttpsUpstream.prototype;
    const spy = vi.spyOn(HttpsUpstream.prototype, 'call').mockImplementation(async function (this: HttpsUpstream, one) {
      await vi.waitFor(() => expect(registry.get('b')).not.toBe(before));
      spy.mockRestore();
      return call.call(this, one);
    });
    const asked = ask(impersonator);
    controlPlane.put(secretsPath, withCa('fourth'));
    expect(await asked).toBe(200);
    expect(tokens.at(-1)).toBe('Bearer fourth');
  });

  it('CLU-4: what holds a member goes on after its Secret was deleted and made again, however often', async () => {
    const tokens: unknown[] = [];
    await using server = await startListening(async ({ headers }) => {
      tokens.push(headers['authorization']);
      return jsonReply(200, {});
    });
    const withCa = (token: string) => ({
      ...secret('b'),
      data: { ...secret('b', token).data, caBundle: Buffer.from(server.ca.cert).toString('base64') },
    });
    controlPlane.put(secretsPath, withCa('first'));
    controlPlane.put(clustersPath, cluster('b', server.url));
    await open();
    const { impersonator, control } = registry.get('b');
    for (const token of ['second', 'third']) {
      controlPlane.remove(secretsPath, 'b');
      await vi.waitFor(() => expect(codeOf('b')).toBe(503));
      controlPlane.put(secretsPath, withCa(token));
      await vi.waitFor(() => expect(codeOf('b')).toBe(200));
      for (const upstream of [impersonator, control]) {
        const signal = AbortSignal.timeout(5_000);
        const { status, body } = await upstream.call({ method: 'GET', path: '/', headers: {}, signal });
        await body.bytes();
        expect({ status, token: tokens.at(-1) }).toEqual({ status: 200, token: `Bearer ${token}` });
      }
    }
  });

  it('CLU-6: but not to another Cluster of that name: all that goes to the old one ends', async () => {
    await open();
    const first = registry.get('b');
    const dials = vi.spyOn(HttpsUpstream.prototype, 'call');
    controlPlane.remove(secretsPath, 'b');
    await vi.waitFor(() => expect(codeOf('b')).toBe(503));
    const again = cluster('b', 'https://127.0.0.1:2');
    controlPlane.put(clustersPath, { ...again, metadata: { ...again.metadata, uid: 'another' } });
    controlPlane.put(secretsPath, secret('b', 'of the other'));
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    const call = { method: 'GET', path: '/', headers: {}, signal: AbortSignal.timeout(5_000) };
    await expect(first.impersonator.call(call)).rejects.toMatchObject({ cause: { code: 'UND_ERR_DESTROYED' } });
    expect(dials).toHaveBeenCalledTimes(1);
    dials.mockRestore();
  });

  it('CLU-6: a Cluster that was deleted and made again is another one, though nobody saw it go', async () => {
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    const first = registry.get('b');
    const again = cluster('b');
    controlPlane.put(clustersPath, { ...again, metadata: { ...again.metadata, uid: 'another' } });
    await vi.waitFor(() => expect(registry.get('b')).not.toBe(first));
    expect(seen).toEqual(['joined b', 'left b', 'joined b']);
    const call = { method: 'GET', path: '/', headers: {}, signal: AbortSignal.timeout(5_000) };
    await expect(first.impersonator.call(call)).rejects.toMatchObject({ cause: { code: 'UND_ERR_DESTROYED' } });
  });

  it('CLU-4: a Secret in another namespace that is allowed works, and is used when it changes', async () => {
    const teamSecrets = '/api/v1/namespaces/team/secrets';
    const metadata = { name: 'far', namespace: 'team', annotations: { [clusterAnnotation]: 'far' } };
    controlPlane.put(teamSecrets, { ...secret('far'), metadata });
    const far = { ...cluster('far'), spec: { ...cluster('far').spec, secretRef: { namespace: 'team', name: 'far' } } };
    controlPlane.put(clustersPath, far);
    await open({ ...defaultRules, secretNamespaces: [secretsNamespace, 'team'] });
    expect(codeOf('far')).toBe(200);
    expect(controlPlane.upstream.paths).toContainEqual(
      expect.stringContaining(`GET ${teamSecrets}?fieldSelector=metadata.name%3Dfar&limit=500`),
    );
    const first = registry.get('far');
    controlPlane.put(teamSecrets, { ...secret('far', 'new'), metadata });
    await vi.waitFor(() => expect(registry.get('far')).not.toBe(first));
    controlPlane.remove(teamSecrets, 'far');
    await vi.waitFor(() => expect(codeOf('far')).toBe(503));
    expect([...registry.blocked()]).toMatchObject([[{}, { message: expect.stringContaining('team/far') }]]);
  });

  it('SEC-4: a Secret in another namespace is not even read; the Cluster and the log name how to allow it', async () => {
    const teamSecrets = '/api/v1/namespaces/team/secrets';
    controlPlane.put(teamSecrets, { ...secret('far'), metadata: { name: 'far', namespace: 'team' } });
    const far = { ...cluster('far'), spec: { ...cluster('far').spec, secretRef: { namespace: 'team', name: 'far' } } };
    controlPlane.put(clustersPath, far);
    await open();
    expect(codeOf('far')).toBe(503);
    const message = expect.stringContaining('--cluster-secret-namespaces team');
    expect([...registry.blocked()]).toMatchObject([[{}, { reason: 'SecretNotAllowed', message }]]);
    expect(logged.lines).toContainEqual(expect.objectContaining({ cluster: 'far', reason: 'SecretNotAllowed' }));
    expect(controlPlane.upstream.paths.join()).not.toContain(teamSecrets);
  });

  it('SEC-4: a Secret of another Cluster is not used, whichever of the two fields names it', async () => {
    controlPlane.put(secretsPath, secret('mallory'));
    const { spec } = cluster('mallory', 'https://127.0.0.1:9');
    const stolen = { namespace: secretsNamespace, name: 'b' };
    const mallory = { metadata: { name: 'mallory', uid: 'x' }, spec: { ...spec, secretRef: stolen } };
    controlPlane.put(clustersPath, mallory);
    await open();
    expect({ mallory: codeOf('mallory'), b: codeOf('b') }).toEqual({ mallory: 503, b: 200 });
    controlPlane.put(clustersPath, {
      metadata: { name: 'mallory', uid: 'x', labels: { seen: 'yes' } },
      spec: { ...spec, impersonatorSecretRef: stolen },
    } as never);
    await vi.waitFor(() => expect(registry.cluster('mallory')?.metadata.labels).toEqual({ seen: 'yes' }));
    expect(codeOf('mallory')).toBe(503);
    const message = expect.stringContaining('annotated fleet.karmada.io/cluster: mallory');
    expect([...registry.blocked()]).toMatchObject([[{}, { reason: 'SecretNotAllowed', message }]]);
  });

  it('KS-2: a cluster that is not active is 503 and in no view, until it is again', async () => {
    const off = { ...cluster('b'), metadata: { name: 'b', annotations: { 'cluster.kubesphere.io/active': 'false' } } };
    controlPlane.put(clustersPath, off as never);
    await open();
    expect(() => registry.get('b')).toThrow('cluster is not active');
    expect({ code: codeOf('b'), names: registry.names() }).toEqual({ code: 503, names: [] });
    controlPlane.put(clustersPath, cluster('b'));
    await vi.waitFor(() => expect(registry.names()).toEqual(['b']));
    expect(codeOf('b')).toBe(200);
  });

  it('a removed cluster is unknown', async () => {
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    controlPlane.remove(clustersPath, 'b');
    await vi.waitFor(() => expect(codeOf('b')).toBe(404));
    expect(registry.all()).toEqual([]);
    expect(seen).toEqual(['joined b', 'left b']);
  });

  describe('CLU-6, FED-9: a deleted one in which something has to be removed first', () => {
    const known = (url?: string) => cluster('b', url);
    const going = (url?: string) => {
      const { metadata, spec } = known(url);
      const finalizers = ['karmada.io/cluster-controller'];
      return { spec, metadata: { ...metadata, finalizers, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    };

    it('is unknown to users, whose streams end; the product reaches it until that is done', async () => {
      const hanging = new Set<string>();
      await using server = await startListening(async ({ url }) => {
        if (url !== '/stream') return jsonReply(200, {});
        hanging.add(url);
        return new Promise<never>(() => {});
      });
      const data = { ...secret('b').data, caBundle: Buffer.from(server.ca.cert).toString('base64') };
      const withCa = { ...secret('b'), data };
      controlPlane.put(secretsPath, withCa);
      controlPlane.put(clustersPath, known(server.url));
      await open();
      const call = () => ({ method: 'GET', headers: {}, signal: AbortSignal.timeout(10_000) });
      const stream = registry
        .get('b')
        .impersonator.call({ ...call(), path: '/stream' })
        .then(
          () => 'answered',
          () => 'ended',
        );
      await vi.waitFor(() => expect(hanging.size).toBe(1));
      controlPlane.put(clustersPath, going(server.url));
      expect(await stream).toBe('ended');
      expect(codeOf('b')).toBe(404);
      expect([registry.names(), registry.all(), registry.connected('b')]).toEqual([[], [], undefined]);
      const { control } = registry.leaving('b')!;
      expect((await control.call({ ...call(), path: '/readyz' })).status).toBe(200);
      // What others change does not end it.
      const written = going(server.url);
      controlPlane.put(clustersPath, { ...written, metadata: { ...written.metadata, labels: { a: 'b' } } });
      await vi.waitFor(() => expect(registry.cluster('b')?.metadata.labels).toEqual({ a: 'b' }));
      expect(registry.leaving('b')?.control).toBe(control);
      controlPlane.put(clustersPath, { ...written, metadata: { ...written.metadata, finalizers: [] } });
      await vi.waitFor(() => expect(registry.leaving('b')).toBeUndefined());
      await expect(control.call({ ...call(), path: '/readyz' })).rejects.toThrow();
    });

    it('is reached after a restart, too, and not without a credential', async () => {
      controlPlane.put(clustersPath, going());
      await open();
      expect(registry.allLeaving().map(({ name }) => name)).toEqual(['b']);
      expect(registry.all()).toEqual([]);
      controlPlane.remove(secretsPath, 'b');
      await vi.waitFor(() => expect(registry.leaving('b')).toBeUndefined());
    });
  });

  it('a Cluster whose endpoint is no URL harms nobody else', async () => {
    for (const [name, endpoint] of [
      ['a', '10.0.0.1:6443'],
      ['a2', 'ftp://x'],
      ['a3', 'nonsense'],
    ] as const) {
      controlPlane.put(secretsPath, secret(name));
      controlPlane.put(clustersPath, cluster(name, endpoint));
    }
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    // One that comes while the product runs must not hold up those that come after it.
    controlPlane.put(secretsPath, secret('c'));
    controlPlane.put(clustersPath, cluster('c', 'still nonsense'));
    controlPlane.put(secretsPath, secret('d'));
    controlPlane.put(clustersPath, cluster('d'));
    await vi.waitFor(() => expect(codeOf('d')).toBe(200));
    expect(['a', 'a2', 'a3'].map(codeOf)).toEqual([503, 503, 503]);
    controlPlane.put(clustersPath, cluster('a', 'https://127.0.0.1:3'));
    await vi.waitFor(() => expect(codeOf('a')).toBe(200));
  });
});
