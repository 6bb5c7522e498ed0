/** `fleet tree`: shows the state of a template, and its first error. */

import { Fleet } from '../fleet-location.ts';
import { namedObject } from '../named-object.ts';
import { formatOf, printJson, printYaml } from '../output.ts';
import { readTree } from '../tree/read.ts';
import { treeOf } from '../tree/tree.ts';
import { treeText } from '../tree/tree-text.ts';

export interface TreeFlags {
  fleetKubeconfig?: string;
  namespace?: string;
  output?: string;
}

const formats = ['json', 'yaml'] as const;

export async function runTree(word: string, flags: TreeFlags): Promise<void> {
  const format = formatOf(flags.output, formats);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const named = await namedObject(fleet.view('karmada'), word, flags.namespace ?? fleet.namespace);
  const clients = { controlPlane: fleet.client('karmada'), fleet: fleet.client() };
  const tree = treeOf(await readTree(clients, named));
  const print = { json: printJson, yaml: printYaml };
  process.stdout.write(format ? print[format](tree) : treeText(tree));
}
