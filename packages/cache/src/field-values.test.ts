import { describe, expect, it } from 'vitest';
import { fieldsOf } from './field-paths.ts';
import { FieldValues } from './field-values.ts';

const valuesOf = (name: string, group = '', resource = 'events'): FieldValues =>
  new FieldValues(fieldsOf({ group, resource }).filter((field) => field.name === name));

/** What stands behind `broken` is no JSON: a walk that gets there throws. */
const broken = ',"rest":]';

describe('LIMIT-3: the walk of an object stops', () => {
  it('behind the last value', () => {
    const bytes = Buffer.from(`{"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p"${broken}`);
    expect(valuesOf('involvedObject.name').of(bytes)).toEqual(['p']);
  });

  it('where the value can no longer come', () => {
    const bytes = Buffer.from(`{"involvedObject":{"kind":"Pod"}${broken}`);
    expect(valuesOf('involvedObject.fieldPath').of(bytes)).toEqual(['']);
  });

  it('not before all paths of a field are read', () => {
    const values = valuesOf('source');
    expect(values.of(Buffer.from('{"source":{"component":""},"reportingComponent":"r"}'))).toEqual(['r']);
    expect(values.of(Buffer.from('{"reportingComponent":"r","source":{"component":"s"}}'))).toEqual(['s']);
  });

  it('and each object is read anew', () => {
    const values = valuesOf('status.podIP', '', 'pods');
    expect(values.of(Buffer.from('{"status":{"podIP":"10.0.0.1"}}'))).toEqual(['10.0.0.1']);
    expect(values.of(Buffer.from('{"spec":{}}'))).toEqual(['']);
  });
});
