/** Warns about conflicting ports of a pod. */

import { quoted } from '../../errors/quoted.ts';
import type { Container, ContainerPort } from './pod-spec.ts';
import type { PathOf } from './spec-warnings.ts';

export function portWarnings(containers: readonly PathOf<Container>[]): string[] {
  const ports = containers.flatMap(([container, path]) =>
    (container.ports ?? []).map((port, index) => [port, `${path}.ports[${index}]`] as const),
  );
  return [...numberWarnings(ports), ...nameWarnings(ports)];
}

/** Each port is compared with at most this many similar ones, so further conflicts give no warnings (SEC-3). */
const mostAlike = 100;

function numberWarnings(ports: readonly PathOf<ContainerPort>[]): string[] {
  const known = new Map<string, PathOf<ContainerPort>[]>();
  return ports.flatMap(([port, path]) => {
    const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
    const others = known.get(key) ?? [];
    const warnings = port.hostIP && !port.hostPort ? [`${path}: hostIP set without hostPort: ${goText(port)}`] : [];
    for (const [other, where] of others) {
      const how = clashOf(port, other);
      if (how) warnings.push(`${path}: ${how} port definition with ${where}`);
    }
    if (others.length < mostAlike) others.push([port, path]);
    known.set(key, others);
    return warnings;
  });
}

function clashOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const [host, otherHost] = [port.hostPort ?? 0, other.hostPort ?? 0];
  const [ip, otherIp] = [port.hostIP ?? '', other.hostIP ?? ''];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0 || otherHost === 0) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function nameWarnings(ports: readonly PathOf<ContainerPort>[]): string[] {
  const known = new Map<string, string>();
  return ports.flatMap(([{ name }, path]) => {
    if (!name) return [];
    const other = known.get(name);
    if (!other) known.set(name, path);
    return other
      ? [
          `${path}: duplicate port name ${quoted(name)} with ${other}, services and probes that select ports by name will use ${other}`,
        ]
      : [];
  });
}

/** Go's format of the struct. */
const goText = ({ name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' }: ContainerPort): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
