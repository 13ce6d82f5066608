// Rows of tables as lines.

// broken is rows with a gap where another thing goes on under the same name: where its number among all that have entered changes. Without numbers nothing is broken.
export function broken(t, values, numbers) {
  if (!numbers) return { t, values, lives: 1 }
  const out = { t: [], values: values.map(() => []), lives: t.length ? 1 : 0 }
  for (let k = 0; k < t.length; k++) {
    if (k && numbers[k] !== numbers[k - 1]) {
      out.lives++
      out.t.push((t[k - 1] + t[k]) / 2)
      for (const v of out.values) v.push(null)
    }
    out.t.push(t[k])
    values.forEach((v, c) => out.values[c].push(v[k]))
  }
  return out
}

// scaled is numbers in a unit that is 1/factor of theirs; what is no number is null.
export const scaled = (values, factor) => values.map(v => v !== null && isFinite(v) ? v * factor : null)
