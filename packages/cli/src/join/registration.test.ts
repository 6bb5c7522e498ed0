import { connectionOf } from '@fleet/server/members/member.ts';
import { expect, it } from 'vitest';
import { type Cluster, secretsNamespace } from '../cluster.ts';
import { clusterOf, secretsOf } from './registration.ts';

it.each(['member1', 'a-impersonator'])('SEC-4: the Secrets of %s serve it, and no other cluster', (name) => {
  const secrets = secretsOf(name, { control: 'dA==', impersonator: 'dA==', ca: undefined });
  const read = (ref: { namespace: string; name: string }) => {
    expect(ref.namespace).toBe(secretsNamespace);
    return secrets.map(({ object }) => object).find(({ metadata }) => metadata.name === ref.name);
  };
  const endpoint = { url: 'https://127.0.0.1:1', tls: {} };
  const cluster = (of: string) => {
    const { object } = clusterOf({ name, uid: 'u', endpoint });
    return { ...object, metadata: { ...object.metadata, name: of } } as unknown as Cluster;
  };
  expect(connectionOf(cluster(name), read)).toMatchObject({ is: 'connection' });
  for (const other of ['other', `${name}-impersonator`]) {
    expect(connectionOf(cluster(other), read)).toMatchObject({ reason: 'SecretNotAllowed' });
  }
});
