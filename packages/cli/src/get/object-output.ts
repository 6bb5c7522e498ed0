/**
 * `-o json` and `-o yaml`, as kubectl prints them: keys in order, without managedFields. A list is written as its pages come;
 * its own keys allow it, as `items` comes before `kind`.
 */

import { goJson, goYaml } from './go-text.ts';
import { type Item, itemsOf, type Output, type Printed } from './output.ts';
import type { ResourceType } from './resource-types.ts';

/** One object by its name, printed as it is; else a List, or with a watch one document after the other. */
export type As = 'object' | 'list' | 'documents';

export interface ObjectOptions {
  format: 'json' | 'yaml';
  as: As;
}

export class ObjectOutput implements Output {
  readonly accept = { object: 'application/json', list: 'application/json' };
  /** A list without items is printed, too. */
  isEmpty = false;
  private readonly options: ObjectOptions;
  private readonly write: (text: string) => void;
  private count = 0;

  constructor(options: ObjectOptions, write: (text: string) => void) {
    this.options = options;
    this.write = write;
  }

  print(printed: Printed, type: ResourceType): void {
    for (const item of itemsOf(printed, type).map(withoutManagers)) {
      this.write(this.options.as === 'list' ? this.listed(item) : this.alone(item));
      this.count++;
    }
  }

  end(): void {
    if (this.options.as !== 'list') return;
    const isJson = this.options.format === 'json';
    if (this.count === 0)
      this.write(isJson ? '{\n    "apiVersion": "v1",\n    "items": [],\n' : 'apiVersion: v1\nitems: []\n');
    else if (isJson) this.write('\n    ],\n');
    this.write(
      isJson
        ? '    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n'
        : 'kind: List\nmetadata:\n  resourceVersion: ""\n',
    );
  }

  private alone(item: Item): string {
    if (this.options.format === 'json') return `${goJson(item)}\n`;
    return `${this.count > 0 ? '---\n' : ''}${goYaml(item)}`;
  }

  private listed(item: Item): string {
    if (this.options.format === 'yaml') return `${this.count > 0 ? '' : 'apiVersion: v1\nitems:\n'}${goYaml([item])}`;
    const before = this.count > 0 ? ',\n' : '{\n    "apiVersion": "v1",\n    "items": [\n';
    return `${before}        ${goJson(item, 2)}`;
  }
}

/** Left out as kubectl does: who wrote which field is of no use to people. */
function withoutManagers(item: Item): Item {
  const { managedFields: _, ...metadata } = item.metadata as Record<string, unknown>;
  return { ...item, metadata };
}
