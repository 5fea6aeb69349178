import type { LucideIcon } from 'lucide-react'
import Activity from 'lucide-react/icons/activity'
import AlarmClock from 'lucide-react/icons/alarm-clock'
import Archive from 'lucide-react/icons/archive'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import AtSign from 'lucide-react/icons/at-sign'
import Award from 'lucide-react/icons/award'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Ban from 'lucide-react/icons/ban'
import Banknote from 'lucide-react/icons/banknote'
import BarChart3 from 'lucide-react/icons/bar-chart-3'
import Battery from 'lucide-react/icons/battery'
import Bell from 'lucide-react/icons/bell'
import BellRing from 'lucide-react/icons/bell-ring'
import Book from 'lucide-react/icons/book'
import BookOpen from 'lucide-react/icons/book-open'
import Bookmark from 'lucide-react/icons/bookmark'
import Bot from 'lucide-react/icons/bot'
import Box from 'lucide-react/icons/box'
import Briefcase from 'lucide-react/icons/briefcase'
import Bug from 'lucide-react/icons/bug'
import Building from 'lucide-react/icons/building'
import Building2 from 'lucide-react/icons/building-2'
import Calculator from 'lucide-react/icons/calculator'
import Calendar from 'lucide-react/icons/calendar'
import CalendarCheck from 'lucide-react/icons/calendar-check'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import CalendarDays from 'lucide-react/icons/calendar-days'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import CalendarX from 'lucide-react/icons/calendar-x'
import Camera from 'lucide-react/icons/camera'
import Car from 'lucide-react/icons/car'
import ChartBar from 'lucide-react/icons/chart-bar'
import ChartColumn from 'lucide-react/icons/chart-column'
import ChartLine from 'lucide-react/icons/chart-line'
import ChartPie from 'lucide-react/icons/chart-pie'
import Check from 'lucide-react/icons/check'
import CheckCheck from 'lucide-react/icons/check-check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Circle from 'lucide-react/icons/circle'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleHelp from 'lucide-react/icons/circle-help'
import CirclePause from 'lucide-react/icons/circle-pause'
import CirclePlay from 'lucide-react/icons/circle-play'
import CirclePlus from 'lucide-react/icons/circle-plus'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import CircleStop from 'lucide-react/icons/circle-stop'
import CircleX from 'lucide-react/icons/circle-x'
import Clipboard from 'lucide-react/icons/clipboard'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import ClipboardList from 'lucide-react/icons/clipboard-list'
import Clock from 'lucide-react/icons/clock'
import Cloud from 'lucide-react/icons/cloud'
import CloudDownload from 'lucide-react/icons/cloud-download'
import CloudOff from 'lucide-react/icons/cloud-off'
import CloudUpload from 'lucide-react/icons/cloud-upload'
import Code from 'lucide-react/icons/code'
import Coffee from 'lucide-react/icons/coffee'
import Coins from 'lucide-react/icons/coins'
import Compass from 'lucide-react/icons/compass'
import Contact from 'lucide-react/icons/contact'
import Copy from 'lucide-react/icons/copy'
import Cpu from 'lucide-react/icons/cpu'
import CreditCard from 'lucide-react/icons/credit-card'
import Crown from 'lucide-react/icons/crown'
import Database from 'lucide-react/icons/database'
import DollarSign from 'lucide-react/icons/dollar-sign'
import Download from 'lucide-react/icons/download'
import Edit from 'lucide-react/icons/edit'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Euro from 'lucide-react/icons/euro'
import ExternalLink from 'lucide-react/icons/external-link'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import FileIcon from 'lucide-react/icons/file'
import FileCheck from 'lucide-react/icons/file-check'
import FileCode from 'lucide-react/icons/file-code'
import FileImage from 'lucide-react/icons/file-image'
import FilePlus from 'lucide-react/icons/file-plus'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import FileText from 'lucide-react/icons/file-text'
import FileX from 'lucide-react/icons/file-x'
import Files from 'lucide-react/icons/files'
import Film from 'lucide-react/icons/film'
import Filter from 'lucide-react/icons/filter'
import Flag from 'lucide-react/icons/flag'
import Flame from 'lucide-react/icons/flame'
import Folder from 'lucide-react/icons/folder'
import FolderOpen from 'lucide-react/icons/folder-open'
import Gauge from 'lucide-react/icons/gauge'
import Gift from 'lucide-react/icons/gift'
import GitBranch from 'lucide-react/icons/git-branch'
import GitCommitHorizontal from 'lucide-react/icons/git-commit-horizontal'
import GitMerge from 'lucide-react/icons/git-merge'
import GitPullRequest from 'lucide-react/icons/git-pull-request'
import Globe from 'lucide-react/icons/globe'
import GraduationCap from 'lucide-react/icons/graduation-cap'
import Hand from 'lucide-react/icons/hand'
import HardDrive from 'lucide-react/icons/hard-drive'
import Hash from 'lucide-react/icons/hash'
import Headphones from 'lucide-react/icons/headphones'
import Heart from 'lucide-react/icons/heart'
import HeartPulse from 'lucide-react/icons/heart-pulse'
import HistoryIcon from 'lucide-react/icons/history'
import Home from 'lucide-react/icons/home'
import Hotel from 'lucide-react/icons/hotel'
import Hourglass from 'lucide-react/icons/hourglass'
import House from 'lucide-react/icons/house'
import ImageIcon from 'lucide-react/icons/image'
import ImageOff from 'lucide-react/icons/image-off'
import Inbox from 'lucide-react/icons/inbox'
import Info from 'lucide-react/icons/info'
import Key from 'lucide-react/icons/key'
import KeyRound from 'lucide-react/icons/key-round'
import Landmark from 'lucide-react/icons/landmark'
import Languages from 'lucide-react/icons/languages'
import Laptop from 'lucide-react/icons/laptop'
import Layers from 'lucide-react/icons/layers'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Leaf from 'lucide-react/icons/leaf'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Lightbulb from 'lucide-react/icons/lightbulb'
import Link from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import ListChecks from 'lucide-react/icons/list-checks'
import ListTodo from 'lucide-react/icons/list-todo'
import Loader from 'lucide-react/icons/loader'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import Lock from 'lucide-react/icons/lock'
import LockOpen from 'lucide-react/icons/lock-open'
import LogIn from 'lucide-react/icons/log-in'
import LogOut from 'lucide-react/icons/log-out'
import Mail from 'lucide-react/icons/mail'
import MailCheck from 'lucide-react/icons/mail-check'
import MailOpen from 'lucide-react/icons/mail-open'
import MapIcon from 'lucide-react/icons/map'
import MapPin from 'lucide-react/icons/map-pin'
import Megaphone from 'lucide-react/icons/megaphone'
import Menu from 'lucide-react/icons/menu'
import MessageCircle from 'lucide-react/icons/message-circle'
import MessageSquare from 'lucide-react/icons/message-square'
import Mic from 'lucide-react/icons/mic'
import Minus from 'lucide-react/icons/minus'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import MousePointerClick from 'lucide-react/icons/mouse-pointer-click'
import Music from 'lucide-react/icons/music'
import NavigationIcon from 'lucide-react/icons/navigation'
import Newspaper from 'lucide-react/icons/newspaper'
import Notebook from 'lucide-react/icons/notebook'
import OctagonAlert from 'lucide-react/icons/octagon-alert'
import Package from 'lucide-react/icons/package'
import PackageCheck from 'lucide-react/icons/package-check'
import PackageX from 'lucide-react/icons/package-x'
import Palette from 'lucide-react/icons/palette'
import Paperclip from 'lucide-react/icons/paperclip'
import PartyPopper from 'lucide-react/icons/party-popper'
import Pause from 'lucide-react/icons/pause'
import Pen from 'lucide-react/icons/pen'
import Pencil from 'lucide-react/icons/pencil'
import Percent from 'lucide-react/icons/percent'
import Phone from 'lucide-react/icons/phone'
import PhoneCall from 'lucide-react/icons/phone-call'
import PiggyBank from 'lucide-react/icons/piggy-bank'
import Pin from 'lucide-react/icons/pin'
import Plane from 'lucide-react/icons/plane'
import Play from 'lucide-react/icons/play'
import Plug from 'lucide-react/icons/plug'
import Plus from 'lucide-react/icons/plus'
import Power from 'lucide-react/icons/power'
import Printer from 'lucide-react/icons/printer'
import Puzzle from 'lucide-react/icons/puzzle'
import QrCode from 'lucide-react/icons/qr-code'
import Quote from 'lucide-react/icons/quote'
import Receipt from 'lucide-react/icons/receipt'
import ReceiptText from 'lucide-react/icons/receipt-text'
import RefreshCcw from 'lucide-react/icons/refresh-ccw'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Repeat from 'lucide-react/icons/repeat'
import Reply from 'lucide-react/icons/reply'
import Rocket from 'lucide-react/icons/rocket'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Route from 'lucide-react/icons/route'
import Rss from 'lucide-react/icons/rss'
import Save from 'lucide-react/icons/save'
import Scale from 'lucide-react/icons/scale'
import Scan from 'lucide-react/icons/scan'
import Scissors from 'lucide-react/icons/scissors'
import Search from 'lucide-react/icons/search'
import Send from 'lucide-react/icons/send'
import Server from 'lucide-react/icons/server'
import Settings from 'lucide-react/icons/settings'
import Settings2 from 'lucide-react/icons/settings-2'
import Share from 'lucide-react/icons/share'
import Share2 from 'lucide-react/icons/share-2'
import Shield from 'lucide-react/icons/shield'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Ship from 'lucide-react/icons/ship'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import ShoppingCart from 'lucide-react/icons/shopping-cart'
import Shuffle from 'lucide-react/icons/shuffle'
import Signal from 'lucide-react/icons/signal'
import Siren from 'lucide-react/icons/siren'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Smartphone from 'lucide-react/icons/smartphone'
import Smile from 'lucide-react/icons/smile'
import Snowflake from 'lucide-react/icons/snowflake'
import Sparkles from 'lucide-react/icons/sparkles'
import Square from 'lucide-react/icons/square'
import SquareCheck from 'lucide-react/icons/square-check'
import SquarePen from 'lucide-react/icons/square-pen'
import Star from 'lucide-react/icons/star'
import Stethoscope from 'lucide-react/icons/stethoscope'
import StickyNote from 'lucide-react/icons/sticky-note'
import Store from 'lucide-react/icons/store'
import Sun from 'lucide-react/icons/sun'
import Sunrise from 'lucide-react/icons/sunrise'
import Sunset from 'lucide-react/icons/sunset'
import Table from 'lucide-react/icons/table'
import Tag from 'lucide-react/icons/tag'
import Tags from 'lucide-react/icons/tags'
import Target from 'lucide-react/icons/target'
import Telescope from 'lucide-react/icons/telescope'
import Terminal from 'lucide-react/icons/terminal'
import TestTube from 'lucide-react/icons/test-tube'
import Thermometer from 'lucide-react/icons/thermometer'
import ThumbsDown from 'lucide-react/icons/thumbs-down'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import Ticket from 'lucide-react/icons/ticket'
import Timer from 'lucide-react/icons/timer'
import ToggleLeft from 'lucide-react/icons/toggle-left'
import ToggleRight from 'lucide-react/icons/toggle-right'
import TrainFront from 'lucide-react/icons/train-front'
import Trash from 'lucide-react/icons/trash'
import Trash2 from 'lucide-react/icons/trash-2'
import TrendingDown from 'lucide-react/icons/trending-down'
import TrendingUp from 'lucide-react/icons/trending-up'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Trophy from 'lucide-react/icons/trophy'
import Truck from 'lucide-react/icons/truck'
import Tv from 'lucide-react/icons/tv'
import Umbrella from 'lucide-react/icons/umbrella'
import Undo from 'lucide-react/icons/undo'
import Unlock from 'lucide-react/icons/unlock'
import Upload from 'lucide-react/icons/upload'
import User from 'lucide-react/icons/user'
import UserCheck from 'lucide-react/icons/user-check'
import UserMinus from 'lucide-react/icons/user-minus'
import UserPlus from 'lucide-react/icons/user-plus'
import UserRound from 'lucide-react/icons/user-round'
import UserX from 'lucide-react/icons/user-x'
import Users from 'lucide-react/icons/users'
import Utensils from 'lucide-react/icons/utensils'
import Video from 'lucide-react/icons/video'
import Volume2 from 'lucide-react/icons/volume-2'
import Wallet from 'lucide-react/icons/wallet'
import WandSparkles from 'lucide-react/icons/wand-sparkles'
import Warehouse from 'lucide-react/icons/warehouse'
import Watch from 'lucide-react/icons/watch'
import Webhook from 'lucide-react/icons/webhook'
import Wifi from 'lucide-react/icons/wifi'
import WifiOff from 'lucide-react/icons/wifi-off'
import Wind from 'lucide-react/icons/wind'
import Wrench from 'lucide-react/icons/wrench'
import X from 'lucide-react/icons/x'
import Zap from 'lucide-react/icons/zap'

