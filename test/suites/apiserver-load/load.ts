/** Sends generated requests, good, bad and large, several at once, and keeps what is to be judged of the answers. */

import { Agent } from 'node:http';
import { Connection } from '@fleet/differential/connection.ts';
import { generate } from '@fleet/differential/generate/generator.ts';
import { clearLane, layNamespace } from '@fleet/differential/ground.ts';
import { allKinds } from '@fleet/differential/kinds/all.ts';
import { Memory } from '@fleet/differential/reference.ts';
import type { Call, Request, Step } from '@fleet/differential/request.ts';
import { Side } from '@fleet/differential/side.ts';
import { plainView } from '@fleet/differential/view.ts';
import { requestOf } from '../bad-input/generator.ts';
import type { FuzzRequest } from '../bad-input/request.ts';
import { type Outcome, send } from '../bad-input/send.ts';
import { largeOf } from './large.ts';
import { longest, type Tally } from './tally.ts';

/** Of forty requests one is large, and these are bad. */
const badOnes = 14;

export interface Load {
  url: string;
  seed: string;
  /** Numbers of the first request and of all. */
  from: number;
  count: number;
  lanes?: number;
}

export async function sendLoad({ url, seed, from, count, lanes = 4 }: Load, tally: Tally): Promise<void> {
  await using connection = new Connection({ url });
  const agent = new Agent({ keepAlive: true });
  const scope = `load-${from}-${Date.now()}`;
  const waiting = Array.from({ length: count }, (_, index) => from + index)[Symbol.iterator]();
  const lane = async (number: number): Promise<void> => {
    await layNamespace(connection, `${scope}-${number}`);
    const valid = new ValidLane(new Side(scope, connection, new Memory(scope), plainView), `${seed}/${from}`, number);
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const index = next.value;
      if (index % 40 > badOnes) await valid.send(index, tally);
      else {
        const request = index % 40 === 0 ? largeOf(seed, index) : badOf(seed, index);
        tally.add(await send(new URL(url), agent, request, '', longest));
      }
    }
    await clearLane(connection, `${scope}-${number}`);
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  agent.destroy();
}

/** Without what is of the product's views: that would all be 404 here. */
export function badOf(seed: string, index: number): FuzzRequest {
  const request = requestOf(seed, index);
  const target = request.target
    .replace(/\/apis\/cluster\.karmada\.io\/v1alpha1\/clusters\/[^/]*\/proxy/, '')
    .replace(/\/clusterspaces\/[^/]*/, '');
  return { ...request, target: target || '/' };
}

/** The requests of the differential, of one server alone. One step may be several of them: the numbers stay those of turns. */
class ValidLane {
  readonly #side: Side;
  readonly #steps: Iterator<Step>;

  constructor(side: Side, seed: string, lane: number) {
    this.#side = side;
    this.#steps = generate({ seed, lane, kinds: allKinds, invalid: 1 / 3 })[Symbol.iterator]();
  }

  async send(index: number, tally: Tally): Promise<void> {
    const step = this.#steps.next().value as Step;
    if (step.step === 'call') return this.#call(step, index, tally);
    const { list, watch, calls, closing, end } = step;
    await this.#call(list, index, tally);
    const begun = performance.now();
    const watching = await this.#side.watch(watch);
    for (const call of [...calls, closing]) await this.#call(call, index, tally);
    const outcome = { index, begun, request: watching.request };
    if ('answer' in watching) return tally.add(outcomeOf({ ...outcome, ...watching.answer }));
    const read = await this.#side.readTo(end, watching);
    const failure = read.ended === 'broken' ? { failure: 'a watch broke off' } : {};
    tally.add(outcomeOf({ ...outcome, status: 200, headers: {}, body: Buffer.alloc(0), ...failure }));
  }

  async #call(call: Call, index: number, tally: Tally): Promise<void> {
    const begun = performance.now();
    const { request, answer } = await this.#side.send(call);
    tally.add(outcomeOf({ index, begun, request, ...answer }));
  }
}

interface Answered {
  index: number;
  begun: number;
  request: Request;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  failure?: string;
}

function outcomeOf({ index, begun, request, status, headers, body, failure }: Answered): Outcome {
  const { method, path, query, headers: sent } = request;
  const asked = new URLSearchParams(query.map(([key, value]) => [key, value]));
  const target = query.length === 0 ? path : `${path}?${asked}`;
  return {
    request: {
      index,
      method,
      target,
      headers: { ...sent },
      ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
    },
    status,
    contentType: headers['content-type'] ?? '',
    body: body.toString('latin1').slice(0, 10_000),
    milliseconds: performance.now() - begun,
    ...(failure === undefined ? {} : { failure }),
  };
}
