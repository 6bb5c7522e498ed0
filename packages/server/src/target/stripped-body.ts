/** A body as its cluster is to see it: suffixes, the virtual label and merged versions taken out (NAME-3, NAME-11, RV-5). */

import { type ByteEdit, editBytes } from '@fleet/kube/byte-edits.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { eachString, type JsonPath, type JsonString } from '@fleet/kube/json-walk.ts';
import type { RequestBody } from '@fleet/kube/request-body.ts';
import { suffixOf } from './suffixed-name.ts';
import type { ClusterName, RawBody, TargetBody } from './target.ts';

export interface Stripping {
  cluster: ClusterName;
  /** The cluster's own version for one that a client sent. Throws where there is none. */
  versionOf(text: string): string;
}

/** Under these keys a text is a user's own, whatever it looks like. */
const ownTexts: ReadonlySet<string | number> = new Set([
  'annotations',
  'data',
  'stringData',
  'binaryData',
  'command',
  'args',
]);

const isEnvironment = (path: JsonPath): boolean => path.at(-1) === 'value' && path.at(-3) === 'env';

const virtualLabel = 'clusterspace';
const labelMaps: ReadonlySet<unknown> = new Set(['labels', 'matchLabels', 'selector']);

const isVirtualLabel = (path: JsonPath): boolean => path.at(-1) === virtualLabel && labelMaps.has(path.at(-2));

/** What the plain-name views say of an object's cluster, which is no annotation of the object's own (LIST-6). */
export const clusterAnnotation = 'cluster.karmada.io/name';

const isClusterAnnotation = (path: JsonPath): boolean =>
  path.length === 3 && path[0] === 'metadata' && path[1] === 'annotations' && path[2] === clusterAnnotation;

const versionPaths = ['metadata', 'preconditions', 'deleteOptions/preconditions'].map(
  (path) => `${path}/resourceVersion`,
);

const isVersion = (path: JsonPath): boolean =>
  path.at(-1) === 'resourceVersion' && path.length <= 3 && versionPaths.includes(path.join('/'));

const keysThatMatter: ReadonlySet<string> = new Set([
  virtualLabel,
  clusterAnnotation,
  'resourceVersion',
  'name',
  'generateName',
]);

/** Where there is nothing to take out, the body is sent as it came: YAML, protobuf and all. */
export function strippedBody(body: TargetBody, stripping: Stripping): RawBody {
  const { read, renamed } = body;
  if (!read) return body;
  try {
    const json = strippedJson(read, renamed, stripping);
    return json === read.json ? body : { bytes: json, contentType: read.contentType };
  } catch (error) {
    // Whoever is sent what is no JSON says so in his own words.
    if (error instanceof JsonBytesError || error instanceof SyntaxError) return body;
    throw error;
  }
}

function strippedJson({ json, is }: RequestBody, renamed: TargetBody['renamed'], stripping: Stripping): Buffer {
  const locate = is === 'json-patch' ? patchPlaces(json) : placeOf;
  const suffix = Buffer.from(suffixOf(stripping.cluster));
  const edits: ByteEdit[] = [];
  const visit = (string: JsonString) => {
    const matters = is === 'json-patch' || string.mayEndWith(suffix) || string.mayBeUnder(keysThatMatter);
    const place = matters ? locate(string) : undefined;
    const edit = place && editOf(string, place, stripping, renamed);
    if (edit) edits.push(edit);
  };
  eachString(json, visit, ownTexts);
  return editBytes(json, edits);
}

/** Where a string stands in its object. */
interface Place {
  /** Shortened in its middle where it is long. */
  path: JsonPath;
  isOwnText: boolean;
}

function placeOf(string: JsonString): Place {
  const path = string.path();
  return { path, isOwnText: string.isMarked() || isEnvironment(path) };
}

function editOf(
  string: JsonString,
  { path, isOwnText }: Place,
  { cluster, versionOf }: Stripping,
  renamed: TargetBody['renamed'],
): ByteEdit | undefined {
  const text = string.text();
  if ((isVirtualLabel(path) && text === cluster) || isClusterAnnotation(path)) return string.member();
  const replaced = (by: string): ByteEdit | undefined =>
    by === text ? undefined : { start: string.start, end: string.end, text: JSON.stringify(by) };
  if (isVersion(path)) return replaced(versionOf(text));
  if (isOwnText) return undefined;
  if (renamed && text === renamed.text && path.length === 2 && path[0] === 'metadata') return replaced(renamed.name);
  const suffix = suffixOf(cluster);
  return text.endsWith(suffix) && text.length > suffix.length ? replaced(text.slice(0, -suffix.length)) : undefined;
}

/** In a JSON patch the path of an operation says where its value stands. */
function patchPlaces(json: Buffer): (string: JsonString) => Place | undefined {
  const operations: unknown = JSON.parse(json.toString());
  if (!Array.isArray(operations)) return () => undefined;
  const pointers = operations.map((operation: { path?: unknown } | null) => pointedAt(operation?.path));
  return (string) => {
    const within = string.path();
    const [index, key] = within;
    const pointed = typeof index === 'number' && key === 'value' ? pointers[index] : undefined;
    if (!pointed) return undefined;
    const path = shortened([...pointed.path, ...shortened(within, 2)]);
    return { path, isOwnText: pointed.isOwnText || string.isMarked() || isEnvironment(path) };
  };
}

function pointedAt(pointer: unknown): Place | undefined {
  if (typeof pointer !== 'string') return undefined;
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path: shortened(keys), isOwnText: keys.some((key) => ownTexts.has(key)) };
}

/** No rule looks at more than three keys from either end, and an operation's path counts for each string of its value. */
const shortened = (path: JsonPath, from = 0): JsonPath =>
  path.length - from <= 6 ? path.slice(from) : [...path.slice(from, from + 3), ...path.slice(-3)];
