/** The kind Deployment. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { selectorText } from '../../selectors/selector-object.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { isSameMap } from '../rules/equality.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import { nameWarnings } from '../workloads/name-warning.ts';
import { templateCells } from '../workloads/template-columns.ts';
import { changedTemplateWarnings } from '../workloads/template-warnings.ts';
import { withoutReplicas } from '../workloads/workload.ts';
import { defaultDeployment } from './defaults.ts';
import type { Deployment } from './deployment.ts';
import { deploymentErrors, deploymentStatusErrors, deploymentUpdateErrors } from './rules.ts';

const facts = served('apps', 'deployments');

const of = (object: KubeObject): Deployment => object as unknown as Deployment;

export const deployments: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  statusKeeps: ['labels'],
  strategy: {
    complete: (object) => defaultDeployment(of(object)),
    completeEmpty: withoutReplicas,
    prepareForUpdate,
    validateCreate: (object) => [...objectMetaErrors(object, facts), ...deploymentErrors(of(object).spec)],
    validateUpdate: (object, old, subresource) => [
      ...objectMetaUpdateErrors(object, old),
      ...(subresource === 'status'
        ? deploymentStatusErrors(of(object).status, of(old).status)
        : deploymentUpdateErrors(of(object).spec, of(old).spec)),
    ],
    warnings: (object, old) => [...(old ? [] : nameWarnings(object)), ...changedTemplateWarnings(object, old)],
  },
  columns: kindColumns<Deployment>(facts, {
    Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    'Up-to-date': ({ status }) => status?.updatedReplicas ?? 0,
    Available: ({ status }) => status?.availableReplicas ?? 0,
    ...templateCells,
    Selector: ({ spec }) => selectorText(spec?.selector ?? {}),
  }),
};

/** Annotations are copied to ReplicaSets, so a change of one increments the generation. */
function prepareForUpdate({ metadata }: KubeObject, old: KubeObject, subresource: string | undefined): void {
  if (subresource === 'status') {
    if (old.metadata.labels) metadata.labels = old.metadata.labels;
    else delete metadata.labels;
  } else if (!isSameMap(metadata.annotations, old.metadata.annotations))
    metadata.generation = (old.metadata.generation ?? 0) + 1;
}
