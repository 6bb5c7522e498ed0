/** The kind StatefulSet. */

import { dnsLabelFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { claimSpecWarnings } from '../pods/fraction-warnings.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import { collisionErrors } from '../workloads/replica-status-rules.ts';
import { templateCells } from '../workloads/template-columns.ts';
import { changedTemplateWarnings } from '../workloads/template-warnings.ts';
import { withoutReplicas } from '../workloads/workload.ts';
import { defaultStatefulSet } from './defaults.ts';
import { statefulSetErrors, statefulSetStatusErrors, statefulSetUpdateErrors } from './rules.ts';
import type { StatefulSet } from './stateful-set.ts';

const facts = { ...served('apps', 'statefulsets'), nameFaults: dnsLabelFaults };

const of = (object: KubeObject): StatefulSet => object as unknown as StatefulSet;

export const statefulSets: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => defaultStatefulSet(of(object)),
    completeEmpty: withoutReplicas,
    prepareForCreate: (object) => dropMaxUnavailable(of(object)),
    prepareForUpdate: (object, old, subresource) => {
      if (subresource === undefined && !of(old).spec.updateStrategy.rollingUpdate?.maxUnavailable)
        dropMaxUnavailable(of(object));
    },
    validateCreate: (object) => [...objectMetaErrors(object, facts), ...statefulSetErrors(of(object).spec)],
    validateUpdate: (object, old, subresource) =>
      subresource === 'status'
        ? [
            ...statefulSetStatusErrors(of(object).status),
            ...objectMetaUpdateErrors(object, old),
            ...collisionErrors(of(object).status, of(old).status),
          ]
        : [...objectMetaUpdateErrors(object, old), ...statefulSetUpdateErrors(of(object).spec, of(old).spec)],
    warnings: (object, old, subresource) =>
      subresource === 'status'
        ? []
        : [
            ...changedTemplateWarnings(object, old),
            // On an update Kubernetes names the field as Go does.
            ...claimWarnings(of(object), old ? '.Spec' : ''),
            ...historyWarnings(of(object)),
          ],
  },
  columns: kindColumns<StatefulSet>(facts, {
    Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ...templateCells,
  }),
};

/** Its feature gate is off by default. */
function dropMaxUnavailable({ spec: { updateStrategy } }: StatefulSet): void {
  delete updateStrategy.rollingUpdate?.maxUnavailable;
}

const historyWarnings = ({ spec: { revisionHistoryLimit = 0 } }: StatefulSet): string[] =>
  revisionHistoryLimit < 0
    ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
    : [];

const claimWarnings = ({ spec: { volumeClaimTemplates = [] } }: StatefulSet, below: string): string[] =>
  volumeClaimTemplates.flatMap(({ spec }, index) =>
    claimSpecWarnings(spec ?? {}, `spec.volumeClaimTemplates[${index}]${below}`),
  );
