/** The template of pods that shall always run: of Deployments, ReplicaSets, StatefulSets and DaemonSets. */

import { type FieldError, forbiddenField, notSupported } from '../../errors/field-error.ts';
import type { PodTemplate } from '../pods/pod-spec.ts';
import { podTemplateErrors } from '../pods/pod-spec-rules.ts';

/** `at` is the path of the template; `kind` as Kubernetes calls it here. */
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
