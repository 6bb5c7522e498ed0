/** Specs of pods, in Pods and in templates: valid, and with much of what they may have. */
import type { Random } from '../../random.ts';
import type { JsonObject } from '../../request.ts';

type Part = (random: Random) => JsonObject;

/** Each of the parts, at times. */
export const some = (random: Random, chance: number, parts: readonly Part[]): JsonObject =>
  Object.assign({}, ...parts.map((part) => (random.chance(chance) ? part(random) : {})));

const handlers = [
  { httpGet: { path: '/healthz', port: 8080 } },
  { tcpSocket: { port: 'web' } },
  { exec: { command: ['true'] } },
  { grpc: { port: 9000 } },
];
const probe = (random: Random): JsonObject => ({
  ...random.pick<JsonObject>(handlers),
  ...some(random, 0.3, [
    () => ({ initialDelaySeconds: 5 }),
    () => ({ periodSeconds: 7 }),
    () => ({ failureThreshold: 2 }),
    () => ({ timeoutSeconds: 3 }),
  ]),
});

const mounts = [
  { name: 'scratch', mountPath: '/scratch' },
  { name: 'config', mountPath: '/config', readOnly: true },
];

const containerParts: readonly Part[] = [
  () => ({ command: ['sh', '-c'], args: ['sleep 1'] }),
  (random) => ({
    env: [
      { name: 'A', value: random.pick(['one', '', '$(B)']) },
      random.pick<JsonObject>([
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
        { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
      ]),
    ],
  }),
  () => ({ envFrom: [{ prefix: 'P_', configMapRef: { name: 'alpha' } }] }),
  (random) => ({
    resources: random.pick<JsonObject>([
      { requests: { cpu: '100m', memory: '64Mi' } },
      { limits: { cpu: 1, memory: '0.5Gi' } },
      { limits: { cpu: '2', memory: '1Gi', 'example.dev/gpu': '1' }, requests: { cpu: '500m' } },
      { requests: { 'ephemeral-storage': '1Gi' } },
    ]),
  }),
  (random) => ({
    ports: [
      { containerPort: 8080, name: 'web' },
      { containerPort: 53, protocol: random.pick(['UDP', 'TCP']) },
    ],
  }),
  () => ({ volumeMounts: mounts }),
  (random) => ({ imagePullPolicy: random.pick(['Always', 'IfNotPresent', 'Never']) }),
  () => ({ securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] }, allowPrivilegeEscalation: false } }),
  () => ({ terminationMessagePolicy: 'FallbackToLogsOnError', workingDir: '/w', stdin: true, tty: true }),
];

/** Not of containers that run to their end before others start. */
const servingParts: readonly Part[] = [
  (random) => ({ livenessProbe: probe(random) }),
  (random) => ({ readinessProbe: { ...probe(random), successThreshold: 2 } }),
  (random) => ({ startupProbe: probe(random) }),
  () => ({ lifecycle: { preStop: { exec: { command: ['true'] } }, postStart: { httpGet: { port: 80 } } } }),
];

const images = ['example.dev/image:1', 'example.dev/image:2', 'nginx', 'nginx:latest'];

const initContainer = (random: Random, name: string): JsonObject => ({
  name,
  image: random.pick(images),
  ...some(random, 0.15, containerParts),
});

const container = (random: Random, name: string): JsonObject => ({
  ...initContainer(random, name),
  ...some(random, 0.15, servingParts),
});

const weighed = { weight: 5, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] } };
const apart = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'red' } } };

const specParts: readonly Part[] = [
  (random) => ({ dnsPolicy: random.pick(['Default', 'ClusterFirst', 'ClusterFirstWithHostNet']) }),
  () => ({ dnsPolicy: 'None', dnsConfig: { nameservers: ['192.0.2.53'], options: [{ name: 'ndots', value: '2' }] } }),
  (random) => ({ terminationGracePeriodSeconds: random.pick([0, 5, 60, -1]) }),
  () => ({ nodeSelector: { disk: 'ssd' } }),
  () => ({
    tolerations: [
      { operator: 'Exists', effect: 'NoSchedule' },
      { key: 'a', value: 'b' },
    ],
  }),
  () => ({ tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }] }),
  () => ({
    affinity: {
      nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [weighed] },
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] },
    },
  }),
  () => ({
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { a: 'b' } },
      },
    ],
  }),
  () => ({ securityContext: { runAsNonRoot: true, fsGroup: 5, seccompProfile: { type: 'RuntimeDefault' } } }),
  () => ({ hostNetwork: true }),
  () => ({ hostAliases: [{ ip: '192.0.2.1', hostnames: ['a.example'] }], hostname: 'h', subdomain: 'web' }),
  () => ({ imagePullSecrets: [{ name: 'pull' }] }),
  (random) => ({ enableServiceLinks: random.chance(0.5), shareProcessNamespace: true }),
  (random) => ({ initContainers: [initContainer(random, 'init')] }),
  (random) => ({ initContainers: [{ ...container(random, 'sidecar'), restartPolicy: 'Always' }] }),
  () => ({ priorityClassName: 'system-cluster-critical' }),
  () => ({ os: { name: 'linux' } }),
];

const volumes = (random: Random): JsonObject[] => [
  random.pick<JsonObject>([
    { name: 'scratch', emptyDir: {} },
    { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
    { name: 'scratch', hostPath: { path: '/tmp' } },
    { name: 'scratch', persistentVolumeClaim: { claimName: 'alpha' } },
    {
      name: 'scratch',
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      },
    },
  ]),
  random.pick<JsonObject>([
    { name: 'config', configMap: { name: 'alpha' } },
    { name: 'config', secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } },
    { name: 'config', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    { name: 'config', projected: { sources: [{ secret: { name: 's' } }, { serviceAccountToken: { path: 't' } }] } },
  ]),
];

export const podSpec = (random: Random): JsonObject => ({
  automountServiceAccountToken: random.chance(0.2),
  volumes: volumes(random),
  containers: [container(random, 'main'), ...(random.chance(0.2) ? [container(random, 'other')] : [])],
  ...some(random, 0.1, specParts),
});

export const template = (random: Random, labels: JsonObject): JsonObject => ({
  metadata: { labels },
  spec: podSpec(random),
});
