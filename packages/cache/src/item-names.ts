/** The offsets of names in the items of a page. They are known since the objects were stored, so views need not search for them. */

import type { Span } from '@fleet/kube/json-bytes.ts';
import type { ObjectNames } from '@fleet/kube/object-names.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { flag } from './record-layout.ts';
import type { StoredObjects } from './stored-objects.ts';

/** Numbers per item: metadata, start and end of the name, of the namespace, annotations, start and end of the owner's name. */
const stride = 8;

/** `shift`: how far an offset in the stored object moves in the written item. */
export function putNames(to: ChunkWriter, objects: StoredObjects, id: number, shift: (at: number) => number): void {
  const keyLength = objects.get(id, 'keyLength');
  const namespaceLength = objects.get(id, 'namespaceLength');
  const nameLength = namespaceLength === 0 ? keyLength : keyLength - namespaceLength - 1;
  const offsetOf = (at: number, isThere: boolean): number => (isThere ? at + shift(at) : 0);
  const name = offsetOf(objects.get(id, 'nameAt'), true);
  const namespace = offsetOf(objects.get(id, 'namespaceAt'), namespaceLength > 0);
  const annotations = objects.get(id, 'annotationsAt');
  const ownerLength = objects.get(id, 'ownerLength');
  const owner = offsetOf(objects.get(id, 'ownerAt'), ownerLength > 0);
  to.putName(offsetOf(objects.get(id, 'metadataAt'), true));
  to.putName(name);
  to.putName(name + nameLength);
  to.putName(namespace);
  to.putName(namespace + namespaceLength);
  to.putName(offsetOf(annotations, annotations > 0));
  to.putName(owner);
  to.putName(owner + ownerLength);
}

/** No offsets are known: the reader parses the item. */
export function putNoNames(to: ChunkWriter): void {
  for (let index = 0; index < stride; index++) to.putName(0);
}

export const isIndexed = (objects: StoredObjects, id: number): boolean =>
  (objects.get(id, 'flags') & flag.isIndexed) !== 0;

const spanOf = (start: number, end: number): Span | undefined => (end > start ? { start, end } : undefined);

/** What `findObjectNames` would return, without labels and resource version. Undefined if the offsets are not known. */
export function namesOf(names: Uint32Array, index: number): ObjectNames | undefined {
  const at = index * stride;
  const metadata = names[at]!;
  if (metadata === 0) return undefined;
  const owner = spanOf(names[at + 6]!, names[at + 7]!);
  return {
    kind: undefined,
    apiVersion: undefined,
    name: spanOf(names[at + 1]!, names[at + 2]!),
    namespace: spanOf(names[at + 3]!, names[at + 4]!),
    resourceVersion: undefined,
    owners: owner ? [owner] : [],
    involved: [],
    metadata,
    labels: undefined,
    annotations: names[at + 5] || undefined,
  };
}
