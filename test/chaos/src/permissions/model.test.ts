import { describe, expect, it } from 'vitest';
import { Model } from './model.ts';

const una = ['una', 'member1'] as const;

describe('AUTHZ-2: what an answer may hold', () => {
  it('a revocation in the control plane counts when no decision from before it can be kept any more', () => {
    const model = new Model();
    model
      .of('plane', ...una)
      .change(false, 1_000)
      .settle(1_100);
    expect(model.forbids(...una, 10_000, 10_050)).toBeUndefined();
    expect(model.forbids(...una, 11_200, 11_250)).toBe('plane');
    expect(model.forbids('vic', 'member1', 20_000, 20_050)).toBeUndefined();
  });

  it('a revocation in the member counts at once for new requests', () => {
    const model = new Model();
    model
      .of('member', ...una)
      .change(false, 1_000)
      .settle(1_100);
    expect(model.forbids(...una, 1_050, 1_200)).toBeUndefined();
    expect(model.forbids(...una, 1_100, 1_200)).toBe('member');
  });

  it('what was granted long enough is required', () => {
    const model = new Model();
    expect(model.requires(...una, 0, 100)).toBe(true);
    model
      .of('plane', ...una)
      .change(false, 1_000)
      .settle(1_100);
    expect(model.requires(...una, 1_050, 1_200)).toBe(false);
    model
      .of('plane', ...una)
      .change(true, 2_000)
      .settle(2_100);
    expect(model.requires(...una, 5_000, 5_100)).toBe(false);
    expect(model.requires(...una, 12_200, 12_300)).toBe(true);
  });
});

describe('AUTHZ-2: what a watch may send', () => {
  it('an open one goes on after a revocation in the member; one opened afterwards has nothing of it', () => {
    const model = new Model();
    model
      .of('member', ...una)
      .change(false, 1_000)
      .settle(1_100);
    expect(model.forbidsEvent(...una, 500, 60_000)).toBeUndefined();
    expect(model.forbidsEvent(...una, 1_200, 1_300)).toBe('member');
  });

  it('an open one ends in time after a revocation in the control plane', () => {
    const model = new Model();
    model
      .of('plane', ...una)
      .change(false, 1_000)
      .settle(1_100);
    expect(model.mustHaveEnded(...una, 11_000)).toBe(false);
    expect(model.mustHaveEnded(...una, 14_000)).toBe(true);
    expect(model.forbidsEvent(...una, 500, 14_000)).toBe('plane');
    expect(model.canEnd('una', 5_000)).toBe(true);
    expect(model.canEnd('vic', 5_000)).toBe(false);
  });
});
