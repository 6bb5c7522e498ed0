/**
 * A member that refuses to let us act as its users has not said a word about the user. One that has just begun does so until it
 * has read its roles: taken for the user's own refusal it would leave the member out of lists and watches without a word.
 */

import { bodyOf } from '@fleet/client/reply-body.ts';
import type { BytesReply, UpgradeReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { unavailable } from '@fleet/kube/status.ts';

/** In bytes. A member's own refusals are short and say how long; what stands behind its proxies may go on for ever. */
const mostOfRefusal = 8 * 1024;

/** As every Kubernetes says it, in JSON and in protobuf. */
const refusal = 'cannot impersonate';

export class Impersonating implements Upstream {
  readonly #cluster: string;
  readonly #member: Upstream;

  constructor(cluster: string, member: Upstream) {
    this.#cluster = cluster;
    this.#member = member;
  }

  async call(call: UpstreamCall): Promise<BytesReply> {
    return this.#judged(await this.#member.call(call));
  }

  async upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    const reply = await this.#member.upgrade(call);
    return reply.is === 'refused' ? { is: 'refused', reply: await this.#judged(reply.reply) } : reply;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#member[Symbol.asyncDispose]();
  }

  async #judged(reply: BytesReply): Promise<BytesReply> {
    const length = Number(reply.headers['content-length']);
    if (reply.status !== 403 || !(length > 0 && length <= mostOfRefusal)) return reply;
    const bytes = await reply.body.bytes(mostOfRefusal);
    return bytes.includes(refusal) ? notLetIn(this.#cluster) : { ...reply, body: bodyOf(bytes) };
  }
}

function notLetIn(cluster: string): BytesReply {
  const why = 'it is starting, or "fleet join" has to grant the right anew';
  const message = `cluster "${cluster}" does not let this server act as its users: ${why}`;
  const error = unavailable(message, { retryAfterSeconds: 1 });
  const bytes = Buffer.from(JSON.stringify(error.toStatus()));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    'retry-after': '1',
  };
  return { status: 503, headers, body: bodyOf(bytes) };
}
