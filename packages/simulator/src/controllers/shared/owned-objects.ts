/** Maps changes of objects that a controller owns, or might adopt, to the keys of the owners. */

import { isDeepStrictEqual } from 'node:util';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { byNamespace } from '@fleet/client/object-index.ts';
import { controllerOf } from './controller-ref.ts';
import { pacedChanges } from './paced.ts';

export interface OwnedObjects<Owner extends KubeObject, Owned extends KubeObject> {
  owned: Informer<Owned>;
  owners: Informer<Owner>;
  /** The kind of the owners. */
  kind: string;
  selects(owner: Owner, object: Owned): boolean;
  /** Called with the owner's key, and the change that affects it. */
  add(key: string, now: Owned | undefined, old: Owned | undefined): void;
  onError(error: unknown): void;
}

export function followOwned<Owner extends KubeObject, Owned extends KubeObject>({
  owned,
  owners,
  kind,
  selects,
  add,
  onError,
}: OwnedObjects<Owner, Owned>): void {
  const namespaces = owners.index('namespace', byNamespace);
  const orphaned = pacedChanges<{ now: Owned; old: Owned | undefined }, Owner>({
    othersOf: ({ now }) => namespaces.get(now.metadata.namespace ?? ''),
    look(owner, { now, old }) {
      if (selects(owner, now)) add(keyOf(owner), now, old);
    },
    onError,
  });
  /** Undefined if the owner is of another kind, or is another object of that name. */
  const ownerOf = (object: Owned | undefined): Owner | undefined => {
    const ref = object && controllerOf(object);
    if (ref?.kind !== kind) return undefined;
    const owner = owners.get(`${object!.metadata.namespace}/${ref.name}`);
    return owner?.metadata.uid === ref.uid ? owner : undefined;
  };
  owned.subscribe((_, now, old) => {
    const before = ownerOf(old);
    const after = ownerOf(now);
    if (before && before !== after) add(keyOf(before), now, old);
    if (after) add(keyOf(after), now, old);
    if (!now || controllerOf(now)) return;
    const isRelevant =
      !old || controllerOf(old) !== undefined || !isDeepStrictEqual(old.metadata.labels, now.metadata.labels);
    if (isRelevant) orphaned({ now, old });
  });
}
