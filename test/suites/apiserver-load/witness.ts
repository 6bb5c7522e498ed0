/** A real kube-apiserver, asked the same where ours gave a 5xx: what it gives too is no fault. */

import { Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { layDefinitions } from '@fleet/differential/ground.ts';
import { shown } from '../bad-input/request.ts';
import { type Outcome, send } from '../bad-input/send.ts';

export class Witness implements AsyncDisposable {
  readonly #member: Member;
  readonly #agent: Agent;

  private constructor(member: Member) {
    this.#member = member;
    this.#agent = new Agent({ keepAlive: true, ca: member.ca, ...member.admin });
  }

  static async start(): Promise<Witness> {
    const member = await startMember({ name: 'witness', nodes: 0 });
    await using connection = new Connection({ url: member.server, ca: member.ca, ...member.admin });
    await layDefinitions(connection);
    return new Witness(member);
  }

  /** What it does not answer too. One of each kind is asked: thousands of requests differ in names alone. */
  async refutes(outcomes: readonly Outcome[], ours: string): Promise<string[]> {
    const kinds = Map.groupBy(outcomes, ({ request, status, body }) => `${status} ${request.method} ${pattern(body)}`);
    const faults: string[] = [];
    for (const [first] of kinds.values())
      if (first && !(await this.#answersToo(first, ours))) faults.push(faultOf(first));
    return faults;
  }

  async #answersToo({ request, status, body }: Outcome, ours: string): Promise<boolean> {
    await this.#layGround(request.target, ours);
    const answer = await send(new URL(this.#member.server), this.#agent, request);
    // In which words is for the differential to judge.
    if (answer.status === status) return true;
    // The object is gone by now, also from ours: nobody can know, unless ours itself did not mean to answer it.
    return answer.status === 404 && !body.includes('Internal error occurred');
  }

  /** The namespace of the path, and the object that it names as ours has it now. */
  async #layGround(target: string, ours: string): Promise<void> {
    const [path = ''] = target.split('?');
    const [, namespace] = /\/namespaces\/([^/]+)/.exec(path) ?? [];
    if (namespace) await this.#make('/api/v1/namespaces', { metadata: { name: namespace } });
    const [, collection, name] = /^(.*\/(?:namespaces\/[^/]+\/)?[a-z]+)\/([^/]+)(?:\/[a-z]+)?$/.exec(path) ?? [];
    if (!collection || !name) return;
    const got = await send(new URL(ours), new PlainAgent(), {
      index: 0,
      method: 'GET',
      target: `${collection}/${name}`,
      headers: {},
    });
    if (got.status !== 200) return;
    const object = JSON.parse(Buffer.from(got.body, 'latin1').toString()) as {
      metadata?: Record<string, unknown>;
    };
    // A list, or what is no object at all.
    if (!object.metadata?.['uid']) return;
    for (const field of ['resourceVersion', 'uid', 'managedFields', 'creationTimestamp']) delete object.metadata[field];
    await this.#make(collection, object);
  }

  async #make(target: string, object: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify(object));
    await send(new URL(this.#member.server), this.#agent, { index: 0, method: 'POST', target, headers, body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    await this.#member[Symbol.asyncDispose]();
  }
}

/** A message without what is of one request. */
function pattern(body: string): string {
  const [, message = ''] = /"message":"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
  return message.replace(/\\"(?:[^"\\]|\\[^"])*\\"/g, '""').replace(/\d+/g, '0');
}

const faultOf = ({ request, status, body }: Outcome): string => `${status}: ${shown(request)} -> ${body.slice(0, 500)}`;
