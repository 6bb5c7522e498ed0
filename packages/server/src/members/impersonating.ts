/**
 * Recognises a member's refusal to let the product impersonate users. A member that is starting refuses until it has read its roles.
 * Taken for a refusal of the user, this would leave the member out of lists and watches without a warning.
 */

import { bodyOf } from '@fleet/client/reply-body.ts';
import type { BytesReply, UpgradeReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { unavailable } from '@fleet/kube/status.ts';

/** In bytes. A member's own refusals are short and have a length; other answers may be endless streams. */
const mostOfRefusal = 8 * 1024;

/** Part of the message in all versions of Kubernetes, in JSON and in protobuf. */
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
  const why = 'it is starting, or the permission has to be granted again by "fleet join"';
  const message = `cluster "${cluster}" does not allow this server to impersonate users: ${why}`;
  const error = unavailable(message, { retryAfterSeconds: 1 });
  const bytes = Buffer.from(JSON.stringify(error.toStatus()));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    'retry-after': '1',
  };
  return { status: 503, headers, body: bodyOf(bytes) };
}
