/** Questions about rights: whom they are put to, and the right without which a member's yes counts for nothing (AUTHZ-4). */

import { readRequestBody } from '@fleet/kube/request-body.ts';
import { type Mention, oneCluster } from './mention.ts';
import { controlPlaneGroups } from './owned-groups.ts';
import { splitName } from './suffixed-name.ts';
import { type Ask, karmada, type ParsedTarget, type RawBody, type Right, type Subject, type Target } from './target.ts';

const reviewGroup = 'authorization.k8s.io';

const reviews: ReadonlySet<string> = new Set([
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
  'localsubjectaccessreviews',
]);

export const isReview = (ask: Ask): boolean =>
  ask.is === 'resource' &&
  ask.group === reviewGroup &&
  ask.verb === 'create' &&
  ask.name === undefined &&
  reviews.has(ask.resource);

type Json = Record<string, unknown>;

const objectIn = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Undefined for what is no JSON, says nothing or what cannot be meant: whoever is sent it will say so. */
function specIn(json: Buffer): Json | undefined {
  try {
    const spec = objectIn(objectIn(JSON.parse(json.toString()))?.['spec']);
    return spec && isWellFormed(spec) ? spec : undefined;
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

/** Go reads null as nothing. */
const isNothing: Check = (value) => value === undefined || value === null;
const isText: Check = (value) => isNothing(value) || typeof value === 'string';
const isTexts: Check = (value) => isNothing(value) || (Array.isArray(value) && value.every(isText));
const isMap: Check = (value) => isNothing(value) || objectIn(value) !== undefined;

const attributeKeys = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name', 'path'];
const areAttributes: Check = (value) => isMap(value) && attributeKeys.every((key) => isText(objectIn(value)?.[key]));

const isWellFormed = ({ extra, groups, resourceAttributes, nonResourceAttributes, ...texts }: Json): boolean =>
  ['user', 'uid', 'namespace'].every((key) => isText(texts[key])) &&
  isTexts(groups) &&
  isMap(extra) &&
  Object.values(objectIn(extra) ?? {}).every(isTexts) &&
  areAttributes(resourceAttributes) &&
  areAttributes(nonResourceAttributes);

/** In the order in which a URL would name them. */
function mentionsIn(spec: Json): Mention[] {
  const attributes = objectIn(spec['resourceAttributes']);
  return [attributes?.['name'], attributes?.['namespace'], spec['namespace']].flatMap((value) => {
    const text = textIn(value) ?? '';
    const { cluster } = splitName(text);
    return cluster === undefined ? [] : [{ cluster, by: 'body' as const, text }];
  });
}

/** The control plane decides about its own groups, and who may be somebody else. */
function isForControlPlane(spec: Json): boolean {
  if (objectIn(spec['nonResourceAttributes'])) return true;
  const attributes = objectIn(spec['resourceAttributes']);
  if (!attributes) return false;
  const group = textIn(attributes['group']) ?? '';
  return controlPlaneGroups.has(group) || group === reviewGroup || attributes['verb'] === 'impersonate';
}

/** All that a URL can ask for. */
const requestVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** The proxy's rights are those of the outer request, which knows no lists, watches and collections (AUTHZ-2). */
const outerVerbs: Readonly<Record<string, string>> = { list: 'get', watch: 'get', deletecollection: 'delete' };

const rightFor = ({ resource }: Right, verb: string): Right => ({
  resource,
  verb: resource === 'clusters/proxy' ? (outerVerbs[verb] ?? verb) : verb,
});

/** Undefined for a question that asks nothing. */
function verbsOf(spec: Json, resource: string): string[] | undefined {
  if (resource === 'selfsubjectrulesreviews') return ['*', ...requestVerbs];
  const attributes = objectIn(spec['resourceAttributes']) ?? objectIn(spec['nonResourceAttributes']);
  return attributes && [textIn(attributes['verb']) ?? ''];
}

function subjectOf(spec: Json): Subject {
  const extra = Object.entries(objectIn(spec['extra']) ?? {}).map(([key, values]) => [key, textsIn(values)] as const);
  return {
    name: textIn(spec['user']) ?? '',
    uid: textIn(spec['uid']),
    groups: textsIn(spec['groups']),
    extra: Object.fromEntries(extra),
  };
}

/** `mentions` are those of the URL. */
export function completeReview(parsed: ParsedTarget, mentions: readonly Mention[], raw: RawBody | undefined): Target {
  const { mentions: _, place: __, ...rest } = parsed;
  const resource = rest.ask.is === 'resource' ? rest.ask.resource : '';
  const isAboutSelf = resource.startsWith('self');
  const read = raw?.bytes.length ? readRequestBody(raw.bytes, raw.contentType) : undefined;
  const spec = read && specIn(read.json);
  const cluster = oneCluster([...mentions, ...(spec ? mentionsIn(spec) : [])]);
  const target = {
    ...rest,
    view: { names: 'plain' as const },
    ...(raw ? { body: { ...raw, ...(read ? { read } : {}) } } : {}),
  };
  const verbs = spec && verbsOf(spec, resource);
  if (!verbs || cluster === karmada || (cluster === undefined && (!isAboutSelf || isForControlPlane(spec)))) {
    return { ...target, place: { at: 'one', cluster: cluster ?? karmada } };
  }
  return {
    ...target,
    place: {
      at: 'review',
      is: resource === 'selfsubjectrulesreviews' ? 'rules' : 'access',
      clusters: cluster === undefined ? {} : { only: [cluster] },
      verbs: verbs.map((verb) => ({ verb, right: rightFor(rest.right, verb) })),
      ...(isAboutSelf ? {} : { subject: subjectOf(spec) }),
    },
  };
}
