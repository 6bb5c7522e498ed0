/**
 * One cluster by suffixed namespace (NAME-2, NAME-4): `namespaces/d.clusterspace.m1/…`, names plain. What stands in no
 * namespace is asked by the query parameter.
 */
import type { Answer, Request } from '../request.ts';
import type { View } from '../view.ts';
import { extended, readAddress } from './address.ts';
import { rewriteBody } from './body-text.ts';
import { bookmarkShown } from './bookmark.ts';
import { acceptingJson } from './json-answers.ts';
import { inCluster } from './one-place.ts';
import { answered, rewriteStrings } from './rewrite-strings.ts';
import { rowLabel, withoutLabel } from './virtual-label.ts';

const ownNamespace = /^(?:object\/)?(?:(?:items|rows)\/\d+\/)?(?:object\/)?metadata\/namespace$/;

export function suffixedNamespaceView(cluster: string): View {
  const suffix = `.clusterspace.${cluster}`;
  /** The plain namespace of what was asked by a suffixed one. */
  const asked = new WeakMap<Request, string>();

  const out = (request: Request): Request => {
    const accepting = acceptingJson(request);
    const address = readAddress(request.path);
    if (address?.namespaceAt === undefined) return inCluster(accepting, cluster);
    const namespace = address.segments[address.namespaceAt] ?? '';
    const query = request.query.map(
      ([key, value]) =>
        [key, key === 'fieldSelector' ? value.replace(/(metadata\.namespace=[^,]+)/, `$1${suffix}`) : value] as const,
    );
    const path = extended(address, address.namespaceAt, suffix);
    // as it came: a client sends back what it was given
    const sent = rewriteBody({ ...accepting, path, query }, (at, text) =>
      at === 'metadata/namespace' && text === namespace ? text + suffix : text,
    );
    asked.set(sent, namespace);
    return sent;
  };

  const back = (text: string, request: Request): string => {
    const namespace = asked.get(request);
    return namespace === undefined ? text : shown(text, namespace, cluster);
  };

  return {
    out,
    back: (answer: Answer, request) => ({ ...answer, body: Buffer.from(back(answer.body.toString(), request)) }),
    backEvent: (line, request) => bookmarkShown(back(line, request)),
  };
}

function shown(text: string, namespace: string, cluster: string): string {
  const answer = answered(text);
  if (!answer) return text;
  const suffix = `.clusterspace.${cluster}`;
  const own = (value: string) => (value === namespace + suffix ? namespace : `‹no cluster› ${value}`);
  const isError = answer.kind === 'Status';
  return rewriteStrings(withoutLabel(text, cluster, rowLabel), (keys, value) => {
    const path = keys.join('/').replace(/^object\//, '');
    if (!isError) return ownNamespace.test(path) ? own(value) : value;
    if (path === 'message') return value.replaceAll(/namespaces? "[^"]*"/g, (named) => named.replace(suffix, ''));
    return path === 'details/name' && answer.details?.kind === 'namespaces' ? own(value) : value;
  });
}
