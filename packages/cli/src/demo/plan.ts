/** Chooses the clusters of a demo: three by default, further ones from a seed. */

import { seededRandom } from '@fleet/simulator/seeded-random.ts';

export interface PlannedCluster {
  name: string;
  region: string;
  version: string;
  seed: number;
}

/** Of three minor versions, as fleets that are upgraded one by one have them. */
const versions = ['v1.36.3', 'v1.35.6', 'v1.34.4'] as const;

/** Those that the tour is about. */
const first: readonly [name: string, region: string][] = [
  ['frankfurt', 'eu-central-1'],
  ['virginia', 'us-east-1'],
  ['tokyo', 'ap-northeast-1'],
];

const further: readonly [name: string, region: string][] = [
  ['dublin', 'eu-west-1'],
  ['london', 'eu-west-2'],
  ['paris', 'eu-west-3'],
  ['stockholm', 'eu-north-1'],
  ['milan', 'eu-south-1'],
  ['zurich', 'eu-central-2'],
  ['ohio', 'us-east-2'],
  ['oregon', 'us-west-2'],
  ['california', 'us-west-1'],
  ['montreal', 'ca-central-1'],
  ['saopaulo', 'sa-east-1'],
  ['seoul', 'ap-northeast-2'],
  ['osaka', 'ap-northeast-3'],
  ['singapore', 'ap-southeast-1'],
  ['sydney', 'ap-southeast-2'],
  ['mumbai', 'ap-south-1'],
  ['capetown', 'af-south-1'],
];

/** The same for the same seed, and with more clusters the same and more. */
export function planClusters(count: number, seed: number): PlannedCluster[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const timesTaken = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const [city, region] = first[index] ?? pick(further);
    const number = (timesTaken.get(city) ?? 0) + 1;
    timesTaken.set(city, number);
    const version = index < first.length ? versions[index]! : pick(versions);
    return { name: number === 1 ? city : `${city}-${number}`, region, version, seed: seed + index };
  });
}
