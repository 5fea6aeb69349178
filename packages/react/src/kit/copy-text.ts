/** Puts a text into the clipboard, and says whether it is there. A page that came over plain http has no clipboard. */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false)
