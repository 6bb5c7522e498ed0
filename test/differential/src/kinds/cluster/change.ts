import type { JsonObject } from '../../request.ts';
import { objectOf } from '../kind.ts';

/** Puts fields into the spec. */
export function change(body: JsonObject, fields: JsonObject): void {
  body['spec'] = { ...objectOf(body['spec']), ...fields };
}

/** Puts fields into the first container of a spec. */
export function changeContainer(spec: JsonObject, fields: JsonObject): void {
  const [first, ...others] = spec['containers'] as JsonObject[];
  spec['containers'] = [{ ...first, ...fields }, ...others];
}
