#!/usr/bin/env bash
# Builds the binaries of a release for all platforms and packs each with its licence, the notices of what it is linked from,
# the Python file, the reference of the case file, completions and the manual page:
#
#   scripts/release.sh VERSION [DIR]      into DIR (dist): lbmib-VERSION-OS-ARCH.tar.gz and SHA256SUMS
#
# PLATFORMS names fewer, as "linux/amd64". The same commit and toolchain give the same bytes. BUILT names a program for this machine that is
# packed in place of one built here, by which tests pack without building.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?usage: scripts/release.sh VERSION [DIR]}
out=${2:-dist}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64}
commit=$(git describe --always --dirty 2>/dev/null || true)

if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.-]+)?$ ]]; then
	echo "scripts/release.sh: \"$version\" is no version: write for instance 0.1.0" >&2
	exit 2
fi
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # SYSTEM ARCHITECTURE FILE
	GOOS=$1 GOARCH=$2 CGO_ENABLED=0 go build -trimpath -buildvcs=false \
		-ldflags "-s -w -X main.release=$version -X main.commit=$commit" -o "$3" ./cmd/lbmib
}

# One that runs here makes the texts that all have.
here=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
if [[ -n ${BUILT:-} ]]; then
	cp "$BUILT" "$work/lbmib"
else
	build "${here%/*}" "${here#*/}" "$work/lbmib"
fi
mkdir -p "$work/texts/completions" "$work/texts/docs" "$work/texts/python"
for shell in bash zsh fish; do "$work/lbmib" completion $shell >"$work/texts/completions/lbmib.$shell"; done
"$work/lbmib" man >"$work/texts/lbmib.1"
cp LICENSE THIRD_PARTY_NOTICES CITATION.cff README.md "$work/texts/"
cp -r docs/*.md docs/*.png docs/gallery docs/tutorials "$work/texts/docs/"
cp python/lbmib.py python/pyproject.toml "$work/texts/python/"

archives=()
for p in $platforms; do
	name=lbmib-$version-${p//\//-}
	mkdir "$work/$name"
	cp -r "$work/texts/." "$work/$name/"
	if [[ $p == "$here" ]]; then
		cp "$work/lbmib" "$work/$name/"
	else
		build "${p%/*}" "${p#*/}" "$work/$name/lbmib"
	fi
	chmod -R u=rwX,go=rX "$work/$name"
	tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
	archives+=("$name.tar.gz")
	echo "$out/$name.tar.gz"
done
(cd "$out" && sha256sum "${archives[@]}" >SHA256SUMS)
echo "$out/SHA256SUMS"
