/** The definitions of an OpenAPI document: each type once, with all types that it refers to. */

import type { Pace } from '@fleet/client/pace.ts';
import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import { builtInType } from '../schema/built-in.ts';
import type { Schema } from '../schema/open-api.ts';
import { isLargerThan } from '../schema/size.ts';
import type { OpenApiVersion } from './custom-schema.ts';

/** In bytes. */
const atOnce = 16 * 1024;

/** Definitions by name, as references name them. */
export class Schemas {
  readonly #made = new Map<string, JsonObject | Buffer>();
  readonly #version: OpenApiVersion;

  constructor(version: OpenApiVersion) {
    this.#version = version;
  }

  /** Adds a built-in type with all types that it refers to. */
  addBuiltIn(name: string): void {
    const schema = builtInType(name);
    if (!schema || this.#made.has(name)) return;
    // Registered before it is built, as types may be recursive.
    this.#made.set(name, {});
    this.#made.set(name, this.of(schema));
  }

  /** Adds a type that may be large, in slices. */
  async add(name: string, schema: Schema, pace: Pace): Promise<void> {
    this.#made.set(name, await this.#paced(schema, pace));
  }

  /** Adds a type that is encoded already. */
  addWritten(name: string, bytes: Buffer): void {
    this.#made.set(name, bytes);
  }

  get definitions(): ReadonlyMap<string, JsonObject | Buffer> {
    return new Map([...this.#made].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  reference(name: string): JsonObject {
    this.addBuiltIn(name);
    // The position of definitions in the document.
    return { $ref: `${this.#version === 2 ? '#/definitions/' : '#/components/schemas/'}${name}` };
  }

  /** In version 3, siblings of a reference must be outside of it. */
  of({ $ref, properties, items, additionalProperties, ...rest }: Schema): JsonObject {
    const own = this.#version === 2 ? asVersion2(rest as JsonObject) : ({ ...rest } as JsonObject);
    if ($ref) {
      const reference = this.reference($ref);
      const isAlone = this.#version === 2 || Object.keys(own).length === 0;
      return isAlone ? { ...own, ...reference } : { allOf: [reference], ...own };
    }
    return {
      ...own,
      ...(properties
        ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.of(one)])) }
        : {}),
      ...(items ? { items: this.of(items) } : {}),
      ...(additionalProperties === undefined ? {} : { additionalProperties: this.#additional(additionalProperties) }),
    };
  }

  async #paced(schema: Schema, pace: Pace): Promise<JsonObject> {
    if (pace.isDue) await pace.rest();
    if (!isLargerThan(schema, atOnce)) return this.of(schema);
    const { properties, items, ...rest } = schema;
    const made = this.of(rest);
    if (items) made['items'] = await this.#paced(items, pace);
    if (!properties) return made;
    const fields: [string, JsonObject][] = [];
    for (const [name, one] of Object.entries(properties)) fields.push([name, await this.#paced(one, pace)]);
    return { ...made, properties: Object.fromEntries(fields) };
  }

  #additional(value: Schema | boolean): JsonValue {
    return typeof value === 'boolean' ? value : this.of(value);
  }
}

/** As in kube-apiserver: without defaults, and values that are text or number (quantities, ports) as text. */
function asVersion2({ default: _, oneOf, ...definition }: JsonObject): JsonObject {
  return oneOf ? { type: 'string', ...definition } : definition;
}
