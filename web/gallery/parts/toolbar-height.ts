/** Returns how much of the window the tools cover at the top, with the bar above them, in pixels. */
export function getToolbarHeight(): number {
  const tools = document.getElementById('tools')
  return tools ? tools.offsetHeight + (Number.parseFloat(getComputedStyle(tools).top) || 0) : 0
}
