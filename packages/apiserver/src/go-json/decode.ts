/**
 * Decodes JSON as Go decodes it into the struct of a kind, and encodes it again: fields in the struct's order, unknown fields and
 * nulls dropped, empty fields omitted or written as their tags specify. A wrong type is an error with Go's text.
 */

import { isObject, type JsonObject, type JsonValue, setField } from '@fleet/kube/json-value.ts';
import type { Field, MessageType } from '@fleet/kube/protobuf/schema.ts';
import { goBytes } from './go-bytes.ts';
import { cannotUnmarshal, GoFault, jsonWord, type Place } from './go-fault.ts';
import { readInsteadOfSchema, readIntOrString, readQuantity, readTime } from './own-forms.ts';
import { isInlined, structFields } from './struct-fields.ts';
import { zeroOf } from './zero-value.ts';

export interface Decoded {
  object: JsonObject;
  /** Paths of fields that the type does not have, such as `spec.containers[0].foo`. */
  unknown: string[];
}

/** Throws a GoFault. `ignored` are keys at the root that are not fields of the message, such as `kind`. */
export function decodeAsGo(type: MessageType, json: JsonObject, ignored: readonly string[] = []): Decoded {
  const decoder = new Decoder(ignored);
  const object = decoder.struct(type, json, { struct: type.name, fields: [] }, '');
  if (decoder.fault) throw decoder.fault;
  return { object, unknown: decoder.unknown };
}

/** Kinds that are embedded in others, where they may have a kind and apiVersion. */
const kindsInside = ['PersistentVolumeClaim'];

class Decoder {
  /** The first value of a wrong type. Go continues after it, as an error of another sort takes precedence. */
  fault: GoFault | undefined;
  readonly unknown: string[] = [];
  readonly #ignored: readonly string[];

  constructor(ignored: readonly string[]) {
    this.#ignored = ignored;
  }

  struct(type: MessageType, json: JsonObject, place: Place, path: string): JsonObject {
    const fields = structFields(type);
    const read = new Map<Field, JsonValue>();
    for (const [name, value] of Object.entries(json)) {
      const found = fields.get(name);
      if (!found) {
        if (!(path === '' || kindsInside.includes(type.name)) || !this.#ignored.includes(name))
          this.unknown.push(path ? `${path}.${name}` : name);
        continue;
      }
      const { field, within } = found;
      const inner = { struct: type.name, fields: [...place.fields, ...within, name] };
      const made = this.#field(field, value, inner, path ? `${path}.${name}` : name);
      if (made !== undefined) read.set(field, made);
    }
    const object: JsonObject = {};
    this.#write(type, read, object);
    return object;
  }

  #write(type: MessageType, read: ReadonlyMap<Field, JsonValue>, object: JsonObject): void {
    for (const field of type.fields) {
      if (isInlined(field)) this.#write(field.type, read, object);
      else {
        const value = read.get(field) ?? zeroOf(field);
        if (value !== undefined && !isLeftOut(field, value)) setField(object, field.jsonName, value);
      }
    }
  }

  /** Undefined for a value that leaves the field unchanged. */
  #field(field: Field, value: JsonValue, place: Place, path: string): JsonValue | undefined {
    if (value === null) return undefined;
    switch (field.holds) {
      case 'list':
        if (!Array.isArray(value)) return this.#wrongType(jsonWord(value), place, field.goType);
        return value.map((one, index) => this.#value(field, one, place, `${path}[${index}]`) ?? zeroElement(field));
      case 'map': {
        if (!isObject(value)) return this.#wrongType(jsonWord(value), place, field.goType);
        const map: JsonObject = {};
        for (const [key, one] of Object.entries(value)) {
          setField(map, key, this.#value(field, one, place, `${path}.${key}`) ?? zeroElement(field));
        }
        return map;
      }
      default:
        return this.#value(field, value, place, path);
    }
  }

  #value({ type, goType, holds }: Field, value: JsonValue, place: Place, path: string): JsonValue | undefined {
    if (value === null) return undefined;
    if (typeof type !== 'string') return this.#message(type, value, place, path);
    const expected = holds === 'list' || holds === 'map' ? elementType(goType) : goType;
    const wrongType = (): undefined => this.#wrongType(jsonWord(value), place, expected);
    switch (type) {
      case 's':
        return typeof value === 'string' ? value : wrongType();
      case 'b':
        return typeof value === 'boolean' ? value : wrongType();
      case 'd':
        return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : wrongType();
      case 'i':
      case 'l':
        return this.#integer(type, value, place, expected);
      case 'y':
        return this.#bytes(value, place, expected);
      default:
        return type satisfies never;
    }
  }

