/** Informers of client-go over a view, in a process of their own: what they hold, and the events they should never have received. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { binaryPath, informers } from '@fleet/bed/binaries.ts';

export interface Held {
  uid: string;
  resourceVersion: string;
  name: string;
}

/** How reflectors get what there is: client-go's feature gate `WatchListClient`. */
export type Mode = 'list' | 'watch-list';

/** An object that is never deleted was reported as deleted. */
export interface Deletion {
  informer: string;
  what: { name: string; cluster: string; resourceVersion: string };
}

type Line =
  | { kind: 'wrong'; informer: string; what: string }
  | ({ kind: 'deleted' } & Deletion)
  | { kind: 'stores'; stores: Record<string, Held[] | null> }
  | { kind: 'histories'; histories: Record<string, unknown[]> };

export interface InformersOptions {
  kubeconfig: string;
  mode: Mode;
  /** Path of the view, such as `/clusterspaces/member1`; all clusters otherwise. */
  at?: string;
  onDeleted(deletion: Deletion): void;
}

export class Informers implements AsyncDisposable {
  readonly mode: Mode;
  /** Messages about events that no informer should see. */
  readonly wrong: string[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #asked: ((line: Line) => void)[] = [];
  /** Rejected when they end before they were asked to. */
  readonly #ended: Promise<never>;
  #stderr = '';

  constructor({ kubeconfig, mode, at = '', onDeleted }: InformersOptions) {
    this.mode = mode;
    this.#child = spawn(binaryPath(informers), ['-kubeconfig', kubeconfig, '-at', at], {
      env: { ...process.env, KUBE_FEATURE_WatchListClient: String(mode === 'watch-list') },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stderr.on('data', (data) => {
      this.#stderr = (this.#stderr + data).slice(-20_000);
    });
    this.#ended = once(this.#child, 'close').then(([code]) => {
      throw new Error(`informers (${mode}) ended with ${code}:\n${this.#stderr}`);
    });
    // who asks gets the error
    this.#ended.catch(() => {});
    // written to after its end
    this.#child.stdin.on('error', () => {});
    createInterface(this.#child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if (line.kind === 'wrong') this.wrong.push(`${mode}, ${line.informer}: ${line.what}`);
      else if (line.kind === 'deleted') onDeleted({ ...line, informer: `${mode}, ${line.informer}` });
      else this.#asked.shift()?.(line);
    });
  }

  /** What each informer holds now; nothing of those that have not synced yet. */
  async stores(): Promise<Map<string, Held[] | null>> {
    const line = await this.#ask('stores');
    return new Map(line.kind === 'stores' ? Object.entries(line.stores) : []);
  }

  /** The events that each informer received of one object. */
  async histories(uid: string): Promise<Record<string, unknown[]>> {
    const line = await this.#ask(uid);
    return line.kind === 'histories' ? line.histories : {};
  }

  /** Ends them. Throws if they did not end well, as after a data race. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`informers (${this.mode}) ended with ${code}:\n${this.#stderr}`);
  }

  #ask(question: string): Promise<Line> {
    const { promise, resolve } = Promise.withResolvers<Line>();
    this.#asked.push(resolve);
    this.#child.stdin.write(`${question}\n`);
    return Promise.race([promise, this.#ended]);
  }
}
