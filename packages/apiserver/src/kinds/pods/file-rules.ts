/** Validates the files of volumes: of ConfigMaps, Secrets, the downward API, and projected ones. */

import { type FieldError, forbiddenField, invalidValue, required } from '../../errors/field-error.ts';
import { descendingPathErrors } from '../field-rules.ts';
import { fieldRefErrors } from './environment-rules.ts';
import type { DownwardItem, KeyItem, VolumeSources } from './pod-spec.ts';
import { resourceRefErrors } from './resource-ref-rules.ts';

const mostMode = 0o777;
const modeRule = 'must be a number between 0 and 0777 (octal), both inclusive';

export const modeErrors = (field: string, mode = 0): FieldError[] =>
  mode < 0 || mode > mostMode ? [invalidValue(field, mode, modeRule)] : [];

/** Names that begin with two dots are reserved for the kubelet. */
const filePathErrors = (field: string, path: string): FieldError[] => [
  ...descendingPathErrors(field, path),
  ...(path.startsWith('..') && !path.startsWith('../') ? [invalidValue(field, path, "must not start with '..'")] : []),
];

const pathErrors = (field: string, path: string): FieldError[] => [
  ...(path ? [] : [required(field)]),
  ...filePathErrors(field, path),
];

export const keyItemErrors = (items: readonly KeyItem[] = [], field: string): FieldError[] =>
  items.flatMap(({ key, path = '', mode }, index) => [
    ...(key ? [] : [required(`${field}[${index}].key`)]),
    ...pathErrors(`${field}[${index}].path`, path),
    ...modeErrors(`${field}[${index}].mode`, mode),
  ]);

const downwardPaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** kube-apiserver's errors do not have the index of the item. */
export const downwardErrors = (items: readonly DownwardItem[] = [], field: string): FieldError[] =>
  items.flatMap(({ path = '', fieldRef, resourceFieldRef, mode }) => [
    ...pathErrors(`${field}.path`, path),
    ...(fieldRef ? fieldRefErrors(fieldRef, `${field}.fieldRef`, downwardPaths) : []),
    ...(fieldRef && resourceFieldRef
      ? [invalidValue(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]
      : []),
    ...(!fieldRef && resourceFieldRef ? resourceRefErrors(resourceFieldRef, `${field}.resourceFieldRef`, true) : []),
    ...(fieldRef || resourceFieldRef ? [] : [required(field, 'one of fieldRef and resourceFieldRef is required')]),
    ...modeErrors(`${field}.mode`, mode),
  ]);

type Projected = NonNullable<VolumeSources['projected']>;
type Projection = NonNullable<Projected['sources']>[number];

/** In seconds. */
const shortestToken = 600;
const longestToken = 2 ** 32;

export function projectedErrors({ defaultMode, sources }: Projected, at: string): FieldError[] {
  const paths = new Set<string>();
  /** Conflicting paths of several sources, reported for the volume with the conflicting value. */
  const taken = (items: readonly { path?: string }[] = [], shown?: string): FieldError[] =>
    items.flatMap(({ path }) => {
      if (!path) return [];
      const isTaken = paths.has(path);
      paths.add(path);
      return isTaken ? [invalidValue(at, shown ?? path, 'conflicting duplicate paths')] : [];
    });
  return [
    ...modeErrors(`${at}.defaultMode`, defaultMode),
    ...(sources ?? []).flatMap((source, index) => projectionErrors(source, at, `${at}.sources[${index}]`, taken)),
  ];
}

type Taken = (items: readonly { path?: string }[] | undefined, shown?: string) => FieldError[];

function projectionErrors(source: Projection, at: string, path: string, taken: Taken): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source;
  const named = ({ name = '', items }: { name?: string; items?: KeyItem[] }, field: string): FieldError[] => [
    ...(name ? [] : [required(`${path}.${field}.name`)]),
    ...keyItemErrors(items, `${path}.${field}.items`),
    ...taken(items, name),
  ];
  return [
    ...(secret ? named(secret, 'secret') : []),
    ...(configMap ? named(configMap, 'configMap') : []),
    ...downwardErrors(downwardAPI?.items, `${path}.downwardAPI`),
    ...taken(downwardAPI?.items),
    ...(token ? tokenErrors(token, `${path}.serviceAccountToken.expirationSeconds`, `${at}.path`) : []),
    ...(Object.keys(source).length > 1
      ? [forbiddenField(path, 'may not specify more than 1 volume type per source')]
      : []),
  ];
}

function tokenErrors(
  { expirationSeconds = 0, path = '' }: NonNullable<Projection['serviceAccountToken']>,
  field: string,
  pathField: string,
): FieldError[] {
  const refuse = (why: string) => [invalidValue(field, expirationSeconds, `may not specify a duration ${why}`)];
  return [
    ...(expirationSeconds < shortestToken ? refuse('less than 10 minutes') : []),
    ...(expirationSeconds > longestToken ? refuse('larger than 2^32 seconds') : []),
    ...pathErrors(pathField, path),
  ];
}
