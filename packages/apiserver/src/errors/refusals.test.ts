import { describe, expect, it } from 'vitest';
import { forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { alreadyExists, conflict, invalid, noNameGenerated } from './refusals.ts';

const deployments = { group: 'apps', resource: 'deployments' };

describe('ERR-1: refusals in the words of kube-apiserver', () => {
  it('a name that is taken', () => {
    expect(alreadyExists({ group: '', resource: 'pods' }, 'x').toStatus()).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'pods "x" already exists',
      details: { name: 'x', kind: 'pods' },
    });
    expect(noNameGenerated(deployments, 'x-1').toStatus().details).toEqual({
      name: 'x-1',
      group: 'apps',
      kind: 'deployments',
      retryAfterSeconds: 1,
    });
  });

  it('a write that comes too late', () => {
    expect(conflict(deployments, 'x', 'because').toStatus()).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Operation cannot be fulfilled on deployments.apps "x": because',
    });
  });

  it('one invalid field is reported without brackets', () => {
    const status = invalid({ group: '', kind: 'ConfigMap' }, 'x', [required('metadata.name', 'name is needed')]);
    expect(status.message).toBe('ConfigMap "x" is invalid: metadata.name: Required value: name is needed');
    expect(status.details).toEqual({
      name: 'x',
      kind: 'ConfigMap',
      causes: [{ reason: 'FieldValueRequired', message: 'Required value: name is needed', field: 'metadata.name' }],
    });
  });

  it('several are reported in brackets without duplicates, with every cause', () => {
    const twice = tooLong('a', 1);
    const status = invalid({ group: 'apps', kind: 'Deployment' }, 'x', [
      invalidValue('metadata.uid', 'u', 'field is immutable'),
      notSupported('b', 'c', ['d', 'e']),
      forbiddenField('f', 'no'),
      twice,
      twice,
    ]);
    expect(status.message).toBe(
      'Deployment.apps "x" is invalid: [metadata.uid: Invalid value: "u": field is immutable, ' +
        'b: Unsupported value: "c": supported values: "d", "e", f: Forbidden: no, a: Too long: may not be more than 1 byte]',
    );
    expect(status.details?.causes).toHaveLength(5);
  });
});
