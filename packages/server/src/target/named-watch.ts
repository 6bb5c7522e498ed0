/** The old path of a watch of one object, `/api/v1/watch/…/{resource}/{name}`, as a watch of the collection by a field selector. */

import { readRequestInfo } from '@fleet/kube/request-info.ts';
import { readFieldTerms, selectedName } from '@fleet/kube/selectors/field-selector.ts';
import { badRequest } from '@fleet/kube/status.ts';
import type { Address } from './address.ts';
import { decodeLoosely, rawSegments } from './path.ts';

/** Merged watches list first and select by fields, so that they need the path of the collection. Any other address stays as it is. */
export function selectingByName(address: Address): Address {
  const { info, path, query } = address;
  if (info?.verb !== 'watch' || info.name === undefined || info.subresource !== undefined) return address;
  if (!isNamedIn(path)) return address;
  const isNamespace = info.group === '' && info.resource === 'namespaces';
  return {
    ...address,
    info: isNamespace ? { ...info, namespace: undefined } : info,
    path: path.replace(/\/[^/]+\/?$/, ''),
    query: withName(query, info.name),
  };
}

const isNamedIn = (path: string): boolean =>
  readRequestInfo('GET', rawSegments(path).map(decodeLoosely), new URLSearchParams())?.name !== undefined;

/** As kube-apiserver: a field selector beside the name in the path has to require the same name. */
function withName(query: string, name: string): string {
  const selector = new URLSearchParams(query).get('fieldSelector') ?? '';
  if (selector === '') {
    const escaped = name.replace(/[\\,=]/g, '\\$&');
    const own = `fieldSelector=${encodeURIComponent(`metadata.name=${escaped}`)}`;
    return query === '' ? own : `${own}&${query}`;
  }
  if (selectedName(readFieldTerms(selector)) === name) return query;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}
