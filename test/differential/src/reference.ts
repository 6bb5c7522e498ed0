/**
 * Values that only an earlier answer can give differ between the sides, so a request names them and each side fills in
 * its own: `@{rv:configmaps/alpha}` the version last seen, `@{old:…}` the one before, `@{uid:…}`, `@{continue:…}` and
 * `@{listed:…}` (the version of the last list). `@{scope}` is the prefix of all names of this run on this side.
 */
import type { JsonObject, Request, Subject } from './request.ts';

// a key may hold the scope: @{rv:clusterroles/@{scope}-0-alpha}
const reference = /@\{([a-z]+)(?::((?:[^{}]|@\{scope\})+))?\}/g;

/** What stands in for a value never seen: well-formed, and matching nothing. */
const unseen: Readonly<Record<string, string>> = {
  rv: '1',
  old: '1',
  uid: '00000000-0000-4000-8000-000000000000',
  continue: '',
  listed: '',
};

/** What one side has returned so far. */
export class Memory {
  readonly #values = new Map<string, string>();

  constructor(scope: string) {
    this.#values.set('scope', scope);
  }

  fill(request: Request): Request {
    const { body } = request;
    return {
      ...request,
      path: this.#text(request.path),
      query: request.query.map(([key, value]) => [key, this.#text(value)] as const),
      ...(body === undefined ? {} : { body: this.#text(body) }),
    };
  }

  #text(text: string): string {
    return text.replace(reference, (_, what: string, key?: string) => {
      if (key === undefined) return this.#values.get(what) ?? '';
      return this.#values.get(`${what}:${key}`) ?? unseen[what] ?? '';
    });
  }

  /** Keeps what the answer returns about its subject: a list's version and token, or an object's version and uid. */
  learn(subject: Subject, answer: unknown): void {
    const key = subject.remember;
    const metadata = (answer as JsonObject | undefined)?.['metadata'] as JsonObject | undefined;
    if (key === undefined || metadata === undefined || metadata === null) return;
    const version = metadata['resourceVersion'];
    if (subject.list) {
      if (typeof version === 'string') this.#values.set(`listed:${key}`, version);
      this.#values.set(`continue:${key}`, String(metadata['continue'] ?? ''));
      return;
    }
    if (typeof version === 'string' && version !== '') {
      const last = this.#values.get(`rv:${key}`);
      if (last !== undefined && last !== version) this.#values.set(`old:${key}`, last);
      this.#values.set(`rv:${key}`, version);
    }
    if (typeof metadata['uid'] === 'string') this.#values.set(`uid:${key}`, metadata['uid']);
  }
}
