/** Serves for a simulated cluster what real clusters ask kubelets for: logs, commands, ports and proxies of pods. */

import type { CommandSession, Connector } from '@fleet/apiserver/connect/connector.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { StatusError, unavailable } from '@fleet/kube/status.ts';
import { realClock } from './clock.ts';
import type { ConnectorDependencies } from './connector-dependencies.ts';
import { readLog } from './logs/read-log.ts';
import type { ContainerInstance } from './nodes/running-pod.ts';
import { hashOf } from './noise.ts';
import { instanceLifetime, podLifetime } from './pods/lifetime.ts';
import { isRunning, observedContainer, type RunningPodSource } from './pods/observed-container.ts';
import { asPod, type Container, containersOf, type Pod } from './pods/pod.ts';
import { seededRandom } from './seeded-random.ts';
import { isShellImage } from './shell/files.ts';
import { canRun, type Process, runCommand } from './shell/run-command.ts';
import { writeTo } from './shell/streams.ts';
import { PodServer } from './web/pod-server.ts';
import { listeningPorts } from './web/ports.ts';
import { proxied } from './web/proxy.ts';

export function createConnector(dependencies: ConnectorDependencies): Connector {
  const { clock = realClock, seed = 1 } = dependencies;
  const nodes = () => dependencies.nodes?.();
  const logs = { clock, nodes, seed: hashOf(`${dependencies.name}/${seed}`) };
  const server = new PodServer();
  const proxies = {
    nodes,
    async listPods(namespace: string, labelSelector: string) {
      const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(labelSelector)}`;
      return (await dependencies.client().list<KubeObject>(path)).items;
    },
    random: seededRandom(logs.seed),
  };

  const processOf = (pod: Pod, name: string): Process => {
    const { container, instance } = runningContainer(pod, name, nodes());
    return { pod, container, instance, clock, onError: (error) => dependencies.onError(error) };
  };

  return {
    log: (object, options, signal) => readLog(asPod(object), options, signal, logs),

    exec: async (object, session) => runUntilKilled(processOf(asPod(object), session.container), session),

    async attach(object, session) {
      const pod = asPod(object);
      const process = processOf(pod, session.container);
      const command = mainCommand(process.container);
      if (!process.container.stdin || !session.stdin || !command) return showLog(pod, session);
      const exitCode = await runUntilKilled(process, { ...session, command });
      // The command was the container's main process.
      nodes()?.end(pod.metadata.uid!, session.container, exitCode);
      return exitCode;
    },

    async portForward(object, port, stream) {
      const pod = asPod(object);
      if (!listeningPorts(pod, nodes()).has(port)) throw refusedConnection(pod, port);
      using lifetime = podLifetime(pod, nodes());
      lifetime.signal.addEventListener('abort', () => stream.destroy());
      await server.serve(stream, { pod, port });
    },

    proxy: (target, request) => proxied(target, request, proxies),
  };

  /** A command is killed with its container. */
  async function runUntilKilled(process: Process, session: CommandSession): Promise<number> {
    const { pod, container, instance } = process;
    using lifetime = instanceLifetime(pod, container.name, instance.attempt, nodes());
    try {
      return await runCommand(process, { ...session, signal: AbortSignal.any([session.signal, lifetime.signal]) });
    } catch (error) {
      if (lifetime.signal.aborted && !session.signal.aborted) return sigkillStatus;
      throw error;
    }
  }

  /** Writes the container's output from now on, until it ends. */
  async function showLog(pod: Pod, { container, stdout, stderr, signal }: CommandSession): Promise<number> {
    const stream = stderr || !stdout ? 'All' : 'Stdout';
    const options = { container, follow: true, previous: false, timestamps: false, tailLines: 0, stream } as const;
    const write = writeTo(stdout ?? stderr, signal);
    for await (const chunk of await readLog(pod, options, signal, logs)) await write(chunk);
    return 0;
  }
}

const sigkillStatus = 137;

/** Undefined if it is not a command that the built-in shell can run. */
function mainCommand({ image = '', command = [], args = [] }: Container): readonly string[] | undefined {
  const given = [...command, ...args];
  const main = given.length === 0 && isShellImage(image) ? ['sh'] : given;
  return canRun(image, main[0] ?? '') ? main : undefined;
}

interface RunningNow {
  container: Container;
  instance: ContainerInstance;
}

function runningContainer(pod: Pod, name: string, nodes: RunningPodSource | undefined): RunningNow {
  const container = containersOf(pod).find((one) => one.name === name);
  const state = observedContainer(pod, name, nodes);
  if (container && state && isRunning(state)) return { container, instance: state.current! };
  const message = `unable to upgrade connection: container not found ("${name}")`;
  throw new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** containerd's error text. */
function refusedConnection({ metadata }: Pod, port: number): StatusError {
  const uid = metadata.uid ?? '';
  const namespace = `/var/run/netns/cni-${uid}`;
  return unavailable(
    `failed to execute portforward in network namespace "${namespace}": failed to connect to localhost:${port} inside ` +
      `namespace "${uid}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused ` +
      `IPv6 dial tcp6 [::1]:${port}: connect: connection refused `,
  );
}
