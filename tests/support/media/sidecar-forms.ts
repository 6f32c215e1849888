/** Sidecars as photo programs write them. Null leaves out a property. */
export type SidecarMarks = { rating: string | null; label: string | null }
type Form = (marks: SidecarMarks) => string

const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
const xmp = 'http://ns.adobe.com/xap/1.0/'

const attributes = ({ rating, label }: SidecarMarks, space: string, { prefix = 'xmp', quote = '"' } = {}): string =>
  [
    rating === null ? '' : `${space}${prefix}:Rating=${quote}${rating}${quote}`,
    label === null ? '' : `${space}${prefix}:Label=${quote}${label}${quote}`,
  ].join('')

const elements = ({ rating, label }: SidecarMarks, indent: string, prefix = 'xmp'): string =>
  [
    rating === null ? '' : `${indent}<${prefix}:Rating>${rating}</${prefix}:Rating>`,
    label === null ? '' : `${indent}<${prefix}:Label>${label}</${prefix}:Label>`,
  ].join('')

/** `total` is the length of the whole packet, which padding fills. */
function packet(body: string, { total = 0, begin = '\ufeff' } = {}): string {
  const start = `<?xpacket begin="${begin}" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${body}\n`
  const end = '<?xpacket end="w"?>'
  const line = `${' '.repeat(99)}\n`
  const padding = line.repeat(Math.max(0, Math.ceil((total - start.length - end.length) / line.length)))
  return start + padding + end
}

const lightroom: Form = (marks) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 7.0-c000 1.000000, 0000/00/00-00:00:00        ">
 <rdf:RDF ${rdf}>
  <rdf:Description rdf:about=""
    xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:xmp="${xmp}"
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
    xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
    xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
   tiff:Orientation="1"
   xmp:CreatorTool="Camera &quot;A&quot; &amp; more &#x263A;"${attributes(marks, '\n   ')}
   crs:Version="17.0"
   crs:Temperature="5150"
   crs:HasSettings="True">
   <dc:subject>
    <rdf:Bag>
     <rdf:li>wedding</rdf:li>
     <rdf:li>Zoë &amp; Ana</rdf:li>
    </rdf:Bag>
   </dc:subject>
   <xmpMM:History>
    <rdf:Seq>
     <rdf:li
      stEvt:action="saved"
      stEvt:changed="/metadata"/>
    </rdf:Seq>
   </xmpMM:History>
   <crs:Look>
    <rdf:Description
     crs:Name="Adobe Color"
     xmp:Rating="2">
    <crs:Parameters>
     <rdf:Description xmp:Label="not the label of the photo" crs:Version="17.0"/>
    </crs:Parameters>
    </rdf:Description>
   </crs:Look>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>`

const bridge: Form = (marks) =>
  packet(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 9.1-c002">
 <rdf:RDF ${rdf}>
  <rdf:Description rdf:about=""
    xmlns:xmp="${xmp}"
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
   xmp:ModifyDate="2026-05-01T10:00:00+02:00"${attributes(marks, '\n   ')}
   photoshop:SidecarForExtension="CR3"/>
 </rdf:RDF>
</x:xmpmeta>`,
    { total: 3000 },
  )

const captureOne: Form = (marks) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 5.5.0">
   <rdf:RDF ${rdf}>
      <rdf:Description rdf:about=""
            xmlns:xmp="${xmp}">${elements(marks, '\n         ')}
         <xmp:CreateDate>2026-05-01T10:00:00</xmp:CreateDate>
      </rdf:Description>
      <rdf:Description rdf:about=""
            xmlns:dc="http://purl.org/dc/elements/1.1/">
         <dc:subject>
            <rdf:Bag>
               <rdf:li>portrait</rdf:li>
            </rdf:Bag>
         </dc:subject>
      </rdf:Description>
   </rdf:RDF>
