/** Validates the approval annotation that definitions in Kubernetes' own groups require. */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import type { Definition } from '../definition.ts';

const annotation = 'api-approved.kubernetes.io';

type State = 'missing' | 'bypassed' | 'approved' | 'invalid';

const isProtected = (group: string): boolean => /(^|\.)(k8s\.io|kubernetes\.io)$/.test(group);

function stateOf({ metadata }: Definition): { state: State; reason: string } {
  const value = metadata.annotations?.[annotation];
  if (!value) {
    return {
      state: 'missing',
      reason:
        'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    };
  }
  if (value.startsWith('unapproved')) return { state: 'bypassed', reason: '' };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/\s]+/.test(value)) return { state: 'approved', reason: '' };
  const why =
    'protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111';
  return { state: 'invalid', reason: why };
}

export function approvalErrors(definition: Definition, old: Definition | undefined): FieldError[] {
  if (!isProtected(definition.spec?.group ?? '')) return [];
  const { state, reason } = stateOf(definition);
  if (old && stateOf(old).state === state) return [];
  const field = `metadata.annotations[${annotation}]`;
  if (state === 'missing') return [required(field, reason)];
  return state === 'invalid' ? [invalidValue(field, definition.metadata.annotations![annotation], reason)] : [];
}
