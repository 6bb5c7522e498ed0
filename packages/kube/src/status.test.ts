import { describe, expect, it } from 'vitest';
import * as status from './status.ts';

describe('ERR-1: errors are Kubernetes Status objects', () => {
  it('an unknown object has the error text of kube-apiserver', () => {
    expect(status.notFound({ group: 'apps', resource: 'deployments' }, 'web').toStatus()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'deployments.apps "web" not found',
      reason: 'NotFound',
      details: { name: 'web', group: 'apps', kind: 'deployments' },
      code: 404,
    });
  });

  it('core resources have no group in message and details', () => {
    const { message, details } = status.notFound({ group: '', resource: 'pods' }, 'x').toStatus();
    expect(message).toBe('pods "x" not found');
    expect(details).toEqual({ name: 'x', kind: 'pods' });
  });

  it.each([
    [status.badRequest('m'), 400, 'BadRequest'],
    [status.unauthorized(), 401, 'Unauthorized'],
    [status.forbidden('m'), 403, 'Forbidden'],
    [status.noSuchResource(), 404, 'NotFound'],
    [status.methodNotAllowed('m'), 405, 'MethodNotAllowed'],
    [status.notAcceptable(['application/json']), 406, 'NotAcceptable'],
    [status.expired('m'), 410, 'Expired'],
    [status.internalError(new Error('x')), 500, 'InternalError'],
    [status.badGateway('m'), 502, 'InternalError'],
    [status.unavailable('m'), 503, 'ServiceUnavailable'],
    [status.timedOut('m'), 504, 'Timeout'],
  ])('%s is %i %s', (error, code, reason) => {
    expect(error.toStatus()).toMatchObject({ code, reason, status: 'Failure' });
  });

  it('PAGE-2: an expired page may carry a continue token', () => {
    expect(status.expired('m', { continueToken: 't' }).toStatus().metadata).toEqual({ continue: 't' });
  });

  it('ERR-2: internal errors stay out of the text', () => {
    const secret = new Error('connect ECONNREFUSED 10.0.0.7:6443 with token abc');
    const error = status.statusErrorOf(secret);
    expect(JSON.stringify(error.toStatus())).not.toMatch(/10\.0\.0\.7|abc/);
    expect(error.cause).toBe(secret);
  });

  it('a Status thrown on purpose passes as it is', () => {
    const error = status.badRequest('limit: "x" is no number');
    expect(status.statusErrorOf(error)).toBe(error);
  });
});
