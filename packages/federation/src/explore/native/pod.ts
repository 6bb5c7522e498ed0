/** Pods. */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { type Fields, fieldAt, recordAt, recordsAt, textAt, withField } from './fields.ts';
import { podDependencies } from './pod-dependencies.ts';
import { replicasOf } from './pod-template.ts';
import { reportedStatuses, statusOf, withStatus } from './status.ts';

export const podRules: ObjectRules = {
  replicas: (template) => replicasOf(template, 1, recordAt(template, 'spec')),
  retain: retainPlacement,
  aggregate: aggregatePod,
  health: (observed) => (isHealthy(observed) ? 'Healthy' : 'Unhealthy'),
  dependencies: (template) => podDependencies(recordAt(template, 'spec'), template.metadata.namespace),
};

/** What the member's scheduler and admission have put into the pod. */
function retainPlacement(desired: AnyObject, observed: AnyObject): AnyObject {
  const placed = ['nodeName', 'serviceAccountName', 'volumes'].reduce(
    (pod, field) => withField(pod, ['spec', field], fieldAt(observed, 'spec', field)),
    desired,
  );
  return ['containers', 'initContainers'].reduce((pod, list) => {
    if (fieldAt(pod, 'spec', list) === undefined) return pod;
    const known = new Map(recordsAt(observed, 'spec', list).map((container) => [container['name'], container]));
    const containers = recordsAt(pod, 'spec', list).map((container) => {
      const theirs = known.get(container['name']);
      return theirs ? withField(container, ['volumeMounts'], theirs['volumeMounts']) : container;
    });
    return withField(pod, ['spec', list], containers);
  }, placed);
}

function isHealthy(observed: AnyObject): boolean {
  const phase = textAt(observed, 'status', 'phase');
  const ready = recordsAt(observed, 'status', 'conditions').find(({ type }) => type === 'Ready');
  return phase === 'Succeeded' || (phase === 'Running' && ready?.['status'] === 'True');
}

const phases = ['Failed', 'Pending', 'Running', 'Succeeded'];

function aggregatePod(template: AnyObject, items: readonly AggregatedStatusItem[]): AnyObject {
  const phase = firstPhase(items, phases);
  if (phase === undefined) return template;
  const statuses = reportedStatuses(items);
  const listed = (list: string) => statuses.flatMap((status) => recordsAt(status, list).map(withoutIdentity));
  const [containerStatuses, initContainerStatuses] = [listed('containerStatuses'), listed('initContainerStatuses')];
  // Given by the control plane to each pod, for ever.
  const qosClass = textAt(statusOf(template), 'qosClass');
  return withStatus(template, {
    phase,
    ...(containerStatuses.length > 0 && { containerStatuses }),
    ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
    ...(qosClass && { qosClass }),
  });
}

/** Empty are fields that Kubernetes requires: they differ from member to member. */
const withoutIdentity = (container: Fields): Fields => ({
  name: '',
  image: '',
  imageID: '',
  restartCount: 0,
  ready: container['ready'] === true,
  state: recordAt(container, 'state'),
});

/** The first of the phases that a cluster reports; one that has not reported yet is pending. Undefined: no known phase. */
export function firstPhase(items: readonly AggregatedStatusItem[], order: readonly string[]): string | undefined {
  const reported = new Set(items.map(({ status }) => (status ? textAt(status, 'phase') : 'Pending')));
  return order.find((phase) => reported.has(phase));
}
