import ActivityIcon from 'lucide-react/icons/activity'
import ArrowDownIcon from 'lucide-react/icons/arrow-down'
import ArrowLeftIcon from 'lucide-react/icons/arrow-left'
import ArrowRightIcon from 'lucide-react/icons/arrow-right'
import ArrowUpIcon from 'lucide-react/icons/arrow-up'
import AwardIcon from 'lucide-react/icons/award'
import BedIcon from 'lucide-react/icons/bed'
import BellIcon from 'lucide-react/icons/bell'
import BellOffIcon from 'lucide-react/icons/bell-off'
import BikeIcon from 'lucide-react/icons/bike'
import BookIcon from 'lucide-react/icons/book'
import BookmarkIcon from 'lucide-react/icons/bookmark'
import BriefcaseIcon from 'lucide-react/icons/briefcase'
import BuildingIcon from 'lucide-react/icons/building'
import BusIcon from 'lucide-react/icons/bus'
import CalendarIcon from 'lucide-react/icons/calendar'
import CalendarDaysIcon from 'lucide-react/icons/calendar-days'
import CameraIcon from 'lucide-react/icons/camera'
import CarIcon from 'lucide-react/icons/car'
import ChartColumnIcon from 'lucide-react/icons/chart-column'
import ChartLineIcon from 'lucide-react/icons/chart-line'
import ChartPieIcon from 'lucide-react/icons/chart-pie'
import CheckIcon from 'lucide-react/icons/check'
import ChevronDownIcon from 'lucide-react/icons/chevron-down'
import ChevronLeftIcon from 'lucide-react/icons/chevron-left'
import ChevronRightIcon from 'lucide-react/icons/chevron-right'
import ChevronUpIcon from 'lucide-react/icons/chevron-up'
import CircleAlertIcon from 'lucide-react/icons/circle-alert'
import CircleCheckIcon from 'lucide-react/icons/circle-check'
import CircleQuestionMarkIcon from 'lucide-react/icons/circle-question-mark'
import CircleUserIcon from 'lucide-react/icons/circle-user'
import CircleXIcon from 'lucide-react/icons/circle-x'
import ClockIcon from 'lucide-react/icons/clock'
import CloudIcon from 'lucide-react/icons/cloud'
import CloudRainIcon from 'lucide-react/icons/cloud-rain'
import CodeIcon from 'lucide-react/icons/code'
import CoffeeIcon from 'lucide-react/icons/coffee'
import CopyIcon from 'lucide-react/icons/copy'
import CreditCardIcon from 'lucide-react/icons/credit-card'
import DatabaseIcon from 'lucide-react/icons/database'
import DownloadIcon from 'lucide-react/icons/download'
import DumbbellIcon from 'lucide-react/icons/dumbbell'
import EllipsisIcon from 'lucide-react/icons/ellipsis'
import EllipsisVerticalIcon from 'lucide-react/icons/ellipsis-vertical'
import ExternalLinkIcon from 'lucide-react/icons/external-link'
import EyeIcon from 'lucide-react/icons/eye'
import EyeOffIcon from 'lucide-react/icons/eye-off'
import FastForwardIcon from 'lucide-react/icons/fast-forward'
import FileIcon from 'lucide-react/icons/file'
import FileTextIcon from 'lucide-react/icons/file-text'
import FlagIcon from 'lucide-react/icons/flag'
import FlameIcon from 'lucide-react/icons/flame'
import FolderIcon from 'lucide-react/icons/folder'
import FootprintsIcon from 'lucide-react/icons/footprints'
import GiftIcon from 'lucide-react/icons/gift'
import GlobeIcon from 'lucide-react/icons/globe'
import GraduationCapIcon from 'lucide-react/icons/graduation-cap'
import HeadphonesIcon from 'lucide-react/icons/headphones'
import HeartIcon from 'lucide-react/icons/heart'
import HeartOffIcon from 'lucide-react/icons/heart-off'
import HouseIcon from 'lucide-react/icons/house'
import ImageIcon from 'lucide-react/icons/image'
import InfoIcon from 'lucide-react/icons/info'
import KeyIcon from 'lucide-react/icons/key'
import LinkIcon from 'lucide-react/icons/link'
import ListIcon from 'lucide-react/icons/list'
import LockIcon from 'lucide-react/icons/lock'
import LockOpenIcon from 'lucide-react/icons/lock-open'
import MailIcon from 'lucide-react/icons/mail'
import MapIcon from 'lucide-react/icons/map'
import MapPinIcon from 'lucide-react/icons/map-pin'
import MenuIcon from 'lucide-react/icons/menu'
import MessageCircleIcon from 'lucide-react/icons/message-circle'
import MicIcon from 'lucide-react/icons/mic'
import MinusIcon from 'lucide-react/icons/minus'
import MoonIcon from 'lucide-react/icons/moon'
import MusicIcon from 'lucide-react/icons/music'
import PackageIcon from 'lucide-react/icons/package'
import PaperclipIcon from 'lucide-react/icons/paperclip'
import PauseIcon from 'lucide-react/icons/pause'
import PencilIcon from 'lucide-react/icons/pencil'
import PhoneIcon from 'lucide-react/icons/phone'
import PlaneIcon from 'lucide-react/icons/plane'
import PlayIcon from 'lucide-react/icons/play'
import PlusIcon from 'lucide-react/icons/plus'
import PrinterIcon from 'lucide-react/icons/printer'
import ReceiptIcon from 'lucide-react/icons/receipt'
import RefreshCwIcon from 'lucide-react/icons/refresh-cw'
import RepeatIcon from 'lucide-react/icons/repeat'
import RewindIcon from 'lucide-react/icons/rewind'
import RocketIcon from 'lucide-react/icons/rocket'
import SaveIcon from 'lucide-react/icons/save'
import SearchIcon from 'lucide-react/icons/search'
import SendIcon from 'lucide-react/icons/send'
import SettingsIcon from 'lucide-react/icons/settings'
import Share2Icon from 'lucide-react/icons/share-2'
import ShieldCheckIcon from 'lucide-react/icons/shield-check'
import ShoppingCartIcon from 'lucide-react/icons/shopping-cart'
import ShuffleIcon from 'lucide-react/icons/shuffle'
import SkipBackIcon from 'lucide-react/icons/skip-back'
import SkipForwardIcon from 'lucide-react/icons/skip-forward'
import SnowflakeIcon from 'lucide-react/icons/snowflake'
import SparklesIcon from 'lucide-react/icons/sparkles'
import SquareIcon from 'lucide-react/icons/square'
import StarIcon from 'lucide-react/icons/star'
import StarHalfIcon from 'lucide-react/icons/star-half'
import StarOffIcon from 'lucide-react/icons/star-off'
import SunIcon from 'lucide-react/icons/sun'
import TagIcon from 'lucide-react/icons/tag'
import TargetIcon from 'lucide-react/icons/target'
import TerminalIcon from 'lucide-react/icons/terminal'
import ThermometerIcon from 'lucide-react/icons/thermometer'
import ThumbsDownIcon from 'lucide-react/icons/thumbs-down'
import ThumbsUpIcon from 'lucide-react/icons/thumbs-up'
import TimerIcon from 'lucide-react/icons/timer'
import TrainFrontIcon from 'lucide-react/icons/train-front'
import Trash2Icon from 'lucide-react/icons/trash-2'
import TrendingDownIcon from 'lucide-react/icons/trending-down'
import TrendingUpIcon from 'lucide-react/icons/trending-up'
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert'
import TrophyIcon from 'lucide-react/icons/trophy'
import TruckIcon from 'lucide-react/icons/truck'
import UploadIcon from 'lucide-react/icons/upload'
import UserIcon from 'lucide-react/icons/user'
import UsersIcon from 'lucide-react/icons/users'
import UtensilsIcon from 'lucide-react/icons/utensils'
import VideoIcon from 'lucide-react/icons/video'
import VolumeIcon from 'lucide-react/icons/volume'
import Volume1Icon from 'lucide-react/icons/volume-1'
import Volume2Icon from 'lucide-react/icons/volume-2'
import VolumeXIcon from 'lucide-react/icons/volume-x'
import WalletIcon from 'lucide-react/icons/wallet'
import WifiIcon from 'lucide-react/icons/wifi'
import WindIcon from 'lucide-react/icons/wind'
import WrenchIcon from 'lucide-react/icons/wrench'
import XIcon from 'lucide-react/icons/x'
import ZapIcon from 'lucide-react/icons/zap'
import type { ComponentType } from 'react'
import { iconName } from './icon-names.ts'

