/** `fleet get`: prints objects of any resource, as Tables of the server. */

import { Fleet } from '../fleet-location.ts';
import { printAll, printChanges } from '../get/get.ts';
import { JsonPathOutput } from '../get/json-path-output.ts';
import { NameOutput } from '../get/name-output.ts';
import { ObjectOutput } from '../get/object-output.ts';
import type { Output } from '../get/output.ts';
import { type Request, requestsOf, type Scope } from '../get/request.ts';
import { type ResourceType, readResourceTypes } from '../get/resource-types.ts';
import { TableOutput } from '../get/table-output.ts';
import { formatOf } from '../output.ts';
import { ServerWarnings } from '../server-warnings.ts';
import { type OwnKind, ownKindsOf } from './get-own-kinds.ts';

export interface GetFlags {
  fleetKubeconfig?: string;
  allNamespaces?: boolean;
  namespace?: string;
  selector?: string;
  output?: string;
  watch?: boolean;
  headers: boolean;
}

const formats = ['wide', 'json', 'yaml', 'name'] as const;
type Format = (typeof formats)[number] | { jsonPath: string } | undefined;

const jsonPathPrefix = 'jsonpath=';

function readFormat(asked: string | undefined): Format {
  if (asked?.startsWith(jsonPathPrefix)) return { jsonPath: asked.slice(jsonPathPrefix.length) };
  return formatOf(asked, formats, ['jsonpath=TEMPLATE']);
}

const write = (text: string): void => void process.stdout.write(text);

export async function runGet(words: readonly string[], flags: GetFlags): Promise<void> {
  const format = readFormat(flags.output);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const { signal } = new AbortController();
  const own = ownKindsOf(words);
  // Members and registries are the fleet's, whatever the kubeconfig is aimed at.
  const upstream = fleet.view(own ? 'karmada' : undefined);
  const scope: Scope = {
    namespace: flags.namespace ?? fleet.namespace,
    allNamespaces: flags.allNamespaces ?? false,
    selector: flags.selector,
  };
  const types = own?.map(({ type }) => type) ?? (await readResourceTypes(upstream, signal));
  const requests = requestsOf(words, types, scope);
  const output = outputOf(format, requests, { ...flags, own });
  const answering = { upstream, warnings: new ServerWarnings(), signal };
  if (flags.watch) {
    await printChanges(requests, scope, output, answering);
    return;
  }
  await printAll(requests, scope, output, answering);
  if (output.isEmpty && format !== 'name') process.stderr.write(`${nothing(requests, scope, own)}\n`);
}

interface OutputOptions extends GetFlags {
  own: readonly OwnKind[] | undefined;
}

function outputOf(format: Format, requests: readonly Request[], options: OutputOptions): Output {
  const { watch, allNamespaces = false, headers, own } = options;
  const isOne = requests.length === 1 && requests[0]!.name !== undefined;
  const as = watch ? 'documents' : isOne ? 'object' : 'list';
  if (typeof format === 'object') return new JsonPathOutput(format.jsonPath, as, write);
  switch (format) {
    case 'name':
      return new NameOutput(write);
    case 'json':
    case 'yaml':
      return new ObjectOutput({ format, as }, write);
    case 'wide':
    case undefined: {
      const withKind = new Set(requests.map(({ type }) => type)).size > 1;
      const ownColumns = own && ((type: ResourceType) => own.find((kind) => kind.type === type));
      const wide = format === 'wide';
      return new TableOutput(
        { wide, withNamespace: allNamespaces, withKind, withHeadings: headers, ownColumns },
        write,
      );
    }
    default:
      return format satisfies never;
  }
}

function nothing(requests: readonly Request[], scope: Scope, own: readonly OwnKind[] | undefined): string {
  const { namespace, allNamespaces, selector } = scope;
  if (own?.length === 1 && !selector) return own[0]!.empty;
  const inNamespace = !allNamespaces && requests.every(({ type }) => type.namespaced);
  return inNamespace ? `No resources found in ${namespace} namespace.` : 'No resources found';
}
