/**
 * Writes a pod template as Go's spew does with `%#v` (`k8s.io/utils/dump`, ForHash), which Kubernetes hashes. Every
 * field is there with its type, in the order of Go's structs, as decoded from protobuf: empty lists and maps are nil.
 */

import { type Field, kindType, MessageType, type Scalar } from '@fleet/kube/protobuf/schema.ts';
import type { PodTemplate } from './objects.ts';
import { quantityDump } from './quantity-dump.ts';

export function dumpedTemplate(template: PodTemplate): string {
  const type = kindType('v1', 'PodTemplate')?.fields.find(({ jsonName }) => jsonName === 'template')?.type;
  if (!(type instanceof MessageType)) throw new Error('the protobuf schema has no PodTemplate');
  return `(${type.goType})${dumped(type, template)}`;
}

type Values = Readonly<Record<string, unknown>>;

const nil = '<nil>';

function dumped(type: Scalar | MessageType, value: unknown): string {
  if (!(type instanceof MessageType)) return scalar(type, value);
  switch (type.form) {
    case 'object':
      return `{${type.fields.map((field) => dumpedField(field, (value ?? {}) as Values)).join(' ')}}`;
    case 'quantity':
      return quantityDump(String(value ?? ''));
    case 'intOrString':
      return typeof value === 'string'
        ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
        : `{Type:(intstr.Type)0 IntVal:(int32)${Number(value ?? 0)} StrVal:(string)}`;
    // The only time in a template is its creation time, which is never set.
    default:
      return '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';
  }
}

function dumpedField(field: Field, values: Values): string {
  const { jsonName, goName, goType, holds, type } = field;
  // Fields of an inlined struct are among those of its parent.
  const value = jsonName === '' ? values : values[jsonName];
  const head = `${goName}:(${holds === 'pointer' ? '*' : ''}${goType})`;
  switch (holds) {
    case 'one':
      return head + dumped(type, value);
    case 'pointer':
      return head + (value === undefined || value === null ? nil : dumped(type, value));
    case 'list': {
      const items = (value ?? []) as readonly unknown[];
      return head + (items.length === 0 ? nil : `[${items.map((item) => dumped(type, item)).join(' ')}]`);
    }
    case 'map': {
      const entries = Object.entries((value ?? {}) as Values).sort(([one], [other]) => compareBytes(one, other));
      return (
        head +
        (entries.length === 0 ? nil : `map[${entries.map(([key, item]) => `${key}:${dumped(type, item)}`).join(' ')}]`)
      );
    }
    default:
      return holds satisfies never;
  }
}

const compareBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

function scalar(type: Scalar, value: unknown): string {
  if (type === 's') return String(value ?? '');
  if (type === 'b') return String(value ?? false);
  return String(value ?? 0);
}
