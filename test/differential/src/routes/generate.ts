/** Requests to paths that Kubernetes does not have, and to some that it has, as users with permissions in one namespace. */

import { Random } from '../random.ts';
import type { Call, JsonObject } from '../request.ts';
import { mergePatch, objectBody } from './bodies.ts';
import { type Parts, partOddities, placesOf, rightParts, segmentOddities, segmentsOf, textOddities } from './path.ts';
import { namespacedResources, objectNames, type RouteResource, routeResources } from './resources.ts';

/** What each is bound to by a RoleBinding in the permitted namespace; nothing for a stranger. */
export const users: Readonly<Record<string, string | undefined>> = {
  ruler: 'cluster-admin',
  editor: 'edit',
  viewer: 'view',
  stranger: undefined,
};

export const userName = (user: string, lane: number): string => `@{scope}-${user}-${lane}`;

const oddMethods = ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'LINK'];

/** The requests of one lane, from the seed alone. */
export function* generateRoutes(seed: number | string, lane: number): Generator<Call> {
  const random = new Random(`${seed}/routes/${lane}`);
  for (;;) yield oneRequest(random, lane);
}

function oneRequest(random: Random, lane: number): Call {
  const places = placesOf(lane);
  const one = random.pick(random.chance(0.85) ? namespacedResources : routeResources);
  const parts = rightParts(random, one, places);
  const oddities: string[] = [];
  const times = random.weighted([
    [2, 0],
    [6, 1],
    [2, 2],
  ]);
  for (let time = 0; time < times; time++) {
    const names = Object.entries(partOddities).map(([name, [weight]]) => [weight, name] as const);
    const oddity = random.weighted(names);
    Object.assign(parts, partOddities[oddity]![1](parts, random, places));
    oddities.push(oddity);
  }
  const segments = segmentsOf(parts);
  if (random.chance(0.12)) oddities.push(changed(segmentOddities, random, (change) => change(segments, random)));
  let path = `/${segments.join('/')}`;
  if (random.chance(0.12))
    oddities.push(
      changed(textOddities, random, (change) => {
        path = change(path, random);
      }),
    );
  return call(random, lane, { path, parts, one: ofParts(parts) ?? one, oddities });
}

function changed<T>(of: Readonly<Record<string, T>>, random: Random, apply: (change: T) => void): string {
  const name = random.pick(Object.keys(of));
  apply(of[name]!);
  return name;
}

const ofParts = ({ root, resource }: Parts): RouteResource | undefined =>
  routeResources.find((one) => one.resource === resource && one.group === (root[0] === 'api' ? '' : root[1]));

interface Asked {
  path: string;
  parts: Parts;
  one: RouteResource;
  oddities: readonly string[];
}

function call(random: Random, lane: number, { path, parts, one, oddities }: Asked): Call {
  const user = random.weighted([
    [16, 'ruler'],
    [2, 'editor'],
    [1, 'viewer'],
    [1, 'stranger'],
  ]);
  const method = methodFor(random, parts);
  const query: Record<string, string> = {};
  const body = bodyFor(random, method, parts, one);
  if (method === 'GET' && random.chance(0.01)) query['watch'] = 'true';
  // Whatever may be taken for a watch ends by itself.
  if (query['watch'] !== undefined || /watch/i.test(path)) query['timeoutSeconds'] = '1';
  if (random.chance(0.03))
    query['fieldSelector'] = `metadata.name=${random.pick(['kube-system', '@{scope}-closed', 'alpha'])}`;
  if (body?.type === 'application/apply-patch+yaml') Object.assign(query, { fieldManager: 'routes', force: 'true' });
  if (isDry(random, method, path, one)) query['dryRun'] = 'All';
  const isOdd = oddities.length > 0 || oddMethods.includes(method);
  return {
    step: 'call',
    verb: method,
    resource: [one.resource, parts.below[0]].filter(Boolean).join('/'),
    subject: { settled: true, list: false },
    intent: isOdd ? 'invalid' : 'valid',
    ...(isOdd && { flaw: oddities.join(', ') }),
    request: {
      method,
      path,
      query: Object.entries(query),
      headers: {
        'user-agent': 'routes',
        accept: 'application/json',
        'impersonate-user': userName(user, lane),
        ...(body && { 'content-type': body.type }),
      },
      ...(body && { body: JSON.stringify(body.value) }),
    },
  };
}

function methodFor(random: Random, { name, below }: Parts): string {
  if (random.chance(0.12)) return random.pick(oddMethods);
  if (random.chance(0.12)) return random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
  if (name === undefined) return random.pick(['GET', 'POST', 'POST', 'DELETE']);
  return below.length > 0
    ? random.pick(['GET', 'PUT', 'PATCH', 'POST'])
    : random.pick(['GET', 'PUT', 'PATCH', 'DELETE', 'DELETE']);
}

function bodyFor(
  random: Random,
  method: string,
  { name, scope }: Parts,
  one: RouteResource,
): { type: string; value: JsonObject } | undefined {
  const about = { one, name: name ?? random.pick(objectNames), namespace: scope[1] };
  switch (method) {
    case 'POST':
    case 'PUT':
      return { type: 'application/json', value: objectBody(random, about) };
    case 'PATCH':
      return random.chance(0.2)
        ? { type: 'application/apply-patch+yaml', value: objectBody(random, about) }
        : { type: 'application/merge-patch+json', value: mergePatch(random) };
    default:
      return undefined;
  }
}

const writes = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Only tried: what the run itself needs (its namespace and its bindings, which its users are allowed to remove), and kinds
 * that one of the servers completes, checks or acts upon in its own way.
 */
function isDry(random: Random, method: string, path: string, one: RouteResource): boolean {
  if (!writes.includes(method)) return false;
  const plain = decoded(path).replace(/\/+/g, '/').replace(/\/$/, '');
  if (/\/namespaces\/@\{scope\}-open-\d+(\/(status|finalize))?$/i.test(plain)) return true;
  if (/\/rolebindings$/i.test(plain)) return true;
  // What one server refuses another may take: later requests must find the same objects on both sides.
  if (path.slice(1).includes('//')) return true;
  return random.chance(0.02) || (method !== 'DELETE' && one.namespaced && !one.written);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
