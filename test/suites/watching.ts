/** A watch by hand over HTTP/1.1, line by line, with the content of its lines. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Pair } from '@fleet/bed/pki.ts';
import { until } from '@fleet/bed/until.ts';

export interface WatchedServer {
  server: string;
  ca: string;
  admin: Pair;
}

export interface Line {
  type: string;
  object: {
    kind?: string;
    apiVersion?: string;
    code?: number;
    reason?: string;
    columnDefinitions?: { name: string }[] | null;
    rows?: { cells: unknown[] }[];
    metadata?: {
      name?: string;
      uid?: string;
      resourceVersion?: string;
      annotations?: Record<string, string>;
    };
  };
}

export class Watching {
  readonly lines: Line[] = [];
  readonly headers: IncomingMessage['headers'];
  ended = false;
  private readonly response: IncomingMessage;

  private constructor(response: IncomingMessage) {
    this.response = response;
    this.headers = response.headers;
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (data: string) => {
      const lines = (rest + data).split('\n');
      rest = lines.pop() ?? '';
      this.lines.push(...lines.map((line) => JSON.parse(line) as Line));
    });
    response.on('close', () => {
      this.ended = true;
    });
    response.on('error', () => {});
  }

  static async open(
    { server, ca, admin }: WatchedServer,
    path: string,
    accept = 'application/json',
    headers: Record<string, string> = {},
  ): Promise<Watching> {
    const asking = request(new URL(server + path), { agent: false, ca, ...admin, headers: { accept, ...headers } });
    asking.on('error', () => {});
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
    return new Watching(response);
  }

  get events(): Line[] {
    return this.lines.filter(({ type }) => type !== 'BOOKMARK');
  }

  /** As `ADDED x`. */
  get received(): string[] {
    return this.events.map(({ type, object }) => `${type} ${object.metadata?.name}`);
  }

  get bookmarks(): Line[] {
    return this.lines.filter(({ type }) => type === 'BOOKMARK');
  }

  until(what: string, condition: (watching: this) => boolean, timeout = 30_000): Promise<boolean> {
    return until(`${what}; received: ${JSON.stringify(this.lines).slice(-2_000)}`, () => condition(this), { timeout });
  }

  close(): void {
    this.response.destroy();
  }
}

/** The map in a merged version. */
export const entriesOf = (version: string | undefined): Record<string, string> =>
  JSON.parse(Buffer.from(version ?? '', 'base64url').toString()) as Record<string, string>;
