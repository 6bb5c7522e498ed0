/** A body with what Go makes of it, and where our answer differs. */

import { isDeepStrictEqual } from 'node:util';

/** As test/bed/kube-types prints it; neither `json` nor `error`: Go can read it, but has no JSON for it. */
export interface Sample {
  kind: string;
  damaged: boolean;
  protobuf: string;
  json?: string;
  error?: string;
}

export type Answer = { json: string } | { error: string };

/** Numbers as they are written: comparing them as doubles would hide lost digits. */
const exactly = (json: string): unknown =>
  JSON.parse(json, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' ? { number: context?.source } : value,
  );

/** Its names in errors are Go's, in Go's quotes; ours are of the API server. */
const ofTheEnvelope = /no kind "|Object '(Kind|apiVersion)' is missing/;

/** Undefined where all is well. */
export function differenceOf(sample: Sample, answer: Answer): string | undefined {
  if (sample.json !== undefined) {
    if ('error' in answer) return `refused: ${answer.error}`;
    return isDeepStrictEqual(exactly(answer.json), exactly(sample.json)) ? undefined : 'other JSON';
  }
  if ('json' in answer) return `not refused: ${sample.error ?? 'no JSON'}`;
  const { error = '' } = sample;
  const [envelope] = ofTheEnvelope.exec(error) ?? [];
  return answer.error.includes(envelope ?? error) ? undefined : `other words: ${answer.error}, not: ${error}`;
}
