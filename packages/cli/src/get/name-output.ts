/** `-o name`: `deployment.apps/x`, a line each. */

import { itemsOf, type Output, type Printed } from './output.ts';
import { kindName, type ResourceType } from './resource-types.ts';

const metadataAs = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io,application/json`;

export class NameOutput implements Output {
  readonly accept = { object: metadataAs('PartialObjectMetadata'), list: metadataAs('PartialObjectMetadataList') };
  isEmpty = true;
  private readonly write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.write = write;
  }

  print(printed: Printed, type: ResourceType): void {
    const lines = itemsOf(printed, type).map(({ metadata }) => `${kindName(type)}/${metadata?.name}\n`);
    if (lines.length === 0) return;
    this.write(lines.join(''));
    this.isEmpty = false;
  }

  end(): void {}
}
