/** A simulated cluster that can be killed and started again, cut off, and made to lie. */

import { join } from 'node:path';
import { jsonReply } from '@fleet/apiserver/http/message.ts';
import { type FaultProxy, startFaultProxy } from '@fleet/bed/fault-proxy.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import { type ClusterOptions, type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import type { SimulatedFleet } from '../fleet.ts';

export type Lie = 'errors' | 'garbage' | 'nothing is there';

export interface FaultyMember extends AsyncDisposable {
  readonly cluster: SimulatedCluster;
  /** What the product's connections go through. */
  link: FaultProxy;
  /** Undefined: the truth. Health is never lied about: a member that is known to be broken is not asked. */
  lie: Lie | undefined;
  /** Requests of the federation that wrote something. */
  writes: string[];
  /** Joins, also again after it has left. */
  join(): Promise<void>;
  stop(): Promise<void>;
  startAgain(): Promise<void>;
}

type Answer = NonNullable<ClusterOptions['answer']>;

const text = (status: number, body: string) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
});

const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message: 'no' };

const isOfObjects = (path: string): boolean => /\/(configmaps|deployments|namespaces)(\/|\?|$)/.test(path);

function answerOf(lie: Lie | undefined, { method, url }: Parameters<Answer>[0]): ReturnType<Answer> {
  if (lie === undefined || !isOfObjects(url) || /[?&]watch=/.test(url)) return undefined;
  switch (lie) {
    case 'errors':
      return text(500, 'something is wrong');
    case 'garbage':
      return text(200, '{"metadata": {"name": "web", "lab');
    case 'nothing is there':
      return method === 'GET' ? jsonReply(404, notFound) : undefined;
    default:
      return lie satisfies never;
  }
}

export async function startFaultyMember(fleet: SimulatedFleet, name: string): Promise<FaultyMember> {
  await using starting = new AsyncDisposableStack();
  const writes: string[] = [];
  const options: ClusterOptions = {
    name,
    directory: join(fleet.folder, `${name}-kept`),
    // What a killed cluster was doing fails.
    onError: () => {},
    answer: (request) => answerOf(member.lie, request),
    onRequest: ({ method, url, headers }) => {
      if (method !== 'GET' && headers['impersonate-user'] === undefined && isOfObjects(url))
        writes.push(`${method} ${url}`);
    },
  };
  let cluster: SimulatedCluster | undefined = await startCluster(options);
  starting.defer(() => cluster?.[Symbol.asyncDispose]());
  const link = starting.use(await startFaultProxy(cluster.port));
  const path = join(fleet.folder, `${name}.kubeconfig`);
  await writePrivate(path, cluster.kubeconfig.replaceAll(`:${cluster.port}`, `:${link.port}`));
  const running = starting.move();
  const member: FaultyMember = {
    get cluster() {
      if (!cluster) throw new Error(`${name} is stopped`);
      return cluster;
    },
    link,
    lie: undefined,
    writes,
    async join() {
      const flags = ['--kubeconfig', path, '--federation-kinds', 'deployments.apps,configmaps'];
      const { code, stderr } = await fleet.product.fleet('join', name, ...flags);
      if (code !== 0) throw new Error(`fleet join ${name}: ${stderr}`);
    },
    async stop() {
      await cluster?.[Symbol.asyncDispose]();
      cluster = undefined;
    },
    async startAgain() {
      cluster = await startCluster(options);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
  return member;
}
