// The page: listens to the server's events and shows what they tell.

import { Picture } from './slice.js'
import { Charts } from './charts.js'
import { press } from './net.js'
import { duration, element, grouped, number } from './text.js'

const get = id => document.getElementById(id)
const kinds = { done: 'good', steady: 'good', stopped: 'fair', interrupted: 'fair', diverged: 'bad', failed: 'bad', running: 'busy', waiting: '', ok: 'good', caution: 'fair', unsafe: 'bad' }
const whys = { done: 'done', steady: 'steady', stopped: 'stopped before its time', interrupted: 'interrupted, with a checkpoint', diverged: 'diverged', failed: 'failed' }

let head = null, ended = null, space = null
const picture = new Picture(p => space?.setPlane(p))
const charts = new Charts()

const events = new EventSource('events')
const on = (name, do_) => events.addEventListener(name, e => do_(JSON.parse(e.data)))

events.onopen = () => { get('connection').hidden = true }
events.onerror = () => {
  if (ended) {
    events.close()
    get('ending-stays').textContent = 'The program has ended. What this page shows stays until it is closed.'
    return
  }
  get('connection').hidden = false
  get('connection').textContent = 'There is no connection to the run. If it has ended, so has this page; else it comes back by itself.'
}

on('head', h => {
  head = h
  ended = null
  document.title = `${h.Title || h.Case} · lbmib`
  get('title').textContent = h.Title || h.Case
  get('text').textContent = h.Text
  status('running')
  for (const id of ['ending', 'report']) get(id).hidden = true
  get('report').removeAttribute('src')
  for (const id of ['checkpoint', 'stop']) get(id).disabled = false
  get('stop').hidden = false
  get('sure').hidden = true
  get('pressed').textContent = ''
  showCheck(h)
  charts.begin(h)
  picture.begin(h)
  showSpace(h)
})

on('progress', p => {
  if (!head) return
  const part = head.Steps ? p.Step / head.Steps : 0
  get('bar').value = part
  const steady = head.Steady ? fact('steadiness |∂u/∂t|', number(p.Steadiness, 2), `U²/L; the run ends below ${number(head.Steady, 2)}`) : fact('steadiness', '–', 'not asked for (run.stop_when)')
  get('facts').replaceChildren(
    fact('done', `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`, `step ${grouped(p.Step)} of ${grouped(head.Steps)}`),
    fact('time', number(p.Time), `of ${number(head.Time)} L/U`),
    fact('left', duration(p.Left), 'at this rate'),
    fact('speed', `${number(p.MFLUPS, 3)} MFLUPS`, `${number(p.Rate, 3)} steps/s, with outputs`),
    fact('largest Mach number', number(p.Mach, 2), p.Mach === null ? 'at the first look at all nodes' : judge(p.Mach, 0.3, 'of any node so far')),
    fact('largest density deviation', p.Deviation === null ? '–' : `${number(100 * p.Deviation, 2)} %`, 'of any node so far'),
    steady,
  )
  if (get('sweep-running') && !ended) get('sweep-running').textContent = `running, ${Math.floor(100 * part)} %`
  if (!ended) document.title = `${Math.floor(100 * part)} % · ${head.Title || head.Case} · lbmib`
  charts.update(p.Tables)
  follow(p.Low)
})

// follow goes along with a domain that follows a body: its lower corner is there now.
function follow(low) {
  const by = low.map((x, a) => x - head.Low[a])
  if (!by.some(x => x)) return
  for (const to of [head.Low, head.High, head.At]) by.forEach((x, a) => { to[a] += x })
  picture.follow(by)
  space?.follow(by)
}

on('note', n => get('note').replaceChildren(...n.Texts.toReversed().map(text => element('li', text))))

