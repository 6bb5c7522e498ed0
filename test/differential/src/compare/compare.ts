/** Compares two answers to one request, after the values that must differ are replaced. */
import { parse } from 'yaml';
import { rewriteJson } from '../normalise/json-text.ts';
import { protobufText } from '../normalise/protobuf.ts';
import { inPlaces, newReading, type Reading, rulesFor } from '../normalise/rules.ts';
import { normaliseText, sortErrors } from '../normalise/text.ts';
import type { Answer, Subject } from '../request.ts';
import { type Delta, deltas, textDelta } from './delta.ts';
import { Pairing } from './pairing.ts';

/** Headers that a client may act on. Dates, lengths, connection handling and ids of requests are not among them. */
const headers = [
  'content-type',
  'warning',
  'retry-after',
  'allow',
  'location',
  'cache-control',
  'vary',
  'content-encoding',
  'www-authenticate',
  'x-content-type-options',
];

export interface Scopes {
  readonly left: string;
  readonly right: string;
}

/** What a run remembers for comparing. */
export class Comparer {
  readonly #uids = new Pairing();
  readonly #versions = new Pairing();
  readonly #scopes: Scopes;
  /** Compare the text of bodies (order of keys, spaces, escapes), not only what it means. */
  readonly #bytes: boolean;

  constructor(scopes: Scopes, bytes: boolean) {
    this.#scopes = scopes;
    this.#bytes = bytes;
  }

  answers(subject: Subject, left: Answer, right: Answer): Delta[] {
    const readings = this.readings(subject);
    return [
      ...deltas('failure', left.failure, right.failure),
      ...deltas('status', left.status, right.status),
      ...this.headers(left.headers, right.headers),
      ...this.#bodies(readings, left, right),
    ];
  }

  readings(subject: Subject): { left: Reading; right: Reading } {
    return { left: newReading(subject, this.#scopes.left), right: newReading(subject, this.#scopes.right) };
  }

  headers(left: Answer['headers'], right: Answer['headers']): Delta[] {
    const plain = (value: string | undefined, scope: string) => value && sortErrors(normaliseText(value, scope));
    return headers.flatMap((name) =>
      deltas(`header ${name}`, plain(left[name], this.#scopes.left), plain(right[name], this.#scopes.right)),
    );
  }

  #bodies(readings: { left: Reading; right: Reading }, left: Answer, right: Answer): Delta[] {
    const form = (answer: Answer) => answer.headers['content-type'] ?? '';
    if (form(left).includes('protobuf') && form(right).includes('protobuf')) {
      return textDelta('body', this.#protobuf(readings.left, left), this.#protobuf(readings.right, right));
    }
    const yaml = form(left).includes('yaml') && form(right).includes('yaml');
    const text = (answer: Answer) => (yaml ? jsonOfYaml(answer.body.toString()) : answer.body.toString());
    return this.texts('body', readings, text(left), text(right));
  }

  #protobuf({ subject, scope }: Reading, answer: Answer): string {
    const lines = protobufText(answer.body, scope).split('\n');
    // Go walks maps at random, so the causes of an error and the resources of a custom group come in any order
    if (answer.status >= 400 || lines.some((line) => line.endsWith('"APIResourceList"')))
      return lines.sort().join('\n');
    // without a schema the status a controller writes cannot be left out: only the kind is compared
    return (subject.settled ? lines : lines.slice(0, 4)).join('\n');
  }

  /** Two texts, JSON or not: bodies, or events of a watch. */
  texts(where: string, readings: { left: Reading; right: Reading }, left: string, right: string): Delta[] {
    const l = rewritten(left, readings.left);
    const r = rewritten(right, readings.right);
    const differing =
      l.text === r.text
        ? []
        : l.json && r.json
          ? deltas(`${where} `, JSON.parse(l.text), JSON.parse(r.text))
          : textDelta(where, l.text, r.text);
    const form = this.#bytes && differing.length === 0 ? textDelta(`${where} text`, l.text, r.text) : [];
    return [...differing, ...form, ...this.#pairs(where, readings)];
  }

  #pairs(where: string, { left, right }: { left: Reading; right: Reading }): Delta[] {
    const uid = this.#uids.check(inPlaces(left.found.uids), inPlaces(right.found.uids));
    const version = this.#versions.check(inPlaces(left.found.versions), inPlaces(right.found.versions));
    return [
      ...(uid ? [{ where: `${where} uid`, ...uid }] : []),
      ...(version ? [{ where: `${where} version`, ...version }] : []),
    ];
  }
}

/** Keys keep their order. */
function jsonOfYaml(text: string): string {
  try {
    return JSON.stringify(parse(text, { uniqueKeys: false }));
  } catch {
    return text; // compared as the text it is
  }
}

function rewritten(text: string, reading: Reading): { text: string; json: boolean } {
  try {
    return { text: rewriteJson(text, rulesFor(reading)), json: true };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return { text: normaliseText(text, reading.scope), json: false };
  }
}
