// The picture: a quantity on a plane, with axes, outlines of bodies and grids, and a scale of colours.

import { ask, sleep } from './net.js'
import { least, lost, most, table, wall } from './colours.js'
import { colour, number, place, ticks } from './text.js'

const axisNames = 'xyz'
const least_interval = 500 // ms between pictures
const get = id => document.getElementById(id)

export class Picture {
  constructor(onDrawn) {
    this.onDrawn = onDrawn // is told of every picture
    this.raster = document.createElement('canvas') // points as pixels
    this.sections = () => [] // of surfaces with the plane, in space
    for (const id of ['quantity', 'axis', 'at', 'auto', 'from', 'to', 'live']) get(id).addEventListener('change', () => this.again())
    get('at').addEventListener('input', () => this.placeText())
    get('axis').addEventListener('change', () => this.fitPlace())
    get('auto').addEventListener('change', () => { get('from').disabled = get('to').disabled = get('auto').checked })
    get('grids').addEventListener('change', () => this.draw())
    const canvas = get('slice')
    canvas.addEventListener('pointermove', e => this.point(e.offsetX, e.offsetY))
    canvas.addEventListener('pointerleave', () => { get('slice-value').textContent = '' })
    canvas.addEventListener('keydown', e => this.key(e))
    new ResizeObserver(() => this.draw()).observe(canvas.parentElement)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw())
  }

  // begin shows a run.
  begin(head) {
    this.head = head
    this.frame = null
    this.ended = false
    get('slice-text').textContent = 'No picture yet.'
    const kept = get('quantity').value
    get('quantity').replaceChildren(...head.Quantities.map(q => new Option(`${q.Label} [${q.Unit}]`, q.Name)))
    if (head.Quantities.some(q => q.Name === kept)) get('quantity').value = kept
    get('axis').replaceChildren(...[2, 1, 0].slice(0, head.Dim === 3 ? 3 : 1).map(a => new Option(axisNames[a], a)))
    get('axis-label').hidden = get('at-label').hidden = head.Dim !== 3
    get('grids-label').hidden = !head.Grids?.length
    get('picture').hidden = false
    this.fitPlace()
    this.again()
    if (!this.running) this.run()
  }

  end() {
    this.ended = true
    this.abort?.abort()
    if (!this.frame) get('slice-text').textContent = 'The run ended before a picture was made: the report has those that it leaves.'
    this.draw()
  }

  quantity() { return this.head.Quantities.find(q => q.Name === get('quantity').value) }

  // fitPlace puts the slider where the first body is.
  fitPlace() {
    const a = Number(get('axis').value), at = get('at')
    at.min = this.head.Low[a]
    at.max = this.head.High[a] || this.head.Low[a] + 1
    at.value = this.head.At[a]
    this.placeText()
  }

  // follow moves the place of the picture along with a domain that follows a body, by a way in L.
  follow(by) {
    const a = Number(get('axis').value), at = get('at'), value = Number(at.value) + by[a]
    if (!by[a]) return
    at.min = this.head.Low[a]
    at.max = this.head.High[a]
    at.value = value
    this.placeText()
    this.again()
  }

  placeText() { get('at-text').textContent = `${axisNames[get('axis').value]} = ${place(get('at').value)} L` }

  // again asks anew, by what the controls say now.
  again() { this.abort?.abort() }

  // run asks for one picture after the other: the server makes none that nobody waits for.
  async run() {
    this.running = true
    for (;;) {
      if (!get('live').checked || document.hidden || this.ended || !this.head) { await sleep(250); continue }
      const begun = Date.now()
      this.abort = new AbortController()
      const asked = this.quantity()
      const parameters = { quantity: asked.Name, axis: get('axis').value, at: get('at').value }
      if (asked.Signed) parameters.signed = 1
      if (!get('auto').checked) for (const [id, name] of [['from', 'lo'], ['to', 'hi']]) if (get(id).value !== '') parameters[name] = get(id).value
      try {
        const got = await ask('slice', parameters, this.abort.signal)
        if (got) this.show(got, asked)
      } catch (error) {
        if (error.name === 'AbortError') continue
        await sleep(1000)
      }
      await sleep(Math.max(50, least_interval - (Date.now() - begun)))
    }
  }

  show({ head, arrays }, asked) {
    this.frame = { ...head, values: arrays.values, quantity: asked }
    if (get('auto').checked) for (const [id, v] of [['from', head.From], ['to', head.To]]) get(id).value = Number(v.toPrecision(4))
    this.paint()
    this.draw()
    const [x, y] = head.Axes.map(a => axisNames[a])
    const plane = this.head.Dim === 3 ? ` on ${axisNames[3 - head.Axes[0] - head.Axes[1]]} = ${place(head.At)} L` : ''
    const words = `${asked.Label}${plane}, t = ${number(head.Time)} L/U (step ${head.Step}): ${number(head.Least, 3)} to ${number(head.Most, 3)} ${asked.Unit}` +
      (head.Lost ? `; ${head.Lost} points are lost: the flow diverges` : '') + (head.Every > 1 ? `; every ${head.Every}th node` : '') + '.'
    get('slice-text').textContent = words
    if (get('slice-value').textContent) this.point(...this.pointed) // the value there now
    get('slice').setAttribute('aria-label', `Picture over ${x} and ${y}: ${words}`)
    this.onDrawn?.(this)
  }

  // paint sets the pixels of the raster, the first row at the bottom.
  paint() {
    const f = this.frame
    if (!f) return
    const [nx, ny] = f.Size
    this.raster.width = nx
    this.raster.height = ny
    const context = this.raster.getContext('2d')
    const image = context.createImageData(nx, ny)
    const pixels = new Uint32Array(image.data.buffer)
    const colours = table(f.quantity.Signed)
    for (let j = 0; j < ny; j++) for (let i = 0, from = j * nx, to = (ny - 1 - j) * nx; i < nx; i++) pixels[to + i] = colours[f.values[from + i]]
    context.putImageData(image, 0, 0)
  }

  // draw draws the picture with all around it.
  draw() {
    const f = this.frame, canvas = get('slice')
    if (!this.head) return
    const width = canvas.parentElement.clientWidth - 2 * parseFloat(getComputedStyle(canvas.parentElement).paddingLeft)
    if (!(width > 80)) return
    const margin = { left: 48, right: 70, top: 8, bottom: 38 }
    const low = f?.Low ?? [0, 0], high = f?.High ?? [2, 1]
    let w = width - margin.left - margin.right, h = w * (high[1] - low[1]) / (high[0] - low[0])
    const tallest = Math.max(240, innerHeight * 0.6)
    if (h > tallest) { w *= tallest / h; h = tallest }
    const height = Math.max(h, 60) + margin.top + margin.bottom, fine = devicePixelRatio || 1
    canvas.width = width * fine
    canvas.height = height * fine
    canvas.style.height = height + 'px'
    const c = canvas.getContext('2d')
    c.scale(fine, fine)
    c.font = '12px system-ui, sans-serif'
    c.fillStyle = colour('soft')
    if (!f) { c.fillText(this.ended ? 'no picture' : 'waiting for a picture …', margin.left, margin.top + 20); return }
    const X = x => margin.left + (x - low[0]) / (high[0] - low[0]) * w, Y = y => margin.top + h - (y - low[1]) / (high[1] - low[1]) * h
    this.place = { X, Y, w, h, margin, low, high }
    c.imageSmoothingEnabled = w < f.Size[0]
    c.fillStyle = colour('body')
    c.fillRect(margin.left, margin.top, w, h)
    c.drawImage(this.raster, margin.left, margin.top, w, h)
    c.save()
    c.beginPath()
    c.rect(margin.left, margin.top, w, h)
    c.clip()
    this.drawGrids(c, X, Y)
    this.drawBodies(c, X, Y)
    c.restore()
    this.drawAxes(c, X, Y)
    this.drawScale(c)
  }

  drawGrids(c, X, Y) {
    const f = this.frame
    if (!get('grids').checked) return
    const across = 3 - f.Axes[0] - f.Axes[1]
    c.lineWidth = 1
    for (const g of this.head.Grids ?? []) {
      if (this.head.Dim === 3 && (f.At < g.Low[across] || f.At > g.High[across])) continue
      const [a, b] = f.Axes
      for (const [style, dash] of [['#000a', []], ['#fffc', [4, 4]]]) { // seen on every colour
        c.strokeStyle = style
        c.setLineDash(dash)
        c.strokeRect(X(g.Low[a]), Y(g.High[b]), X(g.High[a]) - X(g.Low[a]), Y(g.Low[b]) - Y(g.High[b]))
      }
    }
    c.setLineDash([])
  }

  drawBodies(c, X, Y) {
    const f = this.frame
    const trace = line => { c.beginPath(); line.forEach(([x, y], k) => k ? c.lineTo(X(x), Y(y)) : c.moveTo(X(x), Y(y))) }
    c.lineWidth = 1.5
    c.strokeStyle = '#111'
    c.fillStyle = colour('body')
    for (const line of f.Outlines ?? []) { trace(line); c.closePath(); c.fill(); c.stroke() }
    for (const line of f.Lines ?? []) { trace(line); c.stroke() }
    if (this.head.Dim !== 3) return
    for (const [style, wide] of [['#fff', 3], ['#111', 1.2]]) {
      c.strokeStyle = style
      c.lineWidth = wide
      c.beginPath()
      for (const [x1, y1, x2, y2] of this.sections(f)) { c.moveTo(X(x1), Y(y1)); c.lineTo(X(x2), Y(y2)) }
      c.stroke()
    }
  }

  drawAxes(c, X, Y) {
    const f = this.frame, { w, h, margin, low, high } = this.place
    c.strokeStyle = colour('soft')
    c.fillStyle = colour('soft')
    c.lineWidth = 1
    c.strokeRect(margin.left, margin.top, w, h)
    c.textAlign = 'center'
    c.textBaseline = 'top'
    for (const t of ticks(low[0], high[0], w / 70)) { line(c, X(t), margin.top + h, X(t), margin.top + h + 4); c.fillText(number(t), X(t), margin.top + h + 6) }
    c.fillText(`${axisNames[f.Axes[0]]} [L]`, margin.left + w / 2, margin.top + h + 22)
    c.textAlign = 'right'
    c.textBaseline = 'middle'
    for (const t of ticks(low[1], high[1], h / 40)) { line(c, margin.left - 4, Y(t), margin.left, Y(t)); c.fillText(number(t), margin.left - 6, Y(t)) }
    c.save()
    c.translate(10, margin.top + h / 2)
    c.rotate(-Math.PI / 2)
    c.textAlign = 'center'
    c.fillText(`${axisNames[f.Axes[1]]} [L]`, 0, 0)
    c.restore()
  }

  drawScale(c) {
    const f = this.frame, { w, h, margin } = this.place
    const colours = new Uint8ClampedArray(table(f.quantity.Signed).buffer)
    const left = margin.left + w + 12
    for (let y = 0; y < h; y++) {
      const b = Math.round(most - y / h * (most - least))
      c.fillStyle = `rgb(${colours[4 * b]}, ${colours[4 * b + 1]}, ${colours[4 * b + 2]})`
      c.fillRect(left, margin.top + y, 12, 1.5)
    }
    c.fillStyle = c.strokeStyle = colour('soft')
    c.strokeRect(left, margin.top, 12, h)
    c.textAlign = 'left'
    c.textBaseline = 'middle'
    for (const t of ticks(f.From, f.To, h / 40)) c.fillText(number(t, 3), left + 16, margin.top + h - (t - f.From) / (f.To - f.From) * h)
    c.textBaseline = 'top'
    c.fillText(`[${f.quantity.Unit}]`, left - 2, margin.top + h + 6)
  }

  // point tells the value under the pointer.
  point(px, py) {
    const f = this.frame, p = this.place
    if (!f || !p) return
    const sx = (px - p.margin.left) / p.w, sy = 1 - (py - p.margin.top) / p.h
    if (sx < 0 || sx >= 1 || sy < 0 || sy >= 1) { get('slice-value').textContent = ''; return }
    const b = f.values[Math.floor(sy * f.Size[1]) * f.Size[0] + Math.floor(sx * f.Size[0])]
    const value = b === wall ? 'wall' : b === lost ? 'lost' : `${number(f.From + (b - least) / (most - least) * (f.To - f.From), 3)} ${f.quantity.Unit}`
    const at = [sx, sy].map((s, i) => place(p.low[i] + s * (p.high[i] - p.low[i])))
    const beyond = b === least && f.Least < f.From || b === most && f.Most > f.To // only a range that cuts values off has any there
    get('slice-value').textContent = `At (${at.join(', ')}): ${value}${beyond ? ' or beyond' : ''}.`
    this.pointed = [px, py]
  }

  // key moves the point whose value is told.
  key(e) {
    const move = { ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, -4], ArrowDown: [0, 4] }[e.key]
    if (!move || !this.place) return
    e.preventDefault()
    const { margin, w, h } = this.place
    const [x, y] = this.pointed ?? [margin.left + w / 2, margin.top + h / 2]
    this.point(x + move[0], y + move[1])
  }
}

function line(c, x1, y1, x2, y2) {
  c.beginPath()
  c.moveTo(x1, y1)
  c.lineTo(x2, y2)
  c.stroke()
}
