/** Reads what a response has for the operation that was asked for (EXP-4). Only the names of some fields depend on the codec. */

import type { JsonObject } from '../../api/objects.ts';
import type { Replicas } from '../object-rules.ts';
import { AnswerError, flagAt, integerAt, recordAt, required, shortened, textAt } from './answer-fields.ts';
import { decodeBase64 } from './base64.ts';
import type { HookAnswers, HookPatch } from './codec.ts';
import { readDependencies } from './dependencies.ts';
import type { Codec, FactsOfKind, Operation } from './hook-model.ts';
import { parseShallow } from './json-depth.ts';
import { readRequirements } from './replica-requirements.ts';

type Fields = Record<string, unknown>;

type Readers = {
  [Asked in Operation]: (codec: Codec, response: Fields, factsOf: FactsOfKind) => HookAnswers[Asked];
};

export function readAnswer<Asked extends Operation>(
  codec: Codec,
  operation: Asked,
  response: Fields,
  factsOf: FactsOfKind,
): HookAnswers[Asked] {
  checkPatchType(response);
  return readers[operation](codec, response, factsOf);
}

const readers: Readers = {
  replica: readReplicas,
  status: readStatus,
  packing: readPatch,
  revising: readPatch,
  retaining: readPatch,
  aggregating: readPatch,
  healthy: (_, response) => required(flagAt(response, 'healthy', 'response'), 'response.healthy'),
  dependencies: readDependencies,
};

const largestInt32 = 2 ** 31 - 1;

/** The document requires `replicaRequirements`; an answer without them has none. */
function readReplicas(codec: Codec, response: Fields): Replicas {
  const replicas = required(integerAt(response, 'replicas', 'response'), 'response.replicas');
  if (replicas < 0 || replicas > largestInt32) throw new AnswerError('response.replicas is out of range');
  const requirements = recordAt(response, 'replicaRequirements', 'response');
  if (!requirements) return { replicas };
  return { replicas, requirements: readRequirements(codec, requirements, 'response.replicaRequirements') };
}

/** Karmada's type has `status` for the hook's own. */
function readStatus(codec: Codec, response: Fields): JsonObject {
  const key = codec === 'explore' ? 'status' : 'rawStatus';
  return required(recordAt(response, key, 'response'), `response.${key}`) as JsonObject;
}

function checkPatchType(response: Fields): void {
  const patch = textAt(response, 'patch', 'response');
  const patchType = textAt(response, 'patchType', 'response');
  if ((patch === undefined) !== (patchType === undefined)) {
    throw new AnswerError(
      `response.${patch === undefined ? 'patch' : 'patchType'} is missing where the other is given`,
    );
  }
  if (patchType !== undefined && patchType !== 'JSONPatch') {
    throw new AnswerError(`response.patchType is not JSONPatch but ${shortened(patchType)}`);
  }
}

function readPatch(_: Codec, response: Fields): HookPatch {
  const patch = textAt(response, 'patch', 'response');
  if (patch === undefined) return undefined;
  const bytes = decodeBase64(patch);
  if (!bytes) throw new AnswerError('response.patch is not base64');
  try {
    // Go writes null for a list without elements.
    return { operations: parseShallow(bytes) ?? [] };
  } catch {
    throw new AnswerError('response.patch is not JSON, or nested too deep');
  }
}