  #integer(type: 'i' | 'l', value: JsonValue, place: Place, expected: string): JsonValue | undefined {
    if (typeof value === 'bigint' && type === 'l') return value;
    if (typeof value !== 'number' && typeof value !== 'bigint')
      return this.#wrongType(jsonWord(value), place, expected);
    const fits = type === 'i' ? value === (Number(value) | 0) : Number.isSafeInteger(value);
    return fits ? value : this.#wrongType(`number ${value}`, place, expected);
  }

  #bytes(value: JsonValue, place: Place, expected: string): JsonValue | undefined {
    if (Array.isArray(value)) return this.#bytesOfNumbers(value, place);
    if (typeof value !== 'string') return this.#wrongType(jsonWord(value), place, expected);
    try {
      return goBytes(value);
    } catch (fault) {
      if (!(fault instanceof GoFault)) throw fault;
      this.fault ??= fault;
      return undefined;
    }
  }

  /** Go accepts an array of numbers, too. */
  #bytesOfNumbers(values: JsonValue[], place: Place): JsonValue | undefined {
    const wrong = values.find((one) => !(typeof one === 'number' && Number.isInteger(one) && one >= 0 && one < 256));
    if (wrong === undefined) return Buffer.from(values as number[]).toString('base64');
    return this.#wrongType(typeof wrong === 'number' ? `number ${wrong}` : jsonWord(wrong), place, 'uint8');
  }

  #message(type: MessageType, value: JsonValue, place: Place, path: string): JsonValue | undefined {
    switch (type.form) {
      case 'time':
      case 'microTime':
        return readTime(value, type.form, place);
      case 'quantity':
        return readQuantity(value);
      case 'intOrString':
        return readIntOrString(value, place);
      case 'raw':
      case 'rawExtension':
        return value;
      case 'list':
        if (!Array.isArray(value)) return this.#wrongType(jsonWord(value), place, type.goType);
        return value.map((one) => this.#value(type.fields[0]!, one, place, path) ?? '');
      case 'schemaOrBool':
      case 'schemaOrArray':
      case 'schemaOrStrings': {
        const read = readInsteadOfSchema(value, type);
        if (read !== undefined || !isObject(value)) return read;
        return this.struct(
          type.fields.find(({ type: one }) => typeof one !== 'string')!.type as MessageType,
          value,
          place,
          path,
        );
      }
      case 'object':
        return isObject(value)
          ? this.struct(type, value, place, path)
          : this.#wrongType(jsonWord(value), place, type.goType);
      default:
        return type.form satisfies never;
    }
  }

  #wrongType(what: string, place: Place, goType: string): undefined {
    this.fault ??= cannotUnmarshal(what, place, goType);
    return undefined;
  }
}

/** The element type of a list or a map; a named type has none. */
const elementType = (goType: string): string => /^(?:\[\]|map\[[^\]]*\])(.*)$/.exec(goType)?.[1] ?? goType;

const zeroElement = (field: Field): JsonValue => zeroOf({ ...field, holds: 'one', omit: 'never' }) ?? null;

function isLeftOut({ omit, holds }: Field, value: JsonValue): boolean {
  if (omit === 'never') return false;
  if (omit === 'zero') return value === null;
  if (Array.isArray(value)) return value.length === 0;
  if (holds === 'pointer') return value === null;
  if (isObject(value)) return holds === 'map' && Object.keys(value).length === 0;
  return value === null || value === '' || value === false || value === 0;
}
