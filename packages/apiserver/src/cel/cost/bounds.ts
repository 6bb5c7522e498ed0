/** Lower and upper bounds of sizes and costs, within 64 bits. */

export interface Bounds {
  min: number;
  max: number;
}

const most = 2 ** 64;

export const exactly = (value: number): Bounds => ({ min: value, max: value });
export const unknown: Bounds = { min: 0, max: most };
/** The neutral element: joined with other bounds, it gives those. */
export const empty: Bounds = { min: most, max: 0 };

const product = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : Math.min(a * b, most));

export const plus = (a: Bounds, b: Bounds): Bounds => ({
  min: Math.min(a.min + b.min, most),
  max: Math.min(a.max + b.max, most),
});
export const times = (a: Bounds, b: Bounds): Bounds => ({ min: product(a.min, b.min), max: product(a.max, b.max) });
/** Rounded up, as all factors are fractions. */
export const scaled = (a: Bounds, factor: number): Bounds => ({
  min: Math.ceil(product(a.min, factor)),
  max: Math.ceil(product(a.max, factor)),
});
export const around = (a: Bounds, b: Bounds): Bounds => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
export const total = (all: readonly Bounds[]): Bounds => all.reduce(plus, exactly(0));
