/** The variables in scope of an expression, inner ones first. */

import { EvaluationError, type Value } from './values.ts';

/** A variable, followed by those of outer scopes. An error of its initialisation is thrown when it is read. */
export interface Frame {
  name: string;
  value: Value | undefined;
  error: EvaluationError | undefined;
  next: Frame | undefined;
}

export function read(frame: Frame | undefined, name: string): Value {
  for (let at = frame; at; at = at.next) {
    if (at.name !== name) continue;
    if (at.error) throw at.error;
    return at.value!;
  }
  throw new EvaluationError(`no such attribute(s): ${name}`);
}
