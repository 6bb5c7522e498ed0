/** Which Works are a binding's: those with its permanent id that do not name another one, as an id can be copied (FED-15). */

import { keyOf } from '@fleet/client/informer.ts';
import type { Binding } from '../api/bindings.ts';
import type { Work } from '../api/works.ts';
import { bindingIdOf, bindingNameOf } from './marks.ts';

/** `withId` has Works by the permanent ids of bindings. */
export function worksOfBinding(withId: { get(id: string): Iterable<Work> }, binding: Binding): Work[] {
  const [id] = bindingIdOf(binding) ?? [];
  if (id === undefined) return [];
  return [...withId.get(id)].filter((work) => (bindingNameOf(work) ?? keyOf(binding)) === keyOf(binding));
}
