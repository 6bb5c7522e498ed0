/** JSON patch (RFC 6902) as in kube-apiserver, with evanphx/json-patch's deviations and error texts. */

import { copyJson, equalJson, isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { Operation } from './json-patch-body.ts';
import { find, PointerError } from './json-pointer.ts';

/** How many bytes a patch may add by copying (`--max-request-bytes` of the API server limits the rest). */
const mostCopiedBytes = 3 * 1024 * 1024;

/** The error that clients get for any failed operation; the reason is only for the log. */
const rejected = (cause: unknown): StatusError =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {}, { cause });

/** The patched value, which may no longer be an object. The argument is not changed. */
export function applyJsonPatch(object: JsonObject, operations: readonly Operation[]): JsonValue {
  const document: Document = { root: copyJson(object), copied: 0 };
  try {
    for (const operation of operations) apply(document, operation);
  } catch (cause) {
    if (cause instanceof PointerError) throw rejected(cause);
    throw cause;
  }
  return document.root;
}

interface Document {
  root: JsonValue;
  /** In bytes, for all copies so far. */
  copied: number;
}

type Act = (document: Document, operation: Operation) => void;

function apply(document: Document, operation: Operation): void {
  const acts = new Map<string | undefined, Act>(Object.entries({ add, remove, replace, move, copy, test }));
  const act = acts.get(operation.op);
  if (!act) throw new PointerError(`Unexpected kind: ${operation.op ?? 'unknown'}`);
  act(document, operation);
}

const valueToSet = (operation: Operation): JsonValue => copyJson(operation.value ?? null);

function add(document: Document, operation: Operation): void {
  const path = given(operation.path, 'add operation failed to decode path: missing value');
  const at = found(document, path, `add operation does not apply: doc is missing path: "${path}": missing value`);
  withErrorPrefix(`error in add for path: '${path}'`, () => at.container.add(at.key, valueToSet(operation)));
}

function remove(document: Document, operation: Operation): void {
  const path = given(operation.path, 'remove operation failed to decode path: missing value');
  const at = found(document, path, `remove operation does not apply: doc is missing path: "${path}": missing value`);
  withErrorPrefix(`error in remove for path: '${path}'`, () => at.container.remove(at.key));
}

function replace(document: Document, operation: Operation): void {
  const path = given(operation.path, `replace operation failed to decode path: ${missingPath}`);
  if (path === '') {
    const value = valueToSet(operation);
    if (!isObject(value) && !Array.isArray(value)) {
      throw new PointerError('replace operation value must be object or array: %!w(<nil>)');
    }
    document.root = value;
    return;
  }
  const at = found(document, path, `replace operation does not apply: doc is missing path: ${path}: missing value`);
  try {
    at.container.replace(at.key, valueToSet(operation));
  } catch {
    throw new PointerError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  }
}

function move(document: Document, operation: Operation): void {
  const from = given(operation.from, `move operation failed to decode from: ${missingFrom}`);
  const source = found(
    document,
    from,
    `move operation does not apply: doc is missing from path: ${from}: missing value`,
  );
  const value = withErrorPrefix(`error in move for path: '${source.key}'`, () => {
    const moved = source.container.get(source.key);
    source.container.remove(source.key);
    return moved;
  });
  const path = given(operation.path, `move operation failed to decode path: ${missingPath}`);
  const at = found(
    document,
    path,
    `move operation does not apply: doc is missing destination path: ${path}: missing value`,
  );
  withErrorPrefix(`error in move for path: '${path}'`, () => at.container.add(at.key, value));
}

function copy(document: Document, operation: Operation): void {
  const from = given(operation.from, `copy operation failed to decode from: ${missingFrom}`);
  const source = found(
    document,
    from,
    `copy operation does not apply: doc is missing from path: ${from}: missing value`,
  );
  const value = withErrorPrefix(`error in copy for from: '${from}'`, () => source.container.get(source.key));
  const path = given(operation.path, 'copy operation failed to decode path: missing value');
  const at = found(
    document,
    path,
    `copy operation does not apply: doc is missing destination path: ${path}: missing value`,
  );
  if (value !== null) document.copied += Buffer.byteLength(jsonText(value));
  if (document.copied > mostCopiedBytes) {
    throw new PointerError(
      `Unable to complete the copy, the accumulated size increase of copy is ${document.copied}, exceeding the limit ${mostCopiedBytes}`,
    );
  }
  withErrorPrefix('error while adding value during copy', () => at.container.add(at.key, copyJson(value)));
}

function test(document: Document, operation: Operation): void {
  const path = given(operation.path, `test operation failed to decode path: ${missingPath}`);
  const at =
    path === ''
      ? undefined
      : found(document, path, `test operation does not apply: is missing path: ${path}: missing value`);
  const value = at
    ? withErrorPrefix(`error in test for path: '${path}'`, () => at.container.get(at.key))
    : document.root;
  if (!equalJson(value, operation.value ?? null)) throw new PointerError(`testing value ${path} failed: test failed`);
}

const missingPath = 'operation missing path field: missing value';
const missingFrom = 'operation, missing from field: missing value';

function given(text: string | undefined, complaint: string): string {
  if (text === undefined) throw new PointerError(complaint);
  return text;
}

function found(document: Document, path: string, complaint: string) {
  const at = find(document.root, path);
  if (!at) throw new PointerError(complaint);
  return at;
}

function withErrorPrefix<Result>(where: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw error instanceof PointerError ? new PointerError(`${where}: ${error.message}`) : error;
  }
}
