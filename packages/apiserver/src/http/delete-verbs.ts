/** The verbs delete and deletecollection. */

import type { DeleteOptions } from '../registry/delete.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { TooLargeHere } from '../registry/resource-context.ts';
import { jsonReply } from './message.ts';
import { listReply, objectReply } from './object-forms.ts';
import { readJson } from './read-object.ts';
import { readDeleteBody, readDeleteOptions, readListQuery } from './read-options.ts';
import type { Call, Verb } from './verb.ts';

const deleteOptionsOf = ({ request, query }: Call) =>
  readDeleteOptions(request.body.length > 0 ? readDeleteBody(readJson(request)) : undefined, query);

export const remove: Verb = async ({ printed, registry }, call, requested) => {
  const { ask, atMost } = call;
  const options = deleteOptionsOf(call);
  warnOfOrphans(printed, call, options);
  const { object, gone } = await registry.delete(ask.name!, { ...options, namespace: ask.namespace, atMost });
  if (!gone) {
    return objectReply(options.orphanDependents === false ? 202 : 200, object, requested);
  }
  if (printed.returnsDeleted) return objectReply(200, object, requested);
  const { name, uid } = object.metadata;
  const details = { name, ...(printed.group ? { group: printed.group } : {}), kind: printed.resource, uid };
  return jsonReply(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
};

/** Kinds that orphan their dependents by default do so only for compatibility. */
function warnOfOrphans({ orphansDependents }: PrintedKind, call: Call, options: DeleteOptions): void {
  const hasPolicy = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  if (orphansDependents && !hasPolicy) call.warn(orphansDependents);
}

export const removeAll: Verb = async ({ printed, registry }, call, requested) => {
  const options = readListQuery(call.query, printed, false);
  const { ask, atMost } = call;
  // The size of the response is known only when it is too late to move the request to a worker thread.
  if (atMost !== undefined && requested.media !== 'application/json') throw new TooLargeHere();
  const { namespace } = ask;
  const deletion = deleteOptionsOf(call);
  warnOfOrphans(printed, call, deletion);
  return listReply(await registry.deleteCollection({ ...options, namespace, atMost }, deletion), requested);
};
