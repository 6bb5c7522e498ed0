/** The templates that a change of a policy can concern, so that not all templates of the kind are checked. */

import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import type { Templates } from '../templates/templates.ts';
import { preparedSelectors } from './match.ts';

/** By kind, namespace and name; labels that differ now may have matched before. */
export function* selectedTemplates(
  templates: Pick<Templates, 'get' | 'ofKind'>,
  policy: PropagationPolicy,
): Iterable<AnyObject> {
  for (const { apiVersion, kind, namespace, name } of preparedSelectors(policy)) {
    if (namespace !== undefined && name !== undefined) {
      const template = templates.get({ apiVersion, kind, namespace, name });
      if (template) yield template;
      continue;
    }
    for (const template of templates.ofKind({ apiVersion, kind })) {
      const { metadata } = template;
      if (namespace !== undefined && metadata.namespace !== namespace) continue;
      if (name === undefined || metadata.name === name) yield template;
    }
  }
}
