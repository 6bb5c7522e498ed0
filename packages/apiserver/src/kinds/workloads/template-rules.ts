/** Validates pod templates of Deployments, ReplicaSets, StatefulSets and DaemonSets. */

import { type FieldError, forbiddenField, notSupported } from '../../errors/field-error.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { podTemplateErrors } from '../pods/pod-spec-rules.ts';

/** `at` is the path of the template; `kind` is Kubernetes' name in the error. */
export const lastingTemplateErrors = (template: PodTemplate, at: string, kind: string): FieldError[] => [
  ...podTemplateErrors(template, at),
  ...lastingPodErrors(template, at, kind),
];

export const lastingPodErrors = ({ spec = {} }: PodTemplate, at: string, kind: string): FieldError[] => [
  ...(spec.restartPolicy === 'Always'
    ? []
    : [notSupported(`${at}.spec.restartPolicy`, spec.restartPolicy ?? '', ['Always'])]),
  ...(spec.activeDeadlineSeconds === undefined
    ? []
    : [forbiddenField(`${at}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]),
];
