import { errorOf } from '@fleet/client/kube-client.ts';
import { clustersPath } from '../cluster.ts';
import { Fleet } from '../fleet-location.ts';
import { formatOf, printJson, printYaml } from '../output.ts';
import { printTable, type Table } from '../table.ts';

interface GetClustersFlags {
  fleetKubeconfig?: string;
  output?: string;
}

const formats = ['wide', 'name', 'json', 'yaml'] as const;
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

export async function runGetClusters(name: string | undefined, flags: GetClustersFlags): Promise<void> {
  const format = formatOf(flags.output, formats);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const path = name ? `${clustersPath}/${encodeURIComponent(name)}` : clustersPath;
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
      for (const row of (answer as Table).rows) process.stdout.write(`cluster.cluster.karmada.io/${row.cells[0]}\n`);
      return;
    case 'wide':
    case undefined:
      if ((answer as Table).rows.length === 0) process.stderr.write('No clusters yet: see "fleet join --help"\n');
      else process.stdout.write(printTable(answer as Table, { wide: format === 'wide' }));
      return;
    default:
      return format satisfies never;
  }
}
