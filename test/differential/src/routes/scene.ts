/** What must be on a side before a run: a namespace per lane with users bound in it, and one where nobody may do anything. */

import { until } from '@fleet/bed/until.ts';
import type { Connection } from '../connection.ts';
import { layDefinitions, layNamespace } from '../ground.ts';
import { Random } from '../random.ts';
import type { Json, JsonObject } from '../request.ts';
import { objectBody } from './bodies.ts';
import { userName, users } from './generate.ts';
import { placesOf } from './path.ts';
import { apiVersionOf, objectNames, type RouteResource, rootOf, routeResources } from './resources.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Asks as the admin. */
export async function send(connection: Connection, method: string, path: string, body?: Json) {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'routes' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return connection.send({ method, path, query: [], headers, ...sent });
}

async function make(connection: Connection, path: string, body: JsonObject): Promise<void> {
  const { status, failure, body: answer } = await send(connection, 'POST', path, body);
  if (status !== 201 && status !== 409) throw new Error(`POST ${path}: ${status} ${failure ?? ''} ${answer}`);
}

export async function layScene(connection: Connection, scope: string, lanes: number): Promise<void> {
  const named = (text: string) => text.replaceAll('@{scope}', scope);
  await layDefinitions(connection);
  const { closed } = placesOf(0);
  await layNamespace(connection, named(closed));
  await layObjects(connection, scope, named(closed));
  await make(connection, '/apis/differential.fleet.dev/v1/gadgets', {
    apiVersion: 'differential.fleet.dev/v1',
    kind: 'Gadget',
    metadata: { name: named(closed) },
  });
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const open = named(placesOf(lane).open);
      await layNamespace(connection, open);
      await layObjects(connection, scope, open);
      await bindUsers(connection, open, (user) => named(userName(user, lane)));
    }),
  );
}

/** One of each kind that requests write. */
async function layObjects(connection: Connection, scope: string, namespace: string): Promise<void> {
  const random = new Random('scene');
  for (const one of routeResources.filter(({ written, namespaced }) => written && namespaced)) {
    const body = {
      ...objectBody(random, { one, name: objectNames[0], namespace: undefined }),
      apiVersion: apiVersionOf(one),
    };
    const metadata = { name: objectNames[0]! };
    await make(
      connection,
      collectionOf(one, namespace),
      JSON.parse(JSON.stringify({ ...body, metadata }).replaceAll('@{scope}', scope)),
    );
  }
}

export const collectionOf = (one: RouteResource, namespace?: string): string =>
  `/${[...rootOf(one), ...(namespace === undefined ? [] : ['namespaces', namespace]), one.resource].join('/')}`;

async function bindUsers(connection: Connection, namespace: string, nameOf: (user: string) => string): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  for (const [user, role] of Object.entries(users)) {
    if (role === undefined) continue;
    await make(connection, `${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata: { name: `bound-${user}` },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup, kind: 'User', name: nameOf(user) }],
    });
    // RBAC is evaluated from a cache: its own answer shows when the binding has arrived there.
    await until(`${nameOf(user)} is bound`, () => isAllowed(connection, namespace, nameOf(user)));
  }
}

async function isAllowed(connection: Connection, namespace: string, user: string): Promise<boolean> {
  const answer = await send(connection, 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, resourceAttributes: { verb: 'get', resource: 'configmaps', namespace } },
  });
  return (JSON.parse(answer.body.toString()) as { status?: { allowed?: boolean } }).status?.allowed === true;
}

export async function clearScene(connection: Connection, scope: string, lanes: number): Promise<void> {
  const spaces = [placesOf(0).closed, ...Array.from({ length: lanes }, (_, lane) => placesOf(lane).open)];
  for (const space of spaces)
    await send(connection, 'DELETE', `/api/v1/namespaces/${space.replaceAll('@{scope}', scope)}`);
  await send(connection, 'DELETE', `/apis/differential.fleet.dev/v1/gadgets/${scope}-closed`);
}
