/** Requests what `fleet get` prints: objects, lists page by page, and watch events. */

import { errorOf } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import type { PatientUpstream } from '../patient-upstream.ts';
import type { ServerWarnings } from '../server-warnings.ts';
import { parseExactly } from './go-text.ts';
import type { Printed } from './output.ts';

export interface Answering {
  upstream: PatientUpstream;
  warnings: ServerWarnings;
  signal: AbortSignal;
}

/** As kubectl's: no server has to hold more of a list, and nor do we. */
const pageSize = 500;

interface WatchEvent {
  type: string;
  object: Printed;
}

const userAgent = 'fleet-cli';

export async function readOne(path: string, accept: string, answering: Answering): Promise<Printed> {
  const { upstream, warnings, signal } = answering;
  const headers = { accept, 'user-agent': userAgent };
  const reply = await upstream.call({ method: 'GET', path, headers, signal });
  const bytes = await reply.body.bytes();
  warnings.take(reply.headers);
  if (reply.status !== 200) throw errorOf(reply.status, bytes);
  return parseExactly(bytes.toString()) as Printed;
}

export async function* readPages(
  path: string,
  query: URLSearchParams,
  accept: string,
  answering: Answering,
): AsyncGenerator<Printed, void, undefined> {
  const asked = new URLSearchParams(query);
  asked.set('limit', String(pageSize));
  for (;;) {
    const page = await readOne(`${path}?${asked}`, accept, answering);
    yield page;
    const next = page.metadata?.continue;
    if (!next) return;
    asked.set('continue', next);
  }
}

/** What changes after `version`, until the server ends it. */
export async function* readEvents(
  path: string,
  query: URLSearchParams,
  version: string,
  accept: string,
  { upstream, warnings, signal }: Answering,
): AsyncGenerator<Printed, void, undefined> {
  const asked = new URLSearchParams(query);
  asked.set('watch', 'true');
  asked.set('resourceVersion', version);
  const headers = { accept, 'user-agent': userAgent };
  const reply = await upstream.stream({ method: 'GET', path: `${path}?${asked}`, headers, signal });
  warnings.take(reply.headers);
  if (reply.status !== 200) throw errorOf(reply.status, await reply.body.bytes());
  for await (const line of watchLines(reply.body)) {
    const { type, object } = parseExactly(line.toString()) as WatchEvent;
    if (type === 'ERROR') throw statusOf(object);
    if (type !== 'BOOKMARK') yield object;
  }
}

function statusOf(object: object): StatusError {
  const { code = 500, reason = '', message = 'the server ended the watch' } = object as Record<string, never>;
  return new StatusError(code, reason, message);
}
