/** The type information of strategic merge: how fields merge, which in Go are struct tags. */

import { type Definitions, propertyOf, type Schema } from '../schema/open-api.ts';

export interface PatchField {
  /** The type of the field, or of its elements if it is a list. */
  type: PatchType;
  strategy: string;
  mergeKey: string;
}

/** An InternalError for the client, as in kube-apiserver. */
export class PatchTypeError extends Error {}

export class PatchType {
  private readonly schema: Schema;
  private readonly name: string;
  private readonly definitions: Definitions;

  constructor(schema: Schema, name: string, definitions: Definitions) {
    this.schema = schema;
    this.name = name;
    this.definitions = definitions;
  }

  object(key: string): PatchField {
    const field = this.field(key);
    return { ...merging(field), type: this.of(field) };
  }

  list(key: string): PatchField {
    const field = this.field(key);
    const type = this.of(field);
    if (!type.schema.items) throw new PatchTypeError(`expected slice or array type, but got: ${this.kind}`);
    const elements = this.of(type.schema.items);
    if (elements.schema.items) throw new PatchTypeError('unexpected slice of slice');
    return { ...merging(field), type: elements };
  }

  /** Go's name for the kind of type. */
  get kind(): string {
    if (this.schema.properties) return 'struct';
    if (this.schema.items) return 'slice';
    // A named type is a struct without visible fields, such as RawExtension.
    return this.schema.type === 'object' && this.name === '' ? 'map' : 'struct';
  }

  private field(key: string): Schema {
    if (this.kind !== 'struct') {
      throw new PatchTypeError(`merging an object in json but data type is not struct, instead is: ${this.kind}`);
    }
    const field = propertyOf(this.schema, key) ?? this.fieldInOtherCase(key);
    if (!field) {
      throw new PatchTypeError(
        `unable to find api field in struct ${this.name} for the json field ${JSON.stringify(key)}`,
      );
    }
    return field;
  }

  private fieldInOtherCase(key: string): Schema | undefined {
    const name = Object.keys(this.schema.properties ?? {}).find((one) => one.toLowerCase() === key.toLowerCase());
    return name === undefined ? undefined : this.schema.properties?.[name];
  }

  private of(schema: Schema): PatchType {
    if (!schema.$ref) return new PatchType(schema, '', this.definitions);
    const definition = this.definitions(schema.$ref);
    if (!definition) throw new PatchTypeError(`no type ${schema.$ref}`);
    return new PatchType(definition, schema.$ref.slice(schema.$ref.lastIndexOf('.') + 1), this.definitions);
  }
}

/** `retainKeys` in the strategy matters only for creating patches. */
const merging = (field: Schema) => ({
  strategy: (field['x-kubernetes-patch-strategy'] ?? '').split(',').find((one) => one !== 'retainKeys') ?? '',
  mergeKey: field['x-kubernetes-patch-merge-key'] ?? '',
});
