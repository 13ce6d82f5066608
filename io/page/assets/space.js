// Bodies and walls in space, drawn by three.js.

import * as three from './third_party/three-0.185.0/three.module.min.js'
import { ask, sleep } from './net.js'
import { at } from './colours.js'
import { colour } from './text.js'

const get = id => document.getElementById(id)
const usual = 'Drag or arrow keys turn, wheel or + and − zoom.'
const least_interval = 500 // ms between places of bodies

export class Space {
  constructor(head, picture) {
    this.head = head
    this.picture = picture
    this.low = new three.Vector3(...head.Low)
    this.high = new three.Vector3(...head.High)
    this.center = this.low.clone().add(this.high).multiplyScalar(0.5)
    this.size = this.high.distanceTo(this.low)
    this.renderer = new three.WebGLRenderer({ antialias: true, alpha: true })
    this.stage = get('stage')
    this.stage.replaceChildren(this.renderer.domElement)
    this.scene = new three.Scene()
    this.camera = new three.PerspectiveCamera(35, 2, this.size / 1000, this.size * 20)
    this.camera.up.set(0, 1, 0)
    const light = new three.DirectionalLight(0xffffff, 2.2)
    this.light = light
    this.scene.add(light, new three.HemisphereLight(0xffffff, 0x777788, 1.3))
    this.walls = new three.Group()
    this.grids = new three.Group()
    this.movers = [] // of rigid bodies: what moves, and which number of the places it takes
    this.surfaces = [] // of which the picture shows sections
    this.scene.add(this.walls, this.grids)
    this.addDomain()
    this.listen()
    this.turn(-0.6, 0.45, 1)
    this.run()
    picture.sections = f => this.sections(f)
    if (picture.frame) this.setPlane(picture)
  }

  close() {
    this.closed = true
    this.off.abort()
    this.resized.disconnect()
    this.picture.sections = () => []
    this.scene.traverse(o => { o.geometry?.dispose(); o.material?.map?.dispose(); o.material?.dispose() })
    this.renderer.dispose()
    this.stage.replaceChildren()
  }

  end() { this.ended = true }

  // addDomain draws the edges of the domain and of its grids.
  addDomain() {
    const edges = (low, high, hue) => {
      const box = new three.BoxGeometry(...high.map((h, a) => h - low[a]))
      const lines = new three.LineSegments(new three.EdgesGeometry(box), new three.LineBasicMaterial({ color: hue }))
      lines.position.set(...low.map((l, a) => (l + high[a]) / 2))
      return lines
    }
    this.domain = edges(this.head.Low, this.head.High, colour('soft'))
    this.scene.add(this.domain)
    for (const g of this.head.Grids ?? []) this.grids.add(edges(g.Low, g.High, colour(`line${g.Level % 6 + 1}`)))
  }

  // follow moves the edges of a domain that goes along with a body, and what the camera looks at, by a way in L.
  follow(by) {
    const way = new three.Vector3(...by)
    for (const v of [this.low, this.high, this.center, this.domain.position]) v.add(way)
    this.look() // the size of the canvas stays: to set it would clear it
  }

