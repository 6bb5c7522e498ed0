/** What one replica needs, as a hook reports it (EXP-4): well-formed, or an error. */

import { parseQuantity, QuantityError } from '@fleet/kube/quantity.ts';
import type { ReplicaRequirements } from '../../api/bindings.ts';
import type { JsonObject, Toleration } from '../../api/objects.ts';
import {
  AnswerError,
  integerAt,
  recordAt,
  recordsAt,
  required,
  shortened,
  textAt,
  textMapAt,
  textsAt,
} from './answer-fields.ts';
import type { Codec } from './hook-model.ts';

type Fields = Record<string, unknown>;

export function readRequirements(codec: Codec, fields: Fields, field: string): ReplicaRequirements {
  const claim = recordAt(fields, 'nodeClaim', field);
  const requests = recordAt(fields, 'resourceRequest', field);
  return {
    ...(claim ? { nodeClaim: readClaim(claim, `${field}.nodeClaim`) } : {}),
    ...(requests ? { resourceRequest: readRequests(requests, `${field}.resourceRequest`) } : {}),
    // The design document's type has neither.
    ...(codec === 'interpret' ? optional('namespace', textAt(fields, 'namespace', field)) : {}),
    ...(codec === 'interpret' ? optional('priorityClassName', textAt(fields, 'priorityClassName', field)) : {}),
  };
}

/** A field that may not be there as undefined. */
const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value };

function readRequests(requests: Fields, field: string): Record<string, string> {
  const entries = Object.entries(requests).map(([name, amount]): [string, string] => {
    const problem = new AnswerError(`${field} has an invalid quantity (${shortened(name)})`);
    // Go reads numbers as quantities, too.
    if (typeof amount !== 'string' && typeof amount !== 'number') throw problem;
    try {
      if (parseQuantity(String(amount)).nano < 0n) throw problem;
    } catch (error) {
      throw error instanceof QuantityError ? problem : error;
    }
    return [name, String(amount)];
  });
  return Object.fromEntries(entries);
}

type NodeClaim = NonNullable<ReplicaRequirements['nodeClaim']>;

function readClaim(claim: Fields, field: string): NodeClaim {
  const affinity = recordAt(claim, 'hardNodeAffinity', field);
  if (affinity) checkAffinity(affinity, `${field}.hardNodeAffinity`);
  const tolerations = recordsAt(claim, 'tolerations', field)?.map((one, index) =>
    readToleration(one, `${field}.tolerations[${index}]`),
  );
  return {
    ...(affinity ? { hardNodeAffinity: affinity as JsonObject } : {}),
    ...optional('nodeSelector', textMapAt(claim, 'nodeSelector', field)),
    ...(tolerations ? { tolerations } : {}),
  };
}

function checkAffinity(affinity: Fields, field: string): void {
  const terms = required(recordsAt(affinity, 'nodeSelectorTerms', field), `${field}.nodeSelectorTerms`);
  for (const [index, term] of terms.entries()) {
    for (const key of ['matchExpressions', 'matchFields']) {
      const at = `${field}.nodeSelectorTerms[${index}]`;
      for (const [place, requirement] of (recordsAt(term, key, at) ?? []).entries()) {
        const one = `${at}.${key}[${place}]`;
        required(textAt(requirement, 'key', one), `${one}.key`);
        required(textAt(requirement, 'operator', one), `${one}.operator`);
        textsAt(requirement, 'values', one);
      }
    }
  }
}

function readToleration(toleration: Fields, field: string): Toleration {
  const operator = textAt(toleration, 'operator', field);
  if (operator !== undefined && operator !== 'Exists' && operator !== 'Equal') {
    throw new AnswerError(`${field}.operator is neither Exists nor Equal`);
  }
  return {
    ...optional('key', textAt(toleration, 'key', field)),
    ...(operator ? { operator } : {}),
    ...optional('value', textAt(toleration, 'value', field)),
    ...optional('effect', textAt(toleration, 'effect', field)),
    ...optional('tolerationSeconds', integerAt(toleration, 'tolerationSeconds', field)),
  };
}
