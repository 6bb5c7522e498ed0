/** Validates references to objects in a HorizontalPodAutoscaler: its scale target, and objects of metrics. */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import { pathSegmentFaults } from '../../names/name-rules.ts';
import type { Reference } from './autoscaler.ts';

export interface ReferenceOptions {
  /** Accepts a missing group for any kind. */
  takesNoGroup?: boolean;
  takesAnyVersion?: boolean;
}

export function referenceErrors(reference: Reference, at: string, options: ReferenceOptions): FieldError[] {
  const fault = options.takesAnyVersion ? undefined : versionFault(reference, options);
  return [
    ...(['kind', 'name'] as const).flatMap((field) => {
      const value = reference[field] ?? '';
      if (value === '') return [required(`${at}.${field}`)];
      return pathSegmentFaults(value).map((why) => invalidValue(`${at}.${field}`, value, why));
    }),
    ...(fault === undefined ? [] : [invalidValue(`${at}.apiVersion`, reference.apiVersion ?? '', fault)]),
  ];
}

export function versionFault({ apiVersion = '' }: Reference, { takesNoGroup }: ReferenceOptions): string | undefined {
  if (apiVersion.split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const isOfGroup = apiVersion.includes('/') && !apiVersion.startsWith('/');
  return isOfGroup || takesNoGroup ? undefined : 'apiVersion must specify API group';
}
