import { expect, it } from 'vitest';
import { sketchPod } from '../testing/pods.ts';
import { hasOtherController, isStale, retainedOwners } from './claim-retention.ts';
import type { Claim, StatefulSet } from './stateful-set.ts';

const set = (whenDeleted: string, whenScaled: string): StatefulSet => ({
  metadata: { name: 'db', namespace: 'd', uid: 'set' },
  spec: {
    replicas: 1,
    selector: {},
    template: { spec: { containers: [] } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
  },
});

const owner = (kind: string, name: string, uid: string) => ({
  apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

const claim = (...ownerReferences: ReturnType<typeof owner>[]): Claim => ({
  metadata: { name: 'data-db-0', namespace: 'd', ownerReferences },
});

const kept = sketchPod('db-0');
const condemned = sketchPod('db-1');
const bySet = owner('StatefulSet', 'db', 'set');

it.each([
  ['Retain', 'Retain', kept, [bySet], []],
  ['Delete', 'Retain', kept, [], [bySet]],
  ['Delete', 'Retain', condemned, [], [bySet]],
  ['Retain', 'Delete', kept, [bySet], []],
  ['Retain', 'Delete', condemned, [], [owner('Pod', 'db-1', 'uid-db-1')]],
  ['Delete', 'Delete', kept, [], [bySet]],
  ['Delete', 'Delete', condemned, [bySet], [owner('Pod', 'db-1', 'uid-db-1')]],
])('whenDeleted %s, whenScaled %s', (whenDeleted, whenScaled, pod, before, after) => {
  const one = set(whenDeleted, whenScaled);
  expect(retainedOwners(one, claim(...before), pod)).toEqual(after);
  expect(retainedOwners(one, claim(...after), pod)).toBeUndefined();
});

it("leaves another controller's claims alone, and waits for those of an earlier pod", () => {
  const other = owner('Widget', 'w', 'w');
  expect(hasOtherController(set('Delete', 'Retain'), claim(other), kept)).toBe(true);
  expect(retainedOwners(set('Delete', 'Retain'), claim(other), kept)).toBeUndefined();
  const earlier = claim(owner('Pod', 'db-0', 'earlier'));
  expect(isStale(set('Retain', 'Delete'), earlier, kept)).toBe(true);
  expect(isStale(set('Retain', 'Retain'), earlier, kept)).toBe(false);
});
