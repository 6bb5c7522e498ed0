/** Describes the protobuf messages of Kubernetes' built-in kinds, read from the generated table on first use. */

import { protobufSchema } from '../generated/protobuf-schema.ts';

/** `s`tring, `b`ool, `i`nt32, `l`ong (int64), `d`ouble, or b`y`tes. */
export type Scalar = 's' | 'b' | 'i' | 'l' | 'd' | 'y';

/** The JSON form of a message: an object of its fields, or the result of its own MarshalJSON in Go. */
export type Form =
  | 'object'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'raw'
  | 'rawExtension'
  | 'list'
  | 'schemaOrBool'
  | 'schemaOrArray'
  | 'schemaOrStrings';

export interface Field {
  number: number;
  /** Where its value is stored, see {@link Message}. */
  index: number;
  holds: 'one' | 'pointer' | 'list' | 'map';
  type: Scalar | MessageType;
  omit: 'never' | 'empty' | 'zero';
  /** Empty if the message is inlined: its fields are then among those of its parent. */
  jsonName: string;
  goName: string;
  /** Go's name of the type in errors, without a pointer's star: `[]v1.Container`, `v1.PullPolicy`. */
  goType: string;
}

export class MessageType {
  readonly name: string;
  /** Go's name of the type in errors: `v1.Container`. */
  readonly goType: string;
  readonly form: Form;
  readonly #tokens: string[];
  #fields: Field[] | undefined;
  readonly #byNumber = new Map<number, Field>();

  constructor(line: string) {
    const [head = '', ...tokens] = line.split(' ');
    const [typeName = '', form = 'object'] = head.split('!');
    this.name = typeName.slice(typeName.indexOf('.') + 1);
    // The message of a time has another name than its Go type.
    this.goType = typeName.replace('Timestamp', form === 'microTime' ? 'MicroTime' : 'Time');
    this.form = form as Form;
    this.#tokens = tokens;
  }

  get fields(): readonly Field[] {
    if (!this.#fields) {
      this.#fields = this.#tokens.map(parseField);
      for (const field of this.#fields) this.#byNumber.set(field.number, field);
    }
    return this.#fields;
  }

  field(number: number): Field | undefined {
    return this.fields && this.#byNumber.get(number);
  }
}

const containers = { '': 'one', '*': 'pointer', '[]': 'list', '{}': 'map' } as const;
const omissions = { '': 'never', '?': 'empty', '!': 'zero' } as const;

/** `NUMBER[*|[]|{}]TYPE[~GO TYPE][?|!]:JSON[=GO]`; described in test/bed/kube-types, which writes it. */
const token = /^(\d+)(\*|\[\]|\{\}|)(?:([sbildy])|m(\d+))(?:~([^?!:]+))?([?!]?):([^=]*)(?:=(.+))?$/;

function parseField(text: string, index: number): Field {
  const [, number, container = '', scalar, message, goType, omission = '', jsonName = '', goName] =
    token.exec(text) ?? [];
  if (!number) throw new Error(`${text} in the protobuf schema is not a field`);
  const holds = containers[container as keyof typeof containers];
  const type = (scalar as Scalar | undefined) ?? messageType(Number(message));
  return {
    number: Number(number),
    index,
    holds,
    type,
    omit: omissions[omission as keyof typeof omissions],
    jsonName,
    goName: goName ?? jsonName.charAt(0).toUpperCase() + jsonName.slice(1),
    goType: goType ?? goPrefixes[holds] + (typeof type === 'string' ? goScalars[type] : type.goType),
  };
}

const goScalars = { s: 'string', b: 'bool', i: 'int32', l: 'int64', d: 'float64', y: '[]uint8' } as const;
const goPrefixes = { one: '', pointer: '', list: '[]', map: 'map[string]' } as const;

interface Schema {
  messages: (string | MessageType)[];
  /** Numbers of messages, by `apiVersion kind`. */
  kinds: Map<string, number>;
}

let schema: Schema | undefined;

function loaded(): Schema {
  if (schema) return schema;
  const [messages = '', versions = ''] = protobufSchema.trimEnd().split('\n\n');
  const kinds = new Map<string, number>();
  for (const line of versions.split('\n')) {
    const [apiVersion, ...entries] = line.split(' ');
    for (const entry of entries) {
      const [kind, number] = entry.split('=');
      kinds.set(`${apiVersion} ${kind}`, Number(number));
    }
  }
  schema = { messages: messages.split('\n'), kinds };
  return schema;
}

function messageType(number: number): MessageType {
  const { messages } = loaded();
  const known = messages[number];
  if (known instanceof MessageType) return known;
  if (known === undefined) throw new Error(`the protobuf schema has no message ${number}`);
  const type = new MessageType(known);
  messages[number] = type;
  return type;
}

/** runtime.Unknown, which carries every object. */
export const envelopeType = (): MessageType => messageType(0);

export function kindType(apiVersion: string, kind: string): MessageType | undefined {
  const { kinds } = loaded();
  // A few kinds, such as Status, are the same in every version.
  const number = kinds.get(`${apiVersion} ${kind}`) ?? kinds.get(`* ${kind}`);
  return number === undefined ? undefined : messageType(number);
}

/** All known kinds, as `apiVersion kind`; `* kind` for those of every version. */
export const knownKinds = (): readonly string[] => [...loaded().kinds.keys()];
