/** Where two answers to one request differ. What each server chooses itself is left out: uids, times, versions, addresses. */

import { isDeepStrictEqual } from 'node:util';
import { comparable } from './comparable.ts';
import type { Json, JsonObject, RuleAnswer, Status } from './rule-request.ts';

export interface AnswerDifference {
  where: string;
  left: unknown;
  right: unknown;
}

export function answerDifferences(one: RuleAnswer, other: RuleAnswer): AnswerDifference[] {
  const [left, right] = [comparable(one), comparable(other)];
  if (left.error ?? right.error) return different('error', left.error, right.error);
  if (left.status && right.status) {
    return [...statusDifferences(left.status, right.status), ...warningDifferences(left, right)];
  }
  if (left.status || right.status) return different('answer', brief(left), brief(right));
  return [
    ...valueDifferences('', chosenLeftOut(left.object!), chosenLeftOut(right.object!)),
    ...warningDifferences(left, right),
  ];
}

const brief = ({ status }: RuleAnswer) => (status ? `${status.code} ${status.message}` : 'accepted');

/** Go walks maps at random: the order of causes has no meaning, and the message is made of them. */
function statusDifferences(left: Status, right: Status): AnswerDifference[] {
  const head = ({ code, reason, details }: Status) => ({
    code,
    reason,
    ...(details && { name: details.name, group: details.group, kind: details.kind }),
  });
  const causes = (status: Status) =>
    (status.details?.causes ?? []).map(({ field, reason, message }) => `${field}: ${reason}: ${message}`).sort();
  const differing = [
    ...valueDifferences('', head(left) as JsonObject, head(right) as JsonObject),
    ...different('causes', causes(left), causes(right)),
  ];
  if (differing.length > 0 || causes(left).length > 1) return differing;
  return different('message', left.message, right.message);
}

const warningDifferences = (left: RuleAnswer, right: RuleAnswer) =>
  different('warnings', [...(left.warnings ?? [])].sort(), [...(right.warnings ?? [])].sort());

function valueDifferences(where: string, left: Json | undefined, right: Json | undefined): AnswerDifference[] {
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    return left.flatMap((value, at) => valueDifferences(`${where}[${at}]`, value, right[at]));
  }
  if (!isObject(left) || !isObject(right)) return different(where, left, right);
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => valueDifferences(where ? `${where}.${key}` : key, left[key], right[key]));
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const different = (where: string, left: unknown, right: unknown): AnswerDifference[] =>
  isDeepStrictEqual(left, right) ? [] : [{ where, left, right }];

const chosenInMetadata = ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'deletionTimestamp'];
/** The store of Services chooses them, of which `kube-rules` knows nothing. */
const chosenInServices = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'];

function chosenLeftOut(object: JsonObject): JsonObject {
  const without = (value: Json | undefined, fields: readonly string[]) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !fields.includes(key))) : {};
  const metadata = without(object['metadata'], chosenInMetadata);
  if (metadata['generateName'] !== undefined) delete metadata['name'];
  if (object['kind'] !== 'Service') return { ...object, metadata };
  const spec: JsonObject = without(object['spec'], chosenInServices);
  if (Array.isArray(spec['ports'])) spec['ports'] = spec['ports'].map((port) => without(port, ['nodePort']));
  return { ...object, metadata, spec };
}
