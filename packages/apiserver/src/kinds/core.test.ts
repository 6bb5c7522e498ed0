import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const named = (rest: object) => ({ metadata: { name: 'a' }, ...rest });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('ConfigMaps', () => {
  it.each([
    [
      { data: { 'a b': '' } },
      /^ConfigMap "a" is invalid: data\[a b\]: Invalid value: "a b": a valid config key must consist of/,
    ],
    [{ data: { '..': '' } }, /data\[\.\.\]: Invalid value: "\.\.": must not be '\.\.'$/],
    [
      { data: { x: '' }, binaryData: { x: '' } },
      /data\[x\]: Invalid value: "x": duplicate of key present in binaryData$/,
    ],
    [{ data: { x: 'y'.repeat(1024 * 1024 + 1) } }, /Too long: may not be more than 1048576 bytes$/],
    [{ data: { x: 1 } }, /json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/],
    [{ binaryData: { x: '*' } }, /illegal base64 data at input byte 0$/],
    [{ immutable: 'yes' }, /json: cannot unmarshal string into Go struct field ConfigMap\.immutable of type bool$/],
  ])('%o is refused', async (rest, message) => {
    const { ask } = await openServer();
    expect((await ask('POST', maps, named(rest))).body['message']).toMatch(message);
  });

  it('that are immutable keep their data, and stay so', async () => {
    const { ask } = await openServer();
    await ask('POST', maps, named({ data: { x: '1' }, immutable: true }));
    const refused = await ask('PUT', `${maps}/a`, named({ data: { x: '2' } }));
    expect(refused.body['message']).toBe(
      'ConfigMap "a" is invalid: [immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]',
    );
    const labels = { metadata: { name: 'a', labels: { a: 'b' } }, data: { x: '1' }, immutable: true };
    expect((await ask('PUT', `${maps}/a`, labels)).status).toBe(200);
  });

  it('drop fields that they do not have', async () => {
    const { ask } = await openServer();
    expect((await ask('POST', maps, named({ spec: {} }))).body).not.toHaveProperty('spec');
  });
});

describe('Secrets', () => {
  it('COMPAT-4: have a type that is shown as JSON, as Go shows texts of types of their own', async () => {
    const { ask } = await openServer();
    await ask('POST', secrets, named({}));
    const { body } = await ask('PUT', `${secrets}/a`, named({ type: '\u0000<' }));
    const shown = String.raw`"\u0000\u003c"`;
    expect(body['message']).toBe(`Secret "a" is invalid: type: Invalid value: ${shown}: field is immutable`);
  });

  it('keep text as base64, and have a type that stays', async () => {
    const { ask } = await openServer();
    const given = named({ stringData: { p: 'word' }, data: { q: base64('x') } });
    const { body } = await ask('POST', secrets, given);
    expect(body).toMatchObject({ type: 'Opaque', data: { p: base64('word'), q: base64('x') } });
    expect(body).not.toHaveProperty('stringData');
    const other = await ask('PUT', `${secrets}/a`, named({ type: 'example.dev/other', data: {} }));
    expect(other.body['message']).toBe(
      'Secret "a" is invalid: type: Invalid value: "example.dev/other": field is immutable',
    );
    expect((await ask('GET', `${secrets}?fieldSelector=type%3DOpaque`)).body.items).toHaveLength(1);
  });

  it.each([
    ['tls', {}, 'data[tls.crt]: Required value, data[tls.key]: Required value'],
    ['basic-auth', {}, 'data[username]: Required value, data[password]: Required value'],
    ['basic-auth', { username: '' }, undefined],
    ['ssh-auth', { 'ssh-privatekey': '' }, 'data[ssh-privatekey]: Required value'],
    ['dockercfg', {}, 'data[.dockercfg]: Required value'],
    [
      'dockerconfigjson',
      { '.dockerconfigjson': base64('{') },
      'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": ',
    ],
    ['service-account-token', {}, 'metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ])('of type %s with %o: %s', async (type, data, wrong) => {
    const { ask } = await openServer();
    const { status, body } = await ask('POST', secrets, named({ type: `kubernetes.io/${type}`, data }));
    expect(status).toBe(wrong ? 422 : 201);
    if (wrong) expect(body['message']).toContain(wrong);
  });
});
