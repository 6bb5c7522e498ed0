import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

interface Mistake {
  object: { kind: string };
  /** The errors of kube-apiserver 1.36.3, sorted. */
  causes: string[];
}

const mistakes = readFileSync(new URL('./testing/core-mistakes.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Mistake);

const resources: Readonly<Record<string, string>> = {
  Pod: 'namespaces/default/pods',
  Service: 'namespaces/default/services',
  Endpoints: 'namespaces/default/endpoints',
  PersistentVolumeClaim: 'namespaces/default/persistentvolumeclaims',
  ReplicationController: 'namespaces/default/replicationcontrollers',
  PersistentVolume: 'persistentvolumes',
  Node: 'nodes',
};

it('COMPAT-4: mistakes with kinds of the core group are refused as kube-apiserver refuses them', async () => {
  const { ask } = await openServer({ admission: [] });
  for (const { object, causes } of mistakes) {
    const { body } = await ask('POST', `/api/v1/${resources[object.kind]}?dryRun=All`, object);
    const { causes: given = [] } = (body['details'] ?? {}) as { causes?: { field: string; message: string }[] };
    const texts = given.map(({ field, message }) => `${field}: ${message}`).sort();
    expect(texts, JSON.stringify(object)).toEqual(causes);
  }
});
