/** Overriders of JSON or YAML inside a field of text, as ConfigMaps have it. */

import type { JsonValue } from '@fleet/kube/json-value.ts';
import { parseJson } from '@fleet/kube/json-value.ts';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import type { FieldOverrider, FieldPatch } from '../api/policies.ts';
import type { Budget } from './budget.ts';
import { goJsonText, parseExactly } from './go-json.ts';
import { goYamlText } from './go-yaml.ts';
import { type PatchOperation, patched, valueAt } from './json-patch.ts';

/** Reading and writing JSON is far cheaper than YAML. */
const jsonCharactersPerStep = 8;

/** With neither patches of YAML nor of JSON the field stays as it is. */
export function withField(
  manifest: unknown,
  { fieldPath: path, json = [], yaml = [] }: FieldOverrider,
  budget: Budget,
): unknown {
  const text = valueAt(manifest, path);
  if (typeof text !== 'string') throw new Error(`the value at ${JSON.stringify(path)} is no text`);
  const set = (value: string) => patched(manifest, [{ path, operator: 'replace', value }], budget);
  if (yaml.length > 0) {
    budget.spend(text.length);
    return set(goYamlText(patchedDocument(yamlValue(text), yaml, budget) as JsonValue));
  }
  if (json.length > 0) {
    budget.spend(Math.ceil(text.length / jsonCharactersPerStep));
    return set(goJsonText(patchedDocument(parseExactly(text), json, budget)));
  }
  return manifest;
}

const yamlValue = (text: string): JsonValue => parseJson(jsonOfYaml(text).toString());

function patchedDocument(document: unknown, patches: readonly FieldPatch[], budget: Budget): unknown {
  if (typeof document !== 'object' || document === null) throw new Error('the text is neither an object nor a list');
  return patched(document, patches.map(operationOf), budget);
}

const operationOf = ({ subPath, ...operation }: FieldPatch): PatchOperation => ({ ...operation, path: subPath });
