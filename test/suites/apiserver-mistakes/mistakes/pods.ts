import type { KindMistakes } from '../mistake.ts';
import type { JsonObject } from '../rule-request.ts';

const container: JsonObject = { name: 'main', image: 'example.dev/image:1' };

/** What templates share with Pods. */
export const podSpec: JsonObject = { containers: [container], automountServiceAccountToken: false };

const probe = { httpGet: { path: '/healthz', port: 8080 } };

export const pods: KindMistakes = {
  base: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {},
    spec: { ...podSpec, serviceAccountName: 'default', schedulerName: 'nobody' },
  },
  create: {
    'no spec': { spec: undefined },
    'no containers': { 'spec/containers': [] },
    'containers missing': { 'spec/containers': undefined },
    'upper case in the name': { 'metadata/name': 'Web' },
    'underscore in the name': { 'metadata/name': 'web_1' },
    'no name': { 'metadata/name': undefined },
    'name too long': { 'metadata/name': 'x'.repeat(254) },
    'another namespace': { 'metadata/namespace': 'another' },
    'label value with a space': { 'metadata/labels': { app: 'my app' } },
    'label key with two slashes': { 'metadata/labels': { 'a/b/c': 'x' } },
    'annotation key with a space': { 'metadata/annotations': { 'a b': 'x' } },
    'unqualified finalizer': { 'metadata/finalizers': ['hold'] },
    'owner without a uid': { 'metadata/ownerReferences': [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }] },
    'container without an image': { 'spec/containers/0/image': undefined },
    'image with a space in front': { 'spec/containers/0/image': ' nginx' },
    'container without a name': { 'spec/containers/0/name': undefined },
    'upper case in the name of a container': { 'spec/containers/0/name': 'Main' },
    'two containers of one name': { 'spec/containers': [container, container] },
    'init container of the name of a container': { 'spec/initContainers': [container] },
    'a number as an image': { 'spec/containers/0/image': 5 },
    'a text for containers': { 'spec/containers': 'nginx' },
    'image pull policy in lower case': { 'spec/containers/0/imagePullPolicy': 'always' },
    'restart policy in lower case': { 'spec/restartPolicy': 'always' },
    'restart policy of a container that is none': { 'spec/containers/0/restartPolicy': 'Sometimes' },
    'DNS policy that is none': { 'spec/dnsPolicy': 'Cluster' },
    'DNS policy None without a configuration': { 'spec/dnsPolicy': 'None' },
    'negative grace period': { 'spec/terminationGracePeriodSeconds': -5 },
    'deadline of no time': { 'spec/activeDeadlineSeconds': 0 },
    'port out of range': { 'spec/containers/0/ports': [{ containerPort: 70000 }] },
    'port 0': { 'spec/containers/0/ports': [{ containerPort: 0 }] },
    'two ports of one name': {
      'spec/containers/0/ports': [
        { containerPort: 80, name: 'web' },
        { containerPort: 81, name: 'web' },
      ],
    },
    'port name too long': { 'spec/containers/0/ports': [{ containerPort: 80, name: 'a-name-too-long-for-a-port' }] },
    'protocol in lower case': { 'spec/containers/0/ports': [{ containerPort: 80, protocol: 'tcp' }] },
    'a text as a port': { 'spec/containers/0/ports': [{ containerPort: '80' }] },
    'variable without a name': { 'spec/containers/0/env': [{ value: 'x' }] },
    'variable with an equals sign': { 'spec/containers/0/env': [{ name: 'A=B', value: 'x' }] },
    'a number as a variable': { 'spec/containers/0/env': [{ name: 'A', value: 1 }] },
    'variable of a value and a source': {
      'spec/containers/0/env': [{ name: 'A', value: 'x', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } }],
    },
    'variable of a key without a name': {
      'spec/containers/0/env': [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: '' } } }],
    },
    'variable of a field that is none': {
      'spec/containers/0/env': [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.replicas' } } }],
    },
    'request above its limit': {
      'spec/containers/0/resources': { limits: { memory: '64Mi' }, requests: { memory: '128Mi' } },
    },
    'negative request': { 'spec/containers/0/resources': { requests: { cpu: '-1' } } },
    'quantity that is none': { 'spec/containers/0/resources': { requests: { memory: '64MB!' } } },
    'resource of no kind': { 'spec/containers/0/resources': { requests: { gpu: '1' } } },
    'extended resource in parts': {
      'spec/containers/0/resources': { limits: { 'example.dev/gpu': '500m' }, requests: { 'example.dev/gpu': '500m' } },
    },
    'huge pages without memory': {
      'spec/containers/0/resources': { limits: { 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '4Mi' } },
    },
    'mount of a volume that is missing': { 'spec/containers/0/volumeMounts': [{ name: 'data', mountPath: '/data' }] },
    'mount without a path': {
      'spec/volumes': [{ name: 'data', emptyDir: {} }],
      'spec/containers/0/volumeMounts': [{ name: 'data', mountPath: '' }],
    },
    'two mounts at one path': {
      'spec/volumes': [
        { name: 'data', emptyDir: {} },
        { name: 'more', emptyDir: {} },
      ],
      'spec/containers/0/volumeMounts': [
        { name: 'data', mountPath: '/data' },
        { name: 'more', mountPath: '/data' },
      ],
    },
    'mount of a sub path outwards': {
      'spec/volumes': [{ name: 'data', emptyDir: {} }],
      'spec/containers/0/volumeMounts': [{ name: 'data', mountPath: '/data', subPath: '../x' }],
    },
    'two volumes of one name': {
      'spec/volumes': [
        { name: 'data', emptyDir: {} },
        { name: 'data', emptyDir: {} },
      ],
    },
    'volume of two sources': { 'spec/volumes': [{ name: 'data', emptyDir: {}, hostPath: { path: '/x' } }] },
    'volume of a ConfigMap without a name': { 'spec/volumes': [{ name: 'data', configMap: {} }] },
    'volume of a Secret with a mode in decimal': {
      'spec/volumes': [{ name: 'data', secret: { secretName: 'a', defaultMode: 1000 } }],
    },
    'host path outwards': { 'spec/volumes': [{ name: 'data', hostPath: { path: '/a/../../b' } }] },
    'host path of a type that is none': {
      'spec/volumes': [{ name: 'data', hostPath: { path: '/a', type: 'Folder' } }],
    },
    'claim without a name': { 'spec/volumes': [{ name: 'data', persistentVolumeClaim: { claimName: '' } }] },
    'probe of two handlers': { 'spec/containers/0/livenessProbe': { ...probe, exec: { command: ['true'] } } },
    'probe without a handler': { 'spec/containers/0/livenessProbe': { periodSeconds: 5 } },
    'liveness probe with two successes': { 'spec/containers/0/livenessProbe': { ...probe, successThreshold: 2 } },
    'probe of a negative delay': { 'spec/containers/0/readinessProbe': { ...probe, initialDelaySeconds: -1 } },
    'probe of a port that is none': {
      'spec/containers/0/readinessProbe': { httpGet: { path: '/', port: 'a port of no name' } },
    },
    'hook without a handler': { 'spec/containers/0/lifecycle': { postStart: {} } },
    'run as root and not as root': { 'spec/containers/0/securityContext': { runAsUser: -1 } },
    'privileged without escalation': {
      'spec/containers/0/securityContext': { privileged: true, allowPrivilegeEscalation: false },
    },
    'profile of a file without its name': { 'spec/securityContext': { seccompProfile: { type: 'Localhost' } } },
    'sysctl that is none': { 'spec/securityContext': { sysctls: [{ name: 'Kernel Shm', value: '1' }] } },
    'toleration that exists and has a value': { 'spec/tolerations': [{ key: 'a', operator: 'Exists', value: 'b' }] },
    'toleration without a key': { 'spec/tolerations': [{ operator: 'Equal', value: 'b' }] },
    'toleration for a time of no eviction': {
      'spec/tolerations': [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }],
    },
    'node selector with a space': { 'spec/nodeSelector': { disk: 'very fast' } },
    'affinity of no operator': {
      'spec/affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Is', values: ['b'] }] }],
          },
        },
      },
    },
    'affinity without terms': {
      'spec/affinity': {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
      },
    },
    'preference of no weight': {
      'spec/affinity': {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 0, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: {} } },
          ],
        },
      },
    },
    'affinity without a topology key': {
      'spec/affinity': { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] } },
    },
    'spread of no skew': {
      'spec/topologySpreadConstraints': [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    },
    'spread of no action': {
      'spec/topologySpreadConstraints': [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'Wait' }],
    },
    'node name that is none': { 'spec/nodeName': 'Node_1' },
    'host name with an underscore': { 'spec/hostname': 'my_host' },
    'alias of no address': { 'spec/hostAliases': [{ ip: 'here', hostnames: ['a'] }] },
    'host port within a port of the host network': {
      'spec/hostNetwork': true,
      'spec/containers/0/ports': [{ containerPort: 80, hostPort: 81 }],
    },
    'ephemeral container from the beginning': {
      'spec/ephemeralContainers': [{ name: 'debug', image: 'busybox' }],
    },
    'priority class that is missing': { 'spec/priorityClassName': 'urgent' },
    'scheduling gate of no name': { 'spec/schedulingGates': [{ name: '' }] },
    'overhead without a class': { 'spec/overhead': { cpu: '1' } },
    'service account that is missing': { 'spec/serviceAccountName': 'nobody' },
  },
  update: {
    'another container': { 'spec/containers/1': { name: 'other', image: 'x' } },
    'another command': { 'spec/containers/0/command': ['sh'] },
    'another variable': { 'spec/containers/0/env': [{ name: 'A', value: 'b' }] },
    'another name of a container': { 'spec/containers/0/name': 'other' },
    'other resources': { 'spec/containers/0/resources': { limits: { cpu: '1' } } },
    'another restart policy': { 'spec/restartPolicy': 'Never' },
    'another node': { 'spec/nodeName': 'node-2' },
    'another service account': { 'spec/serviceAccountName': 'other' },
    'a longer deadline': [{ 'spec/activeDeadlineSeconds': 10 }, { 'spec/activeDeadlineSeconds': 20 }],
    'a toleration taken away': [
      { 'spec/tolerations': [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }] },
      { 'spec/tolerations': [] },
    ],
    'an image taken away': { 'spec/containers/0/image': '' },
    'another volume': { 'spec/volumes': [{ name: 'data', emptyDir: {} }] },
    'another name': { 'metadata/name': 'renamed' },
    'a gate more': { 'spec/schedulingGates': [{ name: 'example.dev/gate' }] },
    'an ephemeral container beside its subresource': {
      'spec/ephemeralContainers': [{ name: 'debug', image: 'busybox' }],
    },
    'a label with a space': { 'metadata/labels': { app: 'my app' } },
  },
  status: {
    'condition of a status that is none': { 'status/conditions': [{ type: 'Ready', status: 'Yes' }] },
    'another QoS class': { 'status/qosClass': 'Guaranteed' },
    'address that is none': { 'status/podIP': 'here', 'status/podIPs': [{ ip: 'here' }] },
    'host address that is none': { 'status/hostIP': 'here', 'status/hostIPs': [{ ip: 'here' }] },
  },
};
