/** JSON values as YAML, as kube-apiserver writes it: keys in order of the alphabet. */

import { stringify } from 'yaml';
import type { JsonValue } from './json-value.ts';

export const yamlText = (value: JsonValue): string => stringify(value, { sortMapEntries: true, version: '1.1' });
