/** What one place says to a question about rights. */

import { StatusError } from '@fleet/kube/status.ts';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { pass, type Route } from '../pass/pass.ts';
import type { ClusterName, Target } from '../target/target.ts';

export interface Question {
  target: Target;
  /** Throws where a place cannot be tried at all. */
  routeTo(cluster: ClusterName): Route;
  incoming: Incoming;
}

export type Opinion =
  | { cluster: ClusterName; says: 'status'; status: object }
  /** It does not answer this user, or not this question. */
  | { cluster: ClusterName; says: 'no' }
  | { cluster: ClusterName; says: 'nothing' };

const deadline = 5_000;

/** The status of the review that a place gave back; undefined where the reply is none. */
export async function askPlace(
  { target, routeTo, incoming }: Question,
  cluster: ClusterName,
): Promise<{ reply: Reply; status: object | undefined }> {
  const headers = { ...incoming.headers, accept: 'application/json', 'accept-encoding': 'identity' };
  const reply = await pass(routeTo(cluster), target, { ...incoming, headers });
  if (reply.is !== 'plain' || reply.status !== 201) return { reply, status: undefined };
  const { status } = JSON.parse(await textOf(reply)) as { status?: object };
  return { reply, status: status ?? {} };
}

/** One among many: what it cannot say, others may. */
export async function opinionOf(question: Question, cluster: ClusterName): Promise<Opinion> {
  const { incoming } = question;
  const signal = AbortSignal.any([incoming.signal, AbortSignal.timeout(deadline)]);
  try {
    const { reply, status } = await askPlace({ ...question, incoming: { ...incoming, signal } }, cluster);
    if (status !== undefined) return { cluster, says: 'status', status };
    await discard(reply);
    return { cluster, says: reply.status < 500 && reply.status !== 429 ? 'no' : 'nothing' };
  } catch (error) {
    if (incoming.signal.aborted) throw error;
    // A user whom the member must not know has no rights there (IMP-5).
    return { cluster, says: error instanceof StatusError && error.code === 403 ? 'no' : 'nothing' };
  }
}

async function textOf({ body }: PlainReply): Promise<string> {
  if (body === undefined || Buffer.isBuffer(body)) return String(body ?? '');
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A body that nobody reads holds its connection. */
async function discard(reply: Reply): Promise<void> {
  if (reply.is === 'plain') await textOf(reply);
}
