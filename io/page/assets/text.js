// Numbers and places of axes for people.

export const number = (v, digits = 4) => v === null || v === undefined || !isFinite(v) ? '–' : shorten(Number(v).toPrecision(digits))

function shorten(text) {
  const v = Number(text)
  const plain = v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e6) ? v.toExponential().replace('e+', 'e') : String(v)
  return plain.replace(/-/g, '−')
}

// place is one in L, to a thousandth.
export const place = v => number(Math.round(v * 1000) / 1000 || 0, 6)

// duration is seconds as hours, minutes and seconds.
export function duration(seconds) {
  if (seconds === null || !isFinite(seconds) || seconds < 0) return '–'
  const s = Math.round(seconds)
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`
  return `${Math.floor(s / 3600)} h ${Math.round(s % 3600 / 60)} min`
}

export const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f')

// ticks are round numbers from low to high, about so many.
export function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted)
  if (!(rough > 0)) return [low]
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map(f => f * ten).find(s => s >= rough * 0.999)
  const all = []
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) all.push(Number((k * step).toPrecision(10)))
  return all
}

// colour is one of the page's own.
export const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()

// element makes one with text and children.
export function element(tag, text, ...children) {
  const e = document.createElement(tag)
  if (text !== undefined && text !== null) e.textContent = text
  e.append(...children)
  return e
}
