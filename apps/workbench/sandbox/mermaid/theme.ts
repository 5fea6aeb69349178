import type { DiagramTheme } from '@vitrine/react'

/** The font of the page is not in the sandbox: it is taken from the device, or one of the device that looks like it. */
const FONT =
  'Inter, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "PingFang SC", "Hiragino Sans GB", ' +
  '"Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans Arabic", system-ui, sans-serif'

/** Our tokens by the names that the library has for them. */
export function themeVariables({ dark, colours }: DiagramTheme): Record<string, string | boolean> {
  const { surface, plate, sunken, text, accent, danger } = colours
  const soft = colours['text-2']
  const line = colours['text-3']
  const edge = colours['border-control']
  const series = [1, 2, 3, 4, 5, 6].map(place => colours[`data-${place as 1 | 2 | 3 | 4 | 5 | 6}`])
  const onSeries = dark ? '#101318' : '#ffffff'
  const scale = Object.fromEntries(
    Array.from({ length: 12 }, (_, place) => {
      const colour = series[place % series.length]!
      return [
        [`cScale${place}`, colour],
        [`cScaleLabel${place}`, onSeries],
        [`cScalePeer${place}`, colour],
        [`pie${place + 1}`, colour],
        [`git${place}`, colour],
        [`gitBranchLabel${place}`, onSeries],
      ]
    }).flat(),
  )
  return {
    ...scale,
    darkMode: dark,
    background: surface,
    fontFamily: FONT,
    fontSize: '14px',
    primaryColor: plate,
    primaryTextColor: text,
    primaryBorderColor: edge,
    secondaryColor: sunken,
    secondaryTextColor: text,
    secondaryBorderColor: edge,
    tertiaryColor: sunken,
    tertiaryTextColor: text,
    tertiaryBorderColor: edge,
    mainBkg: plate,
    nodeBorder: edge,
    nodeTextColor: text,
    textColor: text,
    titleColor: text,
    lineColor: line,
    arrowheadColor: line,
    edgeLabelBackground: surface,
    clusterBkg: sunken,
    clusterBorder: edge,
    noteBkgColor: sunken,
    noteTextColor: text,
    noteBorderColor: edge,
    actorBkg: plate,
    actorBorder: edge,
    actorTextColor: text,
    actorLineColor: line,
    signalColor: soft,
    signalTextColor: text,
    labelBoxBkgColor: sunken,
    labelBoxBorderColor: edge,
    labelTextColor: text,
    loopTextColor: text,
    activationBkgColor: colours['accent-soft'],
    activationBorderColor: accent,
    sequenceNumberColor: onSeries,
    sectionBkgColor: sunken,
    altSectionBkgColor: surface,
    gridColor: edge,
    taskBkgColor: series[0]!,
    taskBorderColor: series[0]!,
    taskTextColor: onSeries,
    taskTextLightColor: onSeries,
    taskTextDarkColor: text,
    taskTextOutsideColor: text,
    activeTaskBkgColor: accent,
    activeTaskBorderColor: accent,
    doneTaskBkgColor: edge,
    doneTaskBorderColor: edge,
    critBkgColor: danger,
    critBorderColor: danger,
    todayLineColor: danger,
    pieTitleTextColor: text,
    pieSectionTextColor: onSeries,
    pieLegendTextColor: text,
    pieStrokeColor: surface,
    pieOuterStrokeColor: surface,
    pieOpacity: '1',
    commitLabelColor: text,
    commitLabelBackground: sunken,
    tagLabelColor: text,
    tagLabelBackground: sunken,
    tagLabelBorder: edge,
    attributeBackgroundColorOdd: surface,
    attributeBackgroundColorEven: sunken,
    errorBkgColor: surface,
    errorTextColor: danger,
  }
}
