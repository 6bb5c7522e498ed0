import { createCa } from '@fleet/apiserver/pki/certificates.ts';
import { KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, clustersPath, type Secret, secretsNamespace } from '../members/cluster.ts';
import { clusterAnnotation } from '../members/credential.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { replyOf } from '../testing/fake-upstream.ts';
import { HandedCredentials } from './handed-credentials.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
let caBundle: string;
let controlPlane: FakeControlPlane;
let now: number;
let handed: HandedCredentials;

beforeAll(async () => {
  caBundle = (await createCa('member')).cert;
});

beforeEach(() => {
  controlPlane = new FakeControlPlane();
  const { answer } = controlPlane.upstream;
  controlPlane.upstream.answer = (call) => {
    if (call.method !== 'POST' && call.method !== 'PUT') return answer(call);
    controlPlane.put(secretsPath, JSON.parse(String(call.body)) as KubeObject);
    return replyOf(200, {});
  };
  controlPlane.put(clustersPath, { metadata: { name: 'm1' }, spec: { syncMode: 'Push' } } as Cluster);
  now = 0;
  handed = new HandedCredentials(new KubeClient(controlPlane.upstream), () => now);
});

const credentials = (controlToken = 'control') => ({ caBundle, controlToken, impersonatorToken: 'as-users' });
const secret = (name: string) => controlPlane.get<Secret>(secretsPath, name);

describe('AGENT-10: what an agent hands over', () => {
  it('becomes the Secrets of its cluster, which refers to them', async () => {
    expect(await handed.store('m1', credentials('control\n'))).toBe(true);
    const annotations = { [clusterAnnotation]: 'm1' };
    expect(secret('m1')).toMatchObject({ metadata: { annotations }, data: { token: base64('control') } });
    expect(secret('m1-impersonator')).toMatchObject({
      metadata: { annotations },
      data: { token: base64('as-users'), caBundle: base64(caBundle) },
    });
    expect(controlPlane.get<Cluster>(clustersPath, 'm1').spec).toMatchObject({
      secretRef: { namespace: secretsNamespace, name: 'm1' },
      impersonatorSecretRef: { namespace: secretsNamespace, name: 'm1-impersonator' },
      apiEndpoint: 'https://kubernetes.default.svc:443',
    });
  });

  it('AGENT-9: is not written where it is not allowed any more when its turn has come', async () => {
    const before = handed.store('m1', credentials('first'));
    let isAllowed = true;
    const check = () => {
      if (!isAllowed) throw new Error('the token was revoked');
    };
    const after = handed.store('m1', credentials('second'), check);
    await before;
    isAllowed = false;
    await expect(after).rejects.toMatchObject({ cause: { message: 'the token was revoked' } });
    expect(secret('m1').data?.['token']).toBe(base64('first'));
    isAllowed = true;
    expect(await handed.store('m1', credentials('second'), check)).toBe(true);
  });

  it('is written once, and again when it changes; an endpoint that is there stays', async () => {
    const spec = { syncMode: 'Push', apiEndpoint: 'https://10.0.0.1:6443' };
    controlPlane.put(clustersPath, { metadata: { name: 'm1' }, spec } as Cluster);
    await handed.store('m1', credentials());
    expect(await handed.store('m1', credentials())).toBe(false);
    expect(await handed.store('m1', credentials('renewed'))).toBe(true);
    expect(secret('m1').data?.['token']).toBe(base64('renewed'));
    expect(controlPlane.get<Cluster>(clustersPath, 'm1').spec.apiEndpoint).toBe('https://10.0.0.1:6443');
  });

  it('SEC-4: overwrites nothing of another cluster', async () => {
    const metadata = { name: 'm1-impersonator', annotations: { [clusterAnnotation]: 'm1-impersonator' } };
    controlPlane.put(secretsPath, { metadata, data: { token: 'x' } } as Secret);
    await expect(handed.store('m1', credentials())).rejects.toThrow('is not one of this cluster');
    expect(secret('m1-impersonator').data).toEqual({ token: 'x' });
    expect(secret('m1')).toBeUndefined();
  });

  it('changes only so often', async () => {
    for (let i = 0; i < 5; i++) await handed.store('m1', credentials(`token-${i}`));
    await expect(handed.store('m1', credentials('one-more'))).rejects.toThrow('too often');
    now += 60_000;
    await handed.store('m1', credentials('later'));
    expect(secret('m1').data?.['token']).toBe(base64('later'));
    await expect(handed.store('m1', credentials('again'))).rejects.toThrow('too often');
  });

  it.each([
    ['a token is empty', () => ({ ...credentials(), controlToken: ' ' })],
    ['a token is empty', () => ({ ...credentials(), impersonatorToken: 'a\r\nb: c' })],
    ['the CA cannot be read', () => ({ ...credentials(), caBundle: 'nonsense' })],
  ])('is refused where %s', async (why, wrong) => {
    await expect(handed.store('m1', wrong())).rejects.toThrow(why);
    expect(secret('m1')).toBeUndefined();
  });

  it('the message of the control plane is not for the agent', async () => {
    controlPlane.upstream.answer = () => Promise.reject(new Error('10.1.2.3 is down'));
    await expect(handed.store('m1', credentials())).rejects.toThrow(/^they could not be stored: the log of the server/);
  });
});
