/** Translates the form that a client requested into the cache's `ItemForm`. */

import type { ItemForm } from '@fleet/cache/messages.ts';
import type { Form } from '@fleet/kube/negotiate.ts';
import type { Selection } from '../merge/selection.ts';

/** Undefined if the member has to decide, such as on an invalid `includeObject`. */
export function itemForm(
  form: Form,
  { includeObject }: Pick<Selection, 'includeObject'>,
  inList: boolean,
): ItemForm | undefined {
  switch (form) {
    case 'object':
      return { as: 'object', inList };
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return { as: 'PartialObjectMetadata' };
    case 'Table': {
      const included = includeObject || 'Metadata';
      if (included !== 'None' && included !== 'Metadata' && included !== 'Object') return undefined;
      return { as: 'Table', includeObject: included };
    }
    default:
      return form satisfies never;
  }
}
