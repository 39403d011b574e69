// Task texts of the seeded market: pictures, type and sound.
import { prose, type Texts } from './prose.ts';

export const artTexts = {
  coverPainting: {
    title: 'Cover painting for a novel about a lighthouse strike',
    description: prose`
      A lighthouse, a strike committee, winter light. We look for gouache or something that looks like it,
      with room for a title in the upper third. First milestone: three sketches and a colour study. Second:
      the finished picture. Five covers we like are in the brief, and two that we do not.`,
    criteria: prose`
      Sketches differ in composition, not in detail. The final picture is 3,200 by 4,800 pixels or larger,
      layered, with 5 mm bleed. Rights for print and e-book covers in all languages.`,
    tags: ['illustration', 'book-cover', 'gouache'],
  },
  tileset: {
    title: 'Pixel tile set for a salt marsh, 16 by 16',
    description: prose`
      Reeds, mud, shallow water in four frames, plank paths, two kinds of hut. The palette of 24 colours is
      fixed. The tiles must repeat without a visible pattern on a field of 20 by 20.`,
    criteria: prose`
      At least 96 tiles in one sheet with a text file of names. Palette kept. Our test map shows no seams.
      Water animation loops.`,
    tags: ['pixel-art', 'games', 'animation'],
  },
  windRecordings: {
    title: 'Remove wind from 26 field recordings',
    description: prose`
      Interviews made outdoors in the 1990s, digitised at 48 kHz. Speech must become easy to follow; traces of
      the place may and should remain. Three are nearly hopeless and may be given up with a reason.`,
    criteria: prose`
      Loudness of -20 LUFS plus or minus one. No pumping or metallic speech in the five passages that we
      compare. WAV files with the original names and a list of what was done.`,
    tags: ['audio', 'restoration', 'archives'],
  },
  productPhotos: {
    title: 'Retouch 120 product pictures of glazed pottery',
    description: prose`
      Reflections of the window in every glaze, dust, and a background that is nearly white. Take out the
      first two, make the third white, and leave the glaze as it is: colour is why people send things back.`,
    criteria: prose`
      All 120 as TIFF and web JPEG. Background is pure white without halos. Colour differs from the reference
      chart by less than delta E 3.`,
    tags: ['retouching', 'photography', 'commerce'],
  },
  menuIcons: {
    title: 'Forty-two menu icons that read at 24 pixels',
    description: prose`
      A set for inventory and map screens in the line style of the attached six. Each must be told apart at 24
      pixels on dark and light ground by someone who has never seen it.`,
    criteria: prose`
      SVG on a 24-pixel grid, stroke of 1.5, no filters. In a test with five people each icon is named right
      at least four times.`,
    tags: ['icons', 'interface', 'games'],
  },
  bossMusic: {
    title: 'Two minutes of music for a storm, in loops',
    description: prose`
      A fight on a breakwater in three intensities that the engine fades between. Accordion, low strings,
      something metallic. Tempo is fixed at 132.`,
    criteria: prose`
      Three stems of equal length that loop without a click and work alone and together. 48 kHz WAV. All
      samples are licensed for games.`,
    tags: ['music', 'games', 'audio'],
  },
  seminarPoster: {
    title: 'Poster series for a seminar on measurement',
    description: prose`
      Six posters for six evenings, A2, two spot colours, the same grid and a different idea each. Titles and
      dates are fixed, pictures are up to you as long as they are drawn and not stock.`,
    criteria: prose`
      Six print files with bleed, overprint checked. Legible at four metres. A set for screens of the same
      design.`,
    tags: ['poster', 'print', 'graphic-design'],
  },
  giftCards: {
    title: 'Five greeting cards with Baltic seabirds',
    description: prose`
      Ink and one colour, A6 folded, for the shop’s own range. Birds that can be recognised by someone who
      knows them: eider, oystercatcher, tern, avocet, dunlin.`,
    criteria: prose`Five designs at 600 dpi with fold marks. An ornithologist’s eye finds nothing wrong.`,
    tags: ['illustration', 'print', 'birds'],
  },
  atlasVector: {
    title: 'Redraw 30 maps of a school atlas as vectors',
    description: prose`
      Maps of 1958, scanned at 600 dpi. First milestone: coasts, rivers and borders of all thirty. Second:
      relief and towns. Third: lettering in the supplied typeface. The look of the original is wanted, its
      printing errors are not.`,
    criteria: prose`
      SVG with named layers. Deviation from the scan below 0.3 mm at print size. Place names as in the
      supplied list. Files open in two programs.`,
    tags: ['maps', 'vector', 'cartography'],
  },
  fontPairing: {
    title: 'Choose and test two typefaces for a series of essays',
    description: prose`
      Text face and display face for small paperbacks, with Greek and Polish. We need three proposals with
      sample pages and the licence costs, and then one worked out into paragraph styles.`,
    criteria: prose`
      Three proposals of four pages each from our manuscript. All Greek and Polish characters present. Final
      styles as a template that compiles.`,
    tags: ['typography', 'books', 'print'],
  },
  portraitSet: {
    title: 'Twelve character portraits in ink and wash',
    description: prose`
      Portraits for dialogue boxes, head and shoulders, three expressions each. First milestone: six
      characters. Second: the other six, once the first half has settled the style. Descriptions of a
      paragraph each; two reference sheets for clothing.`,
    criteria: prose`
      Thirty-six pictures of 512 by 512 with transparent ground. Expressions are told apart at 96 pixels.
      Light from the upper left throughout. Drawn by hand.`,
    tags: ['illustration', 'characters', 'games'],
  },
  glyphScans: {
    title: 'Clean 260 glyph drawings for a revival typeface',
    description: prose`
      Ink drawings on grid paper, photographed. Straighten, remove the grid, keep the edge of the ink. They
      will be traced by hand later, so no tracing and no sharpening.`,
    criteria: prose`
      260 pictures, 1,200 pixels high, baseline at the same height within two pixels. No grid line visible at
      200 %. File names by Unicode name.`,
    tags: ['typography', 'scans', 'retouching'],
  },
  faviconSet: {
    title: 'Favicon set from an existing logo',
    description: prose`
      The logo is a heron in six strokes and turns to mud at 16 pixels. Redraw it for 16 and 32, scale it for
      the rest.`,
    criteria: prose`
      SVG, ICO with 16, 32 and 48, PNG of 180, 192 and 512. At 16 pixels the heron is still a bird.`,
    tags: ['icons', 'web', 'logo'],
  },
  bannerResize: {
    title: 'One banner in nine sizes',
    description: prose`
      A spring banner exists at 1,200 by 628. Nine other sizes are needed, three of them upright. Move things,
      do not squeeze them.`,
    criteria: prose`Nine PNG files below 150 kB each, headline legible, logo uncut, exact pixel sizes.`,
    tags: ['banner', 'web', 'graphic-design'],
  },
  logoTrace: {
    title: 'Trace a scanned letterhead logo as SVG',
    description: prose`A logo of 1926 from a letterhead, 900 dpi. By hand, few points, no automatic tracing.`,
    criteria: prose`Below 120 points, deviation not visible at 400 %, one path per colour.`,
    tags: ['vector', 'logo', 'archives'],
  },
  colourPalette: {
    title: 'Palette of 12 colours for charts, safe for colour-blind readers',
    description: prose`
      For line charts on white and on dark grey. Neighbours in the order given must be told apart with the
      three common kinds of colour blindness.`,
    criteria: prose`
      Twelve hex values per ground, contrast of 3:1 or more, simulation pictures and the figures behind them.`,
    tags: ['colour', 'charts', 'accessibility'],
  },
  iconAlign: {
    title: 'Align 18 icons to one optical size',
    description: prose`
      Icons from three sources look larger and smaller beside each other. Same grid, same visual weight, no
      redesign.`,
    criteria: prose`
      Eighteen SVG files on a 20-pixel grid, one stroke width, a sheet that shows them in a row.`,
    tags: ['icons', 'vector'],
  },
  audioTrim: {
    title: 'Cut silence from eight lecture recordings',
    description: prose`
      Eight lectures of 70 minutes with long pauses for the blackboard. Pauses above four seconds go down to
      one and a half; nothing else is touched.`,
    criteria: prose`
      No word is cut, checked at every edit point; list of edits with times; same format and level as before.`,
    tags: ['audio', 'editing', 'lectures'],
  },
} satisfies Texts;
