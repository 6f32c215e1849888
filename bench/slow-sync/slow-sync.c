/* Preloaded, this makes every fsync and fdatasync take 50 ms longer, as on a slow disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <time.h>

static void wait_for_disk(void)
{
    struct timespec left = {0, 50 * 1000 * 1000};
    while (nanosleep(&left, &left) == -1 && errno == EINTR) {
    }
}

static int sync_slowly(const char *name, int fd)
{
    int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    wait_for_disk();
    return sync(fd);
}

int fsync(int fd)
{
    return sync_slowly("fsync", fd);
}

int fdatasync(int fd)
{
    return sync_slowly("fdatasync", fd);
}
