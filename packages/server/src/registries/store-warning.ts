/** Tells whoever writes a ResourceRegistry that its backend store is not one of ours: it is accepted, and not used (CACHE-1). */

import { warningHeader } from '@fleet/kube/warning.ts';
import type { Reply } from '../http/message.ts';
import { wholeAnswer } from '../pass/whole-answer.ts';
import type { PlacelessTarget } from '../target/target.ts';
import { foreignStores, type ResourceRegistry } from './resource-registry.ts';

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch']);

function writesRegistry({ ask }: PlacelessTarget): boolean {
  if (ask.is !== 'resource' || ask.subresource !== undefined || !writes.has(ask.verb)) return false;
  return ask.group === 'search.karmada.io' && ask.resource === 'resourceregistries';
}

/** The control plane's answer has the object as it was stored, whatever form the request had. */
export async function warnedOfStores(target: PlacelessTarget, reply: Reply): Promise<Reply> {
  if (!writesRegistry(target) || reply.is !== 'plain' || (reply.status !== 200 && reply.status !== 201)) return reply;
  if (!String(reply.headers['content-type']).startsWith('application/json')) return reply;
  if (reply.headers['content-encoding'] !== undefined) return reply;
  using answer = await wholeAnswer(reply);
  const body = Buffer.from(answer.view());
  const stores = foreignStores(JSON.parse(body.toString()) as ResourceRegistry);
  const told = stores.map((store) =>
    warningHeader(`spec.backendStore.${store} is not supported: objects are kept in memory`),
  );
  const warning = [...[reply.headers['warning'] ?? []].flat(), ...told];
  return { ...reply, headers: { ...reply.headers, ...(told.length > 0 ? { warning } : {}) }, body };
}
