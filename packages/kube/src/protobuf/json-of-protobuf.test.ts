import { describe, expect, it } from 'vitest';
import { notFound, StatusError } from '../status.ts';
import { encodeStatus } from '../status-protobuf.ts';
import { body, bytes, double, group, message, number, text } from './body.fixture.ts';
import { jsonOfProtobuf } from './json-of-protobuf.ts';

const json = (...args: Parameters<typeof jsonOfProtobuf>): string => jsonOfProtobuf(...args).toString();
const parsed = (...args: Parameters<typeof body>): unknown => JSON.parse(json(body(...args)));

function refused(...args: Parameters<typeof jsonOfProtobuf>): string {
  try {
    return `not refused: ${json(...args)}`;
  } catch (error) {
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ code: 400, reason: 'BadRequest' });
    return (error as StatusError).message;
  }
}

describe('LIST-9: a protobuf body is the JSON that Go makes of it', () => {
  it('a ConfigMap as kubectl create makes it', () => {
    // Go writes empty texts and zeros, too.
    const sent = body(
      'v1',
      'ConfigMap',
      message(
        1,
        text(1, 'c'),
        text(2, ''),
        text(3, 'default'),
        text(4, ''),
        text(5, ''),
        text(6, ''),
        number(7, 0),
        message(8),
      ),
      message(2, text(1, 'k'), text(2, 'v')),
    );
    expect(json(sent)).toBe(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"default"},"data":{"k":"v"}}',
    );
  });

  it('what is not there is zero or null, unless Go leaves it out', () => {
    expect(parsed('v1', 'Pod')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {},
      spec: { containers: null },
      status: {},
    });
    expect(parsed('apps/v1', 'Deployment')).toMatchObject({
      spec: { selector: null, template: { metadata: {}, spec: { containers: null } }, strategy: {} },
    });
    // A pointer that is there is not empty.
    expect(parsed('apps/v1', 'Deployment', message(2, number(1, 0)))).toMatchObject({ spec: { replicas: 0 } });
  });

  it('the fields of inlined messages stand among those of their parents', () => {
    const volume = message(1, text(1, 'v'), message(2, message(2)), message(9));
    expect(parsed('v1', 'Pod', message(2, volume))).toMatchObject({ spec: { volumes: [{ name: 'v', emptyDir: {} }] } });
    const rule = message(2, text(1, 'CREATE'), message(2, text(1, 'apps'), text(3, 'deployments')));
    const webhook = message(2, text(1, 'w'), bytes(3, rule.subarray(2)));
    expect(parsed('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', webhook)).toMatchObject({
      webhooks: [{ rules: [{ operations: ['CREATE'], apiGroups: ['apps'], resources: ['deployments'] }] }],
    });
  });

  it('times are in UTC, zero ones are null', () => {
    const event = (...times: Buffer[]) => parsed('v1', 'Event', ...times);
    expect(
      event(message(6, number(1, 1_700_000_000), number(2, 999)), message(10, number(1, 0), number(2, 1_999))),
    ).toMatchObject({
      firstTimestamp: '2023-11-14T22:13:20Z',
      lastTimestamp: null,
      eventTime: '1970-01-01T00:00:00.000001Z',
    });
    expect(event(message(6, number(1, -62_135_596_800)), message(7, number(1, -1)))).toMatchObject({
      firstTimestamp: null,
      lastTimestamp: '1969-12-31T23:59:59Z',
    });
    expect(event(message(6, number(1, 253_402_300_800)))).toMatchObject({ firstTimestamp: '10000-01-01T00:00:00Z' });
    expect(event(message(10, number(1, 5), number(2, -1_000)))).toMatchObject({
      eventTime: '1970-01-01T00:00:04.999999Z',
    });
    expect(event(message(10))).toMatchObject({ eventTime: null });
  });

  it('quantities, numbers or texts, and bytes', () => {
    expect(
      parsed('v1', 'ResourceQuota', message(2, message(1, text(1, 'cpu'), message(2, text(1, '250m'))))),
    ).toMatchObject({
      spec: { hard: { cpu: '250m' } },
    });
    const port = (target: Buffer) => message(2, message(1, number(3, 80), target));
    expect(parsed('v1', 'Service', port(message(4, number(1, 0), number(2, 8080))))).toMatchObject({
      spec: { ports: [{ port: 80, targetPort: 8080 }] },
    });
    expect(parsed('v1', 'Service', port(message(4, number(1, 1), text(3, 'http'))))).toMatchObject({
      spec: { ports: [{ targetPort: 'http' }] },
    });
    expect(parsed('v1', 'Secret', message(2, text(1, 'a'), bytes(2, Buffer.from([0, 255]))), message(2))).toMatchObject(
      {
        data: { a: 'AP8=', '': '' },
      },
    );
  });

  it('numbers beyond 2^53 keep every digit', () => {
    const revision = (value: bigint) => json(body('apps/v1', 'ControllerRevision', number(3, value)));
    expect(revision(9_007_199_254_740_993n)).toContain('"revision":9007199254740993}');
    expect(revision(-(2n ** 63n))).toContain('"revision":-9223372036854775808}');
  });

  it('raw JSON stays as it is, and must be JSON', () => {
    const raw = (data: string) => body('apps/v1', 'ControllerRevision', message(2, text(1, data)));
    expect(json(raw('{"n": 12345678901234567890}'))).toContain('"data":{"n": 12345678901234567890},');
    expect(json(body('apps/v1', 'ControllerRevision'))).toContain('"data":null,');
    for (const bad of ['', '{', '{}{}', 'k8s\0']) expect(refused(raw(bad))).toContain('RawExtension is not JSON');
  });

  it('lists that are messages of their own', () => {
    const review = parsed(
      'authentication.k8s.io/v1',
      'TokenReview',
      message(
        3,
        message(2, message(4, text(1, 'k'), message(2, text(1, 'a'), text(1, 'b'))), message(4, text(1, 'none'))),
      ),
    );
    expect(review).toMatchObject({ status: { user: { extra: { k: ['a', 'b'], none: [] } } } });
    expect(
      parsed('v1', 'APIResourceList', message(2, message(4, text(1, 'get'))), message(2), message(2, message(4))),
    ).toMatchObject({
      resources: [{ verbs: ['get'] }, { verbs: null }, { verbs: [] }],
    });
  });

  it('schemas of custom resources', () => {
    const schema = (...fields: Buffer[]) => {
      const version = message(7, text(1, 'v1'), message(4, message(1, ...fields)));
      const definition = parsed('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message(2, version)) as {
        spec: { versions: { schema: { openAPIV3Schema: unknown } }[] };
      };
      return definition.spec.versions[0]?.schema.openAPIV3Schema;
    };
    expect(schema(message(8, text(1, '1')), double(9, 0.5), double(11, -0))).toEqual({
      default: 1,
      maximum: 0.5,
      minimum: -0,
    });
    expect(schema(message(30, number(1, 1)))).toEqual({ additionalProperties: true });
    expect(schema(message(30, number(1, 1), message(2, text(5, 'string'))))).toEqual({
      additionalProperties: { type: 'string' },
    });
    expect(schema(message(30))).toEqual({ additionalProperties: false });
    expect(
      refused(
        body(
          'apiextensions.k8s.io/v1',
          'CustomResourceDefinition',
          message(2, message(7, message(4, message(1, double(9, Number.NaN))))),
        ),
      ),
    ).toContain('unsupported value: NaN');
  });

  it('a Status, and options of any group', () => {
    const status = notFound({ group: 'apps', resource: 'deployments' }, 'x').toStatus();
    expect(JSON.parse(json(encodeStatus(status)))).toEqual(status);
    expect(parsed('apps/v1', 'DeleteOptions', number(1, 30), text(4, 'Foreground'))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 30,
      propagationPolicy: 'Foreground',
    });
  });

  it('later fields win, messages merge, unknown fields and groups are passed over', () => {
    const pod = parsed(
      'v1',
      'Pod',
      message(1, text(1, 'a')),
      message(1, text(3, 'n')),
      message(1, text(1, 'b')),
      group(99, group(98, number(1, 1))),
      text(97, ''),
    );
    expect(pod).toMatchObject({ metadata: { name: 'b', namespace: 'n' } });
    expect(
      parsed('v1', 'Pod', message(1, message(11, text(1, 'k'), text(2, '1')), message(11, text(1, 'k'), text(2, '2')))),
    ).toMatchObject({ metadata: { labels: { k: '2' } } });
  });

  it('bytes that are no UTF-8 are replaced one by one; no key is special', () => {
    const label = message(11, bytes(1, Buffer.from([0x5f, 0xe2, 0x82, 0x5f])), text(2, '\ufffd€'));
    expect(parsed('v1', 'Pod', message(1, label))).toMatchObject({
      metadata: { labels: { '_\ufffd\ufffd_': '\ufffd€' } },
    });
    expect(json(body('v1', 'Pod', message(1, message(11, text(1, '__proto__'), text(2, 'x')))))).toContain(
      '"labels":{"__proto__":"x"}',
    );
  });
});

