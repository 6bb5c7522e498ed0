import { expect, it } from 'vitest';
import type { Container, Pod } from '../pods/pod.ts';
import { scriptFiles } from './script-files.ts';

const container: Container = {
  name: 'c',
  volumeMounts: [
    { name: 'own', mountPath: '/own' },
    { name: 'host', mountPath: '/host' },
  ],
};
const pod = (uid: string): Pod => ({
  metadata: { name: 'p', uid },
  spec: { containers: [container], volumes: [{ name: 'own' }, { name: 'host', hostPath: { path: '/tmp/x' } }] },
});

it('keeps files as long as what they are in', () => {
  const ofNode = new Set<string>();
  const first = new Set<string>();
  const paths = ['/own/a', '/host/a', '/tmp/a'];
  const files = scriptFiles(pod('1'), container, first, ofNode);
  for (const path of paths) files.add(path);
  const found = (of: Set<string>) => paths.filter((path) => scriptFiles(pod('1'), container, of, ofNode).has(path));
  expect(paths.filter((path) => files.has(path))).toEqual(paths);
  expect(found(first)).toEqual(['/own/a', '/host/a']);
  expect(found(new Set())).toEqual(['/host/a']);
  files.delete('/host/a');
  expect(found(first)).toEqual(['/own/a']);
});

it('keeps a file in the innermost of its mounts', () => {
  const nested = {
    ...container,
    volumeMounts: [...container.volumeMounts!, { name: 'host', mountPath: '/own/deep/' }],
  };
  const [ofPod, ofNode] = [new Set<string>(), new Set<string>()];
  const files = scriptFiles(pod('1'), nested, ofPod, ofNode);
  for (const path of ['/own/a', '/own/deep/a']) files.add(path);
  expect([...ofPod, ...ofNode]).toEqual(['own/a', '/tmp/x/a']);
});

it('keeps neither many files nor long paths', () => {
  const long = pod('1');
  long.spec.volumes![1]!.hostPath!.path = `/${'x'.repeat(5000)}`;
  const ofNode = new Set<string>();
  scriptFiles(long, container, new Set(), ofNode).add('/host/a');
  expect(ofNode.size).toBe(0);
  const files = scriptFiles(pod('1'), container, new Set(), ofNode);
  for (let n = 0; n < 2000; n++) files.add(`/host/${n}`);
  expect(ofNode.size).toBe(1000);
});
