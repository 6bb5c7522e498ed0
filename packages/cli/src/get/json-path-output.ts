/** `-o jsonpath=TEMPLATE`: one object by its name as it is; several, and lists, as one List; in a watch each object. */

import { HintedError, UsageError } from '../errors.ts';
import { evaluate } from './json-path/evaluate.ts';
import { type Block, parseTemplate } from './json-path/template.ts';
import type { As } from './object-output.ts';
import { type Item, itemsOf, type Output, type Printed } from './output.ts';
import type { ResourceType } from './resource-types.ts';

export class JsonPathOutput implements Output {
  readonly accept = { object: 'application/json', list: 'application/json' };
  isEmpty = false;
  private readonly blocks: readonly Block[];
  private readonly template: string;
  private readonly as: As;
  private readonly write: (text: string) => void;
  private readonly items: Item[] = [];

  constructor(template: string, as: As, write: (text: string) => void) {
    this.template = template;
    this.blocks = parsed(template);
    this.as = as;
    this.write = write;
  }

  print(printed: Printed, type: ResourceType): void {
    for (const item of itemsOf(printed, type)) {
      if (this.as === 'list') this.items.push(item);
      else this.apply(item);
    }
  }

  end(): void {
    if (this.as !== 'list') return;
    this.apply({ apiVersion: 'v1', items: this.items, kind: 'List', metadata: { resourceVersion: '' } });
  }

  private apply(value: object): void {
    let text: string;
    try {
      text = evaluate(this.blocks, value);
    } catch (cause) {
      throw new HintedError(`the JSONPath template ${this.template} fails: ${(cause as Error).message}`, look, {
        cause,
      });
    }
    this.write(text);
  }
}

const look = 'Look at the objects with -o json';

function parsed(template: string): Block[] {
  if (!template) throw new UsageError('-o jsonpath needs a template, as in -o jsonpath={.metadata.name}');
  try {
    return parseTemplate(template);
  } catch (error) {
    throw new UsageError(`the JSONPath template ${template} cannot be read: ${(error as Error).message}`);
  }
}
