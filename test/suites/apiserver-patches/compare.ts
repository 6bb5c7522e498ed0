/** Whether our answer is the server's: the object, its managers but for times, or the error in its words. */

import { equalJson, isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import type { TriedKind } from './kinds.ts';
import type { Server } from './server.ts';
import type { OurAnswer, Trial } from './trial.ts';

const metadataOf = (object: JsonObject): JsonObject => (isObject(object['metadata']) ? object['metadata'] : {});

/** Without what the server counts, whom it belongs to, and what controllers write. */
function plain({ status: _, ...object }: JsonObject): JsonObject {
  const {
    managedFields: _m,
    resourceVersion: _r,
    generation: _g,
    uid: _u,
    creationTimestamp: _c,
    name: _n,
    ...metadata
  } = metadataOf(object);
  return { ...object, metadata };
}

const withoutTimes = (entries: JsonValue | undefined): JsonObject[] =>
  (Array.isArray(entries) ? entries : [])
    .filter(isObject)
    .map((entry) => ({ ...entry, time: null }))
    .sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));

const nameOf = (entry: JsonObject) => ['manager', 'operation', 'subresource'].map((key) => entry[key]).join();

/** What differs, if anything. */
export async function differenceOf(
  server: Server,
  kind: TriedKind,
  trial: Trial,
  ours: OurAnswer,
): Promise<string | undefined> {
  const { code, answer } = trial;
  const isReportedByOthers = kind.isCustom && code >= 300 && notOurs.test(String(answer['message']));
  if (isReportedByOthers) return undefined;
  if (ours.error) return errorDifference(trial, ours.error);
  if (code < 300) {
    const theirs = withoutTimes(metadataOf(answer)['managedFields']);
    const our = withoutTimes(ours.managedFields);
    if (!equalJson(theirs, our)) return `managers ${jsonText(theirs)}\nour managers ${jsonText(our)}`;
    const difference = kind.isCustom ? customDifference(answer, ours.object!) : undefined;
    if (difference) return difference;
    if (trial.action === 'create' || trial.action === 'update') return undefined;
  }
  if (kind.isCustom && code >= 300) return `${code} ${jsonText(answer['message']!)}\nour none`;
  return objectDifference(server, kind, trial, ours.object!);
}

/** What is wrong with the metadata, the name or the form of an object is reported by other code, and first. */
const notOurs = /name must be provided|patch: Invalid value|is invalid: .*metadata|cannot unmarshal/;

/** Of custom resources all but the metadata is ours. */
function customDifference(answer: JsonObject, our: JsonObject): string | undefined {
  const { metadata: _t, ...theirs } = plain(answer);
  const { metadata: _o, ...ours } = plain(our);
  return equalJson(theirs, ours) ? undefined : `${jsonText(theirs)}\nour ${jsonText(ours)}`;
}

function errorDifference({ code, answer }: Trial, error: NonNullable<OurAnswer['error']>): string | undefined {
  const causes = (isObject(answer['details']!) ? answer['details']['causes'] : undefined) ?? null;
  const sorted = (list: JsonValue) => (Array.isArray(list) ? list.map(jsonText).sort() : list);
  const same =
    code === error.code &&
    sameText(String(answer['message']), error.message) &&
    equalJson(sorted(causes), sorted(error.causes ?? null));
  return same
    ? undefined
    : `${code} ${jsonText(answer['message'] ?? answer)}\nour ${error.code} ${jsonText(error.message)}`;
}

/** Decoding and defaulting are the server's: it is given our object to make of it what it makes of its own. */
async function objectDifference(
  server: Server,
  kind: TriedKind,
  { live, code, answer, manager }: Trial,
  our: JsonObject,
) {
  if (code < 300 && equalJson(plain(our), plain(answer))) return undefined;
  const decoded = await (live ? updated(server, kind, our, live, manager) : created(server, kind, our, manager));
  if (code < 300) {
    const same = decoded.code < 300 && equalJson(plain(decoded.body), plain(answer));
    return same ? undefined : `${jsonText(plain(answer))}\nour ${decoded.code} ${jsonText(plain(decoded.body))}`;
  }
  const message = String(answer['message']);
  // A patch that makes what cannot be decoded gets another message than such an object.
  if (/patch: Invalid value|unable to (?:decode|convert)|cannot unmarshal|unrecognized type/.test(message)) {
    return decoded.code >= 400 ? undefined : `${code} ${message}\nour ${decoded.code}`;
  }
  const theirs = decoded.body['message'];
  return message === theirs ? undefined : `${code} ${message}\nour ${decoded.code} ${theirs}`;
}

/** Go walks maps in any order, so what it finds comes in any. */
const lines = (message: string): string[] =>
  message
    .split(/\n *|, (?=\S+: )|[[\]]|errors:|(?<=\)): /)
    .filter(Boolean)
    .sort();

/** A field that is not declared ends its walk: what it had not reached yet it does not report. */
function sameText(theirs: string, our: string): boolean {
  const [some, all] = [lines(theirs), lines(our)];
  return theirs.includes('field not declared') ? some.every((line) => all.includes(line)) : equalJson(some, all);
}

async function updated(server: Server, kind: TriedKind, our: JsonObject, live: JsonObject, manager: string) {
  const { managedFields: _, ...metadata } = metadataOf(our);
  const name = String(metadataOf(live)['name']);
  for (let { resourceVersion } = metadataOf(live); ; ) {
    const body = {
      ...our,
      metadata: { ...metadata, ...(metadata['name'] ? { resourceVersion: resourceVersion! } : {}) },
    };
    const answered = await server.write(kind, { action: 'update', name, body, manager, dryRun: true });
    if (answered.code !== 409) return answered;
    // A controller has written its status.
    ({ resourceVersion } = metadataOf((await server.get(kind, name)).body));
  }
}

function created(server: Server, kind: TriedKind, our: JsonObject, manager: string) {
  const { managedFields: _, ...metadata } = metadataOf(our);
  const body = { ...our, metadata };
  return server.write(kind, { action: 'create', name: '', body, manager, dryRun: true });
}
