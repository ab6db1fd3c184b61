/* Records what a power cut would leave of a folder; loaded with LD_PRELOAD.
 *
 * A journaling file system (ext4, xfs) that loses its power keeps the names of all files as they
 * were at the last fsync of anything, and of each file what it held when it was last fsynced
 * itself: nothing, if it never was. At each fsync or fdatasync of a file below POWER_ROOT its
 * content is copied to POWER_SHADOW, by inode and time of birth, and all names are written down;
 * at a syncfs, the contents of all files are.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *names;

static int identify(const char *path, char *identity, size_t size) {
  struct statx found;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME | STATX_TYPE, &found) ||
      !S_ISREG(found.stx_mode))
    return -1;
  snprintf(identity, size, "%llu-%lld-%u", (unsigned long long)found.stx_ino,
           (long long)found.stx_btime.tv_sec, found.stx_btime.tv_nsec);
  return 0;
}

static int note(const char *path, const struct stat *status, int kind, struct FTW *place) {
  char identity[128];
  (void)status;
  (void)place;
  if (kind == FTW_F && identify(path, identity, sizeof identity) == 0)
    fprintf(names, "%s\t%s\n", identity, path);
  return 0;
}

static void copy(const char *from, const char *shadow, const char *identity) {
  char part[PATH_MAX], whole[PATH_MAX], buffer[1 << 16];
  ssize_t length;
  int in = open(from, O_RDONLY | O_CLOEXEC);
  if (in < 0)
    return;
  snprintf(whole, sizeof whole, "%s/%s", shadow, identity);
  snprintf(part, sizeof part, "%s.part", whole);
  int out = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  while ((length = read(in, buffer, sizeof buffer)) > 0)
    if (write(out, buffer, (size_t)length) != length)
      abort();
  close(in);
  close(out);
  rename(part, whole);
}

static int keep(const char *path, const struct stat *status, int kind, struct FTW *place) {
  char identity[128];
  (void)status;
  (void)place;
  if (kind == FTW_F && identify(path, identity, sizeof identity) == 0)
    copy(path, getenv("POWER_SHADOW"), identity);
  return 0;
}

static void record(int descriptor, int whole_system) {
  const char *root = getenv("POWER_ROOT"), *shadow = getenv("POWER_SHADOW");
  char link[64], path[PATH_MAX], identity[128], part[PATH_MAX], whole[PATH_MAX];
  if (!root || !shadow)
    return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0)
    return;
  path[length] = 0;
  if (strncmp(path, root, strlen(root)))
    return;
  snprintf(whole, sizeof whole, "%s/lock", shadow);
  int lock = open(whole, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  flock(lock, LOCK_EX);
  if (whole_system)
    nftw(root, keep, 16, FTW_PHYS);
  else if (identify(path, identity, sizeof identity) == 0)
    copy(path, shadow, identity);
  snprintf(whole, sizeof whole, "%s/names", shadow);
  snprintf(part, sizeof part, "%s.part", whole);
  names = fopen(part, "w");
  nftw(root, note, 16, FTW_PHYS);
  fclose(names);
  rename(part, whole);
  close(lock);
}

static int call(const char *name, int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(descriptor);
  record(descriptor, strcmp(name, "syncfs") == 0);
  return result;
}

int fsync(int descriptor) { return call("fsync", descriptor); }
int fdatasync(int descriptor) { return call("fdatasync", descriptor); }
int syncfs(int descriptor) { return call("syncfs", descriptor); }
