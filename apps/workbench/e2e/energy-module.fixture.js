// The module that draws a catalog, as whoever runs a server writes it: no bundler, no import, the React of the page.

/** @type {import('@vitrine/react/a2ui').A2uiCatalogModule} */
export default function drawEnergy({ React, kit, useA2uiView, useControlState, visibleText }) {
  const h = React.createElement

  // biome-ignore lint/correctness/noComponentHookFactories: the page calls this function once.
  function Gauge({ node }) {
    const { interactions, readOnly } = useA2uiView()
    const { state } = useControlState(node.id)
    const [presses, setPresses] = React.useState(0)
    const label = visibleText(String(node.props.label ?? ''))
    const press = () => {
      setPresses(presses + 1)
      interactions.act(node.id, 'click')
    }
    return h(
      'figure',
      null,
      h('figcaption', null, `${label}: ${node.props.value} K`),
      h('meter', { min: 0, max: 400, value: Number(node.props.value), 'aria-label': label }),
      h(kit.Button, { onClick: press, disabled: readOnly || state === 'sending' }, `Set (${presses})`),
    )
  }

  return {
    components: {
      Gauge,
      Crash() {
        throw new Error('no dial here')
      },
    },
    functions: {
      toKelvin: ({ value }) => Number(value) + 273,
      measure() {
        throw new Error('no thermometer')
      },
    },
  }
}
