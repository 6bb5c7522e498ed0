/** Caches a function's result as long as its argument lives. For objects that are replaced, never changed. */

export function perObject<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, { one: Made }>();
  return (of) => {
    const known = made.get(of);
    if (known) return known.one;
    const one = make(of);
    made.set(of, { one });
    return one;
  };
}
