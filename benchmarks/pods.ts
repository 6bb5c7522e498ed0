/** Fills a member with pods of a usual size that no scheduler touches. */

import type { Member } from '@fleet/bed/member.ts';

const pod = (index: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `bench-${String(index).padStart(6, '0')}`,
    labels: { app: `app-${index % 50}`, 'pod-template-hash': '5d9f7c8b6', tier: 'backend' },
    annotations: { 'example.fleet/checksum': 'f'.repeat(64), 'example.fleet/note': 'n'.repeat(200) },
  },
  spec: {
    schedulerName: 'nobody',
    containers: ['main', 'sidecar'].map((name) => ({
      name,
      image: `registry.example/team/${name}:v1.2.3`,
      args: ['--listen=:8080', '--log-level=info', `--shard=${index}`],
      env: Array.from({ length: 12 }, (_, i) => ({ name: `SETTING_${i}`, value: `value-${i}-${index}` })),
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
      readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
    })),
  },
});

const writers = 16;

export async function fillWithPods(
  member: Member,
  namespace: string,
  count: number,
  make: (index: number) => object = pod,
): Promise<void> {
  await member.api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
  let next = 0;
  const write = async () => {
    while (next < count) {
      const body = make(next++);
      await member.api.object(`/api/v1/namespaces/${namespace}/pods`, { method: 'POST', body, timeout: 60_000 });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}
