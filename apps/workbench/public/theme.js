// Runs before the first paint, so that a chosen theme does not flash in the other one. A file, because the page's
// content policy allows no inline scripts.
try {
  const { dataset } = document.documentElement
  const theme = JSON.parse(localStorage.getItem('vitrine.theme') ?? 'null')
  const contrast = JSON.parse(localStorage.getItem('vitrine.contrast') ?? 'null')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (contrast === 'more' || contrast === 'normal') dataset.contrast = contrast
} catch {
  // Without storage the system decides.
}
