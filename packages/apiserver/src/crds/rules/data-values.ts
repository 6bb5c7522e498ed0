/** Converts a custom resource's data to values of expressions, by its schema, lazily. */

import { isObject, type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { parseDuration, parseTime } from '../../cel/library/durations.ts';
import * as types from '../../cel/types.ts';
import {
  Duration,
  EvaluationError,
  equal,
  Foreign,
  ListValue,
  MapValue,
  PlainList,
  Timestamp,
  type Value,
} from '../../cel/values.ts';
import { propertyOf, type Schema } from '../../schema/open-api.ts';
import { withMetadata } from './declared-type.ts';
import { escapedName } from './escaped-name.ts';

export function dataValue(data: JsonValue, schema: Schema): Value {
  if (data === null) {
    if (schema.nullable) return null;
    throw new EvaluationError('invalid data, got null for schema with nullable=false');
  }
  if (schema['x-kubernetes-int-or-string']) {
    if (typeof data === 'string') return data;
    if (isWhole(data)) return BigInt(data);
    throw new EvaluationError('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'object':
      if (isObject(data))
        return new DataMap(data, schema['x-kubernetes-embedded-resource'] ? withMetadata(schema) : schema);
      throw new EvaluationError('invalid data, expected a map for the provided schema with type=object');
    case 'array':
      return listValue(data, schema);
    case 'string':
      return textValue(data, schema);
    case 'number':
      if (typeof data === 'number' || typeof data === 'bigint') return Number(data);
      throw unexpected('float', data);
    case 'integer':
      if (isWhole(data)) return BigInt(data);
      throw unexpected('int', data);
    case 'boolean':
      if (typeof data === 'boolean') return data;
      throw unexpected('bool', data);
    default:
      return new Preserved(data);
  }
}

const isWhole = (data: JsonValue): data is number | bigint => typeof data === 'bigint' || Number.isInteger(data);

const goTypes: { [type: string]: string } = { string: 'string', boolean: 'bool', bigint: 'int64', number: 'int64' };
const unexpected = (expected: string, data: JsonValue): EvaluationError => {
  const actual = goTypes[typeof data] ?? (Array.isArray(data) ? '[]interface {}' : 'map[string]interface {}');
  const fraction = typeof data === 'number' && !Number.isInteger(data) ? 'float64' : actual;
  return new EvaluationError(`invalid data, expected ${expected}, got ${fraction}`);
};

function textValue(data: JsonValue, { format }: Schema): Value {
  if (typeof data !== 'string') throw unexpected('string', data);
  switch (format) {
    case 'duration': {
      const nanos = parseDuration(data);
      if (nanos === undefined) throw new EvaluationError(`Invalid duration ${data}: time: invalid duration "${data}"`);
      return new Duration(nanos);
    }
    case 'date':
    case 'date-time': {
      const nanos = parseTime(format === 'date' ? `${data}T00:00:00Z` : data);
      if (nanos === undefined) throw new EvaluationError(`Invalid ${format} formatted string ${data}`);
      return new Timestamp(nanos);
    }
    case 'byte':
      return Buffer.from(data, 'base64');
    default:
      return data;
  }
}

function listValue(data: JsonValue, schema: Schema): Value {
  if (!Array.isArray(data)) {
    throw new EvaluationError('invalid data, expected an array for the provided schema with type=array');
  }
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return new DataSet(data, schema.items ?? {});
    case 'map':
      return new DataMapList(data, schema.items ?? {}, schema['x-kubernetes-list-map-keys'] ?? []);
    default:
      return new DataList(data, schema.items ?? {});
  }
}

class DataList extends ListValue {
  readonly data: readonly JsonValue[];
  readonly items: Schema;
  constructor(data: readonly JsonValue[], items: Schema) {
    super();
    this.data = data;
    this.items = items;
  }
  get size(): number {
    return this.data.length;
  }
  at(index: number): Value {
    return dataValue(this.data[index]!, this.items);
  }
}

/** Elements are unordered and unique. */
class DataSet extends DataList {
  override equals(other: ListValue): boolean {
    return this.size === other.size && [...other].every((one) => [...this].some((mine) => equal(mine, one)));
  }
  override plus(other: ListValue): ListValue {
    const mine = [...this];
    return new PlainList([...mine, ...[...other].filter((one) => !mine.some((own) => equal(own, one)))]);
  }
}

/** Elements are identified by their keys; an added one replaces the one with the same keys. */
class DataMapList extends DataList {
  readonly keys: readonly string[];
  constructor(data: readonly JsonValue[], items: Schema, keys: readonly string[]) {
    super(data, items);
    this.keys = keys;
  }
  override equals(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    const mine = new Map([...this].map((one) => [this.#key(one), one]));
    return [...other].every((one) => {
      const own = mine.get(this.#key(one));
      return own !== undefined && equal(own, one);
    });
  }
  override plus(other: ListValue): ListValue {
    const merged = new Map([...this].map((one) => [this.#key(one), one]));
    for (const one of other) merged.set(this.#key(one), one);
    return new PlainList([...merged.values()]);
  }
  #key(element: Value): string {
    if (!(element instanceof MapValue)) return '';
    return this.keys.map((key) => String(element.find(escapedName(key) ?? key) ?? null)).join('\0');
  }
}

class DataMap extends MapValue {
  readonly type = types.map(types.string, types.dyn);
  readonly #data: JsonObject;
  readonly #schema: Schema;
  #names: ReadonlyMap<string, string> | undefined;

  constructor(data: JsonObject, schema: Schema) {
    super();
    this.#data = data;
    this.#schema = schema;
  }

  get size(): number {
    return Object.keys(this.#data).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const name = this.#schema.properties ? this.#nameOf(key) : key;
    if (name === undefined || !Object.hasOwn(this.#data, name)) return undefined;
    const schema = this.#schemaOf(name);
    return schema && dataValue(this.#data[name]!, schema);
  }

  keys(): Value[] {
    const names = Object.keys(this.#data);
    return this.#schema.properties ? names.map((name) => escapedName(name) ?? name) : names;
  }

  override equals(other: MapValue): boolean {
    // Fields that expressions cannot access are compared, too.
    if (other instanceof DataMap && jsonText(this.#data) === jsonText(other.#data)) return true;
    return super.equals(other);
  }

  #schemaOf(name: string): Schema | undefined {
    const { additionalProperties } = this.#schema;
    return (
      propertyOf(this.#schema, name) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    );
  }

  /** The field name for its escaped form in expressions. */
  #nameOf(escaped: string): string | undefined {
    if (!escaped.includes('__')) return escaped;
    this.#names ??= new Map(Object.keys(this.#data).map((name) => [escapedName(name) ?? name, name]));
    return this.#names.get(escaped);
  }
}

/** Data without a schema: it can only be compared. */
class Preserved extends Foreign {
  readonly type = types.dyn;
  readonly data: JsonValue;
  constructor(data: JsonValue) {
    super();
    this.data = data;
  }
  equals(other: Foreign): boolean {
    return other instanceof Preserved && jsonText(this.data) === jsonText(other.data);
  }
}
