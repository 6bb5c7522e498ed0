import { expect, it } from 'vitest';
import { rulesOf } from './member-rules.ts';
import { connectionOf } from './members/member.ts';

const settings = { clusterSecretNamespaces: ['team'], allowedLinkLocal: ['169.254.1.0/24'], maxMemberObjectSize: 4 };

it('SEC-4: what Clusters may name follows from the settings', () => {
  const { secretNamespaces, canDial } = rulesOf(settings);
  expect(secretNamespaces).toEqual(['karmada-cluster', 'team']);
  expect(['169.254.1.7', '169.254.169.254', '127.0.0.1'].map(canDial)).toEqual([true, false, true]);
});

it('SEC-2 SEC-4: both transports to a member keep to them', () => {
  const rules = rulesOf(settings);
  const ref = (name: string) => ({ namespace: 'karmada-cluster', name });
  const spec = { syncMode: 'Push', apiEndpoint: 'https://m1', secretRef: ref('m1') } as const;
  const cluster = { metadata: { name: 'm1' }, spec: { ...spec, impersonatorSecretRef: ref('m1-impersonator') } };
  const connection = connectionOf(cluster, ({ name }) => ({ metadata: { name }, data: {} }), rules);
  const kept = { memory: { objectLimit: 4 * 1024 * 1024 }, canDial: rules.canDial };
  expect(connection).toMatchObject({ is: 'connection', control: kept, impersonator: kept });
});
