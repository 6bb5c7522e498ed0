/** Builds the agent's own objects in the member: a Deployment without permissions, its token, and a PodDisruptionBudget. */

import type { TransportChoice } from '@fleet/agent/dial/server-dial.ts';
import { credentialsFolder, mounts } from '@fleet/agent/pod.ts';
import { type AgentToken, formatToken } from '@fleet/tunnel/token.ts';
import type { Manifest } from '../join/manifest.ts';
import { home, tokenSecret } from '../join/member-objects.ts';
import { managed } from '../labels.ts';

export interface DeploymentOptions {
  token: AgentToken;
  image: string;
  server: string;
  transport: TransportChoice;
  proxy?: string | undefined;
  /** PEM: for a WebSocket straight to the fleet, whose certificate is of its own CA. */
  certificateAuthority?: string | undefined;
}

const name = 'fleet-agent';
const selected = { 'app.kubernetes.io/name': name };
const labels = { ...managed, ...selected };
const metadata = { name, namespace: home, labels };
const tokenSecretName = `${name}-token`;
const port = 8080;
/** One that no image has an account for. */
const nobody = 65_532;

export function agentObjects(options: DeploymentOptions): Manifest[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata,
      // The agent carries bytes and hands over what is mounted: it asks the API server for nothing.
      automountServiceAccountToken: false,
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { ...metadata, name: tokenSecretName },
      stringData: {
        token: `${formatToken(options.token)}\n`,
        ...(options.certificateAuthority === undefined ? {} : { 'ca.crt': options.certificateAuthority }),
      },
    },
    deployment(options),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { minAvailable: 1, selector: { matchLabels: selected } },
    },
  ];
}

const deployment = (options: DeploymentOptions): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: {
    // Two, so that the fleet goes on while a node is drained or a pod is replaced: each holds connections of its own.
    replicas: 2,
    selector: { matchLabels: selected },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        // What is under way has 10 s.
        terminationGracePeriodSeconds: 30,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: nobody,
          runAsGroup: nobody,
          // Mounted Secrets are readable for the group alone.
          fsGroup: nobody,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [onAnotherNode] } },
        containers: [container(options)],
        volumes: [
          secretVolume('agent', tokenSecretName),
          secretVolume(mounts.control, tokenSecret('fleet-control').object.metadata.name),
          secretVolume(mounts.impersonator, tokenSecret('fleet-impersonator').object.metadata.name),
        ],
      },
    },
  },
});

const onAnotherNode = {
  weight: 100,
  podAffinityTerm: { labelSelector: { matchLabels: selected }, topologyKey: 'kubernetes.io/hostname' },
};

const secretVolume = (volume: string, secretName: string) => ({
  name: volume,
  secret: { secretName, defaultMode: 0o440 },
});

const container = ({ image, server, transport, proxy, certificateAuthority }: DeploymentOptions) => ({
  name: 'agent',
  image,
  args: [
    'agent',
    `--server=${server}`,
    `--token-file=${credentialsFolder}/agent/token`,
    `--credentials=${credentialsFolder}`,
    `--metrics-listen=:${port}`,
    ...(transport === 'auto' ? [] : [`--transport=${transport}`]),
    ...(proxy === undefined ? [] : [`--proxy=${proxy}`]),
    ...(certificateAuthority === undefined ? [] : [`--certificate-authority=${credentialsFolder}/agent/ca.crt`]),
  ],
  ports: [{ name: 'metrics', containerPort: port }],
  livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' }, periodSeconds: 20, failureThreshold: 3 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' }, periodSeconds: 5 },
  // Unread bytes of 64 MiB at most on each of two connections, and what Node takes.
  resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
  volumeMounts: ['agent', mounts.control, mounts.impersonator].map((volume) => ({
    name: volume,
    mountPath: `${credentialsFolder}/${volume}`,
    readOnly: true,
  })),
});
