/** The environment that a container is started with. */

import { type ContainerSpec, hostnameOf, type Pod } from '../pods/pod.ts';

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

/** Values from ConfigMaps and Secrets are left out: a simulated container reads none. */
export function environmentOf(pod: Pod, { env = [] }: ContainerSpec, isTerminal: boolean): Map<string, string> {
  const variables = new Map(Object.entries({ PATH: path, HOSTNAME: hostnameOf(pod), ...ofCluster }));
  for (const { name, value, valueFrom } of env) {
    const found = value ?? fieldOf(pod, valueFrom?.fieldRef?.fieldPath);
    if (found !== undefined) variables.set(name, withReferences(found, variables));
  }
  variables.set('HOME', '/root');
  if (isTerminal) variables.set('TERM', 'xterm');
  return variables;
}

/** `$(NAME)` stands for a variable before it; others stay as they are. */
const withReferences = (value: string, variables: ReadonlyMap<string, string>): string =>
  value.replace(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g, (whole, name: string) => variables.get(name) ?? whole);

function fieldOf(pod: Pod, field: string | undefined): string | undefined {
  const { metadata, spec, status } = pod;
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
