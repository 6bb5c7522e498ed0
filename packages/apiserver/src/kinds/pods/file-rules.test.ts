import { describe, expect, it } from 'vitest';
import { textOf } from '../../errors/field-error.ts';
import type { Volume } from './pod-spec.ts';
import { checkedVolumes } from './volume-rules.ts';

const faults = (volume: Omit<Volume, 'name'>, podName?: string) =>
  checkedVolumes([{ name: 'v', ...volume }], 'volumes', podName).errors.map((error) => textOf([error]));

describe('COMPAT-4: the volumes of a pod', () => {
  it.each([
    [
      'a token without a path',
      { sources: [{ serviceAccountToken: { expirationSeconds: 600 } }] },
      ['volumes[0].projected.path: Required value'],
    ],
    [
      'a token that is over too soon',
      { sources: [{ serviceAccountToken: { expirationSeconds: 5, path: 't' } }] },
      [
        'volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      ],
    ],
    [
      'a path twice',
      {
        sources: [
          { secret: { name: 's', items: [{ key: 'a', path: 'p' }] } },
          { downwardAPI: { items: [{ path: 'p' }] } },
        ],
      },
      [
        'volumes[0].projected.sources[1].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
        'volumes[0].projected: Invalid value: "p": conflicting duplicate paths',
      ],
    ],
    ['no sources', { sources: null }, []],
  ])('projected: %s', (_, projected, expected) => {
    expect(faults({ projected })).toEqual(expected);
  });

  it('files of the downward API need a reference', () => {
    const of = (item: object) => faults({ downwardAPI: { items: [{ path: 'p', ...item }] } });
    expect(of({})).toEqual([
      'volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
    ]);
    expect(of({ resourceFieldRef: { resource: 'limits.cpu' } })).toEqual([
      'volumes[0].downwardAPI.resourceFieldRef.containerName: Required value',
    ]);
    expect(of({ resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '5' } })).toEqual([
      `volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
    ]);
  });

  it('claims of their own have the name of the pod before their own', () => {
    const ephemeral = {
      volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    };
    expect(faults({ ephemeral }, 'a/b')).toEqual([
      expect.stringMatching(
        /^volumes\[0\]\.name: Invalid value: "v": PVC name "a\/b-v": a lowercase RFC 1123 subdomain/,
      ),
    ]);
    expect(faults({ ephemeral })).toEqual([]);
    expect(faults({ ephemeral: {} })).toEqual(['volumes[0].ephemeral.volumeClaimTemplate: Required value']);
  });

  it('of several sources one is called as kube-apiserver does', () => {
    expect(faults({ emptyDir: {}, downwardAPI: {} })).toEqual([
      'volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type',
    ]);
  });
});
