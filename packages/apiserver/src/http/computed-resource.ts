/** A read-only resource that is computed on each read and never stored, such as the metrics of pods: it supports get and list. */

import { matchesFields } from '@fleet/kube/selectors/field-selector.ts';
import { methodNotAllowed, noSuchResource, notOneObject } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Column, PrintedKind } from '../registry/printed-kind.ts';
import { apiVersionOf, type ResourceKind } from '../registry/resource-kind.ts';
import { type ApiReply, jsonReply } from './message.ts';
import { objectReply, type RequestedForm, requestedForm } from './object-forms.ts';
import { readListQuery } from './read-options.ts';
import { partialMetadata, tableHead, tableRow } from './table.ts';
import type { Call } from './verb.ts';

export interface ComputedResource {
  kind: ComputedKind;
  /** For one namespace, or for all. Selectors are applied to the result. */
  list(namespace: string | undefined): Promise<readonly KubeObject[]>;
  /** Throws `notFound` if it does not exist. */
  get(name: string, namespace: string | undefined): Promise<KubeObject>;
}

export type ComputedKind = Pick<ResourceKind, 'group' | 'version' | 'resource' | 'kind' | 'namespaced'> & {
  columns: readonly Column[];
};

const verbs = ['get', 'list'];

/** With a listKind: like custom resources, it has no protobuf form. */
export const printedComputed = (kind: ComputedKind): PrintedKind => ({
  ...kind,
  listKind: `${kind.kind}List`,
  singular: '',
  verbs,
  allowsUnconditionalUpdate: false,
  nameFaults: () => [],
  strategy: {},
});

export async function serveComputed({ kind, list, get }: ComputedResource, call: Call): Promise<ApiReply> {
  const { verb, namespace, name, subresource, rest } = call.ask;
  const isAcross = ['list', 'watch'].includes(verb);
  const hasPlace = kind.namespaced ? namespace !== undefined || isAcross : namespace === undefined;
  if (subresource !== undefined || rest.length > 0 || !hasPlace) throw noSuchResource();
  if (!verbs.includes(verb)) {
    throw methodNotAllowed('the server does not allow this method on the requested resource');
  }
  const printed = printedComputed(kind);
  const requested = requestedForm(call, printed);
  const reply =
    verb === 'get' && name !== undefined
      ? objectReply(200, await get(name, namespace), requested)
      : listReply(selected(await list(namespace), call, printed), requested);
  return { ...reply, media: requested.media };
}

function selected(objects: readonly KubeObject[], { query }: Call, printed: PrintedKind): readonly KubeObject[] {
  const { labels, fields = [] } = readListQuery(query, printed, false);
  return objects.filter(
    ({ metadata }) =>
      (!labels || labels(metadata.labels ?? {})) &&
      matchesFields(fields, {
        'metadata.name': metadata.name ?? '',
        'metadata.namespace': metadata.namespace ?? '',
      }),
  );
}

function listReply(objects: readonly KubeObject[], { form, table }: RequestedForm): ApiReply {
  const { printed } = table;
  switch (form) {
    case 'object': {
      const items = objects.map(({ apiVersion: _version, kind: _kind, ...item }) => item);
      return jsonReply(200, { kind: printed.listKind, apiVersion: apiVersionOf(printed), metadata: {}, items });
    }
    case 'Table':
      return jsonReply(200, { ...tableHead({}, table, true), rows: objects.map((object) => tableRow(object, table)) });
    case 'PartialObjectMetadataList': {
      const items = objects.map((object) => partialMetadata(object, table.printed, table.version));
      return jsonReply(200, { kind: form, apiVersion: `meta.k8s.io/${table.version}`, metadata: {}, items });
    }
    case 'PartialObjectMetadata':
      throw notOneObject();
    default:
      return form satisfies never;
  }
}
