/** How every lane begins: what is listed as a difference, and too rare for each seed to come upon it by chance. */
import { event } from '../kinds/core.ts';
import { widget } from '../kinds/custom.ts';
import { type Draft, draft, ownOnly, type World } from './draft.ts';

export function opening(world: World): Draft[] {
  const has = (kind: typeof widget) => world.kinds.includes(kind);
  return [...(has(widget) ? [twiceWrong(world)] : []), ...(has(event) ? [notYet(world)] : [])];
}

/** A patch that custom kinds do not know, in a form that no answer has: which of the two is told first? */
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

/** A version that no server has come to, of what kube-apiserver keeps in no cache: it does not say when to come back. */
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
