// Colours of values: one scale from dark to light, and one that parts at 0.

// Stops are [red, green, blue] at equal distances. The first follows viridis (Smith & van der Walt, CC0).
const rising = [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]]
const parting = [[5, 48, 97], [33, 102, 172], [67, 147, 195], [146, 197, 222], [209, 229, 240], [247, 247, 247], [253, 219, 199], [244, 165, 130], [214, 96, 77], [178, 24, 43], [103, 0, 31]]

// What a byte stands for that is no value: see raster.go.
export const wall = 0, lost = 1, least = 2, most = 255

function along(stops, share) {
  const x = share * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(x)), w = x - i
  return stops[i].map((c, k) => Math.round(c + (stops[i + 1][k] - c) * w))
}

// table is the colours of all bytes, as 32-bit pixels of a canvas; walls let through what is behind.
export function table(signed) {
  const pixels = new Uint8ClampedArray(256 * 4)
  for (let b = least; b <= most; b++) pixels.set([...along(signed ? parting : rising, (b - least) / (most - least)), 255], 4 * b)
  pixels.set([255, 0, 255, 255], 4 * lost)
  return new Uint32Array(pixels.buffer)
}

// at is the colour of a share of the rising scale, each channel from 0 to 1.
export const at = share => along(rising, Math.min(1, Math.max(0, share))).map(c => c / 255)
