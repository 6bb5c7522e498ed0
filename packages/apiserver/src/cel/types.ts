/** The types of CEL, for the checker and for values. */

export type TypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'duration'
  | 'timestamp'
  | 'list'
  | 'map'
  /** A named type with declared fields. */
  | 'struct'
  /** A type of a library, such as `optional_type`. */
  | 'opaque'
  | 'type'
  | 'dyn'
  | 'error'
  /** A type parameter. */
  | 'param';

export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly params: readonly Type[];
}

const simple = (kind: TypeKind, name: string = kind): Type => ({ kind, name, params: [] });

export const bool = simple('bool');
export const int = simple('int');
export const uint = simple('uint');
export const double = simple('double');
export const string = simple('string');
export const bytes = simple('bytes');
export const nullType = simple('null', 'null_type');
export const duration = simple('duration', 'google.protobuf.Duration');
export const timestamp = simple('timestamp', 'google.protobuf.Timestamp');
export const dyn = simple('dyn');
export const error = simple('error', '!error!');
export const typeType = simple('type');

export const param = (name: string): Type => simple('param', name);
export const struct = (name: string): Type => simple('struct', name);
export const opaque = (name: string, ...params: Type[]): Type => ({ kind: 'opaque', name, params });
export const list = (element: Type): Type => ({ kind: 'list', name: 'list', params: [element] });
export const map = (key: Type, value: Type): Type => ({ kind: 'map', name: 'map', params: [key, value] });
export const optional = (value: Type): Type => opaque('optional_type', value);
export const typeOfType = (type: Type): Type => ({ kind: 'type', name: 'type', params: [type] });

export const isOptional = ({ kind, name }: Type): boolean => kind === 'opaque' && name === 'optional_type';
export const unwrapped = (type: Type): Type => (isOptional(type) ? type.params[0]! : type);

export function sameType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((one, index) => sameType(one, b.params[index]!)))
  );
}

/** The type's name in errors. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'duration':
    case 'timestamp':
    case 'null':
      return type.kind;
    default:
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(', ')})`;
  }
}
