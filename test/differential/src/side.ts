/** One side of a run: its server, its view, its names, and what it has returned so far. */
import type { Connection } from './connection.ts';
import type { Memory } from './reference.ts';
import type { Answer, Call, Request } from './request.ts';
import type { View } from './view.ts';
import { type WatchRead, WatchStream } from './watch-stream.ts';

/** Long for a machine with two cores; events come within milliseconds. */
const watchDeadline = 15_000;

export type Watching =
  | { readonly answer: Answer; readonly request: Request }
  | { readonly stream: WatchStream; readonly request: Request };

export class Side {
  readonly scope: string;
  readonly #connection: Connection;
  readonly #memory: Memory;
  readonly #view: View;

  constructor(scope: string, connection: Connection, memory: Memory, view: View) {
    this.scope = scope;
    this.#connection = connection;
    this.#memory = memory;
    this.#view = view;
  }

  /** The request as this side is asked. */
  #fill(call: Call): Request {
    return this.#view.out(this.#memory.fill(call.request));
  }

  async send(call: Call): Promise<{ request: Request; answer: Answer }> {
    const request = this.#fill(call);
    const answer = await this.#connection.send(request);
    if (answer.status >= 200 && answer.status < 300) this.#memory.learn(call.subject, json(answer));
    return { request, answer: this.#view.back(answer, request) };
  }

  async watch(call: Call): Promise<Watching> {
    const request = this.#fill(call);
    const stream = await this.#connection.watch(request);
    // What is written next is an event on both sides, whichever takes longer to list what there is.
    const isAwaited = /sendInitialEvents=true/.test(request.path) && /allowWatchBookmarks=true/.test(request.path);
    if (stream instanceof WatchStream && isAwaited) await stream.waitFor('k8s.io/initial-events-end', watchDeadline);
    return stream instanceof WatchStream ? { stream, request } : { answer: this.#view.back(stream, request), request };
  }

  async readTo(end: string, watching: { stream: WatchStream; request: Request }): Promise<WatchRead> {
    const read = await watching.stream.readTo(end, watchDeadline);
    return { ...read, lines: read.lines.map((line) => this.#view.backEvent(line, watching.request)) };
  }
}

/** Versions are only learnt from JSON: both sides answer in the same form, so both learn or neither does. */
function json(answer: Answer): unknown {
  if (!answer.headers['content-type']?.includes('json')) return undefined;
  try {
    return JSON.parse(answer.body.toString());
  } catch {
    return undefined; // a broken body is found by the comparison
  }
}
