import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import type { KubeObject } from './kube-object.ts';
import { keepTimes } from './managed-times.ts';

const entry = (manager: string, time: string) => ({ manager, operation: 'Apply', time });
const object = (entries: object[], rest: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a', managedFields: entries },
  ...rest,
});

describe('COMPAT-4: the times of owners', () => {
  it.each([
    ['nothing else is new', [entry('ann', '2')], {}, '1'],
    ['an owner is new', [entry('ben', '2')], {}, '2'],
    ['the object is new', [entry('ann', '2')], { data: { a: 'Yg==' } }, '2'],
  ])('if %s', (_, entries, rest, time) => {
    const next = object(entries, rest);
    keepTimes(next, object([entry('ann', '1')]));
    expect(next.metadata.managedFields).toMatchObject([{ time }]);
  });

  it('stay if what is applied is there in another field', async () => {
    const { ask } = await openServer();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { a: 'b' } };
    const apply = () =>
      ask('PATCH', '/api/v1/namespaces/default/secrets/a?fieldManager=ann', secret, {
        'content-type': 'application/apply-patch+yaml',
      });
    const first = await apply();
    // Times have whole seconds.
    const second = Date.parse((first.body.metadata!['managedFields'] as { time: string }[])[0]!.time) / 1000;
    while (Math.floor(Date.now() / 1000) === second) await new Promise(setImmediate);
    expect((await apply()).body.metadata).toEqual(first.body.metadata);
  });
});
