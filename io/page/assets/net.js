// What the server is asked, and how numbers come from it.

// unpack reads a JSON head and the numbers behind it: see pack.go.
export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)))
  const types = { u1: Uint8Array, u4: Uint32Array, f4: Float32Array }
  const arrays = {}
  for (const a of head.Arrays ?? []) arrays[a.Name] = new types[a.Type](buffer, 4 + length + a.Offset, a.Length)
  return { head, arrays }
}

// ask fetches packed numbers: null where there is nothing now, and an error with its status where there is none to be had.
export async function ask(path, parameters = {}, signal) {
  const url = new URL(path, document.baseURI)
  for (const [name, value] of Object.entries(parameters)) for (const v of [value].flat()) url.searchParams.append(name, v)
  const answer = await fetch(url, { signal, cache: 'no-store' })
  if (answer.status === 204) return null
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status })
  return unpack(await answer.arrayBuffer())
}

// press presses a button, and tells what comes of it in words.
export async function press(button) {
  const answer = await fetch(button, { method: 'POST', cache: 'no-store' })
  return answer.ok ? (await answer.json()).text : (await answer.text()).trim()
}

export const sleep = ms => new Promise(done => setTimeout(done, ms))
