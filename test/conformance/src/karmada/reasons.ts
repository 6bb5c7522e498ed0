/** Which of Karmada's search specs cannot pass, and why. */

interface Reason {
  /** A part of its name. */
  spec: string;
  because: string;
}

const reasons: readonly Reason[] = [
  { spec: 'when cluster joined', because: 'it creates a cluster with kind, in Docker' },
];

export const reasonFor = (spec: string): string | undefined =>
  reasons.find((reason) => spec.includes(reason.spec))?.because;
