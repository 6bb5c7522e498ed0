/** Deployments. */

import type { AnyObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { aggregateWorkload, reflectWorkload } from './counters.ts';
import { numberAt, withoutFields } from './fields.ts';
import { reviseReplicas, templateDependencies, templateReplicas } from './pod-template.ts';

const counters = {
  summed: ['replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas', 'unavailableReplicas'],
  always: [],
};

/** Karmada's: with the value `true` the member's replicas are its own, such as an autoscaler's. */
export const retainReplicasLabel = 'resourcetemplate.karmada.io/retain-replicas';

export const deploymentRules: ObjectRules = {
  replicas: templateReplicas,
  revise: reviseReplicas,
  pack: (manifest) =>
    withoutFields(
      manifest,
      ['metadata', 'annotations', 'deployment.kubernetes.io/revision'],
      ['metadata', 'annotations', 'deployment.kubernetes.io/revision-history'],
    ),
  retain: retainReplicas,
  reflect: (observed) => reflectWorkload(observed, counters),
  aggregate: (template, items) => aggregateWorkload(template, items, counters),
  health: (observed) => (isRolledOut(observed) ? 'Healthy' : 'Unhealthy'),
  dependencies: templateDependencies,
};

function retainReplicas(desired: AnyObject, observed: AnyObject): AnyObject {
  if (desired.metadata.labels?.[retainReplicasLabel] !== 'true') return desired;
  const replicas = numberAt(observed, 'spec', 'replicas');
  if (replicas === undefined) throw new Error(`Deployment ${observed.metadata.name} has no replicas to be retained`);
  return reviseReplicas(desired, replicas);
}

/** Also of a StatefulSet. */
export function isRolledOut(observed: AnyObject): boolean {
  const { generation = 0 } = observed.metadata;
  const count = (name: string) => numberAt(observed, 'status', name) ?? 0;
  return (
    count('observedGeneration') === generation &&
    count('updatedReplicas') >= (numberAt(observed, 'spec', 'replicas') ?? 0) &&
    count('availableReplicas') >= count('updatedReplicas')
  );
}
