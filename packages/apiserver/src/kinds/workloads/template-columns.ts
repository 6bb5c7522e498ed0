/** Table columns for the pod template of a workload. */

import type { PodTemplate } from '../pods/pod-spec.ts';

const containersOf = (template: PodTemplate | undefined) => template?.spec?.containers ?? [];

export const namesOf = (template: PodTemplate | undefined): string =>
  containersOf(template)
    .map(({ name = '' }) => name)
    .join(',');

export const imagesOf = (template: PodTemplate | undefined): string =>
  containersOf(template)
    .map(({ image = '' }) => image)
    .join(',');

interface Templated {
  spec?: { template?: PodTemplate };
}

export const templateCells = {
  Containers: ({ spec }: Templated) => namesOf(spec?.template),
  Images: ({ spec }: Templated) => imagesOf(spec?.template),
};
