import { KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { StillClock } from '@fleet/tunnel/testing/still-clock.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { replyOf, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { keepHostKeyPublished } from './published-host-key.ts';

const path = '/api/v1/namespaces/karmada-cluster/configmaps';
const name = 'fleet-agent-server';
const hour = 60 * 60 * 1000;
const day = 24 * hour;

let controlPlane: FakeControlPlane;
let clock: StillClock;
let requests: string[];
/** Called before a request is answered. */
let before: (method: string) => void;

beforeEach(() => {
  controlPlane = new FakeControlPlane();
  clock = new StillClock();
  [requests, before] = [[], () => {}];
  const { answer } = controlPlane.upstream;
  controlPlane.upstream.answer = (call) => {
    requests.push(call.method);
    before(call.method);
    if (call.method !== 'POST') return answer(call);
    if (controlPlane.get(path, name)) return statusReply(409, 'AlreadyExists', 'it is there');
    controlPlane.put(path, JSON.parse(String(call.body)) as KubeObject);
    return replyOf(201, {});
  };
});

const published = (data: Record<string, string>) => controlPlane.put(path, { metadata: { name }, data } as KubeObject);
const data = () => controlPlane.get<KubeObject & { data: Record<string, string> }>(path, name).data;
const line = (key: string, ago = 0) => `ssh-ed25519 ${key} ${timeText(clock.now() - ago)}`;
const keep = (replica: string, key: string, log = silentLog().log) =>
  keepHostKeyPublished({
    ...{ controlPlane: new KubeClient(controlPlane.upstream), clock, log },
    key: { replica, publicKey: `ssh-ed25519 ${key}` },
  });

describe('AGENT-3: the public host key', () => {
  it('is published beside those of others', async () => {
    await using _one = await keep('one', 'AAAA');
    await using _two = await keep('two', 'BBBB');
    await using _again = await keep('one', 'CCCC');
    expect(data()).toEqual({ one: line('CCCC'), two: line('BBBB') });
  });

  it('has the time at which its server was last seen, anew each hour while it runs', async () => {
    const started = clock.now();
    {
      await using _one = await keep('one', 'AAAA');
      clock.advance(hour);
      await vi.waitFor(() => expect(data()).toEqual({ one: line('AAAA') }));
      clock.advance(hour);
      await vi.waitFor(() => expect(data()).toEqual({ one: line('AAAA') }));
      expect(clock.now()).toBe(started + 2 * hour);
    }
    expect(clock.pending).toBe(0);
  });

  it('goes when its server has not been seen for seven days; one that was written by hand stays', async () => {
    const almost = 7 * day - hour / 2;
    published({
      gone: line('AAAA', 7 * day + 1000),
      down: line('BBBB', almost),
      byHand: 'ssh-ed25519 CCCC',
      one: line('DDDD', 30 * day),
    });
    await using _one = await keep('one', 'DDDD');
    expect(data()).toEqual({ down: line('BBBB', almost), byHand: 'ssh-ed25519 CCCC', one: line('DDDD') });
    clock.advance(hour);
    await vi.waitFor(() => expect(data()).toEqual({ byHand: 'ssh-ed25519 CCCC', one: line('DDDD') }));
  });

  it('of a server that comes back at that moment stays', async () => {
    published({ back: line('AAAA', 8 * day) });
    before = (method) => {
      if (method === 'PATCH' && !requests.slice(0, -1).includes('PATCH')) published({ back: line('AAAA') });
    };
    await using _one = await keep('one', 'BBBB');
    expect(data()).toEqual({ back: line('AAAA'), one: line('BBBB') });
  });

  it('is added to what another replica made a moment before', async () => {
    before = (method) => {
      if (method === 'POST') published({ other: line('AAAA') });
    };
    await using _one = await keep('one', 'BBBB');
    expect(data()).toEqual({ other: line('AAAA'), one: line('BBBB') });
  });

  it('is tried again where it could not be written, which keeps nobody from being served', async () => {
    before = (method) => {
      if (method === 'GET') throw new Error('the control plane is gone');
    };
    const { log, lines } = silentLog();
    await using _one = await keep('one', 'AAAA', log);
    expect(lines).toMatchObject([{ level: 'warn', msg: 'the host key for agents could not be published' }]);
    before = () => {};
    clock.advance(hour);
    await vi.waitFor(() => expect(data()).toEqual({ one: line('AAAA') }));
  });
});
