/** The jobs of the validation thread: checks that may take long (LIMIT-3). */

import type { FieldError } from '../../errors/field-error.ts';
import type { Schema } from '../../schema/open-api.ts';
import { type Validate, type Validation, validatorOf } from '../custom/validation.ts';
import type { Definition, Scale } from '../definition.ts';
import { definitionErrors } from '../validation/definition-rules.ts';

export type Job =
  | { what: 'definition'; definition: Definition; old: Definition | undefined }
  /** `key` identifies the schema, whose rules are compiled once. */
  | { what: 'object'; key: string; schema: Schema; scale: Scale | undefined; validation: Validation };

export interface Asked {
  id: number;
  job: Job;
}

export type Answered = { id: number; errors: FieldError[] } | { id: number; failed: string };

const mostKept = 100;

export function createRunner(): (job: Job) => FieldError[] {
  const validators = new Map<string, Validate>();
  return (job) => {
    if (job.what === 'definition') return definitionErrors(job.definition, job.old);
    let validate = validators.get(job.key);
    if (!validate) {
      if (validators.size >= mostKept) validators.clear();
      validate = validatorOf(job.schema, job.scale);
      validators.set(job.key, validate);
    }
    return validate(job.validation);
  };
}
