/** What is known of a Workload: where its replicas, status and dependencies are, and what its member clusters own of it. */

export interface Workload {
  metadata: { name: string; namespace?: string };
  spec?: {
    replicas?: number;
    paused?: boolean;
    template?: { spec?: PodSpec };
  };
  status?: { readyReplicas?: number };
}

interface PodSpec {
  containers?: { resources?: { requests?: Record<string, string> }; envFrom?: EnvFrom[] }[];
}

interface EnvFrom {
  configMapRef?: { name?: string };
  secretRef?: { name?: string };
}

export interface PatchOperation {
  op: 'add' | 'remove';
  path: string;
  value?: unknown;
}

export const replicasOf = ({ spec }: Workload): number => spec?.replicas ?? 1;

/** What one replica requests. With several containers their requests would have to be added. */
export const requestsOf = ({ spec }: Workload): Record<string, string> =>
  spec?.template?.spec?.containers?.[0]?.resources?.requests ?? {};

export const statusOf = ({ status }: Workload) => ({ readyReplicas: status?.readyReplicas ?? 0 });

export const isHealthy = (workload: Workload): boolean => statusOf(workload).readyReplicas === replicasOf(workload);

/** The ConfigMaps and Secrets that its containers read their environment from. */
export const dependenciesOf = ({ metadata: { namespace }, spec }: Workload) =>
  (spec?.template?.spec?.containers ?? [])
    .flatMap(({ envFrom = [] }) => envFrom)
    .flatMap(({ configMapRef, secretRef }) => [
      ...(configMapRef?.name ? [{ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: configMapRef.name }] : []),
      ...(secretRef?.name ? [{ apiVersion: 'v1', kind: 'Secret', namespace, name: secretRef.name }] : []),
    ]);

export const revise = (replicas: number): PatchOperation[] => [{ op: 'add', path: '/spec/replicas', value: replicas }];

/** The object in a member is never paused by the template: the member's own controller pauses it. */
export const pack = ({ spec }: Workload): PatchOperation[] =>
  spec?.paused === undefined ? [] : [{ op: 'remove', path: '/spec/paused' }];

/** The member's controller pauses and resumes it, and the template must not undo that. */
export function retain(desired: Workload, observed: Workload): PatchOperation[] {
  const paused = observed.spec?.paused;
  if (paused !== undefined) return [{ op: 'add', path: '/spec/paused', value: paused }];
  return pack(desired);
}

export function aggregate(workload: Workload, items: { status?: Workload['status'] }[]): PatchOperation[] {
  const readyReplicas = items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
  return [{ op: 'add', path: '/status', value: { ...workload.status, readyReplicas } }];
}
