/** Requests beside the verbs: subresources of one kind, reviews, discovery. */
import * as core from '../kinds/core.ts';
import type { JsonObject } from '../request.ts';
import { type Draft, draft, type World } from './draft.ts';

function token(world: World): Draft {
  const name = world.random.chance(0.5) ? 'default' : world.model.known(world.random, core.serviceAccount);
  const spec = { audiences: ['example.dev'], expirationSeconds: world.random.pick([600, 3600, 60]) };
  const made = draft(world, 'create', 'POST', core.serviceAccount, { name, subresource: 'token' });
  return { ...made, remember: 'tokens', body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec } };
}

function eviction(world: World): Draft {
  const { random, model } = world;
  const name = model.known(random, core.pod);
  const made = draft(world, 'create', 'POST', core.pod, { name, subresource: 'eviction' });
  made.remember = 'evictions';
  made.body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
  made.effect = () => model.delete(core.pod, name);
  return made;
}

function log(world: World): Draft {
  const name = world.model.known(world.random, core.pod);
  return {
    ...draft(world, 'get', 'GET', core.pod, { name, subresource: 'log' }),
    query: { tailLines: '5' },
    remember: 'logs',
  };
}

function bare(verb: string, method: string, path: string, body?: JsonObject): Draft {
  const common = { verb, method, path, query: {}, headers: {}, kind: undefined, list: false, intent: 'valid' } as const;
  return body === undefined ? { ...common } : { ...common, body };
}

// about somebody nobody binds: RBAC answers from a cache of its own
function review(world: World): Draft {
  const attributes = { namespace: world.model.namespace, verb: 'get', resource: 'pods' };
  const access = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' };
  const who = { user: 'unbound', groups: ['unbound'] };
  return world.random.pick<() => Draft>([
    () =>
      bare('create', 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        ...access,
        spec: { ...who, resourceAttributes: attributes },
      }),
    () => bare('create', 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { ...access, spec: who }),
    () =>
      bare('create', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: 'forged' },
      }),
  ])();
}

const documents = [
  '/api',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/differential.fleet.dev/v1',
  '/version',
  '/livez',
];

function discovery(world: World): Draft {
  return bare('get', 'GET', world.random.pick(documents));
}

export function extra(world: World): Draft {
  const has = (resource: string) => world.kinds.some((kind) => kind.resource === resource);
  return world.random.weighted<() => Draft>([
    [has('serviceaccounts') ? 2 : 0, () => token(world)],
    [has('pods') ? 2 : 0, () => eviction(world)],
    [has('pods') ? 1 : 0, () => log(world)],
    [2, () => review(world)],
    [3, () => discovery(world)],
  ])();
}
