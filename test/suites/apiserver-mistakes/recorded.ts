/** What kube-apiserver answered to each mistake, a line of JSON each: the product can be held to it without a cluster. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { Status } from './rule-request.ts';

const file = new URL('answers.jsonl', import.meta.url).pathname;

type RecordedStatus = Pick<Status, 'code' | 'reason' | 'message' | 'details'>;

/** Some of what looks like a mistake is accepted; or the text of what kept it from being tried. */
export type Recorded = RecordedStatus | string;
export type Answers = ReadonlyMap<string, Recorded>;

/** Causes in the order of their fields: Go walks maps at random, and the message of several follows them. */
export function recordable({ code, reason, message, details }: Status): RecordedStatus {
  const key = ({ field, message }: { field?: string; message?: string }) => `${field} ${message}`;
  const causes = details?.causes?.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  const status = {
    code,
    ...(reason && { reason }),
    ...(causes && causes.length > 1 ? {} : { message }),
    ...(details && { details: { ...details, ...(causes && { causes }) } }),
  };
  // each server chooses its own
  return JSON.parse(JSON.stringify(status).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '‹uid›'));
}

export function readRecorded(): Answers {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as [string, Recorded]));
}

export function writeRecorded(answers: Answers): void {
  writeFileSync(file, [...answers].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}
