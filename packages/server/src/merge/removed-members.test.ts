import { notFound, StatusError, unavailable } from '@fleet/kube/status.ts';
import { expect, test } from 'vitest';
import { withoutRemoved } from './removed-members.ts';

const clusters = { group: 'cluster.karmada.io', resource: 'clusters' };

/** Members that leave while a view over them is opened. */
function view(leaving: readonly string[], named: readonly string[] = []) {
  const here = new Set(['m1', 'm2', 'm3']);
  const opened: string[][] = [];
  const sourceOf = (cluster: string) => {
    if (!here.has(cluster)) throw notFound(clusters, cluster);
  };
  const clustersNow = async () => [...here, ...named];
  const open = (fault?: StatusError) =>
    withoutRemoved({ clusters: [...here], sourceOf, clustersNow }, async (asked) => {
      opened.push([...asked]);
      const [next] = leaving.slice(opened.length - 1);
      if (next !== undefined) here.delete(next);
      if (next !== undefined && fault) throw fault;
      for (const cluster of asked) sourceOf(cluster);
      return asked;
    });
  return { open, opened };
}

test('those that left are no part of the view, whenever they leave', async () => {
  const { open, opened } = view(['m2', 'm1']);
  expect(await open()).toEqual(['m3']);
  expect(opened).toEqual([['m1', 'm2', 'm3'], ['m1', 'm3'], ['m3']]);
});

test('LIST-4: a list that lacks one which has left is complete', async () => {
  expect(await view(['m2']).open(unavailable('incomplete'))).toEqual(['m1', 'm3']);
});

test('one that a selector names is 404', async () => {
  await expect(view(['m2'], ['m2']).open()).rejects.toMatchObject({ code: 404 });
});

test('other errors are the answer, and nothing is asked twice', async () => {
  const { open, opened } = view(['m2']);
  await expect(open(new StatusError(403, 'Forbidden', 'no'))).rejects.toMatchObject({ code: 403 });
  expect(opened).toHaveLength(1);
  const complete = withoutRemoved(
    { clusters: ['m1'], sourceOf: () => {}, clustersNow: () => Promise.reject(new Error('asked')) },
    () => Promise.reject(notFound(clusters, 'x')),
  );
  await expect(complete).rejects.toMatchObject({ code: 404 });
});
