/** Keeps at most ten managers of updates: older ones are merged, per version. */

import { compareText } from '../go-text.ts';
import { identityOf, identityText, type Managers, olderFirst } from './managed.ts';

const mostUpdaters = 10;

/** Changes and returns its argument. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { applied }]) => !applied);
  let count = updaters.length;
  if (count <= mostUpdaters) return managers;
  updaters.sort(([left, one], [right, other]) => olderFirst(one, other) || compareText(left, right));
  const firstOfVersion = new Map<string, string>();
  for (const [name, managed] of updaters) {
    if (count <= mostUpdaters) break;
    const { apiVersion } = managed;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, name);
      continue;
    }
    const identity = identityOf('ancient-changes', 'Update', apiVersion);
    const bucket = identityText(identity);
    const before = managers.get(bucket) ?? managers.get(first)!;
    if (!managers.has(bucket)) managers.delete(first);
    // With the time of the most recent one.
    managers.set(bucket, { ...managed, identity, fields: managed.fields.union(before.fields) });
    managers.delete(name);
    count--;
  }
  return managers;
}
