/**
 * The operations add, remove and replace of a JSON patch (RFC 6902) on a copy of a document. As in Karmada, an index below 0 counts
 * from the end of a list, and a value that is not given is null.
 */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { Json } from '../api/objects.ts';
import type { OverrideOperator } from '../api/policies.ts';
import { Budget } from './budget.ts';

export interface PatchOperation {
  path: string;
  operator: OverrideOperator;
  value?: Json;
}

/** As of kube-apiserver. */
const mostOperations = 10_000;

export function patched(document: unknown, operations: readonly PatchOperation[], budget = new Budget()): unknown {
  if (operations.length > mostOperations) throw new Error(`a patch has more than ${mostOperations} operations`);
  const draft = new Draft(document, budget);
  for (const operation of operations) draft.apply(operation);
  return draft.root;
}

/** The keys of a JSON pointer (RFC 6901). */
function keysOf(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new Error(`the path ${JSON.stringify(pointer)} does not begin with a slash`);
  const keys = pointer.slice(1).split('/');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const key of keysOf(pointer)) {
    if (!has(value, key)) throw missing(pointer);
    value = child(value, key);
  }
  return value;
}

type Container = unknown[] | Record<string, unknown>;

/** Moving the values of a list by one is far cheaper than looking at them. */
const shiftsPerStep = 64;

/** Copies each map and list once, when an operation first changes something in it: many operations cost no more copies than one. */
class Draft {
  root: unknown;
  private readonly budget: Budget;
  private readonly copies = new Set<Container>();

  constructor(document: unknown, budget: Budget) {
    this.root = document;
    this.budget = budget;
  }

  apply(operation: PatchOperation): void {
    const { operator, path, value = null } = operation;
    const keys = keysOf(path);
    this.budget.spend(keys.length + 1);
    const last = keys.pop();
    if (last === undefined) {
      if (operator === 'remove') throw new Error('the whole document cannot be removed');
      this.root = value;
      return;
    }
    const parent = this.parentAt(keys, path);
    if (operator === 'add') this.add(parent, last, operation);
    else this.change(parent, last, operation);
  }

  /** All on the way to it are copies, so that it can be changed. */
  private parentAt(keys: readonly string[], path: string): Container {
    let node = this.copyOf(this.root, path);
    this.root = node;
    for (const key of keys) {
      if (!has(node, key)) throw missing(path);
      const next = this.copyOf(child(node, key), path);
      setChild(node, key, next);
      node = next;
    }
    return node;
  }

  private copyOf(node: unknown, path: string): Container {
    if (!Array.isArray(node) && !isRecord(node)) throw missing(path);
    if (this.copies.has(node)) return node;
    const copy = Array.isArray(node) ? [...node] : { ...node };
    this.budget.spend(Array.isArray(copy) ? copy.length : Object.keys(copy).length);
    this.copies.add(copy);
    return copy;
  }

  private add(node: Container, key: string, { path, value = null }: PatchOperation): void {
    if (!Array.isArray(node)) {
      setChild(node, key, value);
      return;
    }
    const index = key === '-' ? node.length : indexIn(node.length + 1, key);
    if (index === undefined) throw missing(path);
    this.shift(node, index);
    node.splice(index, 0, value);
  }

  private change(node: Container, key: string, { operator, path, value = null }: PatchOperation): void {
    if (!has(node, key)) throw missing(path);
    switch (operator) {
      case 'replace':
        setChild(node, key, value);
        return;
      case 'remove': {
        if (!Array.isArray(node)) {
          delete node[key];
          return;
        }
        const index = indexIn(node.length, key)!;
        this.shift(node, index);
        node.splice(index, 1);
        return;
      }
      default:
        throw new Error(`the operator ${JSON.stringify(operator)} is not known`);
    }
  }

  private shift(list: readonly unknown[], index: number): void {
    this.budget.spend(Math.ceil((list.length - index) / shiftsPerStep));
  }
}

function has(node: unknown, key: string): boolean {
  if (Array.isArray(node)) return indexIn(node.length, key) !== undefined;
  return isRecord(node) && Object.hasOwn(node, key);
}

const child = (node: unknown, key: string): unknown =>
  Array.isArray(node) ? node[indexIn(node.length, key)!] : (node as Record<string, unknown>)[key];

function setChild(node: Container, key: string, value: unknown): void {
  if (Array.isArray(node)) node[indexIn(node.length, key)!] = value;
  // Assigning `__proto__` would change the prototype instead.
  else if (key === '__proto__') {
    Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
  } else node[key] = value;
}

/** Undefined: it is none of a list of this length. */
function indexIn(length: number, key: string): number | undefined {
  if (!/^[+-]?\d+$/.test(key)) return undefined;
  const index = Number(key) < 0 ? Number(key) + length : Number(key);
  return index >= 0 && index < length ? index : undefined;
}

const missing = (path: string): Error => new Error(`the path ${JSON.stringify(path)} does not exist`);
