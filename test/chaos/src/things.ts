/** What is written to members while things go wrong. */

import type { Member } from '@fleet/bed/member.ts';

/** One object of a member. */
export interface Thing {
  collection: string;
  name: string;
  /** Never deleted once it is there. */
  stays: boolean;
  body(round: number): object;
}

const configMap = (name: string, labels: Record<string, string> = {}): Thing => ({
  collection: '/api/v1/namespaces/default/configmaps',
  name,
  stays: 'throughout' in labels,
  body: (round) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels },
    data: { round: String(round) },
  }),
});

const widget = (name: string, labels: Record<string, string> = {}): Thing => ({
  collection: '/apis/example.fleet/v1/namespaces/default/widgets',
  name,
  stays: 'throughout' in labels,
  body: (round) => ({
    apiVersion: 'example.fleet/v1',
    kind: 'Widget',
    metadata: { name, labels },
    spec: { size: round },
  }),
});

const several = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** By their label informers know which are never deleted. */
const throughout = { throughout: 'true' };
const untouched = [
  ...several(3, (index) => configMap(`same-${index}`, throughout)),
  ...several(3, (index) => widget(`same-${index}`, throughout)),
];
const changing = [
  ...several(4, (index) => configMap(`changing-${index}`, throughout)),
  ...several(4, (index) => widget(`changing-${index}`, throughout)),
];

/** What comes, changes and goes, and what only changes. */
export const busy: readonly Thing[] = [
  ...several(12, (index) => configMap(`coming-${index}`)),
  ...several(12, (index) => widget(`coming-${index}`)),
  ...changing,
];

/** What a controller copies into the other clusters. */
export const mirrored: readonly Thing[] = several(6, (index) => configMap(`source-${index}`, { mirror: 'true' }));

/** Makes what is there throughout. */
export async function makeThroughout({ api }: Member): Promise<void> {
  for (const { collection, body } of [...untouched, ...changing])
    await api.object(collection, { method: 'POST', body: body(0) });
}
