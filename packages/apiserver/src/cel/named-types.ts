/** Types that have a name in expressions, as in `type(x) == string`. */

import type { Type } from './types.ts';
import * as types from './types.ts';

const typeNames = new Map<string, Type>(
  [types.bool, types.bytes, types.double, types.int, types.string, types.uint, types.nullType]
    .map((type): [string, Type] => [type.name, type])
    .concat([
      ['google.protobuf.Duration', types.duration],
      ['google.protobuf.Timestamp', types.timestamp],
      ['list', types.list(types.dyn)],
      ['map', types.map(types.dyn, types.dyn)],
      ['type', types.typeType],
      ['optional_type', types.optional(types.dyn)],
      ['net.IP', types.opaque('net.IP')],
      ['net.CIDR', types.opaque('net.CIDR')],
    ]),
);

export const namedType = (name: string): Type | undefined => typeNames.get(name);
