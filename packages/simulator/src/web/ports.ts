/** The ports on which a pod listens. */

import { isRunning, observedContainers, type RunningPodSource } from '../pods/observed-container.ts';
import { containersOf, type Pod } from '../pods/pod.ts';

/** Used if a container declares none. */
const usual: readonly (readonly [word: string, port: number])[] = [
  ['nginx', 80],
  ['httpd', 80],
  ['redis', 6379],
  ['postgres', 5432],
  ['agnhost', 8080],
];

/** Ports of running containers: declared ones, or the usual ones of programs with that name. */
export function listeningPorts(pod: Pod, nodes: RunningPodSource | undefined): Set<number> {
  const running = new Set(
    observedContainers(pod, nodes)
      .filter(isRunning)
      .map(({ name }) => name),
  );
  return new Set(
    containersOf(pod)
      .filter(({ name }) => running.has(name))
      .flatMap(({ ports = [], image = '' }) => {
        const declared = ports.flatMap(({ containerPort, protocol = 'TCP' }) =>
          protocol === 'TCP' ? [containerPort] : [],
        );
        return declared.length > 0 ? declared : usual.flatMap(([word, port]) => (image.includes(word) ? [port] : []));
      }),
  );
}

/** A number, or the name of a port of the pod. */
export function portNumber(pod: Pod, port: string | number): number | undefined {
  if (/^\d{1,5}$/.test(String(port))) return Number(port);
  return containersOf(pod)
    .flatMap(({ ports = [] }) => ports)
    .find(({ name }) => name === port)?.containerPort;
}
