/** More is registered than fits into `--cache-memory` (CACHE-18). */

import type { FaultyFleet, MemberName } from './faulty-fleet.ts';
import { configMaps, type Kind, secrets, selectorsOf, within } from './kinds.ts';

const where: MemberName = 'member2';
/** Each fits alone, not both. */
const largeOf: ReadonlyMap<Kind, number> = new Map([
  [secrets, 24],
  [configMaps, 14],
]);
/** In bytes, as JSON. */
const size = 880_000;

const contentOf = ({ kind }: Kind): object =>
  kind === 'Secret'
    ? { data: { a: Buffer.alloc((size / 4) * 3, 'x').toString('base64') } }
    : { data: { a: 'x'.repeat(size) } };

const names = (kind: Kind): string[] => Array.from({ length: largeOf.get(kind)! }, (_, index) => `large-${index}`);

async function make({ members }: FaultyFleet, kind: Kind): Promise<void> {
  for (const name of names(kind)) {
    const body = { apiVersion: 'v1', kind: kind.kind, metadata: { name }, ...contentOf(kind) };
    await members[where].api.object(within(kind), { method: 'POST', body });
  }
}

/** `steady` no longer fits when this returns; watchers follow all the while. */
export async function fillUp(fleet: FaultyFleet): Promise<void> {
  await make(fleet, secrets);
  await fleet.registries.put('large', { resourceSelectors: selectorsOf(secrets) });
  await fleet.registries.become('large', 'AllSynced');
  await make(fleet, configMaps);
}

/** Less is registered: what is left fits again. */
export async function shrink({ registries }: FaultyFleet): Promise<void> {
  await registries.remove('large');
}

export async function clear({ writers }: FaultyFleet): Promise<void> {
  const writer = writers.get(where)!;
  for (const kind of largeOf.keys()) for (const name of names(kind)) await writer.remove(kind, name);
}
