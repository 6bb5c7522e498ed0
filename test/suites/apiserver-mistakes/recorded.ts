/** What kube-apiserver answered to each mistake, a line of JSON each: the product can be held to it without a cluster. */

import { readFileSync, writeFileSync } from 'node:fs';
import { comparable } from './comparable.ts';
import type { Cause, Status } from './rule-request.ts';

const file = new URL('answers.jsonl', import.meta.url).pathname;

type RecordedStatus = Pick<Status, 'code' | 'reason' | 'message' | 'details'>;

/** Some of what looks like a mistake is accepted; or the text of what kept it from being tried. */
export type Recorded = RecordedStatus | string;
export type Answers = ReadonlyMap<string, Recorded>;

/** Causes in the order of their fields: Go walks maps at random, and the message of several follows them. */
export function recordable(status: Status): RecordedStatus {
  const { code, reason, message, details } = comparable(status);
  const key = ({ field, message }: Cause) => `${field} ${message}`;
  const causes = details?.causes?.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  return {
    code,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && (causes?.length ?? 0) < 2 && { message }),
    ...(details && { details: { ...details, ...(causes && { causes }) } }),
  };
}

export function readRecorded(): Answers {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as [string, Recorded]));
}

export function writeRecorded(answers: Answers): void {
  writeFileSync(file, [...answers].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}
