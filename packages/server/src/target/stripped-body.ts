/** Rewrites a body for its cluster: removes suffixes, the virtual label and merged versions (NAME-3, NAME-11, RV-5). */

import { type ByteEdit, editBytes } from '@fleet/kube/byte-edits.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { eachString, type JsonPath, type JsonString } from '@fleet/kube/json-walk.ts';
import type { RequestBody } from '@fleet/kube/request-body.ts';
import {
  clusterAnnotations,
  isClusterAnnotation,
  isVersion,
  isVirtualLabel,
  ownTexts,
  type Place,
  placeOf,
  virtualLabel,
} from './body-places.ts';
import { patchPlaces, withoutOperations } from './json-patch.ts';
import { suffixOf } from './suffixed-name.ts';
import type { ClusterName, RawBody, TargetBody } from './target.ts';

export interface Stripping {
  cluster: ClusterName;
  /** Replaces a client's version by the cluster's own. Throws if there is none. */
  versionOf(text: string): string;
}

const keysThatMatter: ReadonlySet<string> = new Set<string>([
  virtualLabel,
  ...clusterAnnotations,
  'resourceVersion',
  'name',
  'generateName',
]);

/** If there is nothing to remove, the body is sent unchanged, also as YAML or protobuf. */
export function strippedBody(body: TargetBody, stripping: Stripping): RawBody {
  const { read, renamed } = body;
  if (!read) return body;
  try {
    const json = strippedJson(read, renamed, stripping);
    return json === read.json ? body : { bytes: json, contentType: read.contentType };
  } catch (error) {
    // Invalid JSON is reported by the receiver.
    if (error instanceof JsonBytesError || error instanceof SyntaxError) return body;
    throw error;
  }
}

function strippedJson(read: RequestBody, renamed: TargetBody['renamed'], stripping: Stripping): Buffer {
  const { is } = read;
  const isOurs = ({ path }: Place, value: unknown): boolean => isAdded(path, value, stripping.cluster);
  const json = is === 'json-patch' ? withoutOperations(read.json, isOurs) : read.json;
  const locate = is === 'json-patch' ? patchPlaces(json) : placeOf;
  const suffix = Buffer.from(suffixOf(stripping.cluster));
  const edits: ByteEdit[] = [];
  const visit = (string: JsonString) => {
    const matters = is === 'json-patch' || string.couldEndWith(suffix) || string.couldBeUnder(keysThatMatter);
    const place = matters ? locate(string) : undefined;
    const edit = place && editOf(string, place, stripping, renamed);
    if (edit) edits.push(edit);
  };
  eachString(json, visit, ownTexts);
  return editBytes(json, edits);
}

/** Values that a view has added, and that are not the cluster's. */
const isAdded = (path: JsonPath, value: unknown, cluster: ClusterName): boolean =>
  (isVirtualLabel(path) && value === cluster) || isClusterAnnotation(path);

function editOf(
  string: JsonString,
  { path, isOwnText }: Place,
  { cluster, versionOf }: Stripping,
  renamed: TargetBody['renamed'],
): ByteEdit | undefined {
  const text = string.text();
  if (isAdded(path, text, cluster)) return string.member();
  const replaced = (by: string): ByteEdit | undefined =>
    by === text ? undefined : { start: string.start, end: string.end, text: JSON.stringify(by) };
  if (isVersion(path)) return replaced(versionOf(text));
  if (isOwnText) return undefined;
  if (renamed && text === renamed.text && path.length === 2 && path[0] === 'metadata') return replaced(renamed.name);
  const suffix = suffixOf(cluster);
  return text.endsWith(suffix) && text.length > suffix.length ? replaced(text.slice(0, -suffix.length)) : undefined;
}
