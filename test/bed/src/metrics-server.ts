/** A real metrics-server as an aggregated API of a member, so that `kubectl top` has something to show. */
import type { Api } from './api.ts';
import { binaryPath, metricsServer } from './binaries.ts';
import { Child } from './child.ts';
import { freePort, givePortBack } from './ports.ts';
import { until } from './until.ts';

export interface MetricsServerSpec {
  folder: string;
  run: string;
  api: Api;
  /** PEM. */
  ca: string;
  /** How many it should know. */
  nodes: number;
}

export interface MetricsServer {
  child: Child;
  /** Waits until it has metrics of all nodes, which takes two looks at them. */
  ready(): Promise<void>;
}

const group = 'metrics.k8s.io';
const service = { name: 'metrics-server', namespace: 'kube-system' };

export async function startMetricsServer({ folder, run, api, ca, nodes }: MetricsServerSpec): Promise<MetricsServer> {
  const port = await freePort();
  const path = binaryPath(metricsServer);
  const child = new Child({ name: 'metrics-server', path, args: metricsServerArguments(port), folder, run });
  child.ended.then(() => givePortBack(port));
  await api.object(`/api/v1/namespaces/${service.namespace}/services`, { method: 'POST', body: serviceOnLoopback });
  const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
  await api.object(apiServices, { method: 'POST', body: apiService(port, ca) });
  const known = async () =>
    (await api.object<{ items: unknown[] }>(`/apis/${group}/v1beta1/nodes`)).items.length === nodes;
  return {
    child,
    ready: async () => {
      await until('metrics-server knows the nodes', known, { failed: child.ended });
    },
  };
}

/** Paths are relative to the member's folder. */
function metricsServerArguments(port: number): string[] {
  const kubeconfig = 'kubeconfig/metrics-server';
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--tls-cert-file=pki/metrics-server.crt',
    '--tls-private-key-file=pki/metrics-server.key',
    '--kubelet-use-node-status-port',
    '--kubelet-preferred-address-types=InternalIP',
    '--kubelet-certificate-authority=pki/ca.crt',
    '--kubelet-client-certificate=pki/kubelet-client.crt',
    '--kubelet-client-key=pki/kubelet-client.key',
    // the shortest it allows
    '--metric-resolution=10s',
    '--kubelet-request-timeout=5s',
  ];
}

/** By name, as nothing routes cluster addresses here; the port is the APIService's. */
const serviceOnLoopback = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: service,
  spec: { type: 'ExternalName', externalName: 'localhost' },
};

const apiService = (port: number, ca: string) => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `v1beta1.${group}` },
  spec: {
    group,
    version: 'v1beta1',
    service: { ...service, port },
    caBundle: Buffer.from(ca).toString('base64'),
    groupPriorityMinimum: 100,
    versionPriority: 100,
  },
});
