/** The rollback of extensions/v1beta1, which an annotation requests today. kubectl itself patches the template. */

import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import { isSameTemplate, templateHashLabel } from '../shared/pod-template.ts';
import type { Deployment } from './deployment.ts';
import { lastRevision, readRevision, revisionOf, rollbackTo, rolledBackAnnotations } from './revisions.ts';

export interface RolledBack {
  deployment: Deployment;
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** The Deployment to write, and the Event about it. */
export function rolledBack(deployment: Deployment, sets: readonly ReplicaSet[]): RolledBack {
  const { metadata } = deployment;
  const { [rollbackTo]: asked, ...annotations } = metadata.annotations ?? {};
  const cleared = { ...deployment, metadata: { ...metadata, annotations } };
  // Revision 0 stands for the previous one.
  const revision = readRevision(asked ?? '') || lastRevision(sets);
  const set = revision ? sets.find((one) => revisionOf(one) === revision) : undefined;
  const refused = (reason: string, message: string): RolledBack => ({
    deployment: cleared,
    type: 'Warning',
    reason,
    message,
  });
  if (!set) {
    const message = revision ? 'Unable to find the revision to rollback to.' : 'Unable to find last revision.';
    return refused('DeploymentRollbackRevisionNotFound', message);
  }
  const { template } = set.spec;
  if (isSameTemplate(template, deployment.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment "${metadata.name}"`;
    return refused('DeploymentRollbackTemplateUnchanged', message);
  }
  const { [templateHashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return {
    deployment: {
      ...cleared,
      metadata: { ...metadata, annotations: rolledBackAnnotations(cleared, set) },
      spec: { ...deployment.spec, template: { ...template, metadata: { ...template.metadata, labels } } },
    },
    type: 'Normal',
    reason: 'DeploymentRollback',
    message: `Rolled back deployment "${metadata.name}" to revision ${revision}`,
  };
}
