/** Encodes a Status in the form that the client requested, chosen as kube-apiserver does; JSON if none fits (ERR-1). */

import { parseAccept } from '@fleet/kube/negotiate.ts';
import type { Status } from '@fleet/kube/status.ts';
import { encodeStatus } from '@fleet/kube/status-protobuf.ts';
import { stringify } from 'yaml';

interface StatusForm {
  contentType: string;
  encode(status: Status): Buffer;
}

const json: StatusForm = {
  contentType: 'application/json',
  encode: (status) => Buffer.from(`${JSON.stringify(status)}\n`),
};

const protobufType = 'application/vnd.kubernetes.protobuf';

const forms: Readonly<Record<string, StatusForm>> = {
  'application/json': json,
  '*/*': json,
  'application/yaml': {
    contentType: 'application/yaml',
    // Keys in alphabetical order, as Go writes them.
    encode: (status) => Buffer.from(stringify(status, { sortMapEntries: true })),
  },
  [protobufType]: { contentType: protobufType, encode: encodeStatus },
};

export function statusForm(accept: string | string[] | undefined): StatusForm {
  const header = accept === undefined ? undefined : [accept].flat().join(',');
  // A Table has no protobuf form.
  const clause = parseAccept(header).find(
    ({ type, as }) => Object.hasOwn(forms, type) && !(as && type === protobufType),
  );
  return (clause && forms[clause.type]) ?? json;
}
