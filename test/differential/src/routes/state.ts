/** What a side holds: all objects of the kinds that requests name, by version. */

import { randomBytes } from 'node:crypto';
import type { Connection } from '../connection.ts';
import { type RouteResource, routeResources } from './resources.ts';
import { collectionOf, send } from './scene.ts';

/** `configmaps kube-system/x` -> its uid and version. */
export type State = ReadonlyMap<string, string>;

interface Listed {
  items?: { metadata: { name: string; namespace?: string; uid: string; resourceVersion: string } }[] | null;
}

/** Whatever is only answered has nothing to list. */
const kept = routeResources.filter(({ group }) => !group.startsWith('auth'));

async function objectsOf(connection: Connection, one: RouteResource): Promise<[string, string][]> {
  const { status, body } = await send(connection, 'GET', collectionOf(one));
  if (status === 404) return [];
  if (status !== 200) throw new Error(`list ${one.resource}: ${status} ${body}`);
  const { items } = JSON.parse(body.toString()) as Listed;
  return (items ?? []).map(({ metadata: { name, namespace, uid, resourceVersion } }) => [
    `${one.resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
    `${uid} ${resourceVersion}`,
  ]);
}

export async function stateOf(connection: Connection): Promise<State> {
  return new Map((await Promise.all(kept.map((one) => objectsOf(connection, one)))).flat());
}

/** Written by the servers and controllers themselves, all the time. */
const restless =
  /^(leases kube-|leases default\/|endpoints |serviceaccounts kube-system\/|configmaps kube-system\/|secrets fleet-system\/)/;
/** What a run makes for itself; that of runs before this one is still being removed. */
const ofRun = /(?:^\S+ |\/)(r[0-9a-f]{6})[ab]-/;

export const newRun = (): string => `r${randomBytes(3).toString('hex')}`;

/** Objects outside of the permitted namespaces that were made, changed or removed. */
export function changedOutside(before: State, after: State, run: string): string[] {
  const isOutside = (key: string) =>
    !/^\S+ \S*-open-\d+(\/|$)/.test(key) && !restless.test(key) && (ofRun.exec(key)?.[1] ?? run) === run;
  const outside = (state: State) => new Map([...state].filter(([key]) => isOutside(key)));
  const [was, is] = [outside(before), outside(after)];
  return [
    ...[...was.keys()].filter((key) => !is.has(key)).map((key) => `removed: ${key}`),
    ...[...is.keys()].filter((key) => !was.has(key)).map((key) => `made: ${key}`),
    ...[...is].filter(([key, version]) => was.has(key) && was.get(key) !== version).map(([key]) => `changed: ${key}`),
  ].sort();
}

/** Names in the permitted namespaces, without the side's scope; what controllers put there comes and goes. */
export const namesInside = (state: State, scope: string): string[] =>
  [...state.keys()]
    .filter((key) => key.includes(`${scope}-open-`) && !/\/(default|kube-root-ca\.crt)$/.test(key))
    .map((key) => key.replaceAll(scope, 'SCOPE'))
    .sort();