</x:xmpmeta>
`

const photoMechanic: Form = (marks) =>
  packet(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 6.0.0">
   <rdf:RDF ${rdf}>
      <rdf:Description rdf:about=""
            xmlns:photomechanic="http://ns.camerabits.com/photomechanic/1.0/"
            xmlns:xmp="${xmp}"
            xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/">
         <photomechanic:Tagged>False</photomechanic:Tagged>
         <photomechanic:ColorClass>3</photomechanic:ColorClass>${elements(marks, '\n         ')}
         <Iptc4xmpCore:CreatorContactInfo rdf:parseType="Resource">
            <Iptc4xmpCore:CiAdrCity>Lyon</Iptc4xmpCore:CiAdrCity>
         </Iptc4xmpCore:CreatorContactInfo>
      </rdf:Description>
   </rdf:RDF>
</x:xmpmeta>`,
    { total: 4000 },
  )

const darktable: Form = (marks) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
 <rdf:RDF ${rdf}>
  <rdf:Description rdf:about=""
    xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:xmp="${xmp}"
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
    xmlns:darktable="http://darktable.sf.net/"
   exif:DateTimeOriginal="2026:05:01 10:00:00.120"${attributes(marks, '\n   ')}
   xmpMM:DerivedFrom="IMG_1.CR3"
   darktable:import_timestamp="63913000000000"
   darktable:xmp_version="5">
   <darktable:history>
    <rdf:Seq>
     <rdf:li
      darktable:num="0"
      darktable:operation="exposure"
      darktable:params="gz02eJxjYGBgYAZiCQYYOOHEgAZY0QVwggZ7CB6pfOygYtaVAyCMi48L/AcCEA0AZ7kVxA=="/>
    </rdf:Seq>
   </darktable:history>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
`

const digikam: Form = (marks) =>
  packet(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
 <rdf:RDF ${rdf}>
  <rdf:Description rdf:about=""
    xmlns:digiKam="http://www.digikam.org/ns/1.0/"
    xmlns:xmp="${xmp}"
   digiKam:PickLabel="3"${attributes(marks, '\n   ')}>
   <digiKam:TagsList>
    <rdf:Seq>
     <rdf:li>People/Ana</rdf:li>
    </rdf:Seq>
   </digiKam:TagsList>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>`,
  )

const exiftool: Form = (marks) =>
  `<?xpacket begin='\ufeff' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 12.76'>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>

 <rdf:Description rdf:about=''
  xmlns:dc='http://purl.org/dc/elements/1.1/'>
  <dc:subject>
   <rdf:Bag>
    <rdf:li>it&#39;s one</rdf:li>
   </rdf:Bag>
  </dc:subject>
 </rdf:Description>

 <rdf:Description rdf:about=''
  xmlns:xmp='${xmp}'>
  <xmp:CreatorTool>a > b</xmp:CreatorTool>${elements(marks, '\n  ')}
 </rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end='w'?>`

const oldAdobe: Form = (marks) =>
  packet(
    `<x:xapmeta xmlns:x='adobe:ns:meta/' x:xaptk='XMP toolkit 2.8.2'>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:iX='http://ns.adobe.com/iX/1.0/'>
 <rdf:Description about='uuid:b5a2' xmlns:pdf='http://ns.adobe.com/pdf/1.3/'>
  <pdf:Producer>none</pdf:Producer>
 </rdf:Description>
 <rdf:Description about='uuid:b5a2' xmlns:xap='${xmp}' xap:CreatorTool='tool'${attributes(marks, ' ', { prefix: 'xap', quote: "'" })}>
 </rdf:Description>
</rdf:RDF>
</x:xapmeta>`,
    { total: 2500, begin: '' },
  )

/** The names are those of the programs. */
export const sidecarForms = {
  lightroom,
  bridge,
  captureOne,
  photoMechanic,
  darktable,
  digikam,
  exiftool,
  oldAdobe,
} as const satisfies Record<string, Form>

export const sidecarEncodings = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with a byte order mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16 little-endian': (text: string) => Buffer.from(`\ufeff${toUtf16(text)}`, 'utf16le'),
  'utf-16 big-endian': (text: string) => Buffer.from(`\ufeff${toUtf16(text)}`, 'utf16le').swap16(),
  'CR and LF': (text: string) => Buffer.from(text.replaceAll('\n', '\r\n')),
} as const satisfies Record<string, (text: string) => Buffer>

const toUtf16 = (text: string): string => text.replace('encoding="UTF-8"', 'encoding="UTF-16"')
