/** The checks of custom resources, one per version of a definition. */

import type { Definition, Version } from '../definition.ts';
import type { Check } from './custom-kind.ts';
import { schemaOf } from './custom-types.ts';
import { validatorOf } from './validation.ts';

export const customChecks =
  () =>
  (definition: Definition, version: Version): Check => {
    const validate = validatorOf(schemaOf(definition, version));
    return async (object, old) => validate(object, old);
  };
