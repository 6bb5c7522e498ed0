/** JSON patch (RFC 6902) from an untrusted server: all of it or nothing, on a copy, with a limit on its cost. */

import { isRecord } from '@fleet/kube/is-record.ts';
import { isTooDeep } from './json-depth.ts';
import { JsonDocument, PatchError, tokensOf } from './json-document.ts';

export { PatchError } from './json-document.ts';

/** As of kube-apiserver. */
const mostOperations = 10_000;

/** The value as the patch makes it. Throws PatchError, and changes nothing of its argument. */
export function applyPatch(value: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new PatchError('the patch is not a list of operations');
  if (patch.length > mostOperations) throw new PatchError(`the patch has more than ${mostOperations} operations`);
  const document = new JsonDocument(value);
  patch.forEach((operation: unknown, index) => {
    try {
      apply(document, operation);
    } catch (error) {
      throw error instanceof PatchError ? new PatchError(`operation ${index} of the patch: ${error.message}`) : error;
    }
  });
  if (isTooDeep(document.root)) throw new PatchError('the patched object is nested too deep');
  return document.root;
}

function apply(document: JsonDocument, operation: unknown): void {
  if (!isRecord(operation)) throw new PatchError('not an object');
  const path = pathIn(operation, 'path');
  switch (operation['op']) {
    case 'add':
      document.add(path, valueIn(document, operation));
      return;
    case 'remove':
      document.remove(path);
      return;
    case 'replace':
      document.replace(path, valueIn(document, operation));
      return;
    case 'move': {
      const from = pathIn(operation, 'from');
      if (from.length < path.length && from.every((token, index) => token === path[index])) {
        throw new PatchError('a value cannot be moved into itself');
      }
      document.add(path, document.remove(from));
      return;
    }
    case 'copy':
      document.add(path, document.copyOf(document.get(pathIn(operation, 'from'))));
      return;
    case 'test':
      if (!document.equal(document.get(path), given(operation))) throw new PatchError('the test failed');
      return;
    default:
      throw new PatchError('an unknown op');
  }
}

function pathIn(operation: Record<string, unknown>, field: 'path' | 'from'): string[] {
  const path = operation[field];
  if (typeof path !== 'string') throw new PatchError(`no ${field}`);
  return tokensOf(path);
}

/** A copy, since what comes after may change it. */
const valueIn = (document: JsonDocument, operation: Record<string, unknown>): unknown =>
  document.copyOf(given(operation));

function given(operation: Record<string, unknown>): unknown {
  if (!Object.hasOwn(operation, 'value')) throw new PatchError('no value');
  return operation['value'];
}
