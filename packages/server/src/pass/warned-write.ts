/** Adds warnings about the stored object to the response to a write. */

import { warningHeader } from '@fleet/kube/warning.ts';
import type { Reply } from '../http/message.ts';
import type { PlacelessTarget } from '../target/target.ts';
import { wholeAnswer } from './whole-answer.ts';

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch']);

/** Which writes are checked: whole objects of one kind. */
export interface Warned<Written> {
  isAbout(what: { group: string; resource: string }): boolean;
  warningsOf(object: Written): readonly string[];
}

/** Reads the response, not the request: after a patch, too, it has the stored object. */
export async function warnedWrite<Written>(
  { isAbout, warningsOf }: Warned<Written>,
  { ask }: PlacelessTarget,
  reply: Reply,
): Promise<Reply> {
  if (ask.is !== 'resource' || ask.subresource !== undefined || !writes.has(ask.verb) || !isAbout(ask)) return reply;
  if (reply.is !== 'plain' || (reply.status !== 200 && reply.status !== 201)) return reply;
  if (!String(reply.headers['content-type']).startsWith('application/json')) return reply;
  if (reply.headers['content-encoding'] !== undefined) return reply;
  using answer = await wholeAnswer(reply);
  const body = Buffer.from(answer.view());
  const warnings = warningsOf(JSON.parse(body.toString()) as Written).map(warningHeader);
  const warning = [...[reply.headers['warning'] ?? []].flat(), ...warnings];
  return { ...reply, headers: { ...reply.headers, ...(warnings.length > 0 ? { warning } : {}) }, body };
}
