/** Finds the bindings of a template. */

import type { Binding } from '../api/bindings.ts';

/** For an index: the uid of the template. */
export const ownersOf = ({ spec }: Binding): readonly string[] => (spec.resource.uid ? [spec.resource.uid] : []);