on('sweep', s => {
  get('sweep').hidden = false
  get('sweep-title').textContent = `Runs of the sweep ${s.Title}: ${s.Runs.filter(r => r.State !== 'waiting' && r.State !== 'running').length} of ${s.Runs.length} have ended`
  get('sweep-rows').replaceChildren(...s.Runs.map((r, i) => {
    const state = element('span', r.State)
    state.className = kinds[r.State] ?? ''
    if (r.State === 'running') state.id = 'sweep-running'
    const results = element('ul', null, ...(r.Results ?? []).map(f => element('li', null, f.Name + ' ', element('b', f.Value))))
    const last = element('td', null, results)
    if (r.Note) last.append(element('p', r.Note))
    const name = element('th', r.Report ? null : r.Name)
    name.scope = 'row'
    if (r.Report) name.append(Object.assign(element('a', r.Name), { href: `report?run=${i}`, target: '_blank', rel: 'noopener' }))
    return element('tr', null, name, element('td', null, state), last)
  }))
})

on('end', e => {
  ended = e
  status(e.Status)
  document.title = `${whys[e.Status] ?? e.Status} · ${head?.Title || head?.Case || 'run'} · lbmib`
  picture.end()
  space?.end()
  charts.update(e.Tables)
  for (const id of ['checkpoint', 'stop']) get(id).disabled = true
  get('stop').hidden = false
  get('sure').hidden = true
  get('ending').hidden = false
  get('ending-title').textContent = `The run has ended: ${whys[e.Status] ?? e.Status}`
  get('ending-text').hidden = !e.Text
  get('ending-text').textContent = e.Text
  get('ending-where').textContent = e.Report ? `The report below is ${e.Report}.` : 'The run has left no report.'
  if (e.Report) {
    get('report').hidden = false
    get('report').src = 'report'
  }
})

// The program says how long it stays. Where it goes at once, the page tells it when it has what it shows.
on('leave', l => {
  get('ending-stays').textContent = l.Now ? 'The program ends now.' : `The program stays while this page is open, ${l.Minutes} minutes at most; Ctrl-C in its terminal ends it at once.`
  if (!l.Now) return
  const go = () => events.close()
  if (!ended?.Report || get('report').hidden) go()
  else {
    get('report').addEventListener('load', go, { once: true })
    setTimeout(go, 2500)
  }
})

get('checkpoint').addEventListener('click', async () => { get('pressed').textContent = await pressed('checkpoint') })
get('stop').addEventListener('click', () => { sure(true); get('stop-no').focus() })
get('stop-no').addEventListener('click', () => { sure(false); get('stop').focus() })
get('stop-yes').addEventListener('click', async () => {
  sure(false)
  get('stop').disabled = get('checkpoint').disabled = true
  get('pressed').textContent = await pressed('stop')
})

function sure(asked) {
  get('sure').hidden = !asked
  get('stop').hidden = asked
}

async function pressed(button) {
  try { return await press(button) } catch { return 'The run cannot be reached.' }
}

function status(word) {
  get('status').textContent = word
  get('status').className = 'pill ' + (kinds[word] ?? '')
}

function fact(name, value, note) {
  return element('div', null, element('dt', name), element('dd', null, element('b', value), element('span', note)))
}

const judge = (v, most, note) => v > most ? `${note}: above ${most}, errors grow as Ma²` : note

function showCheck(h) {
  get('check').hidden = false
  get('scales').replaceChildren(...(h.Facts ?? []).map(f => element('div', null, element('dt', f.Name), element('dd', f.Value))))
  const worst = v => v.Verdict === 'unsafe' ? 0 : 1
  get('verdicts').replaceChildren(...(h.Verdicts ?? []).toSorted((a, b) => worst(a) - worst(b)).map(v => {
    const item = element('li', null, element('b', v.Verdict), element('span', v.Text))
    item.className = kinds[v.Verdict] ?? ''
    return item
  }))
  if (!h.Verdicts?.length) {
    const item = element('li', null, element('b', 'ok'), element('span', 'the check of the case found nothing to change'))
    item.className = 'good'
    get('verdicts').append(item)
  }
}

// showSpace shows bodies in space, where there is space.
async function showSpace(h) {
  space?.close()
  space = null
  get('space').hidden = h.Dim !== 3
  if (h.Dim !== 3) return
  try {
    const { Space } = await import('./space.js')
    if (head !== h) return
    space = new Space(h, picture)
    if (ended) space.end()
  } catch (error) {
    get('space-text').textContent = `This browser does not draw in space (WebGL 2 is needed): ${error.message}`
  }
}
