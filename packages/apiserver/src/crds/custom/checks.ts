/** Validates definitions and custom resources. Small ones are validated at once, others on a worker thread. */

import type { FieldError } from '../../errors/field-error.ts';
import { TooLargeHere } from '../../registry/resource-context.ts';
import { isHeavierThan, isLargerThan } from '../../schema/size.ts';
import { type Definition, hasSchemaOnThread, longestProse, type Version } from '../definition.ts';
import { ValidationWorker } from '../thread/validation-worker.ts';
import { definitionErrors } from '../validation/definition-rules.ts';
import type { Check } from './custom-kind.ts';
import { schemaOf } from './custom-types.ts';
import { validatorOf } from './validation.ts';

/** Units of work on the main thread: about ten milliseconds. */
const mostHere = 10_000;
/** In bytes of a schema's JSON without prose, and of its rules, which take longest to compile: a millisecond each. */
const longestHere = 64 * 1024;
/** Of a definition, all of which is validated. */
const longestDefinitionHere = 8 * 1024;
const mostRulesHere = 5;

function isLong(schema: unknown, longest: number): boolean {
  if (isHeavierThan(schema, longest) || isLargerThan(schema, longestProse)) return true;
  return JSON.stringify(schema).split('"rule":').length - 1 > mostRulesHere;
}

class TooMuchHere extends Error {}

export class Checks implements AsyncDisposable {
  readonly #worker = new ValidationWorker();

  async definition(definition: Definition, old?: Definition): Promise<FieldError[]> {
    if (!isLong(definition.spec, longestDefinitionHere)) return definitionErrors(definition, old);
    return this.#worker.run({ what: 'definition', definition, old });
  }

  of(definition: Definition, version: Version): Check {
    if (hasSchemaOnThread(definition)) return () => Promise.reject(new TooLargeHere());
    const schema = schemaOf(definition, version);
    const { uid, generation } = definition.metadata;
    const key = `${uid}/${generation}/${version.name}`;
    const needsThread = isLong(schema, longestHere);
    const scale = version.subresources?.scale;
    const validate = validatorOf(schema, scale);
    return async (object, old, isBlocked) => {
      const validation = { object, old, isBlocked };
      // The rules of a long schema are compiled on a worker thread.
      const here = needsThread ? undefined : this.#here((work) => validate(validation, work));
      return here ?? this.#worker.run({ what: 'object', key, schema, scale, validation });
    };
  }

  /** Undefined if it takes too long. */
  #here(check: (work: (units: number) => void) => FieldError[]): FieldError[] | undefined {
    let left = mostHere;
    try {
      return check((units) => {
        left -= units;
        if (left < 0) throw new TooMuchHere();
      });
    } catch (error) {
      if (error instanceof TooMuchHere) return undefined;
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#worker[Symbol.asyncDispose]();
  }
}
