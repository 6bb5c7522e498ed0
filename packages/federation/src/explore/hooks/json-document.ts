/** A JSON value that a patch works on: a copy, with a budget, since a few bytes of a patch may ask for very much work. */

import { isRecord } from '@fleet/kube/is-record.ts';
import { deepest } from './json-depth.ts';

export class PatchError extends Error {}

/** Values that are read or copied after the first copy. Many times what a patch of an object of 3 MiB needs. */
const mostSteps = 1_000_000;
/** Moving the values of a list by one is far cheaper than reading them. */
const shiftsPerStep = 64;

/** As RFC 6901 writes pointers. */
export function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new PatchError('a path that does not start with "/"');
  if (/~(?![01])/.test(pointer)) throw new PatchError('a path with an invalid escape');
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export class JsonDocument {
  root: unknown;
  private steps = 0;

  constructor(value: unknown) {
    this.root = this.copyOf(value);
    this.steps = 0;
  }

  get(path: readonly string[]): unknown {
    return path.reduce<unknown>(stepInto, this.root);
  }

  add(path: readonly string[], value: unknown): void {
    const key = path.at(-1);
    if (key === undefined) {
      this.root = value;
      return;
    }
    const parent = this.parentOf(path);
    if (!Array.isArray(parent)) {
      setField(parent, key, value);
      return;
    }
    const index = key === '-' ? parent.length : indexOf(key, parent.length + 1);
    this.shift(parent.length - index);
    parent.splice(index, 0, value);
  }

  replace(path: readonly string[], value: unknown): void {
    const key = path.at(-1);
    if (key === undefined) {
      this.root = value;
      return;
    }
    const parent = this.parentOf(path);
    // The value to replace has to exist.
    stepInto(parent, key);
    if (Array.isArray(parent)) parent[Number(key)] = value;
    else setField(parent, key, value);
  }

  /** What was there. */
  remove(path: readonly string[]): unknown {
    const key = path.at(-1);
    if (key === undefined) throw new PatchError('the whole object cannot be removed');
    const parent = this.parentOf(path);
    const value = stepInto(parent, key);
    if (Array.isArray(parent)) {
      this.shift(parent.length - Number(key));
      parent.splice(Number(key), 1);
    } else delete parent[key];
    return value;
  }

  copyOf(value: unknown, depth = 0): unknown {
    this.spend(1, depth);
    if (Array.isArray(value)) return value.map((one) => this.copyOf(one, depth + 1));
    if (!isRecord(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(value)) setField(copy, key, this.copyOf(one, depth + 1));
    return copy;
  }

  equal(left: unknown, right: unknown, depth = 0): boolean {
    this.spend(1, depth);
    if (Array.isArray(left) && Array.isArray(right)) {
      return left.length === right.length && left.every((one, index) => this.equal(one, right[index], depth + 1));
    }
    if (!isRecord(left) || !isRecord(right)) return left === right;
    const keys = Object.keys(left);
    this.spend(keys.length, depth);
    if (keys.length !== Object.keys(right).length) return false;
    return keys.every((key) => Object.hasOwn(right, key) && this.equal(left[key], right[key], depth + 1));
  }

  private parentOf(path: readonly string[]): unknown[] | Record<string, unknown> {
    const parent = this.get(path.slice(0, -1));
    if (Array.isArray(parent) || isRecord(parent)) return parent;
    throw missing();
  }

  private shift(count: number): void {
    this.spend(Math.ceil(count / shiftsPerStep), 0);
  }

  private spend(steps: number, depth: number): void {
    this.steps += steps;
    if (this.steps > mostSteps) throw new PatchError('the patch asks for too much work');
    if (depth > deepest) throw new PatchError('a value that is nested too deep');
  }
}

const missing = (): PatchError => new PatchError('there is nothing at its path');

function stepInto(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) return parent[indexOf(key, parent.length)];
  if (isRecord(parent) && Object.hasOwn(parent, key)) return parent[key];
  throw missing();
}

function indexOf(key: string, length: number): number {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(key)) throw new PatchError('an invalid index of a list');
  if (Number(key) >= length) throw missing();
  return Number(key);
}

/** Assigning `__proto__` would change the prototype instead. */
function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
