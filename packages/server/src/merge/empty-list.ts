/** The list of a fleet without members: if the kind is known, it is empty, not a 404 (LIST-2). */

import type { Form } from '@fleet/kube/negotiate.ts';
import { jsonReply, type PlainReply } from '../http/message.ts';
import { combineVersions } from '../present/versions.ts';

const column = (name: string, type: string, format: string) => ({ name, type, format, description: '', priority: 0 });

/** The columns that every resource has. */
const columnDefinitions = [column('Name', 'string', 'name'), column('Age', 'date', '')];

/** The kind of a resource's objects. */
export interface ObjectKind {
  kind: string;
  apiVersion: string;
}

export function emptyList({ kind, apiVersion }: ObjectKind, form: Form): PlainReply {
  const metadata = { resourceVersion: combineVersions(new Map()) };
  const meta = { apiVersion: 'meta.k8s.io/v1', metadata };
  const headers = { 'cache-control': 'no-cache, private' };
  switch (form) {
    case 'Table':
      return jsonReply(200, { kind: 'Table', ...meta, columnDefinitions, rows: [] }, headers);
    case 'PartialObjectMetadataList':
      return jsonReply(200, { kind: 'PartialObjectMetadataList', ...meta, items: [] }, headers);
    default:
      return jsonReply(200, { kind: `${kind}List`, apiVersion, metadata, items: [] }, headers);
  }
}
