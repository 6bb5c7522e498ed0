/** `fleet get`: objects of any resource, as the server prints them. */

import { Fleet } from '../fleet-location.ts';
import { printAll, printChanges } from '../get/get.ts';
import { NameOutput } from '../get/name-output.ts';
import { ObjectOutput } from '../get/object-output.ts';
import type { Output } from '../get/output.ts';
import { type Request, requestsOf, type Scope } from '../get/request.ts';
import { readResourceTypes } from '../get/resource-types.ts';
import { TableOutput } from '../get/table-output.ts';
import { formatOf } from '../output.ts';
import { ServerWarnings } from '../server-warnings.ts';
import { ownKindOf, runGetOwn } from './get-own-kinds.ts';

export interface GetFlags {
  fleetKubeconfig?: string;
  allNamespaces?: boolean;
  namespace?: string;
  selector?: string;
  output?: string;
  watch?: boolean;
}

const formats = ['wide', 'json', 'yaml', 'name'] as const;
type Format = (typeof formats)[number] | undefined;

const write = (text: string): void => void process.stdout.write(text);

export async function runGet(words: readonly string[], flags: GetFlags): Promise<void> {
  const format = formatOf(flags.output, formats);
  const own = ownKindOf(words[0]!);
  if (own && words.length <= 2 && !flags.watch && !flags.selector) return runGetOwn(own, words[1], flags);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const { signal } = new AbortController();
  // Members and registries are the fleet's, whatever the kubeconfig is aimed at.
  const upstream = fleet.view(own ? 'karmada' : undefined);
  const scope: Scope = {
    namespace: flags.namespace ?? fleet.namespace,
    allNamespaces: flags.allNamespaces ?? false,
    selector: flags.selector,
  };
  const asked = own ? [own.resource, ...words.slice(1)] : words;
  const requests = requestsOf(asked, await readResourceTypes(upstream, signal), scope);
  const output = outputOf(format, requests, flags);
  const answering = { upstream, warnings: new ServerWarnings(), signal };
  if (flags.watch) {
    await printChanges(requests, scope, output, answering);
    return;
  }
  await printAll(requests, scope, output, answering);
  if (output.isEmpty && format !== 'name') process.stderr.write(`${nothing(requests, scope)}\n`);
}

function outputOf(format: Format, requests: readonly Request[], { watch, allNamespaces }: GetFlags): Output {
  switch (format) {
    case 'name':
      return new NameOutput(write);
    case 'json':
    case 'yaml': {
      const isOne = requests.length === 1 && requests[0]!.name !== undefined;
      return new ObjectOutput({ format, as: watch ? 'documents' : isOne ? 'object' : 'list' }, write);
    }
    case 'wide':
    case undefined: {
      const withKind = new Set(requests.map(({ type }) => type)).size > 1;
      const options = { wide: format === 'wide', withNamespace: allNamespaces ?? false, withKind };
      return new TableOutput(options, write);
    }
    default:
      return format satisfies never;
  }
}

function nothing(requests: readonly Request[], { namespace, allNamespaces }: Scope): string {
  const inNamespace = !allNamespaces && requests.every(({ type }) => type.namespaced);
  return inNamespace ? `No resources found in ${namespace} namespace.` : 'No resources found';
}
