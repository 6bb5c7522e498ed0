/** `fleet get clusters` and `fleet get registries`: what the fleet itself has, as a table or as objects. */

import { errorOf } from '@fleet/client/kube-client.ts';
import { registriesPath } from '@fleet/server/registries/resource-registry.ts';
import { clustersPath } from '../cluster.ts';
import { Fleet } from '../fleet-location.ts';
import { formatOf, printJson, printYaml } from '../output.ts';
import { printTable, type Table } from '../table.ts';

export interface OwnKind {
  /** As people call it. */
  words: readonly string[];
  path: string;
  /** As kubectl names one of its objects. */
  singular: string;
  /** As discovery finds it. */
  resource: string;
  /** What is said where there is none. */
  empty: string;
}

const ownKinds: readonly OwnKind[] = [
  {
    words: ['cluster', 'clusters', 'clusters.cluster.karmada.io'],
    path: clustersPath,
    singular: 'cluster.cluster.karmada.io',
    resource: 'clusters.cluster.karmada.io',
    empty: 'No clusters yet: see "fleet join --help"',
  },
  {
    words: [
      'registry',
      'registries',
      'rr',
      'resourceregistry',
      'resourceregistries',
      'resourceregistries.search.karmada.io',
    ],
    path: registriesPath,
    singular: 'resourceregistry.search.karmada.io',
    resource: 'resourceregistries.search.karmada.io',
    empty: 'No registries yet: nothing is cached. A ResourceRegistry names the kinds that are to be',
  },
];

/** Undefined for what clusters have. */
export const ownKindOf = (word: string): OwnKind | undefined => ownKinds.find(({ words }) => words.includes(word));

interface GetOwnFlags {
  fleetKubeconfig?: string;
  output?: string;
}

const formats = ['wide', 'name', 'json', 'yaml'] as const;
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

export async function runGetOwn(kind: OwnKind, name: string | undefined, flags: GetOwnFlags): Promise<void> {
  const format = formatOf(flags.output, formats);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const path = name ? `${kind.path}/${encodeURIComponent(name)}` : kind.path;
  const whole = format === 'json' || format === 'yaml';
  const reply = await fleet.client('karmada').upstream.call({
    method: 'GET',
    path,
    headers: { accept: whole ? 'application/json' : asTable, 'user-agent': 'fleet-cli' },
    signal: new AbortController().signal,
  });
  const bytes = await reply.body.bytes();
  if (reply.status !== 200) throw errorOf(reply.status, bytes);
  // Left out as kubectl does: who wrote which field is of no use to people.
  const answer: unknown = JSON.parse(bytes.toString(), (key, value) => (key === 'managedFields' ? undefined : value));
  switch (format) {
    case 'json':
      process.stdout.write(printJson(answer));
      return;
    case 'yaml':
      process.stdout.write(printYaml(answer));
      return;
    case 'name':
      for (const row of (answer as Table).rows) process.stdout.write(`${kind.singular}/${row.cells[0]}\n`);
      return;
    case 'wide':
    case undefined:
      if ((answer as Table).rows.length === 0) process.stderr.write(`${kind.empty}\n`);
      else process.stdout.write(printTable(answer as Table, { wide: format === 'wide' }));
      return;
    default:
      return format satisfies never;
  }
}
