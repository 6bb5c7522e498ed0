import { expect, test } from 'vitest';
import { runningPod } from '../testing/pods.ts';
import { couldHold, filesOf } from './files.ts';

const open = (volumeMounts: { name: string; mountPath: string }[], workingDir?: string) => {
  const pod = runningPod({ image: 'busybox', volumeMounts, ...(workingDir ? { workingDir } : {}) });
  return filesOf(pod, pod.spec.containers[0]!, ['ls']);
};

test('a container has its directories, its mounts and files', () => {
  const files = open([{ name: 'data', mountPath: '/data/a/../b/' }], '/work/here');
  expect(files.entries('/')).toEqual('bin data dev etc home proc root tmp usr var work'.split(' '));
  expect([files.entries('/data'), files.entries('/data/b'), files.entries('/work')]).toEqual([['b'], [], ['here']]);
  expect([files.isDirectory('/bin'), files.isDirectory('/bin/ls'), files.entries('/bin/ls')]).toEqual([
    true,
    false,
    undefined,
  ]);
});

test('paths that are long or many cost no more than their text', () => {
  const deep = (length: number) => '/a'.repeat(length / 2);
  // As full prefixes, 1,000 GB.
  const files = open([{ name: 'x', mountPath: deep(2_000_000) }], deep(2_000_000));
  expect(files.isDirectory('/a')).toBe(false);
  const mounts = Array.from({ length: 700 }, (_, n) => ({ name: 'x', mountPath: `/${n}${deep(4000)}` }));
  expect(open(mounts).isDirectory('/0/a/a')).toBe(true);
  const begun = process.cpuUsage();
  const holds = couldHold({ name: 'app', image: 'busybox', volumeMounts: mounts });
  for (let n = 0; n < 10_000; n++) holds(`/${n}/a`);
  expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000);
});

test('a volume may hold any file below it, and an image that is no shell any file', () => {
  const holds = couldHold({ name: 'app', image: 'busybox', volumeMounts: [{ name: 'data', mountPath: '/data/' }] });
  expect(['/data/x', '/data', '/database/x', '/x'].map(holds)).toEqual([true, false, false, false]);
  expect(couldHold({ name: 'app', image: 'shop/cart' })('/x')).toBe(true);
});
