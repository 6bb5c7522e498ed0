import { describe, expect, it } from 'vitest';
import { badRequest, expired, noSuchResource, notFound, StatusError, unavailable } from './status.ts';
import { encodeStatus } from './status-protobuf.ts';

const hex = (error: StatusError): string => encodeStatus(error.toStatus()).toString('hex');

describe('ERR-1: a Status in protobuf', () => {
  it('is what kube-apiserver 1.36 sends: a missing pod', () => {
    expect(hex(notFound({ group: '', resource: 'pods' }, 'nope'))).toBe(
      '6b3873000a0c0a027631120653746174757312490a060a0012001a0012074661696c7572651a15706f647320226e6f706522206e6f7420666f756e6422084e6f74466f756e642a120a046e6f706512001a04706f6473280032003094031a002200',
    );
  });

  it('is what kube-apiserver 1.36 sends: a resource that it does not serve', () => {
    expect(hex(noSuchResource())).toBe(
      '6b3873000a0c0a0276311206537461747573125c0a060a0012001a0012074661696c7572651a307468652073657276657220636f756c64206e6f742066696e642074686520726571756573746564207265736f7572636522084e6f74466f756e642a0a0a0012001a00280032003094031a002200',
    );
  });

  it('PAGE-2: carries the continue token', () => {
    expect(hex(expired('m', { continueToken: 'abc' }))).toContain('0a090a0012001a03616263');
  });

  it('carries causes, seconds to wait, and lengths above 127', () => {
    const text = encodeStatus(
      new StatusError(422, 'Invalid', 'm'.repeat(300), {
        name: 'x',
        causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' }],
      }).toStatus(),
    );
    expect(text.includes(Buffer.from([0x1a, 0xac, 0x02, 0x6d]))).toBe(true);
    // As in kube-apiserver's answer to a pod without containers.
    expect(text.toString('hex')).toContain(
      '22350a124669656c6456616c75655265717569726564120e52657175697265642076616c75651a0f737065632e636f6e7461696e657273',
    );
    expect(hex(unavailable('away', { retryAfterSeconds: 200 }))).toContain('28c801');
    expect(hex(badRequest('no details'))).not.toContain('2a00');
  });
});
