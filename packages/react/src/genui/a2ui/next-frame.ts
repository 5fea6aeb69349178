/** Before the next paint, or soon when nobody looks: hidden pages get no frames. */
export function nextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, 100)
  else requestAnimationFrame(run)
}
