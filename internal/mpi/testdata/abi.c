/* A stand-in for libmpi_abi.so: the calls of package mpi with the types and constants of
 * the ABI of MPI 5.0 (chapter 20), passed on to MPICH, whose own are others. A constant
 * that the ABI does not have ends the process. It takes at most 1024 requests at a time. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle; /* of the ABI */
typedef struct { int source, tag, error, internal[5]; } status;
typedef struct { int low, high, source, tag, error; } mpich_status;

static void *function(const char *name)
{
	static void *library;
	if (!library) library = dlopen("libmpich.so.12", RTLD_NOW | RTLD_GLOBAL);
	if (!library) library = dlopen("libmpi.so.12", RTLD_NOW | RTLD_GLOBAL);
	void *f = library ? dlsym(library, name) : 0;
	if (!f) {
		fprintf(stderr, "abi.c: no %s\n", name);
		abort();
	}
	return f;
}
#define CALL(name, types, ...) (((int(*) types) function(name))(__VA_ARGS__))

/* Constants lie below 4096; what lies above is MPICH's own. */
static int known(handle h, intptr_t abi, int mpich)
{
	if ((intptr_t)h == abi) return mpich;
	if ((uintptr_t)h < 4096) {
		fprintf(stderr, "abi.c: %p instead of %#lx\n", h, (long)abi);
		abort();
	}
	return (int)(intptr_t)h;
}
static int comm(handle h) { return known(h, 0x101, 0x44000000); }
static int type(handle h) { return known(h, 0x247, 0x4c00010d); }
static handle own(int h) { return (handle)(uintptr_t)(unsigned)h; }
static handle *stored;
static int result(int code, int h) { *stored = own(h); return code; }

int MPI_Get_library_version(char *text, int *n) { return CALL("MPI_Get_library_version", (char *, int *), text, n); }
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int code = required == 1024 ? CALL("MPI_Init_thread", (int *, char ***, int, int *), argc, argv, 1, provided) : 1;
	*provided = (int[]){0, 1024, 2048, 4096}[*provided & 3];
	return code;
}
int MPI_Finalize(void) { return CALL("MPI_Finalize", (void)); }
int MPI_Abort(handle c, int s) { return CALL("MPI_Abort", (int, int), comm(c), s); }
int MPI_Error_string(int code, char *text, int *n) { return CALL("MPI_Error_string", (int, char *, int *), code, text, n); }
int MPI_Comm_set_errhandler(handle c, handle e) { return CALL("MPI_Comm_set_errhandler", (int, int), comm(c), known(e, 0x143, 0x54000001)); }
int MPI_Comm_rank(handle c, int *n) { return CALL("MPI_Comm_rank", (int, int *), comm(c), n); }
int MPI_Comm_size(handle c, int *n) { return CALL("MPI_Comm_size", (int, int *), comm(c), n); }
int MPI_Comm_split_type(handle c, int kind, int key, handle info, handle *to)
{
	int h, code = kind == 221 ? CALL("MPI_Comm_split_type", (int, int, int, int, int *), comm(c), 1, key, known(info, 0x130, 0x1c000000), &h) : 1;
	stored = to;
	return result(code, h);
}
int MPI_Comm_free(handle *c)
{
	int h = comm(*c), code = CALL("MPI_Comm_free", (int *), &h);
	*c = (handle)0x100;
	return code;
}
int MPI_Get_processor_name(char *text, int *n) { return CALL("MPI_Get_processor_name", (char *, int *), text, n); }

#define REQUEST(name, types, ...)                       \
	int h, code = CALL(name, types, __VA_ARGS__, &h); \
	stored = r;                                     \
	return result(code, h)
int MPI_Send_init(void *b, int n, handle t, int to, int tag, handle c, handle *r) { REQUEST("MPI_Send_init", (void *, int, int, int, int, int, int *), b, n, type(t), to, tag, comm(c)); }
int MPI_Recv_init(void *b, int n, handle t, int from, int tag, handle c, handle *r) { REQUEST("MPI_Recv_init", (void *, int, int, int, int, int, int *), b, n, type(t), from, tag, comm(c)); }
int MPI_Isend(void *b, int n, handle t, int to, int tag, handle c, handle *r) { REQUEST("MPI_Isend", (void *, int, int, int, int, int, int *), b, n, type(t), to, tag, comm(c)); }
int MPI_Irecv(void *b, int n, handle t, int from, int tag, handle c, handle *r) { REQUEST("MPI_Irecv", (void *, int, int, int, int, int, int *), b, n, type(t), from, tag, comm(c)); }
int MPI_Ibarrier(handle c, handle *r) { REQUEST("MPI_Ibarrier", (int, int *), comm(c)); }
int MPI_Ibcast(void *b, int n, handle t, int root, handle c, handle *r) { REQUEST("MPI_Ibcast", (void *, int, int, int, int, int *), b, n, type(t), root, comm(c)); }
int MPI_Iallgatherv(void *o, int n, handle t, void *a, int *ns, int *at, handle u, handle c, handle *r)
{
	REQUEST("MPI_Iallgatherv", (void *, int, int, void *, int *, int *, int, int, int *), o, n, type(t), a, ns, at, type(u), comm(c));
}
int MPI_Igatherv(void *o, int n, handle t, void *a, int *ns, int *at, handle u, int root, handle c, handle *r)
{
	REQUEST("MPI_Igatherv", (void *, int, int, void *, int *, int *, int, int, int, int *), o, n, type(t), a, ns, at, type(u), root, comm(c));
}
int MPI_Iscatterv(void *a, int *ns, int *at, handle t, void *o, int n, handle u, int root, handle c, handle *r)
{
	REQUEST("MPI_Iscatterv", (void *, int *, int *, int, void *, int, int, int, int, int *), a, ns, at, type(t), o, n, type(u), root, comm(c));
}

/* MPI_REQUEST_NULL is 0x180 here and 2c000000 there. */
static int down(handle h) { return h == (handle)0x180 ? 0x2c000000 : (int)(intptr_t)h; }
static handle up(int h) { return h == 0x2c000000 ? (handle)0x180 : own(h); }

int MPI_Startall(int n, handle *r)
{
	int h[1024], i, code;
	for (i = 0; i < n; i++) h[i] = down(r[i]);
	code = CALL("MPI_Startall", (int, int *), n, h);
	for (i = 0; i < n; i++) r[i] = up(h[i]);
	return code;
}
int MPI_Testall(int n, handle *r, int *flag, status *s)
{
	int h[1024], i, code;
	mpich_status t[1024];
	memset(t, 0, sizeof t);
	for (i = 0; i < n; i++) h[i] = down(r[i]);
	code = CALL("MPI_Testall", (int, int *, int *, mpich_status *), n, h, flag, t);
	for (i = 0; i < n; i++) {
		r[i] = up(h[i]);
		if (*flag) s[i] = (status){t[i].source, t[i].tag, t[i].error, {0}};
	}
	return code;
}
int MPI_Request_free(handle *r)
{
	int h = down(*r), code = CALL("MPI_Request_free", (int *), &h);
	*r = up(h);
	return code;
}