const icons: Readonly<Record<string, ComponentType<{ 'aria-hidden': boolean }>>> = {
  activity: ActivityIcon,
  'arrow-down': ArrowDownIcon,
  'arrow-left': ArrowLeftIcon,
  'arrow-right': ArrowRightIcon,
  'arrow-up': ArrowUpIcon,
  award: AwardIcon,
  bed: BedIcon,
  bell: BellIcon,
  'bell-off': BellOffIcon,
  bike: BikeIcon,
  book: BookIcon,
  bookmark: BookmarkIcon,
  briefcase: BriefcaseIcon,
  building: BuildingIcon,
  bus: BusIcon,
  calendar: CalendarIcon,
  'calendar-days': CalendarDaysIcon,
  camera: CameraIcon,
  car: CarIcon,
  'chart-column': ChartColumnIcon,
  'chart-line': ChartLineIcon,
  'chart-pie': ChartPieIcon,
  check: CheckIcon,
  'chevron-down': ChevronDownIcon,
  'chevron-left': ChevronLeftIcon,
  'chevron-right': ChevronRightIcon,
  'chevron-up': ChevronUpIcon,
  'circle-alert': CircleAlertIcon,
  'circle-check': CircleCheckIcon,
  'circle-question-mark': CircleQuestionMarkIcon,
  'circle-user': CircleUserIcon,
  'circle-x': CircleXIcon,
  clock: ClockIcon,
  cloud: CloudIcon,
  'cloud-rain': CloudRainIcon,
  code: CodeIcon,
  coffee: CoffeeIcon,
  copy: CopyIcon,
  'credit-card': CreditCardIcon,
  database: DatabaseIcon,
  download: DownloadIcon,
  dumbbell: DumbbellIcon,
  ellipsis: EllipsisIcon,
  'ellipsis-vertical': EllipsisVerticalIcon,
  'external-link': ExternalLinkIcon,
  eye: EyeIcon,
  'eye-off': EyeOffIcon,
  'fast-forward': FastForwardIcon,
  file: FileIcon,
  'file-text': FileTextIcon,
  flag: FlagIcon,
  flame: FlameIcon,
  folder: FolderIcon,
  footprints: FootprintsIcon,
  gift: GiftIcon,
  globe: GlobeIcon,
  'graduation-cap': GraduationCapIcon,
  headphones: HeadphonesIcon,
  heart: HeartIcon,
  'heart-off': HeartOffIcon,
  house: HouseIcon,
  image: ImageIcon,
  info: InfoIcon,
  key: KeyIcon,
  link: LinkIcon,
  list: ListIcon,
  lock: LockIcon,
  'lock-open': LockOpenIcon,
  mail: MailIcon,
  map: MapIcon,
  'map-pin': MapPinIcon,
  menu: MenuIcon,
  'message-circle': MessageCircleIcon,
  mic: MicIcon,
  minus: MinusIcon,
  moon: MoonIcon,
  music: MusicIcon,
  package: PackageIcon,
  paperclip: PaperclipIcon,
  pause: PauseIcon,
  pencil: PencilIcon,
  phone: PhoneIcon,
  plane: PlaneIcon,
  play: PlayIcon,
  plus: PlusIcon,
  printer: PrinterIcon,
  receipt: ReceiptIcon,
  'refresh-cw': RefreshCwIcon,
  repeat: RepeatIcon,
  rewind: RewindIcon,
  rocket: RocketIcon,
  save: SaveIcon,
  search: SearchIcon,
  send: SendIcon,
  settings: SettingsIcon,
  'share-2': Share2Icon,
  'shield-check': ShieldCheckIcon,
  'shopping-cart': ShoppingCartIcon,
  shuffle: ShuffleIcon,
  'skip-back': SkipBackIcon,
  'skip-forward': SkipForwardIcon,
  snowflake: SnowflakeIcon,
  sparkles: SparklesIcon,
  square: SquareIcon,
  star: StarIcon,
  'star-half': StarHalfIcon,
  'star-off': StarOffIcon,
  sun: SunIcon,
  tag: TagIcon,
  target: TargetIcon,
  terminal: TerminalIcon,
  thermometer: ThermometerIcon,
  'thumbs-down': ThumbsDownIcon,
  'thumbs-up': ThumbsUpIcon,
  timer: TimerIcon,
  'train-front': TrainFrontIcon,
  'trash-2': Trash2Icon,
  'trending-down': TrendingDownIcon,
  'trending-up': TrendingUpIcon,
  'triangle-alert': TriangleAlertIcon,
  trophy: TrophyIcon,
  truck: TruckIcon,
  upload: UploadIcon,
  user: UserIcon,
  users: UsersIcon,
  utensils: UtensilsIcon,
  video: VideoIcon,
  volume: VolumeIcon,
  'volume-1': Volume1Icon,
  'volume-2': Volume2Icon,
  'volume-x': VolumeXIcon,
  wallet: WalletIcon,
  wifi: WifiIcon,
  wind: WindIcon,
  wrench: WrenchIcon,
  x: XIcon,
  zap: ZapIcon,
}

export const knownIcons: ReadonlySet<string> = new Set(Object.keys(icons))

/** An icon by its name in the catalog or in lucide; a square for a name that nobody knows, so that nothing shifts. */
export default function NamedIcon({ name }: { name: string }) {
  const known = iconName(name)
  const Drawing = Object.hasOwn(icons, known) ? icons[known] : undefined
  return Drawing ? (
    <Drawing aria-hidden />
  ) : (
    <svg viewBox="0 0 24 24" className="v-a2-icon-unknown" aria-hidden data-name={name} />
  )
}