/** The icons that agents name most, in a chunk of their own that is loaded with the first one. */
export const icons: Readonly<Record<string, LucideIcon>> = {
  activity: Activity,
  'alarm-clock': AlarmClock,
  archive: Archive,
  'arrow-down': ArrowDown,
  'arrow-left': ArrowLeft,
  'arrow-right': ArrowRight,
  'arrow-up': ArrowUp,
  'arrow-up-right': ArrowUpRight,
  'at-sign': AtSign,
  award: Award,
  'badge-check': BadgeCheck,
  ban: Ban,
  banknote: Banknote,
  'bar-chart-3': BarChart3,
  battery: Battery,
  bell: Bell,
  'bell-ring': BellRing,
  book: Book,
  'book-open': BookOpen,
  bookmark: Bookmark,
  bot: Bot,
  box: Box,
  briefcase: Briefcase,
  bug: Bug,
  building: Building,
  'building-2': Building2,
  calculator: Calculator,
  calendar: Calendar,
  'calendar-check': CalendarCheck,
  'calendar-clock': CalendarClock,
  'calendar-days': CalendarDays,
  'calendar-plus': CalendarPlus,
  'calendar-x': CalendarX,
  camera: Camera,
  car: Car,
  'chart-bar': ChartBar,
  'chart-column': ChartColumn,
  'chart-line': ChartLine,
  'chart-pie': ChartPie,
  check: Check,
  'check-check': CheckCheck,
  'chevron-down': ChevronDown,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  'chevron-up': ChevronUp,
  circle: Circle,
  'circle-alert': CircleAlert,
  'circle-check': CircleCheck,
  'circle-help': CircleHelp,
  'circle-pause': CirclePause,
  'circle-play': CirclePlay,
  'circle-plus': CirclePlus,
  'circle-question-mark': CircleQuestionMark,
  'circle-stop': CircleStop,
  'circle-x': CircleX,
  clipboard: Clipboard,
  'clipboard-check': ClipboardCheck,
  'clipboard-list': ClipboardList,
  clock: Clock,
  cloud: Cloud,
  'cloud-download': CloudDownload,
  'cloud-off': CloudOff,
  'cloud-upload': CloudUpload,
  code: Code,
  coffee: Coffee,
  coins: Coins,
  compass: Compass,
  contact: Contact,
  copy: Copy,
  cpu: Cpu,
  'credit-card': CreditCard,
  crown: Crown,
  database: Database,
  'dollar-sign': DollarSign,
  download: Download,
  edit: Edit,
  ellipsis: Ellipsis,
  euro: Euro,
  'external-link': ExternalLink,
  eye: Eye,
  'eye-off': EyeOff,
  file: FileIcon,
  'file-check': FileCheck,
  'file-code': FileCode,
  'file-image': FileImage,
  'file-plus': FilePlus,
  'file-spreadsheet': FileSpreadsheet,
  'file-text': FileText,
  'file-x': FileX,
  files: Files,
  film: Film,
  filter: Filter,
  flag: Flag,
  flame: Flame,
  folder: Folder,
  'folder-open': FolderOpen,
  gauge: Gauge,
  gift: Gift,
  'git-branch': GitBranch,
  'git-commit-horizontal': GitCommitHorizontal,
  'git-merge': GitMerge,
  'git-pull-request': GitPullRequest,
  globe: Globe,
  'graduation-cap': GraduationCap,
  hand: Hand,
  'hard-drive': HardDrive,
  hash: Hash,
  headphones: Headphones,
  heart: Heart,
  'heart-pulse': HeartPulse,
  history: HistoryIcon,
  home: Home,
  hotel: Hotel,
  hourglass: Hourglass,
  house: House,
  image: ImageIcon,
  'image-off': ImageOff,
  inbox: Inbox,
  info: Info,
  key: Key,
  'key-round': KeyRound,
  landmark: Landmark,
  languages: Languages,
  laptop: Laptop,
  layers: Layers,
  'layout-dashboard': LayoutDashboard,
  'layout-grid': LayoutGrid,
  leaf: Leaf,
  'life-buoy': LifeBuoy,
  lightbulb: Lightbulb,
  link: Link,
  list: List,
  'list-checks': ListChecks,
  'list-todo': ListTodo,
  loader: Loader,
  'loader-circle': LoaderCircle,
  lock: Lock,
  'lock-open': LockOpen,
  'log-in': LogIn,
  'log-out': LogOut,
  mail: Mail,
  'mail-check': MailCheck,
  'mail-open': MailOpen,
  map: MapIcon,
  'map-pin': MapPin,
  megaphone: Megaphone,
  menu: Menu,
  'message-circle': MessageCircle,
  'message-square': MessageSquare,
  mic: Mic,
  minus: Minus,
  monitor: Monitor,
  moon: Moon,
  'mouse-pointer-click': MousePointerClick,
  music: Music,
  navigation: NavigationIcon,
  newspaper: Newspaper,
  notebook: Notebook,
  'octagon-alert': OctagonAlert,
  package: Package,
  'package-check': PackageCheck,
  'package-x': PackageX,
  palette: Palette,
  paperclip: Paperclip,
  'party-popper': PartyPopper,
  pause: Pause,
  pen: Pen,
  pencil: Pencil,
  percent: Percent,
  phone: Phone,
  'phone-call': PhoneCall,
  'piggy-bank': PiggyBank,
  pin: Pin,
  plane: Plane,
  play: Play,
  plug: Plug,
  plus: Plus,
  power: Power,
  printer: Printer,
  puzzle: Puzzle,
  'qr-code': QrCode,
  quote: Quote,
  receipt: Receipt,
  'receipt-text': ReceiptText,
  'refresh-ccw': RefreshCcw,
  'refresh-cw': RefreshCw,
  repeat: Repeat,
  reply: Reply,
  rocket: Rocket,
  'rotate-ccw': RotateCcw,
  route: Route,
  rss: Rss,
  save: Save,
  scale: Scale,
  scan: Scan,
  scissors: Scissors,
  search: Search,
  send: Send,
  server: Server,
  settings: Settings,
  'settings-2': Settings2,
  share: Share,
  'share-2': Share2,
  shield: Shield,
  'shield-alert': ShieldAlert,
  'shield-check': ShieldCheck,
  ship: Ship,
  'shopping-bag': ShoppingBag,
  'shopping-cart': ShoppingCart,
  shuffle: Shuffle,
  signal: Signal,
  siren: Siren,
  'sliders-horizontal': SlidersHorizontal,
  smartphone: Smartphone,
  smile: Smile,
  snowflake: Snowflake,
  sparkles: Sparkles,
  square: Square,
  'square-check': SquareCheck,
  'square-pen': SquarePen,
  star: Star,
  stethoscope: Stethoscope,
  'sticky-note': StickyNote,
  store: Store,
  sun: Sun,
  sunrise: Sunrise,
  sunset: Sunset,
  table: Table,
  tag: Tag,
  tags: Tags,
  target: Target,
  telescope: Telescope,
  terminal: Terminal,
  'test-tube': TestTube,
  thermometer: Thermometer,
  'thumbs-down': ThumbsDown,
  'thumbs-up': ThumbsUp,
  ticket: Ticket,
  timer: Timer,
  'toggle-left': ToggleLeft,
  'toggle-right': ToggleRight,
  'train-front': TrainFront,
  trash: Trash,
  'trash-2': Trash2,
  'trending-down': TrendingDown,
  'trending-up': TrendingUp,
  'triangle-alert': TriangleAlert,
  trophy: Trophy,
  truck: Truck,
  tv: Tv,
  umbrella: Umbrella,
  undo: Undo,
  unlock: Unlock,
  upload: Upload,
  user: User,
  'user-check': UserCheck,
  'user-minus': UserMinus,
  'user-plus': UserPlus,
  'user-round': UserRound,
  'user-x': UserX,
  users: Users,
  utensils: Utensils,
  video: Video,
  'volume-2': Volume2,
  wallet: Wallet,
  'wand-sparkles': WandSparkles,
  warehouse: Warehouse,
  watch: Watch,
  webhook: Webhook,
  wifi: Wifi,
  'wifi-off': WifiOff,
  wind: Wind,
  wrench: Wrench,
  x: X,
  zap: Zap,
}
