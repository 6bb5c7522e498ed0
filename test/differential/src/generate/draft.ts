/** A request under construction: moves make it, a flaw may spoil it, and `finish` makes a call of it. */
import { stringify } from 'yaml';
import { collectionPath, type Kind } from '../kinds/kind.ts';
import type { Random } from '../random.ts';
import type { Call, Intent, JsonObject } from '../request.ts';
import type { Model } from './model.ts';

export interface World {
  readonly random: Random;
  readonly model: Model;
  readonly kinds: readonly Kind[];
  /** Whether pages may be those of a selection. */
  readonly selectedPages: boolean;
}

export interface Draft {
  verb: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: JsonObject | JsonObject[] | string;
  kind: Kind | undefined;
  name?: string;
  subresource?: string;
  /** Where the answer is remembered, if not under the object's name. */
  remember?: string;
  list: boolean;
  intent: Intent;
  flaw?: string;
  /** What becomes of the model if the request succeeds. */
  effect?: () => void;
}

export function draft(
  world: World,
  verb: string,
  method: string,
  kind: Kind,
  on: { name?: string; subresource?: string; everywhere?: boolean } = {},
): Draft {
  const { name, subresource } = on;
  const collection = collectionPath(kind, on.everywhere ? undefined : world.model.namespace);
  return {
    verb,
    method,
    path: [collection, name, subresource].filter((part) => part !== undefined).join('/'),
    query: {},
    headers: {},
    kind,
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
    list: false,
    intent: 'valid',
  };
}

/** Objects that are not of this run must not be listed or removed: the run's label selects its own. */
export function ownOnly(world: World, draft: Draft): void {
  const own = `lane=${world.model.namespace}`;
  const asked = draft.query['labelSelector'];
  draft.query['labelSelector'] = asked === undefined ? own : `${own},${asked}`;
}

export function isWrite(draft: Draft): boolean {
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(draft.method);
}

export function finish(world: World, draft: Draft): Call {
  const { kind } = draft;
  const dry = draft.query['dryRun'] === 'All';
  if (draft.intent === 'valid' && !dry) draft.effect?.();
  const key = draft.remember ?? (kind && draft.name !== undefined ? `${kind.resource}/${draft.name}` : undefined);
  // with a body, the options of a deletion in the query count for nothing
  if (dry && draft.method === 'DELETE' && typeof draft.body === 'object')
    draft.body = { ...draft.body, dryRun: ['All'] };
  const { body, headers } = text(world, draft);
  return {
    step: 'call',
    verb: draft.verb,
    resource: [kind?.resource ?? 'none', draft.subresource].filter(Boolean).join('/'),
    subject: {
      ...(key !== undefined && !dry && draft.verb !== 'watch' && { remember: key }),
      settled: kind?.settled !== 'no',
      list: draft.list,
    },
    intent: draft.intent,
    ...(draft.flaw !== undefined && { flaw: draft.flaw }),
    request: {
      method: draft.method,
      path: draft.path,
      query: Object.entries(draft.query),
      headers: { 'user-agent': 'differential', ...headers },
      ...(body !== undefined && { body }),
    },
  };
}

/** The body as it is sent: mostly JSON, at times YAML where the content type is still open. */
function text(world: World, draft: Draft): { body?: string; headers: Record<string, string> } {
  if (draft.body === undefined) return { headers: draft.headers };
  const open = draft.headers['content-type'] === undefined && typeof draft.body !== 'string';
  const yaml = open ? world.random.chance(0.12) : draft.headers['content-type']?.endsWith('apply-patch+yaml');
  const headers = open
    ? { ...draft.headers, 'content-type': yaml ? 'application/yaml' : 'application/json' }
    : draft.headers;
  const json = typeof draft.body === 'string' ? draft.body : JSON.stringify(draft.body);
  // Go's parser breaks lines at U+2028, which the library writes as it is; JSON is YAML
  const isText = yaml && typeof draft.body !== 'string' && !json.includes('\u2028');
  const plain = isText ? stringify(draft.body, { version: '1.1' }) : json;
  return { body: plain.replaceAll('@{namespace}', world.model.namespace), headers };
}
