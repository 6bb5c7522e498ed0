/** Many requests and watches to one member through a product, ended well and badly. */

import { once } from 'node:events';
import { Agent, request } from 'node:https';
import type { Pair } from './pki.ts';

/** A product, and the path of the member in it. */
export interface Target {
  server: string;
  /** PEM. */
  ca: string;
  admin: Pair;
  /** As in `/clusters/member1`. */
  path: string;
}

export interface Amount {
  requests: number;
  watches: number;
  /** Of the watches; all if left out. */
  watchesAtOnce?: number;
  /** How many are being opened at a time; 50 if left out. */
  watchesOpening?: number;
  aborted: number;
}

export async function sendMany(target: Target, amount: Amount): Promise<void> {
  await requests(target, amount.requests);
  const { watches: count, watchesAtOnce = count, watchesOpening = 50 } = amount;
  for (let begun = 0; begun < count; begun += watchesAtOnce)
    await watches(target, Math.min(watchesAtOnce, count - begun), watchesOpening);
  await aborted(target, amount.aborted);
}

const configMaps = '/api/v1/namespaces/default/configmaps';

const agentOf = ({ ca, admin }: Target, maxSockets: number) => new Agent({ keepAlive: true, maxSockets, ca, ...admin });

/** Sends; the answer has begun when this returns. */
async function open({ ca, admin, server, path: base }: Target, agent: Agent | false, path: string) {
  const asking = request(new URL(`${base}${path}`, server), { agent, ca, ...admin });
  asking.end();
  const [response] = await once(asking, 'response');
  return { asking, response };
}

/** So many at a time, until all are done. */
async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

export async function requests(target: Target, count: number): Promise<void> {
  const agent = agentOf(target, 32);
  await inParallel(count, 32, async () => {
    const { response } = await open(target, agent, '/version');
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`/version: ${response.statusCode}`);
  });
  agent.destroy();
}

/** On a busy machine the handshake with the member may take longer than the product waits for it. */
const mostAttempts = 10;

async function opened(target: Target, agent: Agent, path: string) {
  for (let attempt = 1; ; attempt++) {
    const { response } = await open(target, agent, path);
    if (response.statusCode === 200) return response;
    response.resume();
    if (response.statusCode !== 503 || attempt === mostAttempts) throw new Error(`${path}: ${response.statusCode}`);
  }
}

/** All are open at the same time; then half are cut, and half end by themselves, at their `timeoutSeconds`. */
async function watches(target: Target, count: number, opening: number): Promise<void> {
  const agent = agentOf(target, Number.POSITIVE_INFINITY);
  const ending: Promise<unknown>[] = [];
  const cut: (() => void)[] = [];
  await inParallel(count, opening, async (index) => {
    const isCut = index % 2 === 0;
    const response = await opened(target, agent, `${configMaps}?watch=true${isCut ? '' : '&timeoutSeconds=8'}`);
    response.on('error', () => {});
    response.resume();
    if (isCut) cut.push(() => response.socket.destroy());
    else ending.push(once(response, 'end'));
  });
  for (const end of cut) end();
  await Promise.all(ending);
  agent.destroy();
}

/** Lists and execs whose client is gone before the end. */
async function aborted(target: Target, count: number): Promise<void> {
  await inParallel(count, 20, async () => {
    const { asking, response } = await open(target, false, '/openapi/v2');
    response.on('error', () => {});
    asking.destroy();
  });
  await inParallel(count / 4, 10, async () => {
    const { ca, admin, server, path } = target;
    const url = new URL(`${path}/api/v1/namespaces/default/pods/x/exec?command=sleep&command=60&stdout=true`, server);
    const headers = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': 'v4.channel.k8s.io' },
    };
    const asking = request(url, { agent: false, headers, ca, ...admin });
    asking.end();
    const [, socket] = await once(asking, 'upgrade');
    socket.destroy();
  });
}
