/** Errors of strategic merge patches, with the texts of apimachinery's `mergepatch`. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { goText, goType } from './go-text.ts';
import type { PatchTypeError } from './patch-type.ts';

export const badPrimitiveList = () => badRequest('invalid patch format of primitive list');
export const badRetainKeys = () => badRequest('invalid patch format of retainKeys');
export const badElementOrder = () => badRequest('invalid patch format of setElementOrder list');

/** kube-apiserver does not name the list. */
export const listOfLists = () =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

/** Errors for which kube-apiserver responds with 500 and the text. */
const unforeseen = (message: string) => new StatusError(500, '', message);

export const unforeseenType = (error: PatchTypeError) => unforeseen(error.message);

export const noMergeKey = (element: JsonObject, mergeKey: string) =>
  unforeseen(`map: ${goText(element)} does not contain declared merge key: ${mergeKey}`);

export const wrongType = (expected: 'map[string]interface {}' | '[]interface {}', actual: JsonValue) =>
  unforeseen(`expected a ${expected}, but received a ${actual === null ? '%!s(<nil>)' : goType(actual)}`);

export const unknownDirective = (directive: JsonValue, patch: JsonObject) =>
  unforeseen(
    `unknown patch type: ${typeof directive === 'string' ? directive : `%!s(${directive === null ? '<nil>' : `${goType(directive)}=${goText(directive)}`})`} in map: ${goText(patch)}`,
  );

export const mergeDirectiveInList = () => unforeseen('merging lists cannot yet be specified in the patch');

export const noMergeKeyOfType = (kind: string) => unforeseen(`cannot merge lists without merge key for ${kind}`);

export const mixedTypes = (...lists: JsonValue[][]) =>
  unforeseen(`list element types are not identical: ${goText(lists)}`);

export const noElements = () => unforeseen('no elements in any of the given slices');

export const notAMap = (index: number) => unforeseen(`value for key ${index} is not a map`);

export const otherOrder = (patch: JsonValue, order: JsonValue) =>
  unforeseen(`The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`);

/** Go determines the type from the first element, which fails for null. */
export const panicked = () =>
  new StatusError(500, 'InternalError', 'This request caused apiserver to panic. Look in the logs for details.');
