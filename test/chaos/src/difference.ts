/** How what an informer holds differs from what the members have. */

import type { Held } from './informers.ts';

export function difference(held: readonly Held[], truth: readonly Held[]): string[] {
  const expected = new Map(truth.map((object) => [object.uid, object]));
  const wrong: string[] = [];
  for (const { uid, name, resourceVersion } of held) {
    const object = expected.get(uid);
    expected.delete(uid);
    if (!object) wrong.push(`${name} ${uid} is gone, and held at ${resourceVersion}`);
    else if (object.name !== name) wrong.push(`${object.name} ${uid} is held as ${name}`);
    else if (object.resourceVersion !== resourceVersion)
      wrong.push(`${name} ${uid} is at ${object.resourceVersion}, and held at ${resourceVersion}`);
  }
  for (const { name, uid, resourceVersion } of expected.values())
    wrong.push(`${name} ${uid} is at ${resourceVersion}, and not held`);
  return wrong;
}
