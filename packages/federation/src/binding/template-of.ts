/** The template that a binding propagates: only one for which the pipeline itself would create this binding (FED-1, FED-19). */

import type { Binding } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { isNeverTemplate } from '../claim/never-templates.ts';
import type { Templates } from '../templates/templates.ts';
import { bindingName } from '../work/work-name.ts';

/** Undefined where there is none, and where `faultOf` has a reason. */
export function templateOf(templates: Pick<Templates, 'get'>, binding: Binding): AnyObject | undefined {
  const { resource } = binding.spec;
  const template = templates.get(resource);
  return template && template.metadata.uid === resource.uid && faultOf(binding) === undefined ? template : undefined;
}

/**
 * Why a binding propagates nothing. Permission to write bindings in one namespace does not extend to others, and two bindings of one
 * template would undo each other's Works.
 */
export function faultOf({ metadata, spec: { resource } }: Binding): string | undefined {
  const { apiVersion, kind, namespace = '', name } = resource;
  const place = metadata.namespace ?? '';
  if (namespace !== place) return `${kind} ${name} is in the namespace "${namespace}", its binding in "${place}"`;
  if (isNeverTemplate({ apiVersion, kind, metadata: { name, namespace } })) {
    return `${kind} ${name} in the namespace "${namespace}" is never propagated`;
  }
  const expected = bindingName(kind, name);
  return metadata.name === expected ? undefined : `the binding of ${kind} ${name} has the name ${expected}`;
}
