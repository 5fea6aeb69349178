import type { MessageKey } from '../i18n/i18n.tsx'
import type { IconData } from '../kit/icon.tsx'
import { FileArchive, FileCode, FileSpreadsheet, FileText, Film, Image, Music } from '../kit/icons.ts'

/** A kind of file, with the word and the icon by which people know it. */
export interface FileKind {
  readonly word: MessageKey
  readonly icon: IconData
}

const kinds: readonly (FileKind & { readonly types: RegExp; readonly ends: RegExp })[] = [
  { word: 'file.image', icon: Image, types: /^image\//, ends: /\.(?:png|jpe?g|gif|webp|avif|bmp|svg|heic|tiff?)$/i },
  { word: 'file.audio', icon: Music, types: /^audio\//, ends: /\.(?:mp3|wav|ogg|flac|m4a|opus)$/i },
  { word: 'file.video', icon: Film, types: /^video\//, ends: /\.(?:mp4|webm|mov|mkv|avi)$/i },
  { word: 'file.pdf', icon: FileText, types: /^application\/pdf$/, ends: /\.pdf$/i },
  { word: 'file.table', icon: FileSpreadsheet, types: /csv|spreadsheet|ms-excel/, ends: /\.(?:csv|tsv|xlsx?|ods)$/i },
  { word: 'file.archive', icon: FileArchive, types: /zip|tar|compressed/, ends: /\.(?:zip|gz|tgz|tar|7z|rar|xz)$/i },
  {
    word: 'file.code',
    icon: FileCode,
    types: /^(?:text\/(?:css|html|javascript|x-)|application\/(?:json|xml|javascript|x-sh))/,
    ends: /\.(?:[cm]?[jt]sx?|json|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|sql|css|html?|xml|ya?ml|toml)$/i,
  },
  { word: 'file.text', icon: FileText, types: /^text\//, ends: /\.(?:txt|md|log|rtf|docx?|odt)$/i },
]

const other: FileKind = { word: 'file.other', icon: FileText }

/** What a file is, by its media type, and by the end of its name where the media type says nothing. */
export function fileKind(mediaType: string, name: string): FileKind {
  const isKnown = mediaType !== '' && mediaType !== 'application/octet-stream'
  const byType = isKnown ? kinds.find(({ types }) => types.test(mediaType)) : undefined
  return byType ?? kinds.find(({ ends }) => ends.test(name)) ?? other
}

/** Whether a file is such a picture by its name, where nothing else of it is known. */
export const isPictureName = (name: string): boolean => /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i.test(name)

/** Pictures that browsers show and that can hold no script. Others are files like any other. */
export const isPicture = (mediaType: string): boolean => /^image\/(?:png|jpeg|gif|webp|avif|bmp)\b/i.test(mediaType)
