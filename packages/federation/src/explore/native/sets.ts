/** ReplicaSets, StatefulSets and DaemonSets. */

import type { AnyObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { aggregateWorkload, type Counters, reflectWorkload } from './counters.ts';
import { isRolledOut } from './deployment.ts';
import { numberAt, recordsAt, textAt } from './fields.ts';
import { reviseReplicas, templateDependencies, templateReplicas } from './pod-template.ts';

const countedBy = (counters: Counters): Pick<ObjectRules, 'reflect' | 'aggregate'> => ({
  reflect: (observed) => reflectWorkload(observed, counters),
  aggregate: (template, items) => aggregateWorkload(template, items, counters),
});

export const replicaSetRules: ObjectRules = {
  ...countedBy({ summed: ['replicas', 'readyReplicas', 'availableReplicas'], always: ['replicas'] }),
  replicas: templateReplicas,
  revise: reviseReplicas,
  health: (observed) =>
    hasSeenItsSpec(observed) && count(observed, 'availableReplicas') >= (numberAt(observed, 'spec', 'replicas') ?? 0)
      ? 'Healthy'
      : 'Unhealthy',
  dependencies: templateDependencies,
};

export const statefulSetRules: ObjectRules = {
  ...countedBy({
    summed: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    always: ['replicas', 'availableReplicas'],
  }),
  replicas: templateReplicas,
  revise: reviseReplicas,
  health: (observed) => (isRolledOut(observed) ? 'Healthy' : 'Unhealthy'),
  dependencies(template) {
    // The member makes these claims itself, one for each pod.
    const made = recordsAt(template, 'spec', 'volumeClaimTemplates').map((claim) => textAt(claim, 'metadata', 'name'));
    return templateDependencies(template).filter(
      ({ kind, name }) => kind !== 'PersistentVolumeClaim' || !made.includes(name ?? ''),
    );
  },
};

export const daemonSetRules: ObjectRules = {
  ...countedBy({
    summed: [
      'currentNumberScheduled',
      'desiredNumberScheduled',
      'numberAvailable',
      'numberMisscheduled',
      'numberReady',
      'updatedNumberScheduled',
      'numberUnavailable',
    ],
    always: ['currentNumberScheduled', 'desiredNumberScheduled', 'numberMisscheduled', 'numberReady'],
  }),
  health: (observed) =>
    hasSeenItsSpec(observed) &&
    count(observed, 'updatedNumberScheduled') >= count(observed, 'desiredNumberScheduled') &&
    count(observed, 'numberAvailable') >= count(observed, 'updatedNumberScheduled')
      ? 'Healthy'
      : 'Unhealthy',
  dependencies: templateDependencies,
};

const count = (observed: AnyObject, name: string): number => numberAt(observed, 'status', name) ?? 0;

const hasSeenItsSpec = (observed: AnyObject): boolean =>
  count(observed, 'observedGeneration') === (observed.metadata.generation ?? 0);
