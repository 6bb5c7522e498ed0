/** The OpenAPI paths of a resource, as far as clients use them: its verbs, with their kinds and options. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { subresourcesOf, verbNames } from '../http/verbs.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';

/** Verbs, with the HTTP method of each. */
const collectionVerbs = { list: 'get', create: 'post', deletecollection: 'delete' } as const;
const itemVerbs = { get: 'get', update: 'put', patch: 'patch', delete: 'delete' } as const;
const actions: Readonly<Record<string, string>> = { create: 'post', update: 'put' };

const options: Readonly<Record<string, readonly string[]>> = {
  create: ['dryRun', 'fieldManager', 'fieldValidation'],
  update: ['dryRun', 'fieldManager', 'fieldValidation'],
  patch: ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
  delete: ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'],
  deletecollection: ['continue', 'dryRun', 'fieldSelector', 'labelSelector', 'limit', 'propagationPolicy'],
  list: [
    'allowWatchBookmarks',
    'continue',
    'fieldSelector',
    'labelSelector',
    'limit',
    'resourceVersion',
    'resourceVersionMatch',
    'sendInitialEvents',
    'timeoutSeconds',
    'watch',
  ],
};

const inPath = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const inQuery = (name: string): JsonObject => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } });

/** Go does not distinguish an empty list from an absent one, so empty lists are omitted: a round trip keeps the document. */
const withParameters = (parameters: readonly JsonObject[]): JsonObject =>
  parameters.length > 0 ? { parameters: [...parameters] } : {};

/** `content` gives the body of a response with an object of the kind, or with a list. */
export function pathsOf(printed: PrintedKind, content: (kind: string) => JsonObject): [string, JsonObject][] {
  const { group, version, resource, namespaced, kind, listKind = `${kind}List` } = printed;
  const root = `${group ? `/apis/${group}` : '/api'}/${version}`;
  const served = verbNames(printed);
  const within = namespaced ? [inPath('namespace')] : [];
  const collection = `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${resource}`;
  const operations = (verbs: Readonly<Record<string, string>>, allowed: readonly string[], of: string) =>
    Object.fromEntries(
      Object.entries(verbs)
        .filter(([verb]) => allowed.includes(verb))
        .map(([verb, method]) => [method, operation(printed, verb, content(verb === 'list' ? listKind : of))]),
    );
  const subresources = subresourcesOf(printed)
    .filter((name) => name === 'status')
    .map((name): [string, JsonObject] => [
      `${collection}/{name}/${name}`,
      { ...operations(itemVerbs, ['get', 'update', 'patch'], kind), ...withParameters([inPath('name'), ...within]) },
    ]);
  return [
    ...(namespaced
      ? [[`${root}/${resource}`, operations(collectionVerbs, ['list'], kind)] satisfies [string, JsonObject]]
      : []),
    [collection, { ...operations(collectionVerbs, served, kind), ...withParameters(within) }],
    [
      `${collection}/{name}`,
      { ...operations(itemVerbs, served, kind), ...withParameters([inPath('name'), ...within]) },
    ],
    ...subresources,
  ];
}

function operation({ group, version, kind }: PrintedKind, verb: string, content: JsonObject): JsonObject {
  const hasBody = ['create', 'update', 'patch'].includes(verb);
  return {
    'x-kubernetes-action': actions[verb] ?? verb,
    'x-kubernetes-group-version-kind': { group, version, kind },
    ...withParameters((options[verb] ?? []).map(inQuery)),
    ...(hasBody ? { requestBody: { content: { '*/*': content } } } : {}),
    responses: { 200: { description: 'OK', content: { 'application/json': content } } },
  };
}
