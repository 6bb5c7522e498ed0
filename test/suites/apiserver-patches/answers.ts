/** What our functions make of trials. Run as a process of its own, which can carry a mutant: trials to answers, one a line. */

import { text } from 'node:stream/consumers';
import { invalid } from '@fleet/apiserver/errors/refusals.ts';
import { FieldSet } from '@fleet/apiserver/patch/fields/field-set.ts';
import { byName } from '@fleet/apiserver/patch/fields/path-element.ts';
import { mergePatch } from '@fleet/apiserver/patch/json-merge-patch.ts';
import { applyJsonPatch } from '@fleet/apiserver/patch/json-patch.ts';
import { readJsonPatch } from '@fleet/apiserver/patch/json-patch-body.ts';
import { FieldManager } from '@fleet/apiserver/patch/managers/field-manager.ts';
import { metadataOf } from '@fleet/apiserver/patch/managers/managed.ts';
import { builtInKind, customKind } from '@fleet/apiserver/patch/managers/managed-kind.ts';
import { readMergePatch, readStrategicPatch } from '@fleet/apiserver/patch/merge-patch-body.ts';
import { PatchType } from '@fleet/apiserver/patch/patch-type.ts';
import { strategicMergePatch } from '@fleet/apiserver/patch/strategic-merge-patch.ts';
import { builtInType, builtInTypeOf } from '@fleet/apiserver/schema/built-in.ts';
import { withDefaults, withoutIdleNulls } from '@fleet/apiserver/schema/custom/default.ts';
import { pruneObject } from '@fleet/apiserver/schema/custom/prune.ts';
import { validateCustom } from '@fleet/apiserver/schema/custom/validate.ts';
import type { Schema } from '@fleet/apiserver/schema/open-api.ts';
import { isObject, type JsonObject, type JsonValue, jsonText, parseJson } from '@fleet/kube/json-value.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { Action } from './generate.ts';
import { kinds, type TriedKind, widgetSchema } from './kinds.ts';
import type { OurAnswer, Trial } from './trial.ts';

const managers = new Map(kinds.map((kind) => [kind.kind, managerOf(kind)]));

function managerOf({ apiVersion, kind, isCustom, resets = [] }: TriedKind): FieldManager {
  const options = { resetFields: () => FieldSet.of(...resets.map((name) => [byName(name)])) };
  return new FieldManager(
    isCustom
      ? customKind(apiVersion, kind, () => widgetSchema as Schema, options)
      : builtInKind(apiVersion, kind, options),
  );
}

function patched({ action, kind, live, body }: Trial): JsonValue {
  switch (action) {
    case 'json':
      return applyJsonPatch(live!, readJsonPatch(body).operations);
    case 'merge':
      return mergePatch(live!, readMergePatch(body));
    default:
      return strategicMergePatch(live!, readStrategicPatch(body), typeOf(kind));
  }
}

function typeOf(kind: string): PatchType {
  const { apiVersion } = kinds.find((one) => one.kind === kind)!;
  return new PatchType(builtInType(builtInTypeOf(apiVersion, kind)!)!, kind, builtInType);
}

/** Times are not compared. */
const now = new Date(0);

/** All of it for custom resources; decoding and validation of built-in kinds are not ours yet. */
function answerTo(trial: Trial): OurAnswer {
  const ours = beforeDecoding(trial);
  const { kind, isCustom, apiVersion } = kinds.find((one) => one.kind === trial.kind)!;
  if (!isCustom || !isObject(ours.object)) return ours;
  const object = withStatusOf(trial.live, decoded(trial.action, ours.object));
  const errors = validateCustom(object, widgetSchema as Schema, trial.live ?? undefined);
  const [group = ''] = apiVersion.split('/');
  if (errors.length > 0) throw invalid({ group, kind }, String(metadataOf(object)['name']), errors);
  return { ...ours, object };
}

/** Apply decodes nothing. */
function decoded(action: Action, object: JsonObject): JsonObject {
  const schema = widgetSchema as Schema;
  const sent = action === 'apply' ? object : withoutIdleNulls(pruneObject(object, schema).value, schema);
  return withDefaults(sent, schema) as JsonObject;
}

/** The status is not set this way. */
const withStatusOf = (live: JsonObject | null, { status: _, ...object }: JsonObject): JsonObject =>
  live?.['status'] === undefined ? object : { ...object, status: live['status'] };

function beforeDecoding(trial: Trial): OurAnswer {
  const { action, live, body, manager, force, code } = trial;
  const fields = managers.get(trial.kind)!;
  if (action === 'apply') {
    const object = fields.apply(live ?? undefined, body as JsonObject, { manager, force, now });
    return { object, managedFields: entriesOf(object) };
  }
  const object = (action === 'create' || action === 'update' ? body : patched(trial)) as JsonObject;
  if (code > 299) return { object };
  const next = withEntriesOf(object, beforeItsRules(trial, object));
  return { object, managedFields: entriesOf(fields.update(live ?? undefined, next, manager, now)) };
}

/** The object as the server has decoded it, which is when it looks who manages what; we see only what became of it. */
function beforeItsRules({ kind, action, answer }: Trial, ours: JsonObject): JsonObject {
  const { ruled, isCustom } = kinds.find((one) => one.kind === kind)!;
  if (isCustom) return { ...decoded(action, ours), metadata: metadataOf(answer) };
  if (!ruled || !isObject(answer['spec'])) return answer;
  const given = isObject(ours['spec']) ? ours['spec'] : {};
  const kept = Object.entries(answer['spec']).filter(([name]) => !ruled.filled.includes(name));
  const names = [...ruled.filled, ...ruled.cleared];
  const set = Object.entries(given).filter(([name, value]) => names.includes(name) && !isNothing(value));
  return { ...answer, spec: Object.fromEntries([...kept, ...set]) };
}

const isNothing = (value: JsonValue): boolean => value === null || (Array.isArray(value) && value.length === 0);

const entriesOf = (object: JsonObject): JsonValue => metadataOf(object)['managedFields'] ?? [];

function withEntriesOf(object: JsonObject, answer: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(answer);
  const { managedFields } = metadataOf(object);
  return { ...answer, metadata: { ...metadata, ...(managedFields === undefined ? {} : { managedFields }) } };
}

export function ourAnswer(trial: Trial): OurAnswer {
  try {
    return answerTo(trial);
  } catch (error) {
    if (!(error instanceof StatusError)) throw new Error(`trial ${trial.number}`, { cause: error });
    const { code, message, details } = error;
    return { error: { code, message, ...(details?.causes ? { causes: details.causes as unknown as JsonValue } : {}) } };
  }
}

if (import.meta.main) {
  const trials = (await text(process.stdin)).trimEnd().split('\n');
  const lines = trials.map((line) => jsonText(ourAnswer(parseJson(line) as unknown as Trial) as unknown as JsonValue));
  process.stdout.write(lines.join('\n'));
}
