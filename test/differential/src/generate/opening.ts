/** How every lane begins: what is listed as a difference, and too rare for each seed to come upon it by chance. */
import { event } from '../kinds/core.ts';
import { widget } from '../kinds/custom.ts';
import { type Draft, draft, ownOnly, type World } from './draft.ts';

export function opening(world: World): Draft[] {
  const has = (kind: typeof widget) => world.kinds.includes(kind);
  return [
    ...(has(widget) ? [twiceWrong(world), withoutKind(world), oddScale(world)] : []),
    ...(has(event) ? [notYet(world)] : []),
  ];
}

/** A patch that custom kinds do not know, in a form that no answer has: which of the two errors comes first? */
function twiceWrong(world: World): Draft {
  const name = world.model.names(widget)[0]!;
  return {
    ...draft(world, 'patch', 'PATCH', widget, { name }),
    headers: { 'content-type': 'application/strategic-merge-patch+json', accept: 'text/plain' },
    body: { metadata: {} },
    intent: 'invalid',
    flaw: 'twice wrong',
  };
}

/** kube-apiserver cannot name what is wrong with it. */
function oddScale(world: World): Draft {
  const name = world.model.names(widget)[0]!;
  return {
    ...draft(world, 'update', 'PUT', widget, { name, subresource: 'scale' }),
    query: { fieldValidation: 'Strict' },
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: { replicas: 1, unexpected: 1 } },
    remember: 'odd-scale',
    intent: 'invalid',
    flaw: 'unknown field inside',
  };
}

/** The error contains the bytes of the body, as its reader turned them into JSON. */
function withoutKind(world: World): Draft {
  const name = world.model.names(widget)[0]!;
  return {
    ...draft(world, 'create', 'POST', widget),
    query: { fieldValidation: 'Ignore' },
    headers: { 'content-type': 'application/yaml', accept: 'application/json' },
    // both names: each view has one to take a suffix from, and turns the body into JSON for it
    body: `metadata:\n  namespace: "@{namespace}"\n  name: ${name}\napiVersion: differential.fleet.dev/v1\n`,
    intent: 'invalid',
    flaw: 'no kind',
  };
}

/** A version that no server has come to, of what kube-apiserver keeps in no cache: the answer has no Retry-After. */
function notYet(world: World): Draft {
  const made: Draft = {
    ...draft(world, 'list', 'GET', event),
    query: { resourceVersion: '900000000000' },
    headers: { accept: 'application/json' },
    list: true,
    intent: 'invalid',
    flaw: 'version too large',
  };
  ownOnly(world, made);
  return made;
}
