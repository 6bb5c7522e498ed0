/** Asks a server that speaks Kubernetes' protocol what it makes of an object: a dry run, after what is to be there is. */

import { builtInKinds } from '@fleet/apiserver/kinds/built-in-kinds.ts';
import type { JsonObject, RuleAnswer, RuleRequest, Status } from './rule-request.ts';

export interface Reply {
  status: number;
  warnings: string[];
  body: JsonObject;
}

export type Send = (method: string, url: string, body?: JsonObject, contentType?: string) => Promise<Reply>;

/** Throws if the old object cannot be made. */
export async function askServer(send: Send, request: RuleRequest): Promise<RuleAnswer> {
  const { op = 'create', object, old, subresource, fieldValidation = 'Warn' } = request;
  const collection = collectionOf((object ?? old)!, request.namespace);
  const query = `?dryRun=All&fieldValidation=${fieldValidation}`;
  if (op === 'default') return { error: 'a server does not only give defaults' };
  if (op === 'create') return answerOf(await send('POST', `${collection}${query}`, object));
  const url = `${collection}/${(old!['metadata'] as { name: string }).name}`;
  await make(send, collection, url, old!);
  try {
    const below = op === 'updateStatus' ? '/status' : subresource ? `/${subresource}` : '';
    const reply =
      op === 'delete'
        ? await send('DELETE', `${url}?dryRun=All`, request.options)
        : await send('PUT', `${url}${below}${query}`, object);
    return answerOf(reply);
  } finally {
    await remove(send, url);
  }
}

function collectionOf(object: JsonObject, asked: string | undefined): string {
  const [version, group = ''] = String(object['apiVersion']).split('/').reverse();
  const kind = builtInKinds().find(
    (one) => one.group === group && one.version === version && one.kind === object['kind'],
  );
  if (!kind) throw new Error(`no ${object['kind']} in ${object['apiVersion']}`);
  const { namespace = 'default' } = (object['metadata'] ?? {}) as { namespace?: string };
  const within = kind.namespaced ? `/namespaces/${asked ?? namespace}` : '';
  return `${group ? `/apis/${group}` : '/api'}/${version}${within}/${kind.resource}`;
}

async function make(send: Send, collection: string, url: string, old: JsonObject): Promise<void> {
  const { resourceVersion: _, ...metadata } = old['metadata'] as JsonObject;
  const made = await send('POST', collection, { ...old, metadata });
  if (made.status !== 201) throw new Error(`old is refused: ${made.body['message']}`);
  if (old['status'] === undefined) return;
  const answer = await send('PUT', `${url}/status`, { ...old, metadata });
  if (answer.status !== 200) throw new Error(`old status is refused: ${answer.body['message']}`);
}

/** At once, whatever finalizers it has. */
async function remove(send: Send, url: string): Promise<void> {
  await send('DELETE', `${url}?gracePeriodSeconds=0&propagationPolicy=Background`);
  const left = await send('GET', url);
  if (left.status === 404) return;
  await send('PATCH', url, { metadata: { finalizers: null } }, 'application/merge-patch+json');
}

function answerOf({ status, warnings, body }: Reply): RuleAnswer {
  const warned = warnings.length > 0 ? { warnings } : {};
  return status < 400 ? { object: body, ...warned } : { status: body as unknown as Status, ...warned };
}
