/** What must be there on a side before a run, and what is taken away after it. */
import { until } from '@fleet/bed/until.ts';
import type { Connection } from './connection.ts';
import { definitions } from './kinds/custom.ts';
import type { Kind } from './kinds/kind.ts';
import type { Answer, JsonObject } from './request.ts';

// As its controllers call themselves: where there are none, what they would make is made in their name
const headers = { 'user-agent': 'kube-controller-manager', accept: 'application/json' };

async function ask(connection: Connection, method: string, path: string, body?: JsonObject): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return connection.send({
    method,
    path,
    query: [],
    headers: { ...headers, 'content-type': 'application/json' },
    ...sent,
  });
}

async function make(connection: Connection, path: string, body: JsonObject): Promise<void> {
  const answer = await ask(connection, 'POST', path, body);
  if (answer.status === 201 || answer.status === 409) return;
  throw new Error(`POST ${path}: ${answer.status} ${answer.failure ?? ''} ${answer.body}`);
}

const exists = async (connection: Connection, path: string) => (await ask(connection, 'GET', path)).status === 200;

export const needsDefinitions = ({ group }: Kind): boolean =>
  group === 'differential.fleet.dev' || group === 'apiextensions.k8s.io';

/** The two definitions, served. */
export async function layDefinitions(connection: Connection): Promise<void> {
  for (const one of definitions) {
    await make(connection, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', one);
  }
  for (const resource of ['', '/widgets', '/gadgets']) {
    const path = `/apis/differential.fleet.dev/v1${resource}`;
    await until(`${path} is served`, () => exists(connection, path));
  }
}

const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** A namespace with the objects that controllers put into every namespace. */
export async function layNamespace(connection: Connection, namespace: string): Promise<void> {
  await make(connection, '/api/v1/namespaces', { metadata: { name: namespace } });
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  if (await exists(connection, '/api/v1/namespaces/default/configmaps/kube-root-ca.crt')) {
    await until(`${account}/default`, () => exists(connection, `${account}/default`));
    await until(`${maps}/kube-root-ca.crt`, () => exists(connection, `${maps}/kube-root-ca.crt`));
    return;
  }
  await make(connection, account, { metadata: { name: 'default' } });
  const metadata = { name: 'kube-root-ca.crt', annotations: { 'kubernetes.io/description': description } };
  const certificate = '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----';
  await make(connection, maps, { metadata, data: { 'ca.crt': certificate } });
}

/** Finishing is left to the server: nothing of a later run has the same names. */
export async function clearLane(connection: Connection, namespace: string): Promise<void> {
  const selector = `labelSelector=${encodeURIComponent(`lane=${namespace}`)}`;
  for (const kinds of ['clusterroles', 'clusterrolebindings']) {
    await ask(connection, 'DELETE', `/apis/rbac.authorization.k8s.io/v1/${kinds}?${selector}`);
  }
  await ask(connection, 'DELETE', `/apis/differential.fleet.dev/v1/gadgets?${selector}`);
  await ask(connection, 'DELETE', `/api/v1/namespaces/${namespace}`);
  for (const name of ['alpha', 'beta', 'gamma', 'delta', 'epsilon']) {
    await ask(connection, 'DELETE', `/api/v1/namespaces/${namespace}-${name}`);
  }
}
