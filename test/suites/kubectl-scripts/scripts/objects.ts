/** What scripts apply. */

export interface TemplateParts {
  image?: string;
  command?: readonly string[];
  annotations?: Readonly<Record<string, string>>;
  /** More of the pod's spec. */
  pod?: object;
}

export const template = (app: string, { image = 'nginx:1.27', command, annotations, pod }: TemplateParts = {}) => ({
  metadata: { labels: { app }, ...(annotations ? { annotations } : {}) },
  spec: {
    containers: [
      { name: 'main', image, ...(command ? { command } : { ports: [{ name: 'http', containerPort: 8080 }] }) },
    ],
    ...pod,
  },
});

const workload = (apiVersion: string, kind: string) => (name: string, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});

const selected = (name: string) => ({ selector: { matchLabels: { app: name } } });

export const deployment = (name: string, spec: object, parts: TemplateParts = {}) =>
  workload('apps/v1', 'Deployment')(name, { ...selected(name), template: template(name, parts), ...spec });

export const statefulSet = (name: string, spec: object, parts: TemplateParts = {}) =>
  workload('apps/v1', 'StatefulSet')(name, {
    ...selected(name),
    serviceName: name,
    template: template(name, parts),
    ...spec,
  });

export const daemonSet = (name: string, spec: object, parts: TemplateParts = {}) =>
  workload('apps/v1', 'DaemonSet')(name, { ...selected(name), template: template(name, parts), ...spec });

export const replicationController = (name: string, replicas: number) =>
  workload('v1', 'ReplicationController')(name, { replicas, selector: { app: name }, template: template(name) });

export const job = (name: string, spec: object, { pod, ...parts }: TemplateParts = {}) =>
  workload('batch/v1', 'Job')(name, {
    ...spec,
    template: template(name, { command: ['date'], ...parts, pod: { restartPolicy: 'Never', ...pod } }),
  });

export const service = (name: string, spec: object) => workload('v1', 'Service')(name, spec);

/** A pod that ends with code 1, on kwok's nodes as on simulated ones. */
export const failing = { 'simulator.fleet.karmada.io/run-for': '1s', 'simulator.fleet.karmada.io/exit-code': '1' };

/** A pod of a Job that goes on. */
export const lasting = { 'simulator.fleet.karmada.io/run-for': '24h' };
