import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { pods } from '../kinds/pods/kind.ts';
import { encodeObject, ShownObject } from './stored-object.ts';

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: 'shop' } },
  spec: {
    nodeName: 'first',
    containers: [{ name: 'main', env: Array.from({ length: 400 }, (_, n) => ({ name: `A${n}`, value: `${n}` })) }],
  },
  status: { phase: 'Running' },
});

it('LIMIT-2: of an object that selectors looked at, only what they look at is kept', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const values = Array.from({ length: 300 }, (_, n) => encodeObject(pod(`a${n}`)));
  const shown = values.map((value, n) => new ShownObject(pods, `/a${n}`, value, n));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const one of shown) expect(one.labels).toEqual({ app: 'shop' });
  collect();
  // All of them parsed would take 300 times 400 objects.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(3_000_000);
  expect(shown[7]!.fields).toMatchObject({
    'metadata.name': 'a7',
    'spec.nodeName': 'first',
    'status.phase': 'Running',
  });
});
