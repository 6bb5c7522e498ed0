/** The overrides that were applied, as Karmada writes them into an annotation of the Work: its order of fields, by policy. */

import type {
  CommandOverrider,
  FieldOverrider,
  FieldPatch,
  ImageOverrider,
  MapOverrider,
  Overriders,
  PlaintextOverrider,
} from '../api/policies.ts';
import { byName } from '../schedule/by-name.ts';
import { goJsonText } from './go-json.ts';

/** One for each rule. */
export interface AppliedItem {
  policyName: string;
  overriders: Overriders;
}

export const appliedText = (items: readonly AppliedItem[]): string =>
  goJsonText(
    items
      .map(({ policyName, overriders }) => ({ name: policyName, overriders }))
      .sort(byName)
      .map(({ name, overriders }) => ({ policyName: name, overriders: overridersJson(overriders) })),
  );

/** Undefined where Go leaves a field out: its JSON leaves it out, too. */
const listOf = <T>(list: readonly T[] | undefined, json: (one: T) => object): object[] | undefined =>
  list?.length ? list.map(json) : undefined;

const overridersJson = (overriders: Overriders) => ({
  plaintext: listOf(overriders.plaintext, plaintextJson),
  imageOverrider: listOf(overriders.imageOverrider, imageJson),
  commandOverrider: listOf(overriders.commandOverrider, commandJson),
  argsOverrider: listOf(overriders.argsOverrider, commandJson),
  labelsOverrider: listOf(overriders.labelsOverrider, mapJson),
  annotationsOverrider: listOf(overriders.annotationsOverrider, mapJson),
  fieldOverrider: listOf(overriders.fieldOverrider, fieldJson),
});

const plaintextJson = ({ path, operator, value = null }: PlaintextOverrider) => ({ path, operator, value });

const imageJson = ({ predicate, component, operator, value }: ImageOverrider) => ({
  predicate: predicate && { path: predicate.path },
  component,
  operator,
  value: value || undefined,
});

const commandJson = ({ containerName, operator, value }: CommandOverrider) => ({
  containerName,
  operator,
  value: value?.length ? value : undefined,
});

const mapJson = ({ operator, value }: MapOverrider) => ({
  operator,
  value: value ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : null,
});

const fieldJson = ({ fieldPath, json, yaml }: FieldOverrider) => ({
  fieldPath,
  json: listOf(json, patchJson),
  yaml: listOf(yaml, patchJson),
});

const patchJson = ({ subPath, operator, value = null }: FieldPatch) => ({ subPath, operator, value });
