/** Sends the steps of one lane to both sides, one after the other, and compares. */
import type { Comparer } from './compare/compare.ts';
import { type Delta, deltas } from './compare/delta.ts';
import { watchedEvents } from './compare/watched-events.ts';
import type { Answer, Call, Request, Watched } from './request.ts';
import type { Side, Watching } from './side.ts';

export interface Outcome {
  readonly call: Call;
  readonly status: number;
  readonly deltas: readonly Delta[];
  /** As the side was asked and as it answered, for reading; made when asked for. */
  readonly left: () => string;
  readonly right: () => string;
  readonly events?: number;
}

export interface Lane {
  readonly left: Side;
  readonly right: Side;
  readonly comparer: Comparer;
}

interface Exchange {
  readonly request: Request;
  readonly answer: Answer;
}

export async function runCall(lane: Lane, call: Call): Promise<Outcome> {
  const [left, right] = await Promise.all([lane.left.send(call), lane.right.send(call)]);
  return answered(lane, call, left, right);
}

function answered(lane: Lane, call: Call, left: Exchange, right: Exchange): Outcome {
  const deltas = lane.comparer.answers(call.subject, left.answer, right.answer);
  const text = ({ request, answer }: Exchange) => `${showRequest(request)}\n${showAnswer(answer)}`;
  return { call, status: left.answer.status, deltas, left: () => text(left), right: () => text(right) };
}

export async function* runWatched(lane: Lane, watched: Watched): AsyncGenerator<Outcome> {
  yield await runCall(lane, watched.list);
  const open = () => Promise.all([lane.left.watch(watched.watch), lane.right.watch(watched.watch)]);
  const before = watched.opened === 'before' ? await open() : undefined;
  for (const call of watched.calls) yield await runCall(lane, call);
  yield await runCall(lane, watched.closing);
  const [left, right] = before ?? (await open());
  if ('stream' in left && 'stream' in right) yield await readBoth(lane, watched, left, right);
  else yield answered(lane, watched.watch, refusal(left), refusal(right));
}

/** A stream beside a refusal counts as an empty 200. */
function refusal(watching: Watching): Exchange {
  if (!('stream' in watching)) return watching;
  void watching.stream.readTo('', 0);
  const answer = { status: 200, headers: watching.stream.headers, body: Buffer.alloc(0) };
  return { request: watching.request, answer };
}

type Streaming = Extract<Watching, { stream: unknown }>;

async function readBoth(lane: Lane, { watch, end }: Watched, left: Streaming, right: Streaming): Promise<Outcome> {
  const [l, r] = await Promise.all([lane.left.readTo(end, left), lane.right.readTo(end, right)]);
  const readings = lane.comparer.readings(watch.subject);
  const [lines, others] = [watchedEvents(l.lines), watchedEvents(r.lines)];
  const found = [
    ...lane.comparer.headers(left.stream.headers, right.stream.headers),
    ...deltas('watch ended', l.ended, r.ended),
    // both late: the last write was not seen at all, which no server should do
    ...(l.ended === 'late' && r.ended === 'late' ? [{ where: 'watch', left: 'late', right: 'late' }] : []),
    ...deltas('events', lines.length, others.length),
  ];
  for (let at = 0; at < Math.max(lines.length, others.length) && found.length < 10; at++) {
    found.push(...lane.comparer.texts(`event ${at}`, readings, lines[at] ?? '', others[at] ?? ''));
  }
  const text = (side: Streaming, read: readonly string[]) => [showRequest(side.request), ...read].join('\n');
  const shown = { left: () => text(left, l.lines), right: () => text(right, r.lines) };
  return { call: watch, status: 200, deltas: found, ...shown, events: lines.length };
}

function showRequest({ method, path, query, headers, body }: Request): string {
  const asked = query.map(([key, value]) => `${key}=${value}`).join('&');
  const rest = Object.entries(headers).map(([key, value]) => ` -H '${key}: ${value}'`);
  return `${method} ${path}${asked && `?${asked}`}${rest.join('')}${body === undefined ? '' : ` ${JSON.stringify(body.slice(0, 2000))}`}`;
}

function showAnswer(answer: Answer): string {
  const headers = ['content-type', 'warning', 'retry-after'].flatMap((name) => answer.headers[name] ?? []).join('; ');
  return `    ${answer.failure ?? answer.status} ${headers} ${answer.body.toString().slice(0, 3000)}`;
}