describe('LIST-9: a body that cannot be read is 400, in the words of kube-apiserver', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod' };

  it('damaged', () => {
    expect(refused(body('v1', 'Pod', number(1, 5)), pod)).toBe(
      'Pod in version "v1" cannot be handled as a Pod: proto: wrong wireType = 0 for field ObjectMeta',
    );
    expect(refused(body('v1', 'Pod', Buffer.from([0x0a, 0x05, 0x0a])))).toContain(': unexpected EOF');
    expect(refused(body('v1', 'Pod', Buffer.from([0x0c])))).toContain(': proto: Pod: wiretype end group for non-group');
    expect(refused(body('v1', 'Pod', Buffer.from([0x00])))).toContain(': proto: Pod: illegal tag 0 (wire type 0)');
    expect(refused(body('v1', 'Pod', Buffer.alloc(20, 0xff)))).toContain(': proto: integer overflow');
    expect(refused(body('v1', 'Pod', Buffer.from([0x0a, ...Array(9).fill(0xff), 1])))).toContain(
      ': proto: negative length found',
    );
  });

  it('no protobuf', () => {
    expect(refused(Buffer.alloc(0), pod)).toBe(
      'the object provided is unrecognized (must be of type Pod): empty data (<empty>)',
    );
    expect(refused(Buffer.from('{"kind":"Pod"}'), pod)).toBe(
      'the object provided is unrecognized (must be of type Pod): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"kind":"Pod"})',
    );
    expect(refused(Buffer.from('k8s\0'))).toBe('the object provided is unrecognized: empty body (6b387300)');
  });

  it('of a kind that nobody knows, or none', () => {
    expect(refused(body('v1', 'Foo'), pod)).toBe(
      'Foo in version "v1" cannot be handled as a Pod: no kind "Foo" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    );
    expect(refused(body('', ''))).toMatch(
      /^the object provided is unrecognized: Object 'Kind' is missing in 'runtime.TypeMeta\{APIVersion:"", Kind:""\}' \(/,
    );
    expect(JSON.parse(json(body('', ''), pod))).toMatchObject(pod);
    expect(refused(body('a/b/c', 'Pod'))).toContain("Object 'apiVersion' is missing");
  });

  it('not a quantity, not a number or text', () => {
    const quota = (quantity: string) =>
      refused(body('v1', 'ResourceQuota', message(2, message(1, message(2, text(1, quantity))))));
    expect(quota('')).toContain(': quantities must match the regular expression');
    expect(quota('1Zi')).toContain(': quantities must match');
    expect(quota('1mm')).toContain(": unable to parse quantity's suffix");
    expect(refused(body('v1', 'Service', message(2, message(1, message(4, number(1, 2))))))).toContain(
      ': impossible IntOrString.Type',
    );
  });
});
