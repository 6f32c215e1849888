#!/bin/bash
# Writes the samples of this folder: NAME.hvcc (the content of the box hvcC) and NAME.hevc (one coded picture).
set -e
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# make NAME COLORS PIXEL_FORMAT CONVERSION X265_OPTIONS: four colors are the quarters of 128 x 96, one color fills 64 x 64.
make() {
  local inputs=() graph='[0]' size=64x64
  case $2 in *' '*) size=64x48 graph='[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack,' ;; esac
  for color in $2; do inputs+=(-f lavfi -i "color=$color:s=$size,format=gbrp"); done
  ffmpeg -v error -y "${inputs[@]}" -filter_complex "${graph}scale=$4,format=$3" -frames:v 1 -f rawvideo "$scratch/raw"
  case $2 in *' '*) size=128x96 ;; esac
  encode $1 $size "--crf 4 $5"
}

# encode NAME SIZE X265_OPTIONS: encodes the picture in the file raw.
encode() {
  x265 --log-level none "$scratch/raw" --input-res $2 --fps 1 --no-info --keyint 1 $3 -o "$scratch/coded.hevc"
  ffmpeg -v error -y -i "$scratch/coded.hevc" -c copy -tag:v hvc1 -bsf:v 'filter_units=remove_types=32-35|39' "$scratch/coded.mp4"
  node -e '
    const { readFileSync, writeFileSync } = require("node:fs")
    const [, path, name] = process.argv
    const movie = readFileSync(path)
    for (const [box, extension] of [["hvcC", "hvcc"], ["mdat", "hevc"]]) {
      const at = movie.indexOf(box)
      writeFileSync(`${name}.${extension}`, movie.subarray(at + 4, at - 4 + movie.readUInt32BE(at - 4)))
    }' "$scratch/coded.mp4" "$1"
}

full='out_color_matrix=bt601:out_range=full'
limited='out_color_matrix=bt709:out_range=limited'
phone='--range full --colormatrix smpte170m --colorprim bt709 --transfer iec61966-2-1'
quarters='red lime blue white'
make full-601 "$quarters" yuvj420p $full "$phone"
make limited-709 "$quarters" yuv420p $limited '--range limited --colormatrix bt709'
make unmarked-full-601 "$quarters" yuvj420p $full
make unmarked-limited-709 "$quarters" yuv420p $limited
make ten-bits-2020 "$quarters" yuv420p10le out_color_matrix=bt2020:out_range=limited \
  '--input-depth 10 --output-depth 10 --range limited --colormatrix bt2020nc'
make ten-bits-422 "$quarters" yuv422p10le $full "--input-depth 10 --output-depth 10 --input-csp i422 $phone"
make twelve-bits-444 "$quarters" yuv444p12le $full "--input-depth 12 --output-depth 12 --input-csp i444 $phone"
make gray "$quarters" gray out_range=full '--input-csp i400 --range full'
make ten-bits-gray "$quarters" gray10le out_range=full '--input-depth 10 --output-depth 10 --input-csp i400 --range full'
make identity "$quarters" gbrp in_range=full '--input-csp i444 --range full --colormatrix gbr'
make unconverted "$quarters" yuvj420p $full '--range full --colormatrix ycgco'
for color in red lime blue white; do make "tile-$color" $color yuvj420p $full "$phone"; done
make tile-limited-709 white yuv420p $limited '--range limited --colormatrix bt709'

# As large as a tile of a phone, in pixels and in bytes.
ffmpeg -v error -y -f lavfi -i mandelbrot=s=512x512,noise=alls=20:all_seed=1 -vf "scale=$full,format=yuvj420p" -frames:v 1 -f rawvideo "$scratch/raw"
encode camera-tile 512x512 "--crf 32 $phone"
