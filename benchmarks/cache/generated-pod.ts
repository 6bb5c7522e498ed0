/** Pods that are computed, not stored: about 4.7 KB each, of which managedFields are more than half, as of a Deployment's pod. */

/** So many apps: a selector of one takes 2 %. */
export const apps = 50;
const perNamespace = 1_000;

const marks = ['app', 'name', 'namespace', 'version', 'uid', 'ip', 'node', 'time'] as const;
type Mark = (typeof marks)[number];
const mark = (name: Mark): string => `@${name}@`;

/** What `kubectl get pods -o wide` has; priorities as kube-apiserver sends them. */
const columns = [
  ['Name', 'string', 'name', 0],
  ['Ready', 'string', '', 0],
  ['Status', 'string', '', 0],
  ['Restarts', 'string', '', 0],
  ['Age', 'string', '', 0],
  ['IP', 'string', '', 1],
  ['Node', 'string', '', 1],
  ['Nominated Node', 'string', '', 1],
  ['Readiness Gates', 'string', '', 1],
].map(([name, type, format, priority]) => ({ name, type, format, description: `${name} of a pod.`, priority }));
export const columnDefinitions = JSON.stringify(columns);

const created = mark('time');
const container = {
  name: 'main',
  image: 'registry.example/team/main:v1.2.3',
  args: ['--listen=:8080', '--log-level=info'],
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  env: ['A', 'B'].map((name) => ({ name: `SETTING_${name}`, value: `value-${name}` })),
  resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
  volumeMounts: [{ name: 'token', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
  readinessProbe: { httpGet: { path: '/ready', port: 8080, scheme: 'HTTP' }, timeoutSeconds: 1, periodSeconds: 5 },
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};
const condition = (type: string) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: created });

/** As the API server records who set what: every key that a writer has set, and nothing of their values. */
const ownedFields = (value: unknown): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const listed = Array.isArray(inner) && typeof inner[0] === 'object';
      return [`f:${key}`, listed ? elements(inner as Record<string, unknown>[]) : ownedFields(inner)];
    }),
  );
};
const elements = (list: Record<string, unknown>[]) =>
  Object.fromEntries(
    list.map((one) => {
      const key = ['type', 'containerPort', 'name', 'ip'].find((name) => name in one)!;
      return [`k:${JSON.stringify({ [key]: one[key] })}`, { '.': {}, ...ownedFields(one) }];
    }),
  );

const labels = { app: `app-${mark('app')}`, 'pod-template-hash': '5d9f7c8b6', tier: 'backend' };
const spec = {
  volumes: [
    { name: 'token', projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }] } },
  ],
  containers: [container],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  serviceAccountName: 'default',
  nodeName: mark('node'),
  securityContext: {},
  schedulerName: 'default-scheduler',
  priority: 0,
};
const status = {
  phase: 'Running',
  conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
  hostIP: '10.0.0.1',
  podIP: mark('ip'),
  podIPs: [{ ip: mark('ip') }],
  startTime: created,
  containerStatuses: [
    {
      name: 'main',
      state: { running: { startedAt: created } },
      ready: true,
      restartCount: 0,
      image: container.image,
      imageID: `sha256:${'0123456789abcdef'.repeat(2)}`,
      containerID: `containerd://${'fedcba9876543210'.repeat(2)}`,
      started: true,
    },
  ],
  qosClass: 'Burstable',
};
const entry = (manager: string, fields: object, subresource?: string) => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: created,
  fieldsType: 'FieldsV1',
  fieldsV1: fields,
  ...(subresource ? { subresource } : {}),
});
const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: mark('name'),
    namespace: mark('namespace'),
    uid: mark('uid'),
    resourceVersion: mark('version'),
    generation: 1,
    creationTimestamp: created,
    labels,
    annotations: { 'example.fleet/checksum': 'f'.repeat(64) },
    managedFields: [
      entry('kube-controller-manager', {
        'f:metadata': {
          'f:annotations': ownedFields({ 'example.fleet/checksum': '' }),
          'f:labels': ownedFields(labels),
        },
        'f:spec': ownedFields({ ...spec, nodeName: undefined }),
      }),
      entry('kubelet', { 'f:status': ownedFields({ ...status, podIP: '' }) }, 'status'),
    ],
  },
  spec,
  status,
};
const cells = [mark('name'), '1/1', 'Running', '0', '17d', mark('ip'), mark('node'), '<none>', '<none>'];

/** Text between marks and marks, in turns. */
const parts = (value: unknown): string[] => JSON.stringify(value).split(new RegExp(`@(${marks.join('|')})@`));
const [podParts, rowParts] = [parts(pod), parts({ cells, object: pod })];
/** Items of lists have neither. */
const listedParts = parts({ ...pod, kind: undefined, apiVersion: undefined });

export const nameOf = (index: number): string => `pod-${String(index).padStart(7, '0')}`;
export const namespaceOf = (index: number): string =>
  `team-${String(Math.floor(index / perNamespace)).padStart(4, '0')}`;
/** Undefined for a name that no pod has. */
export const indexOf = (name: string): number | undefined => {
  const index = Number(name.slice(name.lastIndexOf('-') + 1));
  return Number.isInteger(index) && nameOf(index) === name ? index : undefined;
};

const two = (number: number): string => String(number).padStart(2, '0');

function filled(texts: readonly string[], member: number, index: number, version: number): string {
  const values: Record<Mark, string> = {
    app: String(index % apps),
    name: nameOf(index),
    namespace: namespaceOf(index),
    version: String(version),
    uid: `00000000-0000-4000-${String(8000 + member)}-${String(index).padStart(12, '0')}`,
    ip: `10.${128 + (member % 100)}.${(index >> 8) & 255}.${index & 255}`,
    node: `node-${index % 100}`,
    time: `2026-11-01T00:${two(index % 60)}:${two(index % 59)}Z`,
  };
  let text = texts[0]!;
  for (let at = 1; at < texts.length; at += 2) text += values[texts[at] as Mark] + texts[at + 1]!;
  return text;
}

export const podText = (member: number, index: number, version: number): string =>
  filled(podParts, member, index, version);
export const listedPodText = (member: number, index: number, version: number): string =>
  filled(listedParts, member, index, version);
export const rowText = (member: number, index: number, version: number): string =>
  filled(rowParts, member, index, version);

/** In bytes, of one pod as JSON. */
export const bytesWithoutManagedFields = ((): number => {
  const { metadata, ...rest } = JSON.parse(podText(0, 0, 1_000_000)) as typeof pod;
  return Buffer.byteLength(JSON.stringify({ ...rest, metadata: { ...metadata, managedFields: undefined } }));
})();
