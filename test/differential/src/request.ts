/** What is asked and what is answered. Requests hold references (`reference.ts`), so one request serves both sides. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export interface Request {
  readonly method: string;
  /** As it goes on the wire, without the query. */
  readonly path: string;
  /** Values as they are meant; they are encoded when sent. */
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  /** 0: there was no answer, `failure` is the reason. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly failure?: string;
}

export type Intent = 'valid' | 'invalid';

/** One request of a run, and what is known about it. */
export interface Call {
  readonly step: 'call';
  readonly verb: string;
  /** `deployments`, or a word for what is no resource. */
  readonly resource: string;
  readonly subject: Subject;
  readonly intent: Intent;
  /** What was spoilt, if it was. */
  readonly flaw?: string;
  readonly request: Request;
}

/** What the comparer must know to read an answer. */
export interface Subject {
  /** `configmaps/alpha`: where versions and uids seen in the answer are remembered; none for a dry run. */
  readonly remember?: string;
  /** False where a controller writes the object on its own time. */
  readonly settled: boolean;
  /** The version at the root of the answer is that of a list. */
  readonly list: boolean;
}

/** A watch is opened on both sides, `calls` follow, and it is read up to the event that holds `end`. */
export interface Watched {
  readonly step: 'watched';
  /** Before the calls, or after them from an older version. */
  readonly opened: 'before' | 'after';
  readonly list: Call;
  readonly watch: Call;
  readonly calls: readonly Call[];
  /** The last write; its event holds the text `end`. */
  readonly closing: Call;
  readonly end: string;
}

export type Step = Call | Watched;

export function callsOf(step: Step): readonly Call[] {
  switch (step.step) {
    case 'call':
      return [step];
    case 'watched':
      return [step.list, step.watch, ...step.calls, step.closing];
    default:
      return step satisfies never;
  }
}
