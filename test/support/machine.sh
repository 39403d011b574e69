#!/bin/bash
# A machine within this one, for root: this one's programs under files of its own, systemd as the first process, and no network but
# loopback. It ends with this process, and leaves nothing. What is written goes to memory, and below /opt to the folder $1.
set -eu
cgroups=/sys/fs/cgroup/unified
[ -d "$cgroups" ] || cgroups=/sys/fs/cgroup
mkdir -p "$cgroups/svc-machine-$$"
echo $$ > "$cgroups/svc-machine-$$/cgroup.procs"
exec unshare --mount --pid --fork --kill-child --net --uts --ipc --cgroup --propagation private bash -euc '
mount -t tmpfs machine /mnt
mkdir /mnt/written /mnt/work /mnt/root
mount -t overlay machine -o lowerdir=/,upperdir=/mnt/written,workdir=/mnt/work /mnt/root
cd /mnt/root
mount --bind "$0" opt
mount -t proc proc proc
# Settings of the kernel are those of both machines.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup sys/fs/cgroup
for folder in run tmp dev; do mount -t tmpfs -o mode=1777 machine "$folder"; done
chmod 755 run dev
mkdir dev/pts dev/shm && chmod 1777 dev/shm && mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
for device in null zero full random urandom tty; do cp -a "/dev/$device" dev; done
ln -s pts/ptmx dev/ptmx && ln -s /proc/self/fd dev/fd && ln -s fd/0 dev/stdin && ln -s fd/1 dev/stdout && ln -s fd/2 dev/stderr
cp --remove-destination /etc/resolv.conf etc/resolv.conf
# Bare: what the guide installs is not there yet, and nothing starts that it does not start.
rm -rf usr/bin/node usr/bin/np? usr/lib/node_modules usr/local/sbin var/lib/svc etc/svc backup etc/systemd/system/*.wants
mkdir usr/local/sbin
ip link set lo up
env -i container=svc /usr/sbin/chroot . /lib/systemd/systemd --unit=basic.target
' "$1"
