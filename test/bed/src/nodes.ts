import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Api } from './api.ts';
import { binaryPath, kubernetes, kwok, nodeServer, type VersionName } from './binaries.ts';
import { Child } from './child.ts';
import { kwokArguments, nodeServerArguments, schedulerArguments } from './control-plane.ts';
import { until } from './until.ts';

const stages = join(import.meta.dirname, '..', 'manifests', 'stages.yaml');

export interface NodesSpec {
  member: string;
  folder: string;
  run: string;
  version: VersionName;
  count: number;
  server: string;
  api: Api;
}

/** Starts what makes pods run: a scheduler, kwok, and the node server that all nodes name as their kubelet. */
export async function startNodes(spec: NodesSpec): Promise<Child[]> {
  const { folder, run, version } = spec;
  const answering = new Child({
    name: 'node-server',
    path: binaryPath(nodeServer),
    args: nodeServerArguments(spec.server, spec.member),
    folder,
    run,
    stdout: true,
  });
  const port = await Promise.race([once(answering.stdout, 'data'), answering.ended]);
  if (port instanceof Error) throw port;
  const text = await readFile(stages, 'utf8');
  const filled = text.replaceAll('NODE_SERVER_PORT', `${port}`.trim()).replaceAll('VERSION', version);
  await writeFile(join(folder, 'stages.yaml'), filled);
  return [
    answering,
    // kwok looks for more configuration in its work folder
    new Child({
      name: 'kwok',
      path: binaryPath(kwok),
      args: kwokArguments(),
      folder,
      run,
      env: { KWOK_WORKDIR: folder },
    }),
    new Child({
      name: 'kube-scheduler',
      path: binaryPath(kubernetes('kube-scheduler', version)),
      args: schedulerArguments(),
      folder,
      run,
    }),
  ];
}

interface NodeList {
  items: { spec: { taints?: unknown[] }; status: { conditions?: { type: string; status: string }[] } }[];
}

export async function createNodes({ member, count, api }: NodesSpec): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${member}-node-${index + 1}`);
  await Promise.all(
    names.map((name) =>
      api.object('/api/v1/nodes', {
        method: 'POST',
        body: {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: {
            name,
            // one server answers for all nodes; metrics-server asks for each here
            annotations: { 'metrics.k8s.io/resource-metrics-path': `/nodes/${name}/metrics/resource` },
            labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
          },
        },
      }),
    ),
  );
}

/** Ready and without taints: the node lifecycle controller has seen them too. */
export async function nodesReady({ api, count }: NodesSpec, failed: Promise<Error>): Promise<void> {
  const ready = ({ spec, status }: NodeList['items'][number]) =>
    !spec.taints && status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  const all = async () => (await api.object<NodeList>('/api/v1/nodes')).items.filter(ready).length === count;
  await until('nodes are ready', all, { failed });
}
