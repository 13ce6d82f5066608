// Series: the rows of the run's tables over time, drawn by uPlot.

import { ask } from './net.js'
import { broken, scaled } from './series.js'
import { colour, element, number } from './text.js'

const get = id => document.getElementById(id)
const mostColumns = 6
const names = { 'forces.csv': 'forces', 'bodies.csv': 'bodies', 'probes.csv': 'probes', 'cells.csv': 'elastic bodies', 'ports.csv': 'ports', 'sections.csv': 'sections', 'flow.csv': 'flow that is held' }
const order = ['forces.csv', 'cells.csv', 'ports.csv', 'filaments.csv', 'sheets.csv', 'suspension.csv', 'bodies.csv', 'flow.csv', 'sections.csv', 'probes.csv']

// first are the columns that are shown unless somebody chooses others.
const first = {
  'forces.csv': ['cd', 'cl', 'cs'], 'cells.csv': ['deformation'], 'ports.csv': ['flow_rate'], 'flow.csv': ['speed', 'speed_held'], 'probes.csv': ['u', 'v', 'w'],
  'bodies.csv': ['vx', 'vy', 'vz'], 'sections.csv': ['flow_rate'], 'suspension.csv': ['relative_viscosity', 'vx'],
}

// unit is that of a column, in the case's own units.
function unit(table, name) {
  const all = {
    'ρU²/2 L^(d−1)': /^(cv_|outer_)?f[xyz]$/, 'ρU²/2 L^d': /^t[xyz]$/, U: /^(u|v|w|speed|speed_held|v[xyz]|tip_v[xyz]|slip_max|slip_granted)$/, L: /^(x|y|z|s|r|tip_[xyz]|gap|gap_min|extent_[xyz]|recirculation|cell_free_layer)$/,
    'ρU²': /^p$/, 'U L^(d−1)': /flow_rate/, 'U/L': /^(spin|w[xyz])$/, rad: /^(angle|tread|inclination)$/, 'U²/L': /body_force/, 'ρ₀': /^rho$/,
  }
  if (table === 'probes.csv' && name === 'w') return 'U'
  for (const [u, pattern] of Object.entries(all)) if (pattern.test(name)) return u
  return '1'
}

