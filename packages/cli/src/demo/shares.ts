/** How many each cluster lacks of its share, so that together they come to `desired`. Those with more than that keep it. */
export function sharesOf(desired: number, there: readonly number[]): number[] {
  const share = Math.ceil(desired / there.length);
  let missing = desired - there.reduce((sum, count) => sum + count, 0);
  return there.map((count) => {
    const more = Math.max(0, Math.min(share - count, missing));
    missing -= more;
    return more;
  });
}
