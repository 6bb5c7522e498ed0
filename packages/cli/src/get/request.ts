/** Parses the arguments of `fleet get`: types, with or without names. */

import { UsageError } from '../errors.ts';
import { findTypes, type ResourceType } from './resource-types.ts';

export interface Request {
  type: ResourceType;
  /** Undefined: all there are. */
  name: string | undefined;
}

export interface Scope {
  namespace: string;
  allNamespaces: boolean;
  selector?: string | undefined;
}

/** `pods`, `pods,services`, `pod x y`, `pod/x service/y`. */
export function requestsOf(words: readonly string[], types: readonly ResourceType[], scope: Scope): Request[] {
  const requests = words.some((word) => word.includes('/')) ? pairs(words, types) : typesAndNames(words, types);
  const isNamed = requests.some(({ name }) => name !== undefined);
  if (isNamed && scope.selector) throw new UsageError('a name cannot be given beside a selector');
  if (isNamed && scope.allNamespaces && requests.some(({ type }) => type.namespaced)) {
    throw new UsageError('a resource cannot be retrieved by name across all namespaces');
  }
  return requests;
}

function typesAndNames([first = '', ...names]: readonly string[], types: readonly ResourceType[]): Request[] {
  const found = [...new Set(wordsIn(first).flatMap((word) => findTypes(types, word)))];
  if (names.length === 0) return found.map((type) => ({ type, name: undefined }));
  return found.flatMap((type) => names.map((name) => ({ type, name })));
}

const wordsIn = (list: string): string[] => {
  const words = list.split(',');
  if (words.includes('')) throw new UsageError(`"${list}" names a resource without a name`);
  return words;
};

function pairs(words: readonly string[], types: readonly ResourceType[]): Request[] {
  return words.flatMap((word) => {
    const [type = '', name = '', ...more] = word.split('/');
    if (!type || !name || more.length > 0) {
      throw new UsageError(`"${word}" is not of the form type/name, which all arguments need if one has it`);
    }
    return findTypes(types, type).map((found) => ({ type: found, name }));
  });
}

/** The URL's path: of a collection, or of one object. */
export function pathOf({ type, name }: Request, { namespace, allNamespaces }: Scope): string {
  const root = type.group ? `/apis/${type.group}/${type.version}` : `/api/${type.version}`;
  const within = type.namespaced && !allNamespaces ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const one = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${within}/${type.resource}${one}`;
}
