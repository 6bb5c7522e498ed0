/** A member that can be made sick and one that is well, how they are asked, and what the control plane receives. */

import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { expect } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

export interface Heard {
  code: number;
  reason?: string;
  message?: string;
  retryAfter: string | undefined;
  body: string;
  ms: number;
}

/** An open watch. */
export interface Watching {
  /** Whether it ended as a whole or broke off. */
  ended: Promise<'ended' | 'broken'>;
  lines(): string;
  close(): void;
}

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const sick = memberProxy('sick');
export const well = memberProxy('well');

export const outcome = ({ code, reason, message, retryAfter }: Heard) => ({ code, reason, message, retryAfter });

/** A member that fails, and still counts as ready: trying again soon makes sense. */
export const unreachable = {
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'cluster "sick" cannot be reached',
  retryAfter: '1',
};

export class SickFleet implements AsyncDisposable {
  readonly fleet: Fleet<'sick' | 'well'>;
  private readonly agents = new Map<Product, Agent>();

  private constructor(fleet: Fleet<'sick' | 'well'>) {
    this.fleet = fleet;
  }

  static async start(nodes = 0): Promise<SickFleet> {
    const sickOne = { version: 'newest', nodes, faults: true, workloads: nodes > 0 } as const;
    return new SickFleet(await startFleet({ sick: sickOne, well: { version: 'older', nodes: 0 } }));
  }

  get faults() {
    return this.fleet.members.sick.faults;
  }

  /** Throws if the answer breaks off. */
  async ask(path: string, body?: object, product = this.fleet.product): Promise<Heard> {
    const begun = performance.now();
    const asking = request(new URL(path, product.server), {
      agent: this.agentOf(product),
      method: body ? 'POST' : 'GET',
      headers: body ? { 'content-type': 'application/json' } : {},
    });
    asking.end(body && JSON.stringify(body));
    const [response] = await once(asking, 'response');
    const answered = await text(response);
    const status =
      response.statusCode >= 400 ? (JSON.parse(answered) as { reason: string; message: string }) : undefined;
    return {
      code: response.statusCode,
      ...(status && { reason: status.reason, message: status.message }),
      retryAfter: response.headers['retry-after'],
      body: answered,
      ms: performance.now() - begun,
    };
  }

  /** Open, and has shown something, when this returns. */
  async watch(endpoint: string, product = this.fleet.product): Promise<Watching> {
    const url = new URL(`${endpoint}${configMaps}?watch=true`, product.server);
    const asking = request(url, { agent: this.agentOf(product) });
    asking.end();
    const [response] = await once(asking, 'response');
    let lines = '';
    response.on('data', (data: Buffer) => {
      lines += data;
    });
    const ended = new Promise<'ended' | 'broken'>((resolve) => {
      response.once('error', () => resolve('broken'));
      response.once('end', () => resolve('ended'));
    });
    await until('the watch shows something', () => lines.includes('\n'));
    return { ended, lines: () => lines, close: () => asking.destroy() };
  }

  async condition(name: 'sick' | 'well' = 'sick') {
    const { status } = await this.fleet.controlPlane.api.object<{
      status: { conditions: { type: string; status: string; reason: string; message: string }[] };
    }>(`/apis/cluster.karmada.io/v1alpha1/clusters/${name}`);
    const ready = status.conditions.find(({ type }) => type === 'Ready');
    return ready && { status: ready.status, reason: ready.reason, message: ready.message };
  }

  async becomes(status: string): Promise<void> {
    const isSo = async () => (await this.condition())?.status === status;
    await until(`sick is ${status}`, isSo, { timeout: 60_000 });
  }

  async worksAgain(): Promise<void> {
    expect((await this.ask(`${sick}${configMaps}`)).code).toBe(200);
  }

  /** Requests to the other member while `work` goes on: none fails, none takes a second. */
  async withOthersUntouched(work: () => Promise<void>): Promise<void> {
    let over = false;
    const others = (async () => {
      const answers: Heard[] = [];
      while (!over) answers.push(await this.ask(`${well}${configMaps}`));
      return answers;
    })();
    try {
      await work();
    } finally {
      over = true;
    }
    const answers = await others;
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200]));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(1_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.agents.values()) agent.destroy();
    await this.fleet[Symbol.asyncDispose]();
  }

  private agentOf(product: Product): Agent {
    const known = this.agents.get(product) ?? new Agent({ keepAlive: true, ca: product.ca, ...product.admin });
    this.agents.set(product, known);
    return known;
  }
}
