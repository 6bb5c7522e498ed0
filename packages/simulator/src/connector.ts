/** What only nodes can do, done by a simulated cluster: logs, commands, ports and proxies of its pods. */

import type { CommandSession, Connector } from '@fleet/apiserver/connect/connector.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { StatusError, unavailable } from '@fleet/kube/status.ts';
import { realClock } from './clock.ts';
import { readLog } from './logs/read-log.ts';
import type { ContainerInstance } from './nodes/running-pod.ts';
import { hashOf } from './noise.ts';
import { containerState, isRunning, type RunningPodSource } from './pods/container-state.ts';
import { asPod, type ContainerSpec, containersOf, type Pod } from './pods/pod.ts';
import { type Process, runCommand } from './shell/run-command.ts';
import { writeTo } from './shell/streams.ts';
import type { SimulatedPods } from './simulated-pods.ts';
import { PodServer } from './web/pod-server.ts';
import { listeningPorts } from './web/ports.ts';
import { proxied } from './web/proxy.ts';

export function createConnector(pods: SimulatedPods): Connector {
  const { clock = realClock, seed = 1 } = pods;
  const nodes = () => pods.nodes?.();
  const logs = { clock, nodes, seed: hashOf(`${pods.name}/${seed}`) };
  const server = new PodServer();
  const proxies = {
    nodes,
    async listPods(namespace: string, labelSelector: string) {
      const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(labelSelector)}`;
      return (await pods.client().list<KubeObject>(path)).items;
    },
    random: Math.random,
  };

  const processOf = (pod: Pod, name: string): Process => {
    const { container, instance } = runningContainer(pod, name, nodes());
    return { pod, container, instance, clock, onError: (error) => pods.onError(error) };
  };

  return {
    log: async (object, options, signal) => readLog(asPod(object), options, signal, logs),

    exec: async (object, session) => runCommand(processOf(asPod(object), session.container), session),

    async attach(object, session) {
      const pod = asPod(object);
      const process = processOf(pod, session.container);
      if (!process.container.stdin) return showLog(pod, session);
      const { command = [], args = [] } = process.container;
      const main = [...command, ...args];
      const exitCode = await runCommand(process, { ...session, command: main.length > 0 ? main : ['sh'] });
      // It was the main process.
      nodes()?.end(pod.metadata.uid!, session.container, exitCode);
      return exitCode;
    },

    async portForward(object, port, stream) {
      const pod = asPod(object);
      if (!listeningPorts(pod, nodes()).has(port)) throw refusedConnection(pod, port);
      await server.serve(stream, { pod, port });
    },

    proxy: (target, request) => proxied(target, request, proxies),
  };

  /** What the container writes from now on, until it ends. */
  async function showLog(pod: Pod, { container, stdout, stderr, signal }: CommandSession): Promise<number> {
    const stream = stderr || !stdout ? 'All' : 'Stdout';
    const options = { container, follow: true, previous: false, timestamps: false, tailLines: 0, stream } as const;
    const write = writeTo(stdout ?? stderr, signal);
    for await (const chunk of readLog(pod, options, signal, logs)) await write(chunk);
    return 0;
  }
}

interface RunningNow {
  container: ContainerSpec;
  instance: ContainerInstance;
}

function runningContainer(pod: Pod, name: string, nodes: RunningPodSource | undefined): RunningNow {
  const container = containersOf(pod).find((one) => one.name === name);
  const state = containerState(pod, name, nodes);
  if (container && state && isRunning(state)) return { container, instance: state.current! };
  const message = `unable to upgrade connection: container not found ("${name}")`;
  throw new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** As containerd says it. */
function refusedConnection({ metadata }: Pod, port: number): StatusError {
  const uid = metadata.uid ?? '';
  const namespace = `/var/run/netns/cni-${uid}`;
  return unavailable(
    `failed to execute portforward in network namespace "${namespace}": failed to connect to localhost:${port} inside ` +
      `namespace "${uid}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused ` +
      `IPv6 dial tcp6 [::1]:${port}: connect: connection refused `,
  );
}
