/** How every lane begins: what is listed as a difference, and too rare for each seed to come upon it by chance. */
import { widget } from '../kinds/custom.ts';
import { type Draft, draft, type World } from './draft.ts';

export function opening(world: World): Draft[] {
  return world.kinds.includes(widget) ? [twiceWrong(world)] : [];
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
