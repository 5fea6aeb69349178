/** The names of icons that documents of both kinds have used so far. None of them may lose its drawing. */
export const uiSchemaNames = `
  activity alarm-clock archive arrow-down arrow-left arrow-right arrow-up arrow-up-right at-sign award badge-check
  ban banknote bar-chart-3 battery bell bell-ring book book-open bookmark bot box briefcase bug building building-2
  calculator calendar calendar-check calendar-clock calendar-days calendar-plus calendar-x camera car chart-bar
  chart-column chart-line chart-pie check check-check chevron-down chevron-left chevron-right chevron-up circle
  circle-alert circle-check circle-help circle-pause circle-play circle-plus circle-question-mark circle-stop
  circle-x clipboard clipboard-check clipboard-list clock cloud cloud-download cloud-off cloud-upload code coffee
  coins compass contact copy cpu credit-card crown database dollar-sign download edit ellipsis euro external-link
  eye eye-off file file-check file-code file-image file-plus file-spreadsheet file-text file-x files film filter
  flag flame folder folder-open gauge gift git-branch git-commit-horizontal git-merge git-pull-request globe
  graduation-cap hand hard-drive hash headphones heart heart-pulse history home hotel hourglass house image
  image-off inbox info key key-round landmark languages laptop layers layout-dashboard layout-grid leaf life-buoy
  lightbulb link list list-checks list-todo loader loader-circle lock lock-open log-in log-out mail mail-check
  mail-open map map-pin megaphone menu message-circle message-square mic minus monitor moon mouse-pointer-click
  music navigation newspaper notebook octagon-alert package package-check package-x palette paperclip party-popper
  pause pen pencil percent phone phone-call piggy-bank pin plane play plug plus power printer puzzle qr-code quote
  receipt receipt-text refresh-ccw refresh-cw repeat reply rocket rotate-ccw route rss save scale scan scissors
  search send server settings settings-2 share share-2 shield shield-alert shield-check ship shopping-bag
  shopping-cart shuffle signal siren sliders-horizontal smartphone smile snowflake sparkles square square-check
  square-pen star stethoscope sticky-note store sun sunrise sunset table tag tags target telescope terminal
  test-tube thermometer thumbs-down thumbs-up ticket timer toggle-left toggle-right train-front trash trash-2
  trending-down trending-up triangle-alert trophy truck tv umbrella undo unlock upload user user-check user-minus
  user-plus user-round user-x users utensils video volume-2 wallet wand-sparkles warehouse watch webhook wifi
  wifi-off wind wrench x zap
`
  .trim()
  .split(/\s+/)

export const a2uiNames = `
  accountCircle activity add arrow-down arrow-left arrow-right arrow-up arrowBack arrowForward attachFile award
  barChart bed bell bell-off bike book bookmark briefcase building bus calendar calendar-days calendarToday call
  camera cancel car chart chart-column chart-line chart-pie chat check checkCircle chevron-down chevron-left
  chevron-right chevron-up circle-alert circle-check circle-question-mark circle-user circle-x clock close cloud
  cloud-rain code coffee copy credit-card database delete description directionsCar done download dumbbell edit
  ellipsis ellipsis-vertical error event expandLess expandMore external-link eye eye-off fast-forward fastForward
  favorite favoriteOff file file-text fitnessCenter flag flame flight folder footprints gift globe graduation-cap
  group headphones heart heart-off help home hotel house image info key language link list localShipping location
  locationOn lock lock-open lockOpen mail map map-pin menu message-circle mic minus moon moreHoriz moreVert music
  notifications notificationsOff openInNew package paperclip pause payment pencil person phone photo pieChart place
  plane play plus print printer receipt refresh refresh-cw repeat restaurant rewind rocket save schedule school
  search send settings share share-2 shield-check shopping-cart shoppingBag shoppingCart showChart shuffle skip-back
  skip-forward skipNext skipPrevious snowflake sparkles square star star-half star-off starHalf starOff stop success
  sun tag target terminal thermometer thumbDown thumbUp thumbs-down thumbs-up timer train train-front trash trash-2
  trending-down trending-up triangle-alert trophy truck upload user users utensils video visibility visibilityOff
  volume volume-1 volume-2 volume-x volumeDown volumeMute volumeOff volumeUp wallet warning wifi wind work wrench x
  ac_unit access_time account_balance air alarm analytics arrow_downward arrow_upward attach_money block bolt
  bug_report build check_box clear computer content_copy create dashboard date_range directions_bike directions_bus
  directions_run directions_subway directions_walk email emoji_events filter_list forum grade grid_view
  insert_drive_file local_cafe local_dining local_fire_department login logout memory movie music_note
  notifications_active photo_camera priority_high public radio_button_unchecked receipt_long remove report savings
  science security sell sms star_border storage sync table_chart thermostat today translate tune verified videocam
  view_list vpn_key wb_sunny
  zap
`
  .trim()
  .split(/\s+/)