export class Charts {
  constructor() {
    this.chosen = {} // columns by table
    this.tables = []
    get('table').addEventListener('change', () => this.fit())
    get('of').addEventListener('change', () => this.anew())
    get('span').addEventListener('change', () => this.draw())
    get('si').addEventListener('change', () => this.make())
    new ResizeObserver(() => this.plot?.setSize({ width: this.width(), height: this.height() })).observe(get('chart'))
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.make())
  }

  // begin forgets the run before.
  begin(head) {
    this.head = head
    this.tables = []
    get('si-label').hidden = !Object.keys(head.SI ?? {}).length
    get('table').replaceChildren()
    this.anew()
    this.empty()
  }

  // empty says honestly that there is nothing.
  empty() {
    const h = this.head
    get('charts').classList.toggle('none', !this.tables.length)
    if (this.tables.length) return
    get('charts-text').textContent = !h ? '' : h.Bodies || h.Elastic ? 'No rows yet.' : 'No body: no forces. Probes and sections of the case would be drawn here.'
  }

  // update takes what tables there are, and fetches new rows of the one that is shown.
  update(tables) {
    tables = (tables ?? []).toSorted((a, b) => rank(a.Name) - rank(b.Name))
    const known = this.tables.map(t => t.Name + t.Of.join('\n')).join()
    this.tables = tables
    this.empty()
    if (tables.length && known !== tables.map(t => t.Name + t.Of.join('\n')).join()) {
      const kept = get('table').value
      get('table').replaceChildren(...tables.map(t => new Option(names[t.Name] ?? t.Name.replace(/\.csv$/, ''), t.Name)))
      get('table').value = tables.some(t => t.Name === kept) ? kept : tables[0].Name
      this.fit()
    } else this.fetch()
  }

  table() { return this.tables.find(t => t.Name === get('table').value) }

  // fit has the controls fit the table.
  fit() {
    const t = this.table()
    if (!t) return
    const kept = get('of').value
    get('of').replaceChildren(...t.Of.map(o => new Option(o, o)))
    if (t.Of.includes(kept)) get('of').value = kept
    get('of-label').hidden = t.Of.length === 1 && t.Of[0] === ''
    this.chosen[t.Name] ??= (first[t.Name] ?? []).filter(c => t.Columns.includes(c))
    if (!this.chosen[t.Name].length) this.chosen[t.Name] = t.Columns.slice(0, 1)
    get('columns').replaceChildren(get('columns').querySelector('legend'), ...t.Columns.map(name => {
      const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: this.chosen[t.Name].includes(name) })
      box.addEventListener('change', () => {
        const now = this.chosen[t.Name].filter(c => c !== name)
        if (box.checked) now.push(name)
        if (!now.length || now.length > mostColumns) { box.checked = !box.checked; return }
        this.chosen[t.Name] = t.Columns.filter(c => now.includes(c))
        this.anew()
      })
      return element('label', null, box, ' ' + name)
    }))
    this.anew()
  }

  // anew fetches all rows.
  anew() {
    this.data = null
    this.plot?.destroy()
    this.plot = null
    if (this.table()) this.fetch()
  }

  async fetch() {
    const t = this.table()
    if (!t || this.fetching) return
    this.fetching = true
    const columns = this.chosen[t.Name], counted = t.Columns.includes('number'), of = get('of').value, data = this.data
    try {
      const got = await ask('series', { table: t.Name, of, column: counted ? [...new Set([...columns, 'number'])] : columns, from: data?.t.length ?? 0, mark: data?.mark ?? '' })
      if (got && data === this.data && t.Name === get('table').value && of === get('of').value) {
        const anew = !data || got.head.From === 0
        const join = (old, name) => anew ? Array.from(got.arrays[name]) : old.concat(Array.from(got.arrays[name]))
        this.data = { mark: got.head.Mark, t: join(data?.t, 't'), columns, values: columns.map((c, i) => join(data?.values[i], c)), numbers: counted ? join(data?.numbers, 'number') : null, table: t.Name, every: got.head.Every }
        this.draw()
      }
    } catch { /* the next news bring it */ } finally {
      this.fetching = false
    }
    if (this.data === null && this.table()) setTimeout(() => this.fetch(), 100) // the choice changed meanwhile
  }

  // measured is a column's factor and unit, as the reader wants it.
  measured(name) {
    const si = get('si').checked && this.head.SI?.[this.data.table]?.[name]
    return si ? [si.Factor, si.Unit] : [1, name === 't' ? 'L/U' : unit(this.data.table, name)]
  }

  width() { return get('chart').clientWidth }
  height() { return Math.max(220, Math.min(380, this.width() * 0.7)) }

  // draw shows the rows of the span that is asked for.
  draw() {
    const d = this.data
    if (!d || !d.t.length) return
    if (!this.plot) this.make()
    const end = d.t[d.t.length - 1], from = end - (end - d.t[0]) * Number(get('span').value)
    let k = d.t.findIndex(t => t >= from)
    if (k < 0) k = 0
    const lines = broken(d.t.slice(k), d.values.map(v => v.slice(k)), d.numbers?.slice(k)), [toTime, timeUnit] = this.measured('t')
    this.plot.setData([scaled(lines.t, toTime), ...lines.values.map((v, i) => scaled(v, this.measured(d.columns[i])[0]))])
    const si = get('si').checked
    const last = d.columns.map((c, i) => { const [factor, unit] = this.measured(c); return `${c} ${number(factor * d.values[i].at(-1))}${si && unit !== '1' ? ' ' + unit : ''}` }).join(', ')
    get('charts-text').textContent = `At t = ${number(toTime * end)} ${timeUnit}: ${last}.` + (lines.lives > 1 ? ` ${lines.lives} have entered under this name, one after the other: each has a line of its own.` : '') + (d.every > 1 ? ` Every ${d.every}th row is drawn.` : '') + (this.table()?.More ? ' There are more than can be listed.' : '')
  }

  make() {
    const d = this.data
    if (!d) return
    this.plot?.destroy()
    const axis = { stroke: colour('soft'), grid: { stroke: colour('rule'), width: 1 }, ticks: { stroke: colour('rule'), width: 1 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif', labelSize: 20 }
    const units = [...new Set(d.columns.map(c => this.measured(c)[1]))]
    const label = units.length === 1 ? `${d.columns.join(', ')} [${units[0]}]` : d.columns.map(c => `${c} [${this.measured(c)[1]}]`).join(', ')
    this.plot = new uPlot({
      width: this.width(), height: this.height(), scales: { x: { time: false } }, cursor: { drag: { x: true, y: false } },
      series: [{ label: 't' }, ...d.columns.map((c, i) => ({ label: c, stroke: colour(`line${i % 6 + 1}`), width: 1.5, points: { show: d.t.length < 3 }, value: (_, v) => number(v) }))],
      axes: [{ ...axis, label: `t [${this.measured('t')[1]}]` }, { ...axis, label, size: 62, values: (_, all) => all.map(v => number(v, 3)) }],
    }, [[], ...d.columns.map(() => [])], get('chart'))
    this.draw()
  }
}

function rank(name) {
  const k = order.indexOf(name)
  return k < 0 ? order.length : k
}
