import { describe, expect, it } from 'vitest';
import { readRequestBody } from './request-body.ts';

const read = (text: string | Buffer, contentType?: string) => {
  const body = readRequestBody(Buffer.from(text), contentType);
  return body && { ...body, json: body.json.toString() };
};

/** `k8s\0`, then the envelope: typeMeta { v1, ConfigMap } and an object whose metadata has the name `x`. */
const configMap = Buffer.concat([
  Buffer.from('k8s\0'),
  Buffer.from([0x0a, 15, 0x0a, 2]),
  Buffer.from('v1'),
  Buffer.from([0x12, 9]),
  Buffer.from('ConfigMap'),
  Buffer.from([0x12, 5, 0x0a, 3, 0x0a, 1, 0x78]),
]);

describe('LIST-9: bodies of requests', () => {
  it('JSON stays as it came, whatever it is sent as', () => {
    expect(read('{ "a": 1.0 }')).toEqual({ json: '{ "a": 1.0 }', contentType: 'application/json', is: 'object' });
    expect(read('[]', 'application/json-patch+json')).toMatchObject({ is: 'json-patch' });
    expect(read('{"a":01}', 'application/merge-patch+json')).toMatchObject({ json: '{"a":01}', is: 'object' });
    expect(read('{ "a": 1 }', 'application/apply-patch+yaml; x=y')).toMatchObject({ json: '{ "a": 1 }' });
  });

  it('none is JSON, but one that is empty before its parameters is unknown', () => {
    expect(read('{}', '')).toMatchObject({ contentType: 'application/json' });
    expect(read('{}', '; charset=utf-8')).toBeUndefined();
  });

  it('YAML is read as Kubernetes reads it', () => {
    const yaml = 'a: 0777\nb: on\nc: 2001-01-01\nd: 1:30\ne: 12345678901234567890\n1: x\nf: ~\n';
    expect(JSON.parse(read(yaml, 'application/yaml')!.json)).toEqual({
      a: 511,
      b: true,
      c: '2001-01-01',
      d: '1:30',
      e: Number('12345678901234567890'),
      1: 'x',
      f: null,
    });
    expect(read(yaml, 'application/yaml')!.json).toContain('12345678901234567890');
    expect(() => read(`a: ${'['.repeat(2000)}${']'.repeat(2000)}`, 'application/yaml')).toThrow(
      'error converting YAML to JSON',
    );
    expect(() => read('a: .inf', 'application/yaml')).toThrow('unsupported value');
  });

  it('protobuf goes on as JSON', () => {
    expect(read(configMap, 'application/vnd.kubernetes.protobuf')).toEqual({
      json: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}',
      contentType: 'application/json',
      is: 'object',
    });
    expect(() => read('x', 'application/vnd.kubernetes.protobuf')).toThrow(/./);
  });

  it('other formats are left to who is sent them', () => {
    for (const type of ['application/cbor', 'text/plain']) expect(read('x', type)).toBeUndefined();
  });
});