  listen() {
    this.off = new AbortController()
    const signal = { signal: this.off.signal }, stage = this.stage
    let from = null
    stage.addEventListener('pointerdown', e => { from = [e.clientX, e.clientY]; stage.setPointerCapture(e.pointerId) }, signal)
    stage.addEventListener('pointerup', () => { from = null }, signal)
    stage.addEventListener('pointermove', e => {
      if (!from) return
      this.turn(this.azimuth - (e.clientX - from[0]) * 0.01, this.polar + (e.clientY - from[1]) * 0.01, this.zoom)
      from = [e.clientX, e.clientY]
    }, signal)
    stage.addEventListener('wheel', e => { e.preventDefault(); this.turn(this.azimuth, this.polar, this.zoom * Math.exp(e.deltaY * 0.001)) }, { ...signal, passive: false })
    stage.addEventListener('keydown', e => {
      const [a, p, z] = { ArrowLeft: [0.1, 0, 1], ArrowRight: [-0.1, 0, 1], ArrowUp: [0, 0.1, 1], ArrowDown: [0, -0.1, 1], '+': [0, 0, 0.9], '-': [0, 0, 1.1] }[e.key] ?? []
      if (a === undefined) return
      e.preventDefault()
      this.turn(this.azimuth + a, this.polar + p, this.zoom * z)
    }, signal)
    for (const [id, a, p] of [['view-front', 0, 0], ['view-side', Math.PI / 2, 0], ['view-top', 0, 1.57], ['view-slant', -0.6, 0.45]]) get(id).addEventListener('click', () => this.turn(a, p, 1), signal)
    for (const id of ['show-walls', 'show-grids', 'show-plane']) get(id).addEventListener('change', () => this.draw(), signal)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw(), signal)
    this.resized = new ResizeObserver(() => this.fit())
    this.resized.observe(stage)
  }

  // turn puts the camera at angles about the middle of the domain, in radians, at a distance.
  turn(azimuth, polar, zoom) {
    this.azimuth = azimuth
    this.polar = Math.min(1.57, Math.max(-1.57, polar))
    this.zoom = Math.min(4, Math.max(0.05, zoom))
    this.fit()
  }

  fit() {
    const { clientWidth: w, clientHeight: h } = this.stage
    if (!w || !h) return
    const size = [w, h, Math.min(2, devicePixelRatio)].join()
    if (size === this.fitted) { this.look(); return }
    this.fitted = size
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio))
    this.renderer.setSize(w, h)
    this.camera.aspect = w / h
    this.look()
    this.render() // at once: the canvas is empty now
  }

  // look puts the camera and its light where they see the domain from the angles that were asked for.
  look() {
    const far = this.zoom * this.size * 0.5 / Math.tan(this.camera.fov * Math.PI / 360) / Math.min(1, Math.max(0.7, this.camera.aspect * 0.8))
    const level = Math.cos(this.polar)
    const d = new three.Vector3(Math.sin(this.azimuth) * level, Math.sin(this.polar), Math.cos(this.azimuth) * level).multiplyScalar(far)
    this.camera.position.copy(this.center).add(d)
    this.camera.lookAt(this.center)
    this.camera.updateProjectionMatrix()
    this.light.position.copy(this.center).add(d).add(new three.Vector3(-far * 0.4, far * 0.6, 0))
    this.light.target.position.copy(this.center)
    this.light.target.updateMatrixWorld()
    this.draw()
  }

  draw() {
    if (this.closed || this.waiting) return
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0
      if (!this.closed) this.render()
    })
  }

  render() {
    this.walls.visible = get('show-walls').checked
    this.grids.visible = get('show-grids').checked
    if (this.plane) this.plane.visible = get('show-plane').checked
    this.renderer.render(this.scene, this.camera)
  }

  // run fetches what bodies look like, and then where they are.
  async run() {
    let scene = null
    while (!scene && !this.closed && !this.ended) {
      try { scene = await ask('scene') } catch { /* there may be no connection for a while */ }
      if (!scene) await sleep(500)
    }
    if (!scene || this.closed) return
    this.build(scene)
    if (scene.arrays.rigid) this.move(scene)
    while (!this.closed && !this.ended && (this.movers.length || this.elastic)) {
      const begun = Date.now()
      if (!document.hidden) {
        try {
          const got = await ask('bodies')
          if (got && !this.closed) this.move(got)
        } catch {
          await sleep(1000)
        }
      }
      await sleep(Math.max(100, least_interval - (Date.now() - begun)))
    }
  }

  build({ head, arrays }) {
    const geometry = s => {
      const g = new three.BufferGeometry()
      g.setAttribute('position', new three.BufferAttribute(arrays[s.Points], 3))
      if (arrays[s.Triangles].length) {
        g.setIndex(new three.BufferAttribute(arrays[s.Triangles], 1))
        g.computeVertexNormals()
      }
      return g
    }
    const solid = hue => new three.MeshStandardMaterial({ color: hue, roughness: 0.65, metalness: 0.05, side: three.DoubleSide })
    for (const s of head.Rigid ?? []) {
      const g = geometry(s)
      const o = s.Copies ? new three.InstancedMesh(g, solid(colour('line2')), s.Copies)
        : g.index ? new three.Mesh(g, solid(colour('line2'))) : new three.Points(g, new three.PointsMaterial({ color: colour('line2'), size: this.size / 200 }))
      o.frustumCulled = !s.Copies
      o.matrixAutoUpdate = s.Moves < 0
      if (s.Moves >= 0) {
        o.visible = false // until it is known where it is
        this.movers.push({ o, from: s.Moves, copies: s.Copies })
      }
      this.scene.add(o)
      this.surfaces.push(o)
    }
    for (const s of head.Walls ?? []) {
      const material = new three.MeshStandardMaterial({ color: colour('line1'), transparent: true, opacity: 0.22, side: three.DoubleSide, depthWrite: false, roughness: 0.8 })
      const o = new three.Mesh(geometry(s), material)
      this.walls.add(o)
      this.surfaces.push(o)
    }
    if (head.Elastic) this.buildElastic(head.Elastic, arrays)
    const empty = !head.Rigid?.length && !head.Walls?.length && !head.Elastic
    get('space-text').textContent = [usual, empty ? 'There is no body, and no wall inside the domain.' : '', head.Elastic ? 'Elastic bodies are coloured by their tension.' : '', head.Note].filter(Boolean).join(' ')
    this.draw()
    this.picture.draw()
  }

  buildElastic(points, arrays) {
    const place = new three.BufferAttribute(new Float32Array(3 * points), 3), hue = new three.BufferAttribute(new Float32Array(3 * points).fill(0.5), 3)
    this.elastic = { place, hue, all: [] }
    const add = (index, o) => {
      if (!index.length) return
      o.geometry.setAttribute('position', place)
      o.geometry.setAttribute('color', hue)
      o.geometry.setIndex(new three.BufferAttribute(index, 1))
      o.frustumCulled = false
      this.scene.add(o)
      this.elastic.all.push(o)
      this.surfaces.push(o)
    }
    add(arrays.triangles, new three.Mesh(new three.BufferGeometry(), new three.MeshStandardMaterial({ vertexColors: true, roughness: 0.6, side: three.DoubleSide })))
    add(arrays.lines, new three.LineSegments(new three.BufferGeometry(), new three.LineBasicMaterial({ vertexColors: true })))
  }

  // move puts bodies where they are.
  move({ arrays: { rigid, elastic, tension } }) {
    const place = new three.Matrix4()
    for (const { o, from, copies } of this.movers) {
      if (rigid.length < 12 * (from + Math.max(1, copies))) continue
      for (let k = 0; k < Math.max(1, copies); k++) {
        const m = rigid.subarray(12 * (from + k), 12 * (from + k) + 12)
        place.set(m[3], m[4], m[5], m[0], m[6], m[7], m[8], m[1], m[9], m[10], m[11], m[2], 0, 0, 0, 1)
        if (copies) o.setMatrixAt(k, place)
        else o.matrix.copy(place)
      }
      if (copies) o.instanceMatrix.needsUpdate = true
      o.matrixWorldNeedsUpdate = o.visible = true
    }
    const e = this.elastic
    if (e && elastic.length === e.place.array.length) {
      e.place.array.set(elastic)
      e.place.needsUpdate = true
      let low = Infinity, high = -Infinity
      for (const t of tension) { low = Math.min(low, t); high = Math.max(high, t) }
      for (let i = 0; i < tension.length; i++) e.hue.array.set(at((tension[i] - low) / (high - low || 1)), 3 * i)
      e.hue.needsUpdate = true
      for (const o of e.all) if (o.isMesh) o.geometry.computeVertexNormals()
    }
    this.scene.updateMatrixWorld()
    this.draw()
    this.picture.draw()
  }

  // setPlane shows the picture where its plane is.
  setPlane(picture) {
    const f = picture.frame
    if (!this.plane) {
      this.texture = new three.CanvasTexture(picture.raster)
      this.plane = new three.Mesh(new three.BufferGeometry(), new three.MeshBasicMaterial({ map: this.texture, side: three.DoubleSide, transparent: true, opacity: 0.9 }))
      this.scene.add(this.plane)
    }
    const image = picture.raster
    if (this.texture.image.width !== this.shownSize?.[0] || image.height !== this.shownSize?.[1]) { // a texture keeps its size
      this.texture.dispose()
      this.texture = new three.CanvasTexture(image)
      this.texture.colorSpace = three.SRGBColorSpace
      this.plane.material.map = this.texture
      this.shownSize = [image.width, image.height]
    }
    const across = 3 - f.Axes[0] - f.Axes[1]
    const corner = (x, y) => { const p = [0, 0, 0]; p[f.Axes[0]] = x; p[f.Axes[1]] = y; p[across] = f.At; return p }
    const g = this.plane.geometry
    g.setAttribute('position', new three.Float32BufferAttribute([corner(f.Low[0], f.Low[1]), corner(f.High[0], f.Low[1]), corner(f.High[0], f.High[1]), corner(f.Low[0], f.High[1])].flat(), 3))
    g.setAttribute('uv', new three.Float32BufferAttribute([0, 0, 1, 0, 1, 1, 0, 1], 2))
    g.setIndex([0, 1, 2, 0, 2, 3])
    g.computeBoundingSphere()
    this.texture.needsUpdate = true
    this.draw()
  }

  // sections are where surfaces cut the plane of a picture: [x1, y1, x2, y2] each.
  sections(f) {
    const out = [], place = new three.Matrix4()
    for (const o of this.surfaces) {
      if (!o.isMesh || !o.visible) continue
      o.updateWorldMatrix(true, false)
      if (!o.isInstancedMesh) this.cut(f, o.geometry, o.matrixWorld, out)
      else for (let k = 0; k < o.count; k++) { o.getMatrixAt(k, place); this.cut(f, o.geometry, place, out) }
    }
    return out
  }

  // cut adds where one surface, moved by a matrix, cuts the plane.
  cut(f, geometry, matrix, out) {
    const [a, b] = f.Axes, across = 3 - a - b, { p, ball } = this.room ??= { p: [new three.Vector3(), new three.Vector3(), new three.Vector3()], ball: new three.Sphere() }
    const index = geometry.index.array, place = geometry.attributes.position
    if (place.array !== this.elastic?.place.array) { // whose extent changes
      if (!geometry.boundingSphere) geometry.computeBoundingSphere()
      ball.copy(geometry.boundingSphere).applyMatrix4(matrix)
      if (Math.abs(ball.center.getComponent(across) - f.At) > ball.radius) return
    }
    for (let t = 0; t < index.length; t += 3) {
      for (let k = 0; k < 3; k++) p[k].fromBufferAttribute(place, index[t + k]).applyMatrix4(matrix)
      const s = p.map(x => x.getComponent(across) - f.At)
      if ((s[0] > 0) === (s[1] > 0) && (s[1] > 0) === (s[2] > 0)) continue
      const ends = []
      for (let k = 0; k < 3; k++) {
        const n = (k + 1) % 3
        if ((s[k] > 0) === (s[n] > 0)) continue
        const w = s[k] / (s[k] - s[n])
        for (const i of [a, b]) ends.push(p[k].getComponent(i) + w * (p[n].getComponent(i) - p[k].getComponent(i)))
      }
      if (ends.length === 4) out.push(ends)
    }
  }
}
