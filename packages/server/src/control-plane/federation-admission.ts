/**
 * Federation's admission rules for the embedded control plane. Each thread of its API server loads them, so that no admission webhook is
 * needed (FED-2, FED-24, EXP-6).
 */

import { type AdmissionModule, notAdmitted, type ValidatingPlugin } from '@fleet/apiserver/admission/plugin.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { isProtected, protectionMessage } from '@fleet/federation/policies/deletion-protection.ts';
import { isJudged, type Refusal, refusalsOf } from '@fleet/federation/policies/refusals.ts';
import { type GroupResource, StatusError } from '@fleet/kube/status.ts';

const policies: ValidatingPlugin = {
  isAbout: isJudged,
  async validate({ kind, object, old, subresource }) {
    if (subresource) return;
    const refusals = refusalsOf(kind, object as unknown as AnyObject, old as unknown as AnyObject | undefined);
    if (refusals.length > 0) throw invalid(kind, object as unknown as AnyObject, refusals);
  },
};

/** With the message with which kube-apiserver refuses an invalid custom resource. */
function invalid({ group }: GroupResource, { kind, metadata }: AnyObject, refusals: readonly Refusal[]): StatusError {
  const texts = [...new Set(refusals.map(({ field, message }) => `${field}: ${message}`))];
  const text = texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
  const { name = '' } = metadata;
  const details = { ...(name ? { name } : {}), group, kind, causes: [...refusals] };
  return new StatusError(422, 'Invalid', `${kind}.${group} ${JSON.stringify(name)} is invalid: ${text}`, details);
}

export const validatingPlugins: AdmissionModule['validatingPlugins'] = [policies];

export const admitDeletion: AdmissionModule['admitDeletion'] = (kind, object) => {
  if (!isProtected(object as unknown as AnyObject)) return;
  throw notAdmitted({ kind, object, old: object, namespace: undefined, subresource: undefined }, protectionMessage);
};
