/** Writes JSON values as YAML, as kube-apiserver does: keys in alphabetical order. */

import { stringify } from 'yaml';
import type { JsonValue } from './json-value.ts';

export const yamlText = (value: JsonValue): string => stringify(value, { sortMapEntries: true, version: '1.1' });
