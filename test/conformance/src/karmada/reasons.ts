/** Which of Karmada's specs cannot pass, and why. */

export interface Reason {
  /** A part of its name. */
  spec: string;
  because: string;
}

export const searchReasons: readonly Reason[] = [
  { spec: 'when cluster joined', because: 'it creates a cluster with kind, in Docker' },
];

export const reasonFor = (reasons: readonly Reason[], spec: string): string | undefined =>
  reasons.find((reason) => spec.includes(reason.spec))?.because;
