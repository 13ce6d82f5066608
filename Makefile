# make run    install what a run needs, build, run the main case
# make test   install what the tests need, run everything
# make fuzz   look for inputs that break the readers of files, FUZZ_TIME (10m) for each

CASE ?= cases/cylinder.toml
# An earlier run is continued: one that was interrupted goes on, a finished one
# only shows its summary again.
ARGS ?= $(if $(wildcard $(notdir $(CASE:.toml=.out))/manifest.json),--resume)

.PHONY: build run test fuzz clean

build:
	@echo "building bin/lbmib: some minutes the first time, while what it is linked from is compiled"
	go build -ldflags "-X main.commit=$$(git describe --always --dirty 2>/dev/null)" -o bin/lbmib ./cmd/lbmib

# CASE=… runs another case, ARGS=--overwrite replaces an earlier run.
run: build
	@scripts/install.sh hdf5
	bin/lbmib run $(CASE) $(ARGS)

test:
	@scripts/install.sh hdf5 metis h5py vtk pandas xarray matplotlib nbclient ipykernel cc clang strace openmpi mpich chromium
	@scripts/test.sh

fuzz:
	@FUZZ_TIME=$(or $(FUZZ_TIME),10m) scripts/test.sh fuzz

clean:
	rm -rf bin
