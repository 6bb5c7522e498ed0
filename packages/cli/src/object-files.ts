/** Reads objects from files as kubectl does: YAML or JSON, several documents, Lists, `-` for standard input. */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { isRecord } from '@fleet/kube/is-record.ts';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import { parseAllDocuments } from 'yaml';
import { UsageError } from './errors.ts';

export async function readObjects(path: string): Promise<AnyObject[]> {
  const content = path === '-' ? await text(process.stdin) : await readText(path);
  const documents = parseAllDocuments(content, { version: '1.1', logLevel: 'silent' });
  // Also where there is no document at all.
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [from = 0, , to = content.length] = document.range ?? [];
    const [error] = document.errors;
    if (error) throw new UsageError(`${path}: ${error.message}`);
    return itemsOf(path, JSON.parse(jsonOfYaml(content.slice(from, to)).toString()) as unknown);
  });
}

/** Of a file that is to have one. */
export async function readObject(path: string): Promise<AnyObject> {
  const [object, ...others] = await readObjects(path);
  if (!object || others.length > 0)
    throw new UsageError(`${path} has ${object ? others.length + 1 : 'no'} objects, and must have one`);
  return object;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function itemsOf(path: string, value: unknown): AnyObject[] {
  // A document without anything.
  if (value === null) return [];
  if (isRecord(value) && value['kind'] === 'List' && Array.isArray(value['items']))
    return value['items'].flatMap((item: unknown) => itemsOf(path, item));
  if (!isObject(value)) throw new UsageError(`${path} has something that is no object with apiVersion, kind and name`);
  return [value];
}

const isObject = (value: unknown): value is AnyObject =>
  isRecord(value) &&
  typeof value['apiVersion'] === 'string' &&
  typeof value['kind'] === 'string' &&
  isRecord(value['metadata']) &&
  typeof value['metadata']['name'] === 'string';
