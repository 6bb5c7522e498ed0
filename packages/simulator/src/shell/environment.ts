/** Builds the environment of a container. */

import { type Container, containerCount, hostnameOf, type Pod } from '../pods/pod.ts';

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const ofCluster = {
  KUBERNETES_PORT: 'tcp://10.96.0.1:443',
  KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443',
  KUBERNETES_PORT_443_TCP_ADDR: '10.96.0.1',
  KUBERNETES_PORT_443_TCP_PORT: '443',
  KUBERNETES_PORT_443_TCP_PROTO: 'tcp',
  KUBERNETES_SERVICE_HOST: '10.96.0.1',
  KUBERNETES_SERVICE_PORT: '443',
  KUBERNETES_SERVICE_PORT_HTTPS: '443',
};

/** `$(NAME)` refers to an earlier variable; unknown references are kept. */
const reference = /\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g;

/** In characters, for a pod, as nested references could fill the memory. References beyond it are kept unexpanded. */
const mostReferenced = 256 * 1024;

/** Values from ConfigMaps and Secrets are left out: simulated containers do not read them. */
export function environmentOf(pod: Pod, { env = [] }: Container, isTerminal: boolean): Map<string, string> {
  const variables = new Map(Object.entries({ PATH: path, HOSTNAME: hostnameOf(pod), ...ofCluster }));
  let left = mostReferenced / containerCount(pod);
  const referenced = (whole: string, name: string): string => {
    const value = variables.get(name);
    if (value === undefined || value.length > left) return whole;
    left -= value.length;
    return value;
  };
  for (const { name, value, valueFrom } of env) {
    const found = value ?? fieldOf(pod, valueFrom?.fieldRef?.fieldPath);
    if (found !== undefined) variables.set(name, found.replace(reference, referenced));
  }
  variables.set('HOME', '/root');
  if (isTerminal) variables.set('TERM', 'xterm');
  return variables;
}

function fieldOf(pod: Pod, field: string | undefined): string | undefined {
  const { metadata, spec, status } = pod;
  const [, map, key] = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(field ?? '') ?? [];
  if (key !== undefined) {
    const values = metadata[map as 'labels' | 'annotations'] ?? {};
    return Object.hasOwn(values, key) ? values[key]! : '';
  }
  switch (field) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'spec.nodeName':
      return spec.nodeName;
    case 'spec.serviceAccountName':
      return spec.serviceAccountName;
    case 'status.podIP':
    case 'status.podIPs':
      return status?.podIP;
    case 'status.hostIP':
    case 'status.hostIPs':
      return status?.hostIP;
    default:
      return undefined;
  }
}
