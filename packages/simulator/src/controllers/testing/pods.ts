import type { ContainerStatus, Pod } from '../../pods/pod.ts';

export interface PodSketch {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  node?: string;
  phase?: string;
  /** The time at which it became ready. */
  ready?: string;
  created?: string;
  restarts?: number;
  deleted?: boolean;
  finalizers?: string[];
}

export const sketchStatus = (status: Partial<ContainerStatus>): ContainerStatus => ({
  name: 'c',
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  ...status,
});

export const sketchPod = (name: string, sketch: PodSketch = {}): Pod => ({
  metadata: {
    name,
    namespace: 'd',
    uid: `uid-${name}`,
    creationTimestamp: sketch.created ?? '2026-01-01T00:00:00Z',
    ...(sketch.labels ? { labels: sketch.labels } : {}),
    ...(sketch.annotations ? { annotations: sketch.annotations } : {}),
    ...(sketch.finalizers ? { finalizers: sketch.finalizers } : {}),
    ...(sketch.deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  },
  spec: { containers: [{ name: 'c' }], ...(sketch.node ? { nodeName: sketch.node } : {}) },
  status: {
    phase: sketch.phase ?? 'Running',
    conditions: sketch.ready ? [{ type: 'Ready', status: 'True', lastTransitionTime: sketch.ready }] : [],
    containerStatuses: [sketchStatus({ restartCount: sketch.restarts ?? 0 })],
  },
});
