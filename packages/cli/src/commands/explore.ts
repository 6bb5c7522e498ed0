/** `fleet explore`: shows the answers of webhooks for an object, and the errors in them. */

import type { AggregatedStatusItem, Binding } from '@fleet/federation/api/bindings.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { createHookCalls } from '@fleet/federation/explore/hooks/call-hook.ts';
import { readHooks } from '@fleet/federation/explore/hooks/configurations.ts';
import { HookError } from '@fleet/federation/explore/hooks/hook-error.ts';
import type { FactsOfKind, Hook } from '@fleet/federation/explore/hooks/hook-model.ts';
import { HintedError, UsageError } from '../errors.ts';
import { type Explored, explore } from '../explore/ask.ts';
import { hookAt, hooksIn } from '../explore/hooks.ts';
import { type Asked, askedFor, requestOf } from '../explore/question.ts';
import { Fleet } from '../fleet-location.ts';
import { readResourceTypes } from '../get/resource-types.ts';
import { factsIn, readConfigurations } from '../hooks-of-fleet.ts';
import { readObject } from '../object-files.ts';
import { formatOf, printJson, printYaml } from '../output.ts';

export interface ExploreFlags {
  fleetKubeconfig?: string;
  operation: string;
  observed?: string;
  replicas?: string;
  statuses?: string;
  url?: string;
  ca?: string;
  configuration?: string;
  namespace?: string;
  output?: string;
}

const formats = ['json', 'yaml'] as const;

/** Of a wrong answer, which may be large. */
const mostShown = 2_000;

export async function runExplore(path: string, flags: ExploreFlags): Promise<void> {
  const format = formatOf(flags.output, formats);
  const asked = askedFor(flags.operation);
  if (flags.url !== undefined && flags.configuration !== undefined)
    throw new UsageError('--url and --configuration cannot both be given');
  if (flags.ca !== undefined && flags.url === undefined) throw new UsageError('--ca is for --url');
  const given = await argumentsOf(flags);
  const { hooks, factsOf, namespace } = await hooksOf(flags, asked);
  const object = inNamespace(await readObject(path), factsOf, namespace);
  let last = '';
  const onAnswer = (body: string) => {
    last = body;
  };
  await using calls = createHookCalls({ resolveService: () => undefined });
  const asking = { hooks, factsOf, call: calls.call, onAnswer };
  try {
    const explored = await explore(asking, requestOf(asked, object, given));
    for (const text of explored.ignored ?? [])
      process.stderr.write(`Warning: ${text}. It is ignored (failurePolicy)\n`);
    if (!format) process.stderr.write(`${headOf(asked, explored)}\n`);
    process.stdout.write(format === 'json' ? printJson(explored) : printYaml(format ? explored : shown(explored)));
  } catch (error) {
    throw error instanceof HookError ? hinted(error, last) : error;
  }
}

async function argumentsOf({ observed, replicas, statuses }: ExploreFlags) {
  return {
    observed: observed === undefined ? undefined : await readObject(observed),
    replicas: replicas === undefined ? undefined : countOf(replicas),
    items: statuses === undefined ? undefined : statusesOf(statuses, await readObject(statuses)),
  };
}

function countOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--replicas takes a number, not "${text}"`);
}

function statusesOf(path: string, { kind, status }: AnyObject): AggregatedStatusItem[] {
  if (kind !== 'ResourceBinding' && kind !== 'ClusterResourceBinding')
    throw new UsageError(`${path}: --statuses takes a ResourceBinding, whose status.aggregatedStatus is used`);
  return (status as Binding['status'])?.aggregatedStatus ?? [];
}

interface Hooks {
  hooks: Hook[];
  factsOf: FactsOfKind;
  namespace: string | undefined;
}

/** With a URL no fleet is needed: a webhook can be tried before there is one. */
async function hooksOf(flags: ExploreFlags, asked: Asked): Promise<Hooks> {
  const { url, ca, configuration, fleetKubeconfig, namespace } = flags;
  if (url !== undefined) return { hooks: [await hookAt(url, ca, asked)], factsOf: () => undefined, namespace };
  const own = configuration === undefined ? undefined : await hooksIn(configuration);
  await using fleet = await Fleet.find(fleetKubeconfig);
  const types = await readResourceTypes(fleet.view('karmada'), new AbortController().signal);
  const hooks = own ?? (await readConfigurations(fleet.client('karmada'))).flatMap(readHooks);
  return { hooks, factsOf: factsIn(types), namespace: namespace ?? fleet.namespace };
}

function inNamespace(object: AnyObject, factsOf: FactsOfKind, namespace: string | undefined): AnyObject {
  const isPlaced = object.metadata.namespace !== undefined || namespace === undefined;
  if (isPlaced || factsOf(object)?.namespaced === false) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

function headOf({ name }: Asked, { answeredBy }: Explored): string {
  switch (answeredBy.is) {
    case 'webhook':
      return `${name}: answered by webhook "${answeredBy.name}" of "${answeredBy.configuration}" in ${Math.round(answeredBy.seconds * 1000)} ms`;
    case 'nativeRule':
      return `${name}: no webhook matches, this is the native rule of the kind`;
    case 'default':
      return `${name}: no webhook matches and the kind has no native rule, this is what holds for every kind`;
    default:
      return answeredBy satisfies never;
  }
}

/** The patch beside what becomes of the object. */
const shown = ({ answer, patch }: Explored): unknown => (patch === undefined ? answer : { patch, object: answer });

function hinted(error: HookError, answer: string): Error {
  switch (error.failure) {
    case 'unreachable':
    case 'timeout':
    case 'refused-address':
      return new HintedError(error.message, 'It was called from this machine; the server calls it from its own', {
        cause: error,
      });
    case 'configuration':
      return new HintedError(error.message, 'Try the webhook itself with --url', { cause: error });
    case 'invalid-answer':
    case 'unsuccessful':
    case 'patch':
      return new HintedError(error.message, `It answered: ${answer.slice(0, mostShown)}`, { cause: error });
    case 'http-status':
      return error;
    default:
      return error.failure satisfies never;
  }
}
